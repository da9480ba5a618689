"""What is found without asking: at once where the base is small, on a click where that takes a while."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from core.bench import Bench
from core.coverage.health import health
from core.coverage.pairs import pairs
from core.errors import StoppedError
from core.knowledge.questions import QuestionSet
from core.ports import never
from pages.parts.coverage import running, work
from pages.parts.coverage.work import Change, Checked, Work
from pages.parts.frame import Frame

AT_ONCE = 800
"""Passages that are looked through in about a second."""


def checked(page: Frame, bench: Bench, found: QuestionSet, known: Work) -> Checked | None:
    """What is known of the base as it is now; of a small one it is found out."""
    now = known.checked
    if now and now.base is bench.base and now.questions == found.questions:
        return now
    if len(bench.base.passages) > AT_ONCE:
        return None
    made = _look(bench, found)
    work.change(page.base, checked=made)
    return made


def _look(bench: Bench, found: QuestionSet, stopped: Callable[[], bool] = never) -> Checked:
    faults = health(bench.base, found.questions)
    alike = pairs(bench.base, bench.retriever.tokeniser, stopped)
    if stopped():  # the pairs are not all there
        raise StoppedError
    return Checked(bench.base, found.questions, faults, alike)


def offer(page: Frame, bench: Bench, found: QuestionSet) -> None:
    """A button that looks a large base through."""
    words = page.words
    st.caption(
        words(
            "ui.coverage.check_about",
            passages=len(bench.base.passages),
            seconds=-(-len(bench.base.passages) // AT_ONCE),
        )
    )
    if st.button(words("ui.coverage.check"), icon=":material/health_and_safety:", key="coverage.check"):

        def doing(stopped: Callable[[], bool]) -> Change:
            made = _look(bench, found, stopped)
            return lambda now: replace(now, checked=made)

        running.wait(page, doing, words("ui.coverage.checking"))
