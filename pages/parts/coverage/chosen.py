"""The passage chosen on the map: its text, its counts, the questions that brought it up, and where to go from it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.coverage.needles import Needle
from core.coverage.phrasing import factual
from core.coverage.reach import Counts
from core.domain import Passage
from core.knowledge.questions import Question
from pages.parts.coverage import links
from pages.parts.coverage.cells import STAGES
from pages.parts.coverage.view import View
from pages.parts.explain import grid
from pages.parts.literal import inline, short
from pages.parts.numbers import DASH
from pages.parts.tabular import readable

_LISTED = 5
"""Questions named; of the rest the number."""
_SHORT = 44
"""Columns of type that a question takes on its button."""
_TEXT = 1_200
"""Characters of a passage shown here; the Library shows the whole."""


def draw(view: View) -> None:
    """The passage; where none is chosen, how to choose one."""
    words = view.words
    row = view.rows.get(view.work.passage)
    if row is None:
        st.caption(f":material/touch_app: {words('ui.coverage.chosen.none')}")
        return
    passage = row.passage
    with st.container(border=True, gap="small", key="coverage.chosen"):
        st.markdown(f"#### {inline(passage.title or passage.id)}", anchors=False)
        st.caption(inline(passage.section if passage.section != passage.title else passage.document))
        long = len(passage.text) > _TEXT
        st.markdown(readable(passage.text[:_TEXT] + ("…" if long else "")))
        _counts(view, row.counts)
        _questions(view, passage)
        _needle(view, passage, view.needle(passage))
        links.to_library(passage, words)


def _counts(view: View, counts: Mapping[str, Counts]) -> None:
    """How often each mode brought it how far."""
    words = view.words
    stages = STAGES if view.found.reach.answers else STAGES[:-1]
    head = [words("ui.coverage.chosen.mode"), *(words(f"ui.coverage.stage.{stage}") for stage in stages)]
    lines = [
        grid.Line([words.mode(mode), *(f"{getattr(counts[mode], stage):,}" for stage in stages)]) for mode in view.modes
    ]
    grid.draw("coverage.counts", words("ui.coverage.chosen.counts"), head, "l" + "r" * len(stages), lines)


def _questions(view: View, passage: Passage) -> None:
    """The questions that touched it, those that had it given to most modes first."""
    words = view.words
    found = sorted(view.found.of(passage.id), key=lambda each: -sum(c.given for c in each[1].values()))
    if not found:
        st.caption(words("ui.coverage.chosen.no_question"))
        return
    st.markdown(f"**{words('ui.coverage.chosen.questions', count=len(found))}**")
    st.caption(words("ui.coverage.chosen.questions_about"))
    for question, counts in found[:_LISTED]:
        _question(view, passage, question, counts)
    if len(found) > _LISTED:
        st.caption(words("ui.coverage.chosen.more", count=len(found) - _LISTED))


def _question(view: View, passage: Passage, question: Question, counts: Mapping[str, Counts]) -> None:
    """A question, asked on Compare by a tap, and how far each mode brought the passage for it."""
    with st.container(gap=None):
        label = inline(short(question.question, _SHORT))
        links.to_compare(f"coverage.ask.{question.id}", view.asked, question.question, label, passage.id)
        st.markdown(f":small[{' :gray[·] '.join(_far(view, mode, counts.get(mode)) for mode in view.modes)}]")


def _far(view: View, mode: str, counts: Counts | None) -> str:
    """How far a mode brought it: the last stage of its way."""
    last = next((stage for stage in reversed(STAGES) if counts and getattr(counts, stage)), None)
    said = view.words(f"ui.coverage.stage.{last}") if last else DASH
    return f"{view.mode(mode)} {said}"


def _needle(view: View, passage: Passage, needle: Needle | None) -> None:
    """The question that asks for this passage alone."""
    words = view.words
    if needle is None:
        st.caption(words(f"ui.coverage.chosen.{'unasked' if factual(passage) else 'no_needle'}"))
        return
    source = words(f"coverage.source.{needle.source}")
    st.markdown(f"**{words('ui.coverage.chosen.needle')}** :small[:gray[{source}]]")
    label = inline(short(needle.question, _SHORT))
    links.to_compare(f"coverage.needle.{passage.id}", view.asked, needle.question, label, passage.id)
