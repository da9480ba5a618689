"""A search for any passage of the base, whether a mode touched it or not, so that it can be explained too."""

from __future__ import annotations

import streamlit as st

from core.domain import Passage
from pages.parts.explain.looking import FIND, choose
from pages.parts.explain.view import View
from pages.parts.labels import named, unclear

_FOUND = 10
"""Passages offered for what was typed."""


def draw(view: View) -> None:
    """A search by id, title or text, so that passages which no mode touched can be explained too."""
    words = view.words
    typed = st.text_input(
        words("ui.explain.others.label"),
        key=FIND,
        placeholder=words("ui.explain.others.placeholder"),
        icon=":material/search:",
        width=420,
    )
    wanted = (typed or "").strip()
    if not wanted:
        return
    found = _matching(view, wanted)
    with st.container(gap="xsmall"):
        if not found:
            st.caption(words("ui.explain.others.none"))
        for passage in found:
            st.button(
                named(passage, mark=unclear(passage, words)),
                key=f"explain.other.{passage.id}",
                type="tertiary",
                on_click=choose,
                args=(passage.id,),
                wrap=True,
            )


def _matching(view: View, wanted: str) -> list[Passage]:
    """At most ten passages: those with this id, then by id or title, then by their text."""
    passages, small = view.bench.base.passages, wanted.casefold()
    by_name: list[Passage] = []
    by_text: list[Passage] = []
    for passage in passages:
        if len(by_name) == _FOUND:
            break
        if small in passage.id.casefold() or small in passage.title.casefold():
            by_name.append(passage)
        elif len(by_text) < _FOUND and small in passage.text.casefold():
            by_text.append(passage)
    return (
        sorted(by_name, key=lambda passage: passage.id.casefold() != small)[:_FOUND] + by_text[: _FOUND - len(by_name)]
    )
