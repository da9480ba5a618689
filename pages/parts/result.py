"""A comparison on the page: its columns, what should be known of them, and the table below."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.domain import Comparison
from core.knowledge.tokeniser import Tokeniser
from core.settings import OFFLINE
from core.words import Words
from pages.parts import form, table
from pages.parts.column import Column
from pages.parts.literal import inline
from pages.parts.sources import Reading

ALL = ""
"""Value of the view in which all columns stand side by side."""


def head(comparison: Comparison, words: Words) -> None:
    """What is compared: the question, the base, and, said once, what is offline."""
    st.markdown(f"**{inline(comparison.question)}**")
    when = comparison.created.replace("T", " ").removesuffix("+00:00")
    facts = words("ui.result.facts", base=comparison.base.title, version=comparison.base.version, when=when)
    offline = comparison.settings.get("writer") == OFFLINE and not comparison.settings.get("retrieval_only")
    st.caption(inline(facts) + (f"\\\n{words('ui.offline')}" if offline else ""))


def columns(modes: Sequence[str], words: Words, question: str, *, live: bool = False) -> dict[str, Column]:
    """The columns of these modes, side by side or the one the reader wants to see alone.

    Above them Stop while they are live and, in the same place so that nothing moves, ask again when they are not.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        alone = _view(modes, words)
        if live:
            st.button(words("ui.live.stop"), icon=":material/stop_circle:", key="stop", help=words("ui.live.hint"))
        else:
            again = words("ui.result.again")
            st.button(again, icon=":material/refresh:", key="again", on_click=form.send, args=(question,))
    if alone != ALL:
        return {alone: Column(st.container(), modes.index(alone), alone, words, reserved=False)}
    boxes = st.columns(len(modes), gap="small")
    return {mode: Column(box, place, mode, words) for place, (mode, box) in enumerate(zip(modes, boxes, strict=True))}


def _view(modes: Sequence[str], words: Words) -> str:
    """Which columns to show; on a narrow screen one at a time reads better."""
    if st.session_state.get("view", ALL) not in modes:
        st.session_state["view"] = ALL
    chosen = st.segmented_control(
        words("ui.view.label"),
        [ALL, *modes],
        format_func=lambda mode: words.mode(mode) if mode else words("ui.view.all"),
        key="view",
        required=True,
        label_visibility="collapsed",
        persist_state="session",
        wrap=True,
    )
    return str(chosen or ALL)


def draw(comparison: Comparison, words: Words, tokeniser: Tokeniser) -> None:
    """A comparison that is over."""
    head(comparison, words)
    drawn = columns([run.mode for run in comparison.runs], words, comparison.question)
    reading = Reading.of(comparison, words, tokeniser)
    for run in comparison.runs:
        if run.mode in drawn:
            drawn[run.mode].draw(run, run.seconds, reading)
    _shared_cores(comparison, words)
    table.draw(comparison, words, tokeniser)


def _shared_cores(comparison: Comparison, words: Words) -> None:
    """How fair the times are, and the offer to take them one after the other."""
    if comparison.settings.get("one_by_one"):
        st.caption(words("ui.times.one_by_one"))
        return
    if len(comparison.runs) < 2:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(words("ui.times.shared"), width="content")
        st.button(
            words("ui.times.retime"),
            icon=":material/timer:",
            type="tertiary",
            key="retime",
            on_click=form.send,
            args=(comparison.question,),
            kwargs={"one_by_one": True},
        )
