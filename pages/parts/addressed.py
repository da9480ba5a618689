"""Choices that the address keeps by their own names; Streamlit's binding would put what is shown there instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import streamlit as st


def follow(name: str, known: Iterable[str], usual: str) -> str:
    """What the address says of a choice, before its widget (of the key `name`) is drawn: else what was chosen before.

    An address that says something else than was chosen is mended.
    """
    names, state = list(known), st.session_state
    asked = st.query_params.get(name)
    if asked in names:
        state[name] = asked
    elif state.get(name) not in names:  # not chosen yet, or gone since
        state[name] = usual
    if asked != state[name]:
        tell(name, usual)
    return str(state[name])


def tell(name: str, usual: str) -> None:
    """Let the address say what is chosen, and nothing where that is the usual."""
    chosen = st.session_state[name]
    if chosen != usual:
        st.query_params[name] = chosen
    elif name in st.query_params:
        del st.query_params[name]


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
