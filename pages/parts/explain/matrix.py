"""The evidence matrix as a real table: a row for every passage that any mode touched, a column for each mode."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import streamlit as st

from core.explain.matrix import Cell, Row
from core.progress import state_of
from core.retrieval.cosines import EXACT
from core.words import Words
from pages.parts.element import element
from pages.parts.explain import sheet
from pages.parts.explain.looking import choose
from pages.parts.explain.view import View
from pages.parts.labels import doubt, titled
from pages.parts.literal import short, shown

_KEY = "explain.matrix"
_TABLE = element("matrix", __file__, inside='<div class="box"></div><p class="legend"></p>')
SIGNS: Mapping[str, Callable[[Cell], Mapping[str, Any]]] = {
    "ranked": lambda cell: {"step": cell.ranked, "at": cell.step_rank} if cell.step_rank else {},
    "rank": lambda cell: {"at": cell.rank} if cell.rank and not cell.step_rank else {},
    "read": lambda cell: {"at": ",".join(map(str, cell.read))} if cell.read else {},
    "kept": lambda cell: {"at": cell.kept} if cell.kept else {},
    "given": lambda cell: {"at": cell.given} if cell.given else {},
    "cited": lambda cell: {"at": cell.cited} if cell.cited else {},
}
"""What a cell may tell, in the order of a passage's way, and the values that tell it; none where it did not happen."""


def _differ(row: Row) -> bool:
    return len({cell.given is None for cell in row.cells}) > 1


_PATH = 120
"""Columns of type that a section path takes above its rows; a pointer over it shows it whole."""
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
        touched = sum(any(cell.touched for cell in row.cells) for row in found.rows)
        counts = {"shown": len(kept), "touched": touched, "base": view.comparison.base.passages}
        st.caption(words("ui.explain.matrix.count", **counts), width="stretch")
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
    beyond, exact = _beyond(view), _exact(view)
    sections: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        sections.setdefault(row.passage.section, []).append(_row(row, beyond, exact, words))
    return {
        "modes": [
            {
                "name": shown(words.mode(run.mode)),
                "state": "" if (state := state_of(run, run.seconds)) == "done" else words(f"ui.state.{state}"),
                "bad": state in ("failed", "stopped"),
            }
            for run in view.comparison.runs
        ],
        "sections": [
            {"name": shown(short(name, _PATH)), "whole": shown(name), "rows": lines} for name, lines in sections.items()
        ],
        "chosen": chosen,
        "words": _words(view, rows, bool(beyond), bool(exact)),
    }


Beyond = Mapping[tuple[int, str], tuple[str, int]]
"""What ranked a passage beyond what its run lists, in words, and its rank there, by column and passage."""


def _beyond(view: View) -> Beyond:
    """The true ranks of the gold that a run never touched, where the base can still tell them."""
    if not (view.same and view.gold):
        return {}
    found = {}
    for place, run in enumerate(view.comparison.runs):
        flow = view.flow(run)
        for line in flow.lines:
            rank = line.places[0] if line.gold and line.places else None
            if rank and line.passage.id not in run.touched:
                found[place, line.passage.id] = (view.words.say(flow.stages[0].say), rank)
    return found


Exact = Collection[tuple[int, str]]
"""What a run ranked in front since the question names it, by column and passage."""


def _exact(view: View) -> Exact:
    return {
        (place, hit.passage.id)
        for place, run in enumerate(view.comparison.runs)
        for step in run.steps
        for hit in step.hits
        if EXACT in hit.scores
    }


def _row(row: Row, beyond: Beyond, exact: Exact, words: Words) -> dict[str, Any]:
    known = [beyond.get((place, row.passage.id)) for place in range(len(row.cells))]
    cells, texts = [signs(cell, words) for cell in row.cells], [told(cell, words) for cell in row.cells]
    for place, rank in enumerate(known):
        if rank:
            cells[place] = [("beyond", words("ui.explain.sign.beyond", at=rank[1]))]
            texts[place] = words("ui.explain.told.beyond", stage=rank[0], at=rank[1])
        if (place, row.passage.id) in exact:
            cells[place].insert(1, ("exact", words("ui.explain.sign.exact")))
            texts[place] = words("ui.explain.joint").join([texts[place], words("ui.explain.told.exact")])
    return {
        "id": row.passage.id,
        "title": shown(titled(row.passage)),
        "whole": shown(row.passage.title or row.passage.id),
        "gold": row.gold,
        "unclear": doubt(row.passage, words),
        "cells": cells,
        "told": texts,
    }


def _words(view: View, rows: Sequence[Row], beyond: bool, exact: bool) -> dict[str, Any]:
    """The words around the table; the legend explains only the signs that stand in it."""
    words = view.words
    used = [name for name, values in SIGNS.items() if any(values(cell) for row in rows for cell in row.cells)]
    used += [name for name, stands in (("beyond", beyond), ("exact", exact)) if stands]
    legend = [(words(f"ui.explain.sign.{name}", at="n", step="n"), words(f"ui.explain.legend.{name}")) for name in used]
    if any(row.gold for row in rows):
        legend.append((words("ui.explain.gold"), words("ui.explain.legend.gold")))
    return {
        "caption": words("ui.explain.matrix.caption"),
        "passage": words("ui.explain.matrix.passage"),
        "gold": words("ui.explain.gold"),
        "legend": [*legend, ("—", words("ui.explain.legend.unlisted"))],
    }


def signs(cell: Cell, words: Words) -> list[tuple[str, str]]:
    """The short signs of a cell, each with its kind."""
    found = [(name, values(cell)) for name, values in SIGNS.items()]
    return [(name, words(f"ui.explain.sign.{name}", **values)) for name, values in found if values]


def told(cell: Cell, words: Words) -> str:
    """A cell in a sentence, as it is read aloud."""
    found = [(name, values(cell)) for name, values in SIGNS.items()]
    parts = [words(f"ui.explain.told.{name}", **values) for name, values in found if values]
    return words("ui.explain.joint").join(parts) or words("ui.explain.legend.unlisted")
