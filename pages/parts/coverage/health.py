"""Faults that are seen without asking anything, worst first, and the line that checks for them in CI."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import streamlit as st

from core.coverage.health import Finding
from core.knowledge.base import KnowledgeBase
from core.words import Words
from pages.parts.coverage import links, summary
from pages.parts.coverage.paging import page_of
from pages.parts.frame import Frame
from pages.parts.literal import inline

PAGE = 30
"""Findings on one page."""
_LINKED = 5
"""Passages of a finding that are linked."""


def draw(page: Frame, base: KnowledgeBase, found: Sequence[Finding]) -> None:
    """The findings, then the line."""
    words = page.words
    if not found:
        st.success(words("ui.coverage.health.none"), icon=":material/check:")
    heading = None
    for finding in page_of(found, PAGE, "coverage.health.page", words):
        if (finding.severity, finding.kind) != heading:
            heading = finding.severity, finding.kind
            alike = sum((other.severity, other.kind) == heading for other in found)
            st.markdown(
                f"{summary.sign(finding.severity, words)} {words(f'coverage.kind.{finding.kind}')} :gray[{alike:,}]"
            )
        _finding(base, finding, words)
    _line(page)


def _finding(base: KnowledgeBase, finding: Finding, words: Words) -> None:
    with st.container(border=True, gap="xsmall"):
        st.markdown(inline(words.say(finding.say)))
        ids = [id for id in finding.passages if base.has(id)]
        if ids:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                for id in ids[:_LINKED]:
                    links.named(base, base.passage(id))
                if len(ids) > _LINKED:
                    st.caption(words("ui.sources.more", count=len(ids) - _LINKED), width="content")


def _line(page: Frame) -> None:
    """The same on a command line."""
    words = page.words
    st.markdown(f"**{words('ui.coverage.health.line')}**")
    st.caption(words("ui.coverage.health.line_about"))
    st.code(f"python -m core coverage --kb {shlex.quote(page.base)}", language=None, wrap_lines=True)
