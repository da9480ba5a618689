"""Slow work of the Coverage page beside the script: how far it is, a way to stop it, and what it leaves."""

from __future__ import annotations

import time
from collections.abc import Callable

import streamlit as st

from core.words import Words
from pages.parts.beside import beside, ticks
from pages.parts.coverage import work
from pages.parts.coverage.work import Change
from pages.parts.frame import Frame

Doing = Callable[[Callable[[], bool]], Change]
"""Work that hears whether it is to stop, and tells what it changes."""
Shown = Callable[[], tuple[float, str]]
"""How far it is: a share from 0 to 1, and a line of Markdown."""


def run(page: Frame, doing: Doing, shown: Shown) -> None:
    """Do it, showing how far it is; any click stops it, and what has come stays. The page is then drawn anew."""
    bar = st.empty()
    _stop(page.words, page.words("ui.coverage.hint"))
    with beside(doing) as going:
        work.change(page.base, going=going)
        for _ in ticks(going):
            share, line = shown()
            bar.progress(min(1.0, share), line)
    st.rerun()


def wait(page: Frame, doing: Doing, line: str) -> None:
    """As `run`, where it cannot be told how far it is, and nothing stays of what was stopped."""
    room = st.empty()
    _stop(page.words)
    began = time.monotonic()
    with beside(doing) as going:
        for _ in ticks(going):
            room.caption(f":material/hourglass_top: {line} · {time.monotonic() - began:.0f} s")
    work.change(page.base, going=going)  # only now: nobody waits for what was left
    st.rerun()


def _stop(words: Words, hint: str = "") -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(words("ui.live.stop"), key="coverage.stop", icon=":material/stop_circle:")
        if hint:
            st.caption(hint)
