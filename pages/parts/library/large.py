"""Files above the limit, which Streamlit's uploader (1.67) keeps in the browser: the page hears of them from here.

The uploader tells of such a file below itself only, in English, and forgets it with the others that it gave.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from core.authoring.intake import Incoming

_ELEMENT = st.components.v2.component(
    "large",
    html="<div></div>\n<!-- files above the limit are told from here -->\n",
    js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"),
)
_KEY = "import.large"

Refuse = Callable[[Sequence[Incoming], bool], None]
"""Hears of files above the limit, and whether they came alone."""


def watch(uploader: str, megabytes: int, refuse: Refuse) -> None:
    """Hear of each file that the uploader of this key will keep back, whether it was chosen or dropped there."""
    data = {"room": f"st-key-{uploader.replace('.', '-')}", "megabytes": megabytes}
    _ELEMENT(key=_KEY, data=data, height=1, width=1, on_refused_change=lambda: _hear(refuse))


def _hear(refuse: Refuse) -> None:
    told = st.session_state[_KEY].refused
    if not isinstance(told, dict):
        return
    named = [(one.get("name"), one.get("size")) for one in told.get("files", ())]
    files = [Incoming(name, size, bytes) for name, size in named if isinstance(name, str) and isinstance(size, int)]
    refuse(files, told.get("alone") is True)
