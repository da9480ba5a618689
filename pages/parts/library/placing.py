"""Where a passage ends and where it stands: cutting it in two, and moving it."""

from __future__ import annotations

import re

import streamlit as st

from core.authoring.operations import Move, Operation, Split
from core.knowledge.sentences import sentences
from pages.parts.library.panel import Panel
from pages.parts.literal import short, shown
from pages.parts.tabular import readable

_LINE = re.compile(r"(?<=\n)(?=[^\n])")
_ROW = re.compile(r"^[ \t]*\|[^\n]*(\n(?=[ \t]*\|))?", re.MULTILINE)
"""A row of a table, with the end of its line where another follows."""
_LABEL = 56
"""Columns of type of a text that stands in a box to choose from."""
_END = ""
"""What stands for the end of a document among the ids of its passages."""


def cuts(source: str) -> list[int]:
    """The places before which a passage can be cut: where a sentence or a line begins, but the first, and no row.

    >>> ["It rains. We stay."[at:] for at in cuts("It rains. We stay.")]
    ['We stay.']
    """
    starts = {start for start, _ in sentences(source)} | {match.start() for match in _LINE.finditer(source)}
    rows = [range(match.start() + 1, match.end() + 1) for match in _ROW.finditer(source)]
    return sorted(
        at for at in starts if source[:at].strip() and source[at:].strip() and not any(at in row for row in rows)
    )


def split(panel: Panel) -> None:
    """The place of the cut, chosen among sentences and lines, and both halves as they would be."""
    words, place = panel.words, panel.place
    source = place.source
    found = cuts(source)
    if not found:
        st.caption(words("ui.edit.split_none"))
        return
    key = f"split.{place.id}"
    at = st.selectbox(
        words("ui.edit.split_at"),
        found,
        format_func=lambda at: shown(short(" ".join(source[at:].split()), _LABEL)),
        key=key,
    )
    for name, text in (("split_first", source[:at]), ("split_second", source[at:])):
        with st.container(border=True):
            st.caption(words(f"ui.edit.{name}"))
            st.markdown(readable(text.strip()))
    panel.buttons(lambda: Split(place.id, source, int(st.session_state[key])))


def move(panel: Panel) -> None:
    """The document to move to, and the passage to stand after."""
    words, place, base = panel.words, panel.place, panel.draft.after
    documents = [id for id, document in base.documents.items() if document.file]
    document = st.selectbox(
        words("ui.edit.move_to"), documents, documents.index(place.document), shown, key=f"move.to.{place.id}"
    )
    known = {p.id: p for p in (*base.of_document(document), *base.disabled) if p.document == document}
    others = [id for id in panel.draft.texts.passages(document) if id != place.id]

    def called(id: str) -> str:
        if id == _END:
            return words("ui.edit.move_end")
        text = " ".join(known[id].text.split()) if id in known else ""
        return shown(short(f"{id.rsplit('#', 1)[-1]} · {text}", _LABEL))

    key = f"move.after.{place.id}.{document}"
    st.selectbox(words("ui.edit.move_after"), [_END, *others], 0, called, key=key)

    def made() -> Operation:
        after = str(st.session_state[key])  # as it is chosen now, not when the page was drawn
        beside = panel.draft.place(after).source if after else None
        return Move(place.id, place.source, document, after or None, beside)

    panel.buttons(made)
