"""Choosing a kept comparison: the one that the address names, or one of the latest."""

from __future__ import annotations

import streamlit as st

from core.errors import WorkbenchError
from core.runs import Comparison
from pages.parts.frame import Frame
from pages.parts.learn.learner import go
from pages.parts.literal import inline, short
from pages.parts.numbers import local

_LISTED = 12
_SHORT = 60
"""Columns of type that a question takes in the list, so that its date stands on the same line."""


def opened(page: Frame) -> Comparison | None:
    """The comparison that the address names; where this reader cannot open it, that is told."""
    wanted = st.query_params.get("c")
    if wanted is None:
        return None
    try:
        return page.archive.open(wanted, page.reader)
    except WorkbenchError as unknown:
        st.warning(inline(page.words.say(unknown.say)), icon=":material/info:")
        return None


def draw(page: Frame, topic: str) -> None:
    """The latest comparisons that this reader may open; tapping one opens it on this topic."""
    words = page.words
    st.markdown(f"**{words('ui.learn.pick')}**")
    try:
        found = page.archive.recent(_LISTED, page.reader)
    except WorkbenchError as unusable:
        st.caption(inline(words.say(unusable.say)))
        return
    if not found:
        st.caption(words("ui.learn.pick_none"))
        st.page_link("pages/compare.py", label=words("ui.learn.pick_ask"), icon=":material/view_column:")
    with st.container(gap="xsmall"):
        for kept in found:
            cut = "" if kept.complete else f" · {words('ui.learn.pick_cut')}"
            st.button(
                f"{inline(short(kept.question, _SHORT))} :small[:gray[{local(kept.created, words)}{cut}]]",
                key=f"pick.{kept.id}",
                icon=":material/chevron_right:",
                icon_position="right",
                wrap=True,
                on_click=go,
                args=(topic,),
                kwargs={"c": kept.id},
            )


def other(page: Frame, topic: str) -> None:
    """The way back from a comparison to the list of them."""
    label = page.words("ui.learn.pick_other")
    st.button(label, icon=":material/list:", type="tertiary", key="pick", on_click=go, args=(topic,))
