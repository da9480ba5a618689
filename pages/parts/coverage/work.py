"""What a session knows of the coverage of its bases: one value a base under one key.

Slow work leaves a change of that value; whoever draws the page next makes it, also after a click or another page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as Late
from dataclasses import dataclass, replace

import streamlit as st

from core.coverage.gathering import Gathered
from core.coverage.health import Finding
from core.coverage.needles import Needles
from core.coverage.pairs import Pairs
from core.domain import Say
from core.errors import StoppedError, WorkbenchError
from core.knowledge.base import KnowledgeBase
from core.knowledge.questions import Question, QuestionSet
from pages.parts import own

_KEY = "coverage"
PLACE = "coverage"
"""Where the page answers to what was done."""
_PATIENCE = 5.0
"""Seconds that work which was stopped may take to hand over what it has."""


@dataclass(frozen=True)
class Checked:
    """What was found without asking, over which base and which questions."""

    base: KnowledgeBase
    questions: tuple[Question, ...]
    health: tuple[Finding, ...]
    pairs: Pairs


@dataclass(frozen=True)
class Work:
    """`found` and `needles` hold of `base` at this `version`, which may have changed since.

    `asked` and `tested` tell when they came about (ISO, UTC), `asked_under` and `tested_under` under which settings.
    `file` is a question set that the reader brought, with its name. `seen` are pairs that need no further look,
    `passage` is the one that is looked at, `opened` are the documents whose cells are drawn. `going` is work under way.
    """

    base: KnowledgeBase | None = None
    found: Gathered | None = None
    needles: Needles | None = None
    checked: Checked | None = None
    file: tuple[str, QuestionSet] | None = None
    seen: frozenset[tuple[str, str]] = frozenset()
    passage: str = ""
    opened: frozenset[str] = frozenset()
    going: Future[Change] | None = None
    version: str = ""
    asked: str = ""
    asked_under: str = ""
    tested: str = ""
    tested_under: str = ""

    def over(self, base: KnowledgeBase) -> Work:
        """The same without what holds of another state of the base."""
        now = replace(self, base=base, version=base.version)
        return replace(now, found=None, needles=None, passage="") if self.stale(base) else now

    def stale(self, base: KnowledgeBase) -> bool:
        """Whether its results hold of another state of the base."""
        return self.base is not None and self.version != base.version


Change = Callable[[Work], Work]


def _all() -> Mapping[str, Work]:
    found = st.session_state.get(_KEY)
    return found if isinstance(found, dict) else {}


def has(name: str) -> bool:
    """Whether this session knows anything of the base of that name."""
    return name in _all()


def get(name: str) -> Work:
    """What is known of the base of that name."""
    return _all().get(name) or Work()


def put(name: str, work: Work) -> None:
    """Keep it."""
    st.session_state[_KEY] = {**_all(), name: work}


def change(name: str, **values: object) -> None:
    """Keep it with other values."""
    put(name, replace(get(name), **values))  # type: ignore[arg-type]


def settle(name: str) -> Work:
    """What is known once work that has ended, or was ended by a click, has handed over what it has."""
    work = get(name)
    if work.going is not None:
        done = replace(work, going=None)
        try:
            done = work.going.result(_PATIENCE)(done)
        except (StoppedError, CancelledError, Late):
            own.say(PLACE, Say.of("ui.coverage.lost"))
        except WorkbenchError as failed:
            own.say(PLACE, failed.say)
        put(name, done)
    return get(name)
