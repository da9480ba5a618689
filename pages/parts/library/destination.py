"""Where files are to go: into the base that is chosen above, or one that is made for them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from core.authoring.bases import bundled_names, free_like
from core.authoring.bringing import fresh
from core.authoring.saving import bundled, editable
from core.errors import UsageError, WorkbenchError
from core.knowledge.base import Facts, KnowledgeBase, joined
from pages.parts.frame import Frame
from pages.parts.library import uploads
from pages.parts.literal import inline, short

_PLACES = {"here": ":material/library_add:", "new": ":material/note_add:"}
NAME, TITLE = "import.name", "import.title"
"""The widgets that hold the name and the title of a new base."""
TITLE_SHOWN = 60
"""Columns of type of a base's title within a sentence."""
_LANGUAGES = ("", "zh", "en")


@dataclass(frozen=True, slots=True)
class Destination:
    """The base that files go into, `ready` once it can be; `language` is what a new one says of itself."""

    base: KnowledgeBase
    ready: bool = True
    is_new: bool = False
    language: str = ""


def choose(page: Frame) -> Destination:
    """The choice, and for a new base its name, title and language."""
    words = page.words
    st.markdown(f"**{words('ui.import.where')}**")
    st.session_state.setdefault(key := f"import.where.{page.base}", "here" if _is_own(page) else "new")
    place = st.segmented_control(
        words("ui.import.where"),
        list(_PLACES),
        format_func=lambda place: f"{_PLACES[place]} {words(f'ui.import.where_{place}')}",
        key=key,
        required=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    return _new(page) if place == "new" else _here(page)


def _is_own(page: Frame) -> bool:
    """Whether the base above is the reader's own: what comes with the program is an example, to be left as it is."""
    base = page.opened().base
    return not bundled(base) and not (base.path.parent == page.settings.home / "kb" and base.name in bundled_names())


def _suggest(page: Frame) -> None:
    """A name for the new base, after the files that were uploaded."""
    tray = uploads.look()
    if tray.suggested:
        if not st.session_state.get(NAME):
            st.session_state[NAME] = free_like(page.settings.home, tray.suggested)
        uploads.put(replace(tray, suggested=""))


def _here(page: Frame) -> Destination:
    words, base = page.words, page.opened().base
    try:
        editable(base)
    except UsageError as refused:
        st.warning(inline(words.say(refused.say)), icon=":material/info:")
        return Destination(base, ready=False)
    st.caption(inline(words("ui.import.into", title=short(base.title, TITLE_SHOWN), documents=len(base.documents))))
    if bundled(base):
        folder = str(page.settings.home / "kb" / base.name)
        st.caption(f":material/info: {inline(words('ui.import.copies', folder=folder))}")
    return Destination(base)


def _new(page: Frame) -> Destination:
    words, home = page.words, page.settings.home
    _suggest(page)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input(
            words("ui.shelf.name"),
            key=NAME,
            max_chars=80,
            placeholder=words("ui.shelf.name_example"),
            help=words("ui.shelf.name_help"),
            width=220,
            persist_state="session",
        )
        title = st.text_input(
            words("ui.shelf.title"),
            key=TITLE,
            max_chars=80,
            placeholder=words("ui.shelf.title_example"),
            width=300,
            persist_state="session",
        )
        language = st.selectbox(
            words("ui.shelf.language"),
            _LANGUAGES,
            format_func=lambda code: words(f"ui.shelf.language_{code or 'text'}"),
            key="import.language",
            width=160,
            persist_state="session",
        )
    try:
        return Destination(fresh(home, name or "", (title or "").strip()), is_new=True, language=language or "")
    except WorkbenchError as refused:
        if (name or "").strip():
            st.warning(inline(words.say(refused.say)), icon=":material/info:")
        nowhere = joined("", home / "kb" / ".none", Facts(), [])
        return Destination(nowhere, ready=False, is_new=True, language=language or "")
