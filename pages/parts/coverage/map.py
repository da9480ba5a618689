"""The map: a row for every section, a cell for every passage, shaded by how often it came so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.coverage.gathering import Gathered
from core.coverage.reach import PassageRow
from core.knowledge.base import KnowledgeBase
from core.words import Words
from pages.parts import charts
from pages.parts.coverage import cells, chosen, sheet, work
from pages.parts.coverage.cells import Part, Stage
from pages.parts.coverage.view import View
from pages.parts.element import element
from pages.parts.frame import Frame
from pages.parts.literal import shown
from pages.parts.sources import COLOURS

_KEY = "coverage.map"
_STAGE, _MODE, _FIRST = "coverage.stage", "coverage.mode", "coverage.first"
_TOGETHER = ""
_MAP = element("map", __file__, inside='<div class="box"></div><p class="readout"></p><p class="legend"></p>')
MOST_CELLS = 600
"""Passages up to which all cells are drawn; in a larger base those of the documents that are opened."""
_TABLE = 2_000
"""Rows that the table holds; the file holds all."""


@st.fragment
def draw(page: Frame, base: KnowledgeBase, found: Gathered) -> None:
    """The map in a part of its own, so that a click in it draws nothing else anew."""
    _draw(View(page, base, work.get(page.base), found))


def _draw(view: View) -> None:
    """The map with what it is shaded by, the passage chosen in it, and the same as a table and a file."""
    words = view.words
    stage, mode = _choices(view)
    if not view.found.reach.answers:
        st.caption(words("ui.coverage.map.no_cited"))
    found, folds = cells.parts(view), len(view.rows) > MOST_CELLS
    if folds and st.toggle(words("ui.coverage.map.reached_first"), key=_FIRST, persist_state="session"):
        found = tuple(sorted(found, key=lambda part: -sum(row.reached for row in part.rows)))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _MAP(
            key=_KEY,
            data=_data(view, found, stage, mode),
            on_choose_change=lambda: _choose(view.page.base),
            on_open_change=lambda: _open(view.page.base),
        )
        _table(view, found, stage)
        st.download_button(
            words("ui.coverage.map.file"),
            lambda: sheet.csv_of(view),
            file_name=f"coverage-{view.base.name}.csv",
            mime="text/csv",
            icon=":material/download:",
            type="tertiary",
            key="coverage.csv",
            on_click="ignore",
        )
    with right:
        chosen.draw(view)


def _choices(view: View) -> tuple[Stage, str]:
    words = view.words
    stages = cells.STAGES if view.found.reach.answers else cells.STAGES[:-1]
    with st.container(horizontal=True, vertical_alignment="center"):
        stage = st.segmented_control(
            words("ui.coverage.map.stage"),
            stages,
            default="given",
            format_func=lambda name: words(f"ui.coverage.stage.{name}"),
            key=f"{_STAGE}.{len(stages)}",
            required=True,
            label_visibility="collapsed",
            persist_state="session",
            wrap=True,
        )
        if len(view.modes) == 1:
            return stage or "given", view.modes[0]
        mode = st.segmented_control(
            words("ui.form.modes"),
            (_TOGETHER, *view.modes),
            default=_TOGETHER,
            format_func=lambda id: words.mode(id) if id else words("ui.coverage.map.together"),
            key=f"{_MODE}.{'.'.join(view.modes)}",
            required=True,
            label_visibility="collapsed",
            persist_state="session",
            wrap=True,
        )
    return stage or "given", mode or _TOGETHER


def _choose(name: str) -> None:
    passage = st.session_state[_KEY].choose
    if isinstance(passage, str):
        work.change(name, passage=passage)


def _open(name: str) -> None:
    """Draw the cells of a document, or no more."""
    document = st.session_state[_KEY].open
    if isinstance(document, str):
        work.change(name, opened=work.get(name).opened ^ {document})


def _data(view: View, found: Sequence[Part], stage: Stage, mode: str) -> dict[str, Any]:
    """What the element draws; every text of a document goes there as text and is set as text."""
    words = view.words
    folds = len(view.rows) > MOST_CELLS
    bounds = cells.steps(max((cells.counted(row, stage, mode) for row in view.rows.values()), default=0))
    place = view.modes.index(mode) if mode else None
    return {
        "parts": [_part(view, part, folds, stage, mode, bounds) for part in found],
        "chosen": view.work.passage,
        "hue": "gray" if place is None else COLOURS[place % len(COLOURS)],
        "legend": _legend(bounds, stage, words),
        "words": {
            "caption": words("ui.coverage.map.caption"),
            "hint": words("ui.coverage.map.hint_folded" if folds else "ui.coverage.map.hint"),
        },
    }


def _part(view: View, part: Part, folds: bool, stage: Stage, mode: str, bounds: Sequence[int]) -> dict[str, Any]:
    words = view.words
    reached, total = sum(row.reached for row in part.rows), len(part.rows)
    opened = not folds or part.id in view.work.opened
    return {
        "id": part.id,
        "title": shown(part.title),
        "head": folds or len(part.lines) > 1,
        "folds": folds,
        "open": opened,
        "share": reached / total if total else 0.0,
        "count": words("ui.coverage.map.share", reached=reached, total=total),
        "lines": [
            {
                "title": "" if folds and len(part.lines) == 1 else shown(line.title),
                "cells": [_cell(view, row, stage, mode, bounds) for row in line.rows],
            }
            for line in (part.lines if opened else ())
        ],
    }


def _cell(view: View, row: PassageRow, stage: Stage, mode: str, bounds: Sequence[int]) -> dict[str, Any]:
    words, count = view.words, cells.counted(row, stage, mode)
    each = [f"{words.mode(id)} {cells.counted(row, stage, id)}" for id in view.modes]
    told = words("ui.coverage.map.told", stage=words(f"ui.coverage.stage.{stage}"), counts=words.join(each))
    return {
        "id": row.passage.id,
        "label": shown(cells.label(row.passage)),
        "count": count,
        "level": cells.level(count, bounds),
        "told": told,
    }


def _legend(bounds: Sequence[int], stage: Stage, words: Words) -> list[dict[str, Any]]:
    """Each shade with the counts that it stands for."""
    found = [{"level": 0, "text": words(f"ui.coverage.never.{stage}")}]
    for at, first in enumerate(bounds):
        last = bounds[at + 1] - 1 if at + 1 < len(bounds) else None
        text = f"{first}+" if last is None else f"{first}" if last == first else f"{first}–{last}"
        found.append({"level": at + 1, "text": text})
    return found


def _table(view: View, found: Sequence[Part], stage: Stage) -> None:
    """The same as a table: the passages, of a large base its sections."""
    words = view.words
    if len(view.rows) <= MOST_CELLS:
        rows = list(view.rows.values())
        named, about = charts.passages([row.passage for row in rows], (), words)[:1], words("ui.coverage.table")
        counts = [
            charts.Column(words.mode(mode), [cells.counted(row, stage, mode) for row in rows]) for mode in view.modes
        ]
        charts.table(about, f"coverage.table.{stage}", [*named, *counts])
        return
    lines = [(part, line) for part in found for line in part.lines][:_TABLE]
    columns = [
        charts.Column(words("ui.coverage.document"), [part.title for part, _ in lines]),
        charts.Column(words("ui.coverage.section"), [line.title for _, line in lines]),
        charts.Column(words("ui.coverage.passages"), [len(line.rows) for _, line in lines]),
        charts.Column(
            words("ui.coverage.figure_reached"), [sum(row.reached for row in line.rows) for _, line in lines]
        ),
    ]
    charts.table(words("ui.coverage.table_sections"), "coverage.table", columns)
