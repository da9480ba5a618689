"""Saving a draft: by whom, with which note, and what came of it."""

from __future__ import annotations

import streamlit as st

from core.authoring.drafts import Draft
from core.authoring.saving import Saved, bundled, save
from core.domain import Say
from core.errors import ConflictError, WorkbenchError
from pages.parts import own
from pages.parts.frame import Frame
from pages.parts.library import drafting, unsaved
from pages.parts.library.drafting import Work
from pages.parts.literal import inline

AUTHOR = drafting.AUTHOR
_NOTE = "draft.note"


def author(page: Frame) -> None:
    """The field for the author's name; one on a page."""
    words = page.words
    st.text_input(
        words("ui.draft.author"),
        key=AUTHOR,
        max_chars=60,
        placeholder=words("ui.draft.author_example"),
        persist_state="session",
        width=260,
    )


def draw(page: Frame, work: Work) -> None:
    """Author, note, and the button that saves."""
    words, base = page.words, work.draft.base
    if bundled(base):
        copy = page.settings.home / "kb" / base.name
        st.caption(f":material/info: {inline(words('ui.draft.copies', folder=str(copy)))}")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        author(page)
        st.text_input(
            words("ui.draft.note"),
            key=_NOTE,
            max_chars=200,
            placeholder=words("ui.draft.note_example"),
            persist_state="session",
            width=420,
        )
        st.button(
            f":primary[**{words('ui.draft.save')}**]",
            icon=":material/save:",
            key="draft.save",
            on_click=_save,
            args=(page, work.draft),
        )


def _save(page: Frame, draft: Draft) -> None:
    state = st.session_state
    try:
        saved = save(draft, page.settings.home, (state.get(AUTHOR) or "").strip(), (state.get(_NOTE) or "").strip())
    except ConflictError:  # the page shows both texts as soon as it has read what lies there now
        return own.say("draft", Say.of("ui.draft.clashes"))
    except WorkbenchError as refused:
        return own.say("draft", refused.say)
    left = unsaved.let_go(page)
    state[_NOTE] = ""
    gold = {f"draft.{kind}": say for kind, say in saved.gold.told.items()}
    own.tell({"draft": _told(saved), **gold, **({"draft.left": left} if left else {})})


def _told(saved: Saved) -> Say:
    number = saved.version.number
    if saved.copied:
        return Say.of("ui.notice.copied", number=number, folder=str(saved.folder))
    if saved.others:
        return Say.of("ui.notice.merged", number=number, documents=list(saved.others))
    return Say.of("ui.notice.version", number=number)
