"""What is done with whole bases: made, renamed, deleted, brought back, taken in; each answers once on the shelf."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.authoring import keeping
from core.authoring.bases import create, rename
from core.authoring.inventory import Entry
from core.authoring.trash import KEPT, delete, restore
from core.domain import Say
from core.errors import WorkbenchError
from pages.parts import own
from pages.parts.frame import Frame
from pages.parts.library import going, receiving, saving, unsaved
from pages.parts.literal import inline
from pages.parts.told import told

PLACE = "shelf"
"""Where the page answers."""
TRASH = "shelf.trash"
"""Where it answers to what was brought back: above the trash, which may be empty by then."""
_NEW = ".new"
"""Stands for the name of a base that is to be made: none can be called so."""
_LANGUAGES = ("", "zh", "en")


def choose(page: Frame, name: str, view: str = "read") -> None:
    """Use a base on every page, and show a view of it."""
    going.to_base(page, name)
    going.to_view(view)


def place_of(name: str) -> str:
    """Where the page answers to what could not be done with a base, or a deleted one: where the click was."""
    return f"{PLACE}/{name}"


def _renaming(name: str) -> str:
    return f"{place_of(name)}/rename"


def _tried(clicked: str, done: Callable[[], Say], place: str = PLACE) -> None:
    """Do it and say so at a place, else above all bases; what is refused is said where it was `clicked`."""
    try:
        own.say(place, done())
    except WorkbenchError as refused:
        own.say(clicked, refused.say)


def another(page: Frame) -> None:
    """How to have another base: an empty one, or one from a zip."""
    words = page.words
    left, right = st.columns(2)
    with left.expander(words("ui.shelf.create"), icon=":material/note_add:"):
        name = st.text_input(
            words("ui.shelf.name"),
            key="shelf.new.name",
            max_chars=80,
            placeholder=words("ui.shelf.name_example"),
            help=words("ui.shelf.name_help"),
        )
        title = st.text_input(
            words("ui.shelf.title"), key="shelf.new.title", max_chars=80, placeholder=words("ui.shelf.title_example")
        )
        language = st.selectbox(
            words("ui.shelf.language"),
            _LANGUAGES,
            format_func=lambda code: words(f"ui.shelf.language_{code or 'text'}"),
            key="shelf.new.language",
        )
        with st.container():
            told(place_of(_NEW), words)
        st.button(
            f":primary[**{words('ui.shelf.create_do')}**]",
            icon=":material/add:",
            key="shelf.create",
            on_click=_create,
            args=(page, name or "", title or "", language or ""),
        )
    with right.expander(words("ui.shelf.receive"), icon=":material/unarchive:"):
        receiving.draw(page)


def _create(page: Frame, name: str, title: str, language: str) -> None:
    try:
        made = create(page.settings.home, name, title.strip(), language).name
    except WorkbenchError as refused:
        return own.say(place_of(_NEW), refused.say)
    choose(page, made, "import")
    own.say("import", Say.of("ui.notice.shelf.created", name=made))
    st.session_state["shelf.new.name"] = st.session_state["shelf.new.title"] = ""


def rename_form(page: Frame, entry: Entry) -> None:
    """Another name and title for an own base."""
    words = page.words
    name = st.text_input(words("ui.shelf.name"), entry.name, max_chars=80, key=f"rename.name.{entry.name}")
    title = st.text_input(words("ui.shelf.title"), entry.title, max_chars=200, key=f"rename.title.{entry.name}")
    st.caption(words("ui.shelf.rename_note"))
    with st.container():  # here, since the form stays open over the card
        told(_renaming(entry.name), words)
    st.button(
        f":primary[**{words('ui.shelf.rename_do')}**]",
        key=f"rename.do.{entry.name}",
        on_click=_rename,
        args=(page, entry, name or "", (title or "").strip()),
    )


def _rename(page: Frame, entry: Entry, name: str, title: str) -> None:
    def done() -> Say:
        author = (st.session_state.get(saving.AUTHOR) or "").strip()
        given = title if title != entry.title else None
        new = rename(page.settings.home, entry.name, name, given, author)
        unsaved.follow(page, entry.name, new)
        if page.base == entry.name:
            going.to_base(page, new)
        return Say.of("ui.notice.shelf.renamed", name=entry.title, new=f"{title or entry.title} ({new})")

    _tried(_renaming(entry.name), done)


def confirm(page: Frame, entry: Entry, size: str) -> None:
    """Ask once more before a base goes into the trash."""
    words, code = page.words, "back" if entry.kind == "edited" else "delete"

    @st.dialog(words(f"ui.shelf.{code}_title"), icon=":material/delete:")
    def ask() -> None:
        values = {"title": entry.title, "days": KEPT}
        values |= {"documents": entry.documents, "size": size} if code == "delete" else {}
        st.markdown(inline(words(f"ui.shelf.{code}_sure", **values)))
        if drafts := keeping.count(page.settings.home, entry.name):
            st.markdown(f":orange[:material/edit_note:] {words('ui.shelf.drafts_too', count=drafts)}")
        with st.container(horizontal=True):
            if st.button(words("ui.shelf.cancel"), key="shelf.cancel"):
                st.rerun()
            sure = f":red[**{words(f'ui.shelf.{code}')}**]"
            if st.button(sure, key="shelf.sure", icon=":material/delete:", on_click=_delete, args=(page, entry)):
                st.rerun()

    ask()


def _delete(page: Frame, entry: Entry) -> None:
    def done() -> Say:
        gone = delete(page.settings.home, entry.name)
        unsaved.follow(page, entry.name, gone)  # a base that gets its name has other passages
        if page.base == entry.name and entry.kind == "own":
            going.to_base(page, page.settings.base)
        if entry.kind == "edited":
            return Say.of("ui.notice.shelf.back", name=entry.title)
        return Say.of("ui.notice.shelf.deleted", name=entry.title, days=KEPT)

    _tried(place_of(entry.name), done)


def bring_back(page: Frame, entry: str, name: str) -> None:
    """Restore a base from the trash."""

    def done() -> Say:
        restored = restore(page.settings.home, entry, name)
        unsaved.follow(page, entry, restored)
        return Say.of("ui.notice.shelf.restored", name=restored)

    _tried(place_of(entry), done, TRASH)
