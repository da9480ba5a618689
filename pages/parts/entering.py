"""Popovers for those who use no pointer.

Streamlit (1.67) puts what a popover holds at the end of the page and leaves the focus at its button, so that a reader
tabs through all of the page, which scrolls the popover out of sight, before coming to it.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_ENTERING = st.components.v2.component(
    "entering",
    html="<div></div>\n<!-- a popover that was opened by a key gets the focus from here -->\n",
    js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"),
)


def draw() -> None:
    """Let the focus go into each popover that is opened by a key; Escape brings it back, as it always did."""
    _ENTERING(key="entering", height=1, width=1)
