"""What one session does on the Learn page: one value under one key, and the addresses of its topics."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import streamlit as st

from core.bench import Bench
from core.runs import Comparison
from pages.parts import addressed

_KEY = "learner"
_HELD = 16
"""Comparisons run for this page that a session holds."""

Case = tuple[str, str, str]
"""What something is known of: the topic, the base's version, and a question."""


@dataclass(frozen=True)
class Learner:
    """`guesses` are modes that were predicted to find the gold; `found` what really happened.

    `token` stands for the session where it votes, and shuffles its blind views. `due` is what a click has asked to be
    run.
    """

    token: str = field(default_factory=lambda: uuid.uuid4().hex)
    guesses: Mapping[Case, tuple[str, ...]] = field(default_factory=dict)
    found: Mapping[Case, Comparison] = field(default_factory=dict)
    due: Case | None = None


def learner() -> Learner:
    """What this session has done so far."""
    found = st.session_state.get(_KEY)
    return found if isinstance(found, Learner) else put(Learner())


def put(value: Learner) -> Learner:
    """Keep what this session has done; the same value comes back."""
    st.session_state[_KEY] = value
    return value


def case_of(topic: str, bench: Bench, question: str) -> Case:
    """What a question is known by on a topic: an edited base begins anew."""
    return topic, bench.base.version, question


def guess(case: Case, modes: tuple[str, ...]) -> None:
    """Keep a prediction, and have it checked in the next run of the page."""
    mine = learner()
    put(replace(mine, guesses={**mine.guesses, case: modes}, due=case))


def forget(case: Case) -> None:
    """Take a prediction back."""
    mine = learner()
    put(replace(mine, guesses={known: modes for known, modes in mine.guesses.items() if known != case}, due=None))


def ask_for(case: Case) -> None:
    """Have a comparison run in the next run of the page."""
    put(replace(learner(), due=case))


def asked_for(case: Case) -> bool:
    """Whether a click asked for this to be run; told once."""
    mine = learner()
    if mine.due != case:
        return False
    put(replace(mine, due=None))
    return True


def hold(case: Case, comparison: Comparison) -> None:
    """Hold what a run found; the oldest of many is let go."""
    mine = learner()
    held = {**{known: other for known, other in mine.found.items() if known != case}, case: comparison}
    put(replace(mine, found=dict(list(held.items())[-_HELD:])))


def held(case: Case, bench: Bench) -> Comparison | None:
    """What a run found, as long as base and settings are still the same."""
    comparison = learner().found.get(case)
    if comparison is None or comparison.base != bench.info:
        return None
    same = all(comparison.settings.get(name) == value for name, value in bench.recorded.items())
    return comparison if same else None


def go(topic: str = "", **more: str) -> None:
    """Go to a topic of the page, or to the list of them: the address names it, and nothing of another topic."""
    names = ("topic", "lesson", "class", "c")
    wanted = {"topic": topic, **more} if topic else {}
    addressed.write(**{**dict.fromkeys(names), **wanted})
