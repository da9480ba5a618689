"""The shelf: every base with what it is and what can be done with it, new ones, and those in the trash."""

from __future__ import annotations

import streamlit as st

from core.authoring.inventory import Entry, inventory
from core.authoring.trash import Deleted, deleted
from core.errors import WorkbenchError
from pages.parts import about
from pages.parts.frame import Frame
from pages.parts.library import exporting, shelving
from pages.parts.literal import inline, short
from pages.parts.numbers import local
from pages.parts.told import told

_TITLE = 100
"""Columns of type of a base's title."""


def draw(page: Frame) -> None:
    """All bases, then how to have another, then the trash."""
    words = page.words
    with st.container():  # what is said goes again, and nothing below may move or fold by it
        told(shelving.PLACE, words)
    st.caption(words("ui.shelf.about"))
    try:
        found = inventory(page.settings.home)
    except WorkbenchError as refused:
        st.error(inline(words.say(refused.say)), icon=":material/error:")
        return
    with st.container():
        for entry in found:
            _base(page, entry)
    shelving.another(page)
    _trash(page)


def _base(page: Frame, entry: Entry) -> None:
    """A base in a card: what it is, and what can be done with it."""
    words = page.words
    with st.container(border=True, gap="xsmall", key=f"shelf.{entry.name}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            name = "" if entry.name == entry.title else f" :small[:gray[{inline(entry.name)}]]"
            st.markdown(f"**{inline(short(entry.title, _TITLE))}**{name}", width="stretch")
            if entry.name == page.base:
                st.badge(words("ui.shelf.current"), icon=":material/check:", color="gray")
        st.caption(" · ".join(inline(fact) for fact in _facts(page, entry)))
        if entry.refused:
            reason = words("ui.shelf.broken", reason=words.say(entry.refused))
            st.markdown(f":red[:material/error: {inline(reason)}]")
        _actions(page, entry)
        told(shelving.place_of(entry.name), words)


def _facts(page: Frame, entry: Entry) -> list[str]:
    """What can be told of every base alike: no base is opened to be counted."""
    words = page.words
    facts = [words(f"ui.shelf.kind_{entry.kind}")]
    facts += [about.spoken(entry.language or "unsaid", words)]
    facts += [words("ui.shelf.corpus") if entry.corpus else words("ui.shelf.documents", count=entry.documents)]
    facts += [size(entry.bytes)]
    return facts + ([words("ui.shelf.changed", when=local(entry.changed, words))] if entry.changed else [])


def _actions(page: Frame, entry: Entry) -> None:
    words = page.words
    with st.container(horizontal=True, gap="small"):
        st.button(
            words("ui.shelf.open"),
            icon=":material/menu_book:",
            key=f"shelf.open.{entry.name}",
            on_click=shelving.choose,
            args=(page, entry.name),
            disabled=entry.refused is not None,
        )
        with st.popover(words("ui.shelf.export"), icon=":material/folder_zip:"):
            exporting.draw(page, entry)
        if entry.kind == "own":
            with st.popover(words("ui.shelf.rename"), icon=":material/edit:"):
                shelving.rename_form(page, entry)
        if entry.kind != "bundled":
            code, icon = ("back", ":material/undo:") if entry.kind == "edited" else ("delete", ":material/delete:")
            if st.button(words(f"ui.shelf.{code}"), icon=icon, key=f"shelf.delete.{entry.name}"):
                shelving.confirm(page, entry, size(entry.bytes))


def _trash(page: Frame) -> None:
    words = page.words
    try:
        found = deleted(page.settings.home)
    except WorkbenchError as refused:
        st.caption(inline(words.say(refused.say)))
        return
    with st.container():
        told(shelving.TRASH, words)
    if found:
        with st.expander(words("ui.shelf.trash", count=len(found)), icon=":material/delete:"):
            for one in found:
                _deleted(page, one)


def _deleted(page: Frame, one: Deleted) -> None:
    words = page.words
    name = one.name if one.title in ("", one.name) else f"{short(one.title, _TITLE)} ({one.name})"
    line = words("ui.shelf.trash_line", name=name, when=local(one.deleted, words))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.markdown(inline(line), width="stretch")
        name = st.text_input(
            words("ui.shelf.restore_name"), one.name, max_chars=80, key=f"shelf.name.{one.entry}", width=220
        )
        st.button(
            words("ui.shelf.restore"),
            icon=":material/restore_from_trash:",
            key=f"shelf.restore.{one.entry}",
            on_click=shelving.bring_back,
            args=(page, one.entry, name or one.name),
        )
    told(shelving.place_of(one.entry), words)


def size(count: int) -> str:
    """Bytes in a fitting unit.

    >>> size(820), size(45_300), size(12_340_000)
    ('820 B', '45 KB', '12.3 MB')
    """
    if count < 1_000:
        return f"{count} B"
    return f"{count / 1e3:.0f} KB" if count < 999_500 else f"{count / 1e6:,.1f} MB"
