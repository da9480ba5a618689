"""The history of a base: its versions, two of them compared, and the way back."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.authoring.authorship import OUTSIDE
from core.authoring.history import History
from core.authoring.ledger import Version
from core.authoring.saving import bundled, editable
from core.bench import Bench
from core.domain import Say
from core.errors import UsageError, WorkbenchError
from core.words import Words
from pages.parts import own
from pages.parts.explain import grid
from pages.parts.frame import Frame
from pages.parts.library import difference, drafting, saving
from pages.parts.literal import inline, short, shown
from pages.parts.numbers import local
from pages.parts.told import told

_NOW = 0
"""What stands for the files as they lie there now, among the numbers of versions."""
LISTED = 50
"""Versions listed on one page."""
_NAMED = 3
"""Files named of a version."""
_NOTE = 26
"""Columns of type of a note in a box to choose from."""
_FEW = 8
"""Files that are compared line by line at once."""


def draw(page: Frame, bench: Bench) -> None:
    """The versions, newest first, and what differs between two of them."""
    words, base = page.words, bench.base
    told("history", words)
    try:
        editable(base)
        history = History(base.path)
        history.notice_outside()
        versions = history.versions()
    except UsageError as uneditable:
        st.info(inline(words.say(uneditable.say)), icon=":material/info:")
        return
    except WorkbenchError as unusable:
        st.error(inline(words.say(unusable.say)), icon=":material/error:")
        return
    if not versions:
        with st.container(border=True):
            st.subheader(words("ui.history.empty"), anchor=False)
            st.markdown(words("ui.history.empty_bundled" if bundled(base) else "ui.history.empty_about"))
        return
    if versions[0].note == OUTSIDE:
        st.caption(f":material/info: {words('ui.history.noticed')}")
    if drafting.get(page.base):
        st.caption(f":material/edit_note: {words('ui.history.draft')}")
    _list(versions, words)
    _compare(page, history, versions)


def _list(versions: Sequence[Version], words: Words) -> None:
    pages = -(-len(versions) // LISTED)
    at = int(st.number_input(words("ui.reader.page", pages=pages), 1, pages, key="history.page")) if pages > 1 else 1
    names = ("version", "when", "who", "note", "files")
    head = [words(f"ui.history.{name}") for name in names]
    lines = [grid.Line(_cells(version, words)) for version in versions[(at - 1) * LISTED : at * LISTED]]
    grid.draw("history.versions", words("ui.history.title"), head, "lllll", lines)


def _cells(version: Version, words: Words) -> list[str]:
    files = sorted((change.path for change in version.changes), key=difference.is_beside)
    named = words.join(files[:_NAMED])
    more = words("ui.history.more_files", files=named, count=len(files)) if len(files) > _NAMED else named
    return [
        words("ui.history.number", number=version.number),
        local(version.created, words),
        version.author or words("ui.history.nobody"),
        note(version, words),
        more,
    ]


def note(version: Version, words: Words) -> str:
    """What a version is about; plain text."""
    if isinstance(version.note, Say):
        return words.say(version.note)
    return version.note or words("ui.history.no_note")


def _compare(page: Frame, history: History, versions: Sequence[Version]) -> None:
    """Two versions chosen, what differs file by file, and the way back to the older one."""
    words = page.words
    known = {version.number: version for version in versions}
    numbers = [version.number for version in versions]

    def called(number: int) -> str:
        return _called(known.get(number), words)

    st.subheader(words("ui.history.compare"), anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = numbers.index(numbers[1] if len(numbers) > 1 else numbers[0])
        before = st.selectbox(words("ui.history.from"), numbers, first, called, key=_key("from", numbers), width=340)
        after = st.selectbox(words("ui.history.to"), [_NOW, *numbers], 0, called, key=_key("to", numbers), width=340)
    try:
        found = history.compare(before, after or None)
    except WorkbenchError as unusable:
        st.error(inline(words.say(unusable.say)), icon=":material/error:")
        return
    _back(page, history, known[before])
    if not found:
        st.caption(words("ui.history.same"))
    listed = sorted(found, key=lambda each: difference.is_beside(each.path))
    for each in listed[:_FEW]:
        difference.draw_file(f"history.{before}.{after}.{each.path}", each.path, each.before, each.after, words)
    if len(listed) > _FEW:
        paths = [each.path for each in listed[_FEW:]]
        st.caption(inline(words("ui.history.other_files", count=len(paths), files=paths[:LISTED])))


def _key(name: str, numbers: Sequence[int]) -> str:
    """The widget's key: a new version is a new choice."""
    return f"history.{name}.{numbers[0]}"


def _called(version: Version | None, words: Words) -> str:
    """A version in a box to choose from; plain text."""
    if version is None:
        return words("ui.history.now")
    number = words("ui.history.number", number=version.number)
    return shown(f"{number} · {short(note(version, words), _NOTE)}")


def _back(page: Frame, history: History, version: Version) -> None:
    """Going back to a version, which makes a new one."""
    words = page.words
    number = version.number
    with st.expander(words("ui.history.back", number=number), icon=":material/settings_backup_restore:"):
        st.markdown(words("ui.history.back_sure", number=number))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            saving.author(page)
            label = words("ui.history.back_do", number=number)
            st.button(label, icon=":material/check:", key="history.back", on_click=_roll, args=(history, number))


def _roll(history: History, number: int) -> None:
    author = (st.session_state.get(saving.AUTHOR) or "").strip()
    try:
        made = history.roll_back(number, author, Say.of("ui.history.rolled", number=number))
    except WorkbenchError as refused:
        own.say("history", refused.say)
        return
    own.say("history", Say.of("ui.notice.rolled", number=made.number, old=number))
