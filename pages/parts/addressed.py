"""Choices that the address keeps by their own names; Streamlit's binding would put what is shown there instead.

Each time that the script writes the address the browser's history gets an entry, and Back seems dead for every entry
that looks like the one before. So the script writes it only where the reader went somewhere: a choice, a comparison.
What the address is to hold besides (a link of the navigation drops all of it) is put in by an element of our own,
which leaves the history as it is. Streamlit may not hear of that, so each run says anew all that there should be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

_MEND = st.components.v2.component(
    "addressed",
    html="<div></div>\n<!-- what the address is to hold is put in from here -->\n",
    js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"),
)
_WANTED: ContextVar[dict[str, str]] = ContextVar("wanted")
_TURN = "addressed.turn"


def begin() -> None:
    """A new run of the script, which has said nothing yet of what the address is to hold."""
    _WANTED.set({})


def want(name: str, value: str) -> None:
    """The address is to hold this, once the run has come to `settle`; nothing of that name where `value` is empty."""
    _WANTED.get({})[name] = value


def settle(room: DeltaGenerator) -> None:
    """Put what is wanted into the address, from a place that is one pixel high."""
    with room:
        hold("address", _WANTED.get({}))


def hold(key: str, values: Mapping[str, str]) -> None:
    """Let the address hold these values, and none where one is empty, without a new entry in the browser's history."""
    turn = st.session_state[_TURN] = st.session_state.get(_TURN, 0) + 1
    _MEND(key=key, data={"values": dict(values), "turn": turn}, height=1, width=1)


def write(**values: str | None) -> None:
    """Let the address hold these values, and none where one is `None`: at most one new entry in the history."""
    before = st.query_params.to_dict()
    after = {name: value for name, value in {**before, **values}.items() if value is not None}
    if after != before:
        st.query_params.from_dict(after)


def follow(name: str, known: Iterable[str], usual: str) -> str:
    """What the address says of a choice, before its widget (of the key `name`) is drawn: else what was chosen before.

    The address is to say what it is, and nothing where it is the usual.
    """
    names, state = list(known), st.session_state
    asked = st.query_params.get(name)
    if asked in names:
        state[name] = asked
    elif state.get(name) not in names:  # not chosen yet, or gone since
        state[name] = usual
    want(name, "" if state[name] == usual else str(state[name]))
    return str(state[name])


def tell(name: str, usual: str) -> None:
    """Let the address say what is chosen, and nothing where that is the usual."""
    chosen = st.session_state[name]
    write(**{name: None if chosen == usual else chosen})


def choice(name: str, known: Iterable[str], shown: Callable[[str], str], label: str) -> str:
    """One of a few views in a row, the first the usual one."""
    names = list(known)
    follow(name, names, names[0])
    st.segmented_control(
        label,
        names,
        format_func=shown,
        key=name,
        required=True,
        on_change=tell,
        args=(name, names[0]),
        label_visibility="collapsed",
        persist_state="session",
        wrap=True,
    )
    return str(st.session_state[name])
