"""How a session looks at the comparison that it explains: one value under one key, new with every comparison."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import streamlit as st

from core.runs import Comparison

T = TypeVar("T")

_KEY = "explain"
BUDGET, FIND = "explain.budget", "explain.find"
"""Keys of the widgets that begin anew with another comparison."""
DETAIL = "explain.detail"
"""Key of the choice of the figures behind the sentences on a passage."""
TRYING = "explain.try.field."
"""How the keys of the fields of a try-out begin; they begin anew with another passage."""
RUN_OF_FLOW, RUN_OF_GAINS, CALLS, LEVEL = "flow.run", "gains.run", "gains.budget", "overlap.level"
"""Keys of what is chosen in the charts, which begin anew with another comparison."""
_EXPECTED = "explain.expected"
"""Key of a question about to be asked, with the passage that is to be explained then."""
_HELD = 12
"""Worked-out results kept, so that a click elsewhere in the section never works them out again."""


@dataclass(frozen=True)
class Looking:
    """`passage` is the id of the one that is explained, empty for none.

    `moves` counts the choices; `arrived` is the last that was brought into view. `held` keeps what took time. `marks`
    are the ids of the passages that the reader marked as those that should have been found.
    """

    comparison: str = ""
    passage: str = ""
    moves: int = 0
    arrived: int = 0
    held: Mapping[Hashable, Any] = field(default_factory=dict)
    marks: tuple[str, ...] = ()


def look(comparison: Comparison) -> Looking:
    """How this comparison is looked at; one that was not before is looked at afresh."""
    found = st.session_state.get(_KEY)
    if isinstance(found, Looking) and found.comparison == comparison.id:
        return found
    st.session_state[BUDGET] = 0
    st.session_state[FIND] = ""
    _forget(RUN_OF_FLOW, RUN_OF_GAINS, CALLS, LEVEL, TRYING)
    question, passage = st.session_state.pop(_EXPECTED, ("", ""))
    if passage and question.split() == comparison.question.split():
        return _put(Looking(comparison.id, passage, moves=1))
    return _put(Looking(comparison.id))


def expect(question: str, passage: str) -> None:
    """Explain the passage with this id (empty: none) once the question, asked from another page, is answered."""
    st.session_state[_EXPECTED] = (question, passage)


def choose(passage: str) -> None:
    """Explain the passage with this id from now on."""
    looking = _now()
    st.session_state[FIND] = ""
    if passage != looking.passage:
        _forget(TRYING)
    _put(replace(looking, passage=passage, moves=looking.moves + 1))


def mark(passage: str) -> None:
    """Mark the passage with this id as one that should have been found, or take the mark away."""
    marks = _now().marks
    kept = tuple(id for id in marks if id != passage)
    _put(replace(_now(), marks=(*marks, passage) if kept == marks else kept))


def marks() -> tuple[str, ...]:
    """The ids of the passages that the reader marked."""
    return _now().marks


def _forget(*starts: str) -> None:
    for key in [key for key in st.session_state if str(key).startswith(starts)]:
        del st.session_state[key]


def arriving() -> int:
    """The number of a choice that is to be brought into view, told once; 0 where there is none."""
    looking = _now()
    if looking.moves == looking.arrived:
        return 0
    return _put(replace(looking, arrived=looking.moves)).arrived


def held(name: Hashable, make: Callable[[], T]) -> T:
    """What `make` makes, made once for each name and comparison; the oldest are forgotten."""
    looking = _now()
    if name not in looking.held:
        made = make()
        kept = list(_now().held.items())[1 - _HELD :]
        _put(replace(_now(), held={**dict(kept), name: made}))
        return made
    found: T = looking.held[name]
    return found


def _now() -> Looking:
    found = st.session_state.get(_KEY)
    return found if isinstance(found, Looking) else Looking()


def _put(looking: Looking) -> Looking:
    st.session_state[_KEY] = looking
    return looking
