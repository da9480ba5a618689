"""A base as one zip: packed first, so that what is the matter is said, then handed out."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core.authoring.inventory import Entry
from core.authoring.sharing import to_zip
from core.errors import WorkbenchError
from pages.parts import own
from pages.parts.frame import Frame
from pages.parts.told import told

_KEY = "shelf.packed"


@dataclass(frozen=True)
class _Packed:
    """The zip of a base, until it is taken along or something else is packed."""

    name: str
    with_history: bool
    data: bytes


def draw(page: Frame, entry: Entry) -> None:
    """With its history or without, and the button that packs; once packed, the one that hands out."""
    words, name = page.words, entry.name
    history = bool(st.toggle(words("ui.shelf.with_history"), key=f"shelf.history.{name}"))
    told(f"export.{name}", words)
    packed = st.session_state.get(_KEY)
    if isinstance(packed, _Packed) and (packed.name, packed.with_history) == (name, history):
        st.download_button(
            f":primary[**{words('ui.shelf.export_get')}**]",
            packed.data,
            f"{name}.zip",
            "application/zip",
            key=f"shelf.export.{name}",
            on_click=_given,
            icon=":material/download:",
        )
        return
    st.button(
        words("ui.shelf.export_pack"),
        icon=":material/folder_zip:",
        key=f"shelf.pack.{name}",
        on_click=_pack,
        args=(entry, history),
    )


def _pack(entry: Entry, history: bool) -> None:
    try:
        st.session_state[_KEY] = _Packed(entry.name, history, to_zip(entry.folder, history))
    except WorkbenchError as refused:
        own.say(f"export.{entry.name}", refused.say)


def _given() -> None:
    st.session_state.pop(_KEY, None)
