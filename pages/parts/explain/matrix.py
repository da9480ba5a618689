"""The evidence matrix as a real table: a row for every passage that any mode touched, a column for each mode."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.explain.matrix import Cell, Row
from core.words import Words
from pages.parts.column import state_of
from pages.parts.element import element
from pages.parts.explain import sheet
from pages.parts.explain.looking import choose
from pages.parts.explain.view import View
from pages.parts.literal import shown

_KEY = "explain.matrix"
_TABLE = element("matrix", __file__, inside='<div class="box"></div><p class="legend"></p>')
SIGNS = ("rank", "read", "kept", "given", "cited")
"""What a cell may tell, in the order of a passage's way."""


def _differ(row: Row) -> bool:
    return len({cell.given is None for cell in row.cells}) > 1


FILTERS: Mapping[str, Callable[[Row], bool]] = {
    "all": lambda row: True,
    "gold": lambda row: row.gold,
    "given": lambda row: any(cell.given for cell in row.cells),
    "differ": _differ,
}


def draw(view: View, chosen: str) -> None:
    """The matrix with what filters it and takes it away; a chosen row is explained below."""
    words, found = view.words, view.matrix
    if not found.rows:
        st.info(words("ui.explain.matrix.none"), icon=":material/search_off:")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        name = _filter(words)
        kept = [row for row in found.rows if FILTERS[name](row)]
        st.caption(words("ui.explain.matrix.count", shown=len(kept), all=len(found.rows)), width="stretch")
        st.download_button(
            words("ui.explain.matrix.file"),
            lambda: sheet.csv_of(found, words),
            file_name=f"matrix-{view.comparison.id}.csv",
            mime="text/csv",
            icon=":material/download:",
            type="tertiary",
            key="explain.file",
            on_click="ignore",
        )
    if not kept:
        st.info(words(f"ui.explain.matrix.no_{name}"), icon=":material/filter_alt_off:")
        return
    _TABLE(key=_KEY, data=_data(view, kept, chosen), on_choose_change=_chosen)


def _filter(words: Words) -> str:
    chosen = st.segmented_control(
        words("ui.explain.matrix.rows"),
        list(FILTERS),
        default="all",
        format_func=lambda name: words(f"ui.explain.matrix.rows_{name}"),
        key="explain.rows",
        required=True,
        label_visibility="collapsed",
        persist_state="session",
        wrap=True,
    )
    return chosen if chosen in FILTERS else "all"


def _chosen() -> None:
    passage = st.session_state[_KEY].choose
    if isinstance(passage, str):
        choose(passage)


def _data(view: View, rows: Sequence[Row], chosen: str) -> dict[str, Any]:
    """What the element draws; every text of a document goes there as text and is set as text."""
    words = view.words
    sections: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        sections.setdefault(row.passage.section, []).append(_row(row, words))
    return {
        "modes": [
            {
                "name": shown(words.mode(run.mode)),
                "state": "" if (state := state_of(run, run.seconds)) == "done" else words(f"ui.state.{state}"),
                "bad": state in ("failed", "stopped"),
            }
            for run in view.comparison.runs
        ],
        "sections": [{"name": shown(name), "rows": lines} for name, lines in sections.items()],
        "chosen": chosen,
        "words": _words(view, rows),
    }


def _row(row: Row, words: Words) -> dict[str, Any]:
    return {
        "id": row.passage.id,
        "title": shown(row.passage.title or row.passage.id),
        "gold": row.gold,
        "cells": [signs(cell, words) for cell in row.cells],
        "told": [told(cell, words) for cell in row.cells],
    }


def _words(view: View, rows: Sequence[Row]) -> dict[str, Any]:
    """The words around the table; the legend explains only the signs that stand in it."""
    words = view.words
    used = [name for name in SIGNS if any(_value(cell, name) for row in rows for cell in row.cells)]
    legend = [(words(f"ui.explain.sign.{name}", at="n"), words(f"ui.explain.legend.{name}")) for name in used]
    if any(row.gold for row in rows):
        legend.append((words("ui.explain.gold"), words("ui.explain.legend.gold")))
    return {
        "caption": words("ui.explain.matrix.caption"),
        "passage": words("ui.explain.matrix.passage"),
        "gold": words("ui.explain.gold"),
        "legend": [*legend, ("—", words("ui.explain.legend.unlisted"))],
    }


def _value(cell: Cell, name: str) -> int | tuple[int, ...] | None:
    found: int | tuple[int, ...] | None = getattr(cell, name)
    return found


def signs(cell: Cell, words: Words) -> list[tuple[str, str]]:
    """The short signs of a cell, each with its kind."""
    found = [(name, _value(cell, name)) for name in SIGNS]
    return [(name, words(f"ui.explain.sign.{name}", at=_list(value))) for name, value in found if value]


def told(cell: Cell, words: Words) -> str:
    """A cell in a sentence, as it is read aloud."""
    found = [(name, _value(cell, name)) for name in SIGNS]
    parts = [words(f"ui.explain.told.{name}", at=_list(value)) for name, value in found if value]
    return words("ui.explain.joint").join(parts) or words("ui.explain.legend.unlisted")


def _list(value: int | tuple[int, ...] | None) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
