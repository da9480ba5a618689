"""Going to another base or view from a click: what was chosen and what the address says change together."""

from __future__ import annotations

import streamlit as st

from pages.parts import addressed
from pages.parts.frame import Frame


def to_base(page: Frame, name: str) -> None:
    """Use a base on every page; a passage that was open is left. For callbacks: before the choice is drawn."""
    st.session_state["kb"] = name
    addressed.write(kb=None if name == page.settings.base else name, p=None)


def to_view(view: str) -> None:
    """Show a view of the Library. For callbacks as well."""
    st.session_state["view"] = view
    addressed.tell("view", "read")
