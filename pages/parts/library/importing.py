"""Bringing files in: where to, which files, how each was read, how they are cut, and one button that imports them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from core.authoring.authorship import edited
from core.authoring.bringing import bring
from core.authoring.importing import Batch, Same, batch, changed
from core.authoring.intake import Taken
from core.authoring.ledger import Version
from core.errors import WorkbenchError
from core.knowledge.base import KnowledgeBase
from core.knowledge.loading import SECTIONS
from core.knowledge.splitting import Splitting
from core.words import Words
from pages.parts import own
from pages.parts.frame import Frame
from pages.parts.library import arrivals, brought, corpus, cuts, deciding, destination, going, saving, sets, uploads
from pages.parts.library.destination import Destination
from pages.parts.library.uploads import Held, Tray
from pages.parts.literal import inline, short
from pages.parts.told import told

_WORKED = "importing.batches"
_KEPT = 2
"""Batches that a session keeps: what is there already, and what was chosen about it."""


def draw(page: Frame) -> None:
    """The view, from where to until what came of it."""
    words = page.words
    tray = uploads.look()
    with st.container():  # what is said goes again, and nothing below may move or fold by it
        told("import", words)
        if tray.done:
            brought.draw(page, *tray.done)
    with st.container(border=True):
        goal = destination.choose(page)
        uploads.ask(words)
    uploads.watch(words)
    tray = uploads.look()
    if tray.corpus:
        corpus.draw(page, goal, tray.corpus)
    if tray.held:
        _plan(page, goal, tray.held)
    elif not tray.corpus:
        sets.draw(page, page.opened().base)


def _plan(page: Frame, goal: Destination, held: Sequence[Held]) -> None:
    """What importing would do, what is to be decided, and the button.

    What moves with the sliders is drawn first, though it stands below what takes longer to work out.
    """
    words = page.words
    taken = [one.taken for one in held]
    files = st.container(border=True)
    with st.expander(words("ui.cuts.title"), icon=":material/content_cut:", expanded=True):
        st.caption(words("ui.cuts.about"))
        splitting = cuts.settings(goal.base, words)
        note = st.empty()
        cuts.draw(taken, splitting, words)
    with files:
        found, taken, same = _decided(goal.base, taken, held, splitting, words)
    gone, new = changed(goal.base, found, splitting)
    if gone or new:
        text = words("ui.cuts.anew", base=short(goal.base.title, destination.TITLE_SHOWN), gone=gone, new=new)
        note.warning(inline(text), icon=":material/content_cut:")
    _confirm(page, goal, taken, found, same, splitting)


def _decided(
    base: KnowledgeBase, taken: list[Taken], held: Sequence[Held], splitting: Splitting, words: Words
) -> tuple[Batch, list[Taken], Same]:
    """What importing would do as it was decided, the files with what was decided of each, and of all others."""
    plain = [replace(one, same=None) for one in taken]
    rows = st.container(gap="small")
    found = _worked(base, plain, "replace", splitting)
    there = [at for at, one in enumerate(found.outcomes) if one.reason and one.reason.code == "import.replaced"]
    touched = _touched(base, found, there)
    same = deciding.clashes(there, touched, held, words)
    taken = [replace(one, same=one.same or "keep") if at in touched else one for at, one in enumerate(taken)]
    if same != "replace" or plain != taken:
        found = _worked(base, taken, same, splitting)
    with rows:
        arrivals.draw(found.outcomes, words)
    deciding.encodings(held, found.outcomes, words)
    return found, taken, same


def _touched(base: KnowledgeBase, found: Batch, there: Sequence[int]) -> dict[int, Version]:
    """Which of the documents that are there were edited since they came in, each with its last edit."""
    known = edited(base.path) if there else {}
    files = {at: base.documents.get(found.outcomes[at].document) for at in there}
    paths = {at: f"{SECTIONS}/{document.file}" for at, document in files.items() if document}
    return {at: known[path] for at, path in paths.items() if path in known}


def _worked(base: KnowledgeBase, taken: list[Taken], same: Same, splitting: Splitting) -> Batch:
    """A batch, worked out once while nothing changes."""
    key: tuple[Any, ...] = (base if base.cuts else str(base.path), tuple(taken), same, splitting)
    kept = st.session_state.get(_WORKED, ())
    for known, found in kept:
        if known == key:
            return found  # type: ignore[no-any-return]  # what this function kept
    with st.spinner(""):
        found = batch(base, taken, same, splitting)
    st.session_state[_WORKED] = ((key, found), *kept)[:_KEPT]
    return found


def _confirm(
    page: Frame, goal: Destination, taken: list[Taken], found: Batch, same: Same, splitting: Splitting
) -> None:
    """By whom, and the button; until it is pressed nothing is written."""
    words = page.words
    new = len(arrivals.new(found.outcomes))
    anew = bool(found.came and not new and splitting != goal.base.splitting)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        saving.author(page)
        label = words("ui.import.do_cuts") if anew else words("ui.import.do", count=new)
        st.button(
            f":primary[**{label}**]",
            icon=":material/download:",
            key="import.do",
            disabled=not (goal.ready and (new or anew)),
            on_click=_import,
            args=(page, goal, taken, same, splitting),
        )
        st.button(words("ui.import.clear"), icon=":material/close:", key="import.clear", on_click=_clear)
    if not goal.ready and goal.is_new:
        st.caption(f":material/info: {words('ui.import.unnamed')}")
    elif not (new or anew):
        code = "ui.import.none_new" if found.came else "ui.import.none_came"
        st.caption(f":material/info: {words(code)}")


def _import(page: Frame, goal: Destination, taken: list[Taken], same: Same, splitting: Splitting) -> None:
    state, author = st.session_state, (st.session_state.get(saving.AUTHOR) or "").strip()
    try:
        with st.spinner(page.words("ui.import.writing")):
            done = bring(page.settings.home, goal.base, taken, same, splitting, author, goal.language)
    except WorkbenchError as refused:
        return own.say("import", refused.say)
    uploads.put(Tray(edition=uploads.look().edition + 1, done=(goal.base.name, done)))
    state.pop(_WORKED, None)
    going.to_base(page, goal.base.name)
    if goal.is_new:
        state[destination.NAME] = state[destination.TITLE] = ""


def _clear() -> None:
    uploads.clear()
    st.session_state.pop(_WORKED, None)
