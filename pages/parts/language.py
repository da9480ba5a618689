"""The switch of the language, and the address that keeps what a reader chose.

The address names a language only where it is not the browser's own, so that a link opens in the language of whoever
follows it unless someone chose another. It is written by hand: bound to the switch it would hold the switch's caption.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

import streamlit as st

from core.settings import Language
from pages.parts import addressed

_KEY = "lang"
_CAPTIONS: Mapping[Language, str] = {"zh": "中文", "en": "English"}


def language(otherwise: Language) -> Language:
    """Draw the switch; the language chosen, else the browser's, else `otherwise` where the browser names none."""
    own = _browsers(otherwise)
    if named := _named():
        st.session_state[_KEY] = named
    chosen: Language = st.session_state.get(_KEY) or own
    st.session_state[_KEY] = chosen
    addressed.want(_KEY, "" if chosen == own else chosen)
    st.segmented_control(
        "语言 / Language",
        get_args(Language),
        format_func=lambda code: _CAPTIONS[code],
        required=True,
        key=_KEY,
        on_change=addressed.tell,
        args=(_KEY, own),
        label_visibility="collapsed",
        persist_state="session",
        wrap=False,
    )
    return chosen


def _browsers(otherwise: Language) -> Language:
    return "zh" if (st.context.locale or otherwise).lower().startswith("zh") else "en"


def _named() -> Language | None:
    """The language that the address names, by its code or, as older addresses do, by its caption."""
    given = st.query_params.get(_KEY)
    return next((code for code, caption in _CAPTIONS.items() if given in (code, caption)), None)
