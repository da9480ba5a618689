"""A base from a zip: taken in under a name of its own, or, where that is taken, as a new version of the base there."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.authoring.bases import free_like
from core.authoring.sharing import Received, from_zip, replace_from_zip
from core.domain import Say
from core.errors import WorkbenchError
from pages.parts import own
from pages.parts.frame import Frame
from pages.parts.library import going, saving
from pages.parts.library.uploads import LIMIT, let_go
from pages.parts.literal import inline
from pages.parts.told import told

PLACE = "shelf.zip"
"""Where it is answered, beside the file that is still held."""
_EDITION, _NAME, _TAKEN = "shelf.edition", "shelf.zip.name", "shelf.zip.taken"
_NAMED = 5
"""Files named that were left out of a zip."""


def draw(page: Frame) -> None:
    """The file, its name, and the button; where the name is taken, what can be done instead."""
    words, state = page.words, st.session_state
    st.caption(words("ui.shelf.receive_help"))
    file = st.file_uploader(
        words("ui.shelf.receive_file"), type="zip", max_upload_size=LIMIT, key=f"zip.{state.get(_EDITION, 0)}"
    )
    told(PLACE, words)
    taken = state.get(_TAKEN) if file else None
    name = st.text_input(words("ui.shelf.receive_other" if taken else "ui.shelf.receive_name"), key=_NAME, max_chars=80)
    with st.container(horizontal=True, gap="small"):
        st.button(
            f":primary[**{words('ui.shelf.receive_as' if taken else 'ui.shelf.receive_do')}**]",
            icon=":material/unarchive:",
            key="shelf.receive",
            disabled=file is None,
            on_click=_received,
            args=(page, file, (name or "").strip()),
        )
        if taken:
            with st.popover(inline(words("ui.shelf.receive_replace", name=taken)), icon=":material/sync:"):
                st.markdown(inline(words("ui.shelf.receive_sure", name=taken)))
                st.button(
                    words("ui.shelf.receive_over"),
                    icon=":material/check:",
                    key="shelf.replace",
                    on_click=_replaced,
                    args=(page, file, taken),
                )


def _received(page: Frame, file: UploadedFile, name: str) -> None:
    _done(page, file, lambda: from_zip(file, page.settings.home, name or None))


def _replaced(page: Frame, file: UploadedFile, name: str) -> None:
    author = (st.session_state.get(saving.AUTHOR) or "").strip()
    _done(page, file, lambda: replace_from_zip(file, page.settings.home, name, author))


def _done(page: Frame, file: UploadedFile, how: Callable[[], Received]) -> None:
    """Do it and say so; a file that did not come in stays for another try, unless it can never come in."""
    state = st.session_state
    try:
        received = how()
    except WorkbenchError as refused:
        own.say(PLACE, refused.say)
        if refused.say.code == "authoring.taken":
            state[_TAKEN] = str(refused.say.values["name"])
            state[_NAME] = free_like(page.settings.home, state[_TAKEN])
        return
    going.to_base(page, received.name)
    own.say("shelf", _told(received))
    state[_NAME] = ""
    state.pop(_TAKEN, None)
    state[_EDITION] = state.get(_EDITION, 0) + 1
    let_go([file.file_id])


def _told(received: Received) -> Say:
    if received.left_out:
        count = len(received.left_out)
        shown = [*received.left_out[:_NAMED], *(["…"] if count > _NAMED else [])]
        return Say.of("ui.notice.shelf.left_out", name=received.name, count=count, files=shown)
    if received.version is not None:
        return Say.of("ui.notice.shelf.replaced", name=received.name, number=received.version)
    return Say.of("ui.notice.shelf.received", name=received.name)
