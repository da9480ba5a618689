"""The choice of the base, on every page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import streamlit as st

from core.opened import shelf
from core.settings import Settings
from core.words import Words
from pages.parts import addressed
from pages.parts.literal import inline

SHELF = 400
"""Pixels of the choice of a base."""
WHOLE = 48
"""Columns of type that it shows of a title."""
_GONE = "kb.gone"


def choose(settings: Settings, words: Words) -> str:
    """The base in use, chosen on every page; the address names it where it is not the usual one."""
    titles = _labels(shelf(settings).titles())
    names = list(titles) if settings.base in titles else [settings.base, *titles]
    asked = st.query_params.get("kb")
    if asked:
        st.session_state[_GONE] = "" if asked in names else asked
    addressed.follow("kb", names, settings.base)
    st.selectbox(
        words("ui.base.choose"),
        names,
        format_func=lambda name: titles.get(name, name),
        key="kb",
        on_change=_chosen,
        args=(settings.base,),
        width=SHELF,
        label_visibility="collapsed",
        persist_state="session",
    )
    return str(st.session_state["kb"])


def _chosen(usual: str) -> None:
    st.session_state[_GONE] = ""
    addressed.tell("kb", usual)


def warn(settings: Settings, words: Words, *, arrived: bool) -> None:
    """Say that the address named a base that is not there, until the reader chooses one or goes to another page."""
    if arrived and not st.query_params.get("kb"):
        st.session_state[_GONE] = ""
    if gone := st.session_state.get(_GONE):
        shown = st.session_state["kb"]
        title = shelf(settings).titles().get(shown, shown)
        st.warning(inline(words("ui.base.gone", name=gone, shown=title)), icon=":material/database_off:")


def _labels(titles: Mapping[str, str]) -> dict[str, str]:
    """What each base is called in the choice: a title that several have with the name, since the choice goes by it."""
    called = Counter(titles.values())
    return {name: title if called[title] == 1 else f"{title} · {name}" for name, title in titles.items()}
