"""The passages that no question uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from core.domain import Passage
from core.knowledge.base import JOINT
from pages.parts.coverage import links
from pages.parts.coverage.paging import page_of
from pages.parts.coverage.view import View
from pages.parts.literal import inline, short, shown

PAGE = 20
"""Passages on one page."""
_SHORT = 120
"""Columns of type of a passage's text that are shown."""
_QUESTION = 70


def draw(view: View) -> None:
    """The passages by section."""
    words, left = view.words, view.unreached
    st.subheader(words("ui.coverage.unreached.title", count=len(left)), anchor=False)
    if not left:
        st.caption(words("ui.coverage.unreached.none"))
        return
    never = sum(not view.met(passage) for passage in left)
    code = "all_never" if never == len(left) else "some_never" if never else "none_never"
    st.caption(words(f"ui.coverage.unreached.{code}", never=never))
    heading = None
    for passage in page_of(_of_document(view, left), PAGE, "coverage.unreached.page", words):
        if (above := _above(view, passage)) != heading:
            heading = above
            st.markdown(f"**{inline(heading)}**")
        _passage(view, passage)


def _of_document(view: View, left: Sequence[Passage]) -> Sequence[Passage]:
    """Those of the document that the reader chose; of a few all."""
    if len(left) <= PAGE:
        return left
    words, counts = view.words, Counter(passage.document for passage in left)

    def called(id: str) -> str:
        if not id:
            return words("ui.coverage.unreached.everywhere", count=len(left))
        return shown(f"{view.base.documents[id].title or id} · {counts[id]} / {len(view.base.of_document(id))}")

    options = ["", *counts]
    chosen = st.selectbox(words("ui.coverage.document"), options, 0, called, key="coverage.unreached.document")
    return [passage for passage in left if chosen in ("", passage.document)]


def _above(view: View, passage: Passage) -> str:
    """The section a passage stands in; where it is the only one there, what that stands in."""
    if not passage.title or not passage.section.endswith(passage.title):
        return passage.section
    return passage.section.rpartition(JOINT)[0] or view.base.document_of(passage).title


def _passage(view: View, passage: Passage) -> None:
    words, times = view.words, view.met(passage)
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(f"**{inline(passage.title or passage.id)}**", width="content")
            code = "cut" if times else "never"
            st.markdown(f":small[:gray[{words(f'ui.coverage.unreached.{code}', count=times)}]]", width="content")
        st.caption(inline(short(" ".join(passage.text.split()), _SHORT)))
        with st.container(horizontal=True, vertical_alignment="center"):
            if needle := view.needle(passage):
                label = words("ui.coverage.unreached.ask", question=inline(short(needle.question, _QUESTION)))
                links.to_compare(f"coverage.unreached.{passage.id}", view.asked, needle.question, label, passage.id)
            links.to_library(passage, words)
