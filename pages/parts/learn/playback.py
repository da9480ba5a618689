"""Playback: a kept comparison step by step, drawn from its record; nothing is asked anew and nothing is kept."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.bench import Bench
from core.explain.playback import Moment, moments, until
from core.runs import Comparison
from core.words import Words
from pages.parts import result
from pages.parts.column import Column
from pages.parts.frame import Frame
from pages.parts.learn import ballot, picker
from pages.parts.literal import heading, inline
from pages.parts.numbers import local, seconds
from pages.parts.sources import COLOURS, Reading, tagged


def draw(page: Frame, bench: Bench) -> None:
    """The comparison that the address names at the moment chosen, or a choice of comparisons."""
    comparison = picker.opened(page)
    if comparison is None:
        with st.container(width=860):
            picker.draw(page, "playback")
        return
    words, found = page.words, moments(comparison)
    st.markdown(f"**{heading(comparison.question)}**")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge(words("ui.playback.recorded"), icon=":material/history:", color="gray")
        st.caption(inline(words("ui.playback.when", when=local(comparison.created, words))), width="content")
    moment = _controls(comparison, found, words)
    _columns(until(comparison, moment.at) if moment else comparison, moment, page, bench)
    with st.container(horizontal=True, vertical_alignment="center"):
        ballot.to_comparison(comparison, words)
        picker.other(page, "playback")


def _controls(comparison: Comparison, found: Sequence[Moment], words: Words) -> Moment | None:
    """Back, forth and the slider; the moment chosen, where there is any."""
    key, last = f"moment.{comparison.id}", len(found)
    at = min(max(1, int(st.session_state.get(key) or 1)), max(1, last))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _button("previous", ":material/skip_previous:", key, at - 1, at <= 1, words)
        _button("next", ":material/skip_next:", key, at + 1, at >= last, words)
        label = words("ui.playback.moment", at=min(at, last), all=last)
        if last > 1:
            st.session_state[key] = at
            st.slider(label, 1, last, key=key, persist_state="session", width="stretch")
        else:
            st.slider(label, 0, 1, last, disabled=True, width="stretch")
    if last <= 1:
        st.caption(words("ui.playback.single"))
    moment = found[at - 1] if found else None
    _said(moment, comparison, words)
    return moment


def _button(name: str, icon: str, key: str, at: int, disabled: bool, words: Words) -> None:
    shortcut = {"previous": "P", "next": "N"}[name]
    label = words(f"ui.playback.{name}")
    st.button(label, icon=icon, key=name, disabled=disabled, shortcut=shortcut, on_click=_step, args=(key, at))


def _step(key: str, at: int) -> None:
    st.session_state[key] = at


def _said(moment: Moment | None, comparison: Comparison, words: Words) -> None:
    """The moment in words, with its time and its mode in a room that is always as high."""
    with st.container(height=64, border=False, vertical_alignment="center"):
        if moment is None:
            st.caption(words("ui.playback.none"))
            return
        colour = next(c for run, c in zip(comparison.runs, COLOURS, strict=False) if run.mode == moment.mode)
        step = words("ui.playback.step", step=moment.step)
        said = f"{seconds(moment.at)} · {step} · {words.say(moment.say)}"
        st.markdown(f"{tagged(moment.mode, colour, words)} {inline(said)}")


def _columns(shown: Comparison, moment: Moment | None, page: Frame, bench: Bench) -> None:
    """Every mode as it stood, or the one that the reader wants to see alone, drawn as on Compare."""
    reading = Reading.of(shown, page.words, bench)
    one_by_one = shown.settings.get("one_by_one")
    alone = result.view([run.mode for run in shown.runs], page.words)
    boxes = (
        [st.container(width=result.READING)] * len(shown.runs) if alone else st.columns(len(shown.runs), gap="small")
    )
    for place, (run, box) in enumerate(zip(shown.runs, boxes, strict=True)):
        if alone in (result.ALL, run.mode):
            clock = moment.at if moment and run.ended is None and not one_by_one else run.seconds
            Column(box, place, run.mode, page.words).draw(run, clock, reading)
