"""Whole documents: one rewritten with its headings, a new one, one taken away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple

import streamlit as st

from core.authoring.drafts import Draft
from core.authoring.intake import Taken
from core.authoring.operations import Operation, Recut, Rewrite
from core.bench import Bench
from core.errors import UsageError, WorkbenchError
from core.knowledge.annotations import text_digest
from core.knowledge.reading import Reading
from pages.parts.frame import Frame
from pages.parts.library import cuts, drafting, editing
from pages.parts.library.drafting import Work
from pages.parts.library.panel import buttons
from pages.parts.literal import inline, shown
from pages.parts.told import told

_DOING = {
    "document": ":material/edit_document:",
    "new": ":material/note_add:",
    "drop": ":material/delete:",
    "recut": ":material/content_cut:",
}
_KEY = "doing.document"
HEIGHT = 420
"""Pixels of the field that holds a whole document."""


def draw(page: Frame, bench: Bench, work: Work | None, documents: Sequence[str]) -> None:
    """What can be done from a section; `documents` are those that it stands in."""
    words = page.words
    if not editing.allowed(bench, work, words):
        return
    draft = work.draft if work else Draft(bench.base)
    doing = st.segmented_control(
        words("ui.edit.what"),
        [name for name in _DOING if name == "new" or draft.after.documents],
        format_func=lambda name: f"{_DOING[name]} {words(f'ui.edit.{name}')}",
        key=_KEY,
        label_visibility="collapsed",
        wrap=True,
    )
    told(drafting.PLACE, words)
    if doing is None:
        return
    with st.container(border=True, gap="small"):
        if doing == "new":
            _new(page, bench)
            return
        ids = [id for id, document in draft.after.documents.items() if document.file]
        first = ids.index(documents[0]) if documents and documents[0] in ids else 0
        chosen = st.selectbox(words("ui.edit.which_document"), ids, first, shown, key=f"document.{ids[first]}")
        try:
            text = draft.texts.text(chosen)[1]
        except WorkbenchError as unreadable:
            st.caption(inline(words.say(unreadable.say)))
            return
        if doing == "recut":
            _recut(page, bench, draft, chosen, text)
        else:
            (_whole if doing == "document" else _drop)(page, bench, chosen, text)


def _whole(page: Frame, bench: Bench, document: str, text: str) -> None:
    words, key = page.words, f"whole.{document}.{text_digest(text)}"
    st.session_state.setdefault(key, text)
    st.text_area(words("ui.edit.whole"), key=key, height=HEIGHT, persist_state="session")
    st.caption(words("ui.edit.whole_about"))

    def made() -> Operation:
        typed = str(st.session_state[key])
        if typed.rstrip() == text.rstrip():
            raise UsageError("ui.edit.unchanged")
        return Rewrite(document, text, typed)

    buttons(page, bench.base, made, _KEY, (key,))


def _new(page: Frame, bench: Bench) -> None:
    words = page.words
    name, text = "new.name", "new.text"
    st.text_input(words("ui.edit.new_name"), key=name, placeholder=words("ui.edit.new_example"), max_chars=80)
    st.text_area(
        words("ui.edit.whole"), key=text, height=240, placeholder=words("ui.edit.new_text"), persist_state="session"
    )

    def made() -> Operation:
        wanted = str(st.session_state[name]).strip()
        if not wanted:
            raise UsageError("ui.edit.nameless")
        return Rewrite(wanted, None, str(st.session_state[text] or ""))

    buttons(page, bench.base, made, _KEY, (name, text))


def _drop(page: Frame, bench: Bench, document: str, text: str) -> None:
    words = page.words
    count = len(bench.base.of_document(document))
    st.markdown(words("ui.edit.drop_sure", document=inline(document), count=count))
    buttons(page, bench.base, lambda: Rewrite(document, text, None), _KEY)


def _recut(page: Frame, bench: Bench, draft: Draft, document: str, text: str) -> None:
    """How the whole base is cut, with one document as it would be."""
    words, before = page.words, draft.after.splitting
    st.caption(words("ui.edit.recut_about"))
    wanted = cuts.settings(draft.after, words)

    def made() -> Operation:
        if wanted == before:
            raise UsageError("ui.edit.unchanged")
        return Recut(*astuple(wanted), *astuple(before))

    buttons(page, bench.base, made, _KEY)
    cuts.draw([Taken(document, Reading(text, "utf-8"))], wanted, words)
