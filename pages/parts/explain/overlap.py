"""Overlap: which passages several modes have in common, and which only one of them found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import plotly.graph_objects as go
import streamlit as st

from core.explain.matrix import Cell
from core.explain.overlap import Level, Shared, finding, overlap
from core.runs import Comparison
from core.words import Words
from pages.parts.charts import Column, colour_of, listed, passages, said, sheet, show, spaced, table, wrapped
from pages.parts.explain.looking import LEVEL
from pages.parts.explain.view import View
from pages.parts.literal import inline
from pages.parts.palette import palette
from pages.parts.sources import COLOURS

LEVELS: tuple[Level, ...] = ("touched", "given", "cited")
NAMED = 8
"""Passages of a set that are named; the table has them all."""
BAR, GAP, LINE_HEIGHT = 18, 34, 18
"""Pixels of a bar, of the line of words above it, and of each further line."""
LINE = 46
"""Letters of a line of these words."""


def draw(view: View) -> None:
    """How many passages each set of modes has in common, at the level chosen, and which."""
    words, comparison = view.words, view.comparison
    level = _level(words)
    for run in comparison.runs:
        if not run.whole:
            st.caption(inline(words("ui.overlap.failed", mode=words.mode(run.mode))))
    found = overlap(view.matrix, level)
    if not found:
        st.caption(words(f"ui.overlap.nothing_{level}"))
        return
    told = spaced(words.say(finding(found, len(comparison.runs), level)))
    said(told, words("ui.overlap.about"))
    show(_figure(found, comparison, words), "overlap.chart", words("ui.overlap.alt", finding=told))
    _named(found, view)
    table(words("ui.chart.table"), "overlap.table", _table(view, level))


def _level(words: Words) -> Level:
    chosen = st.segmented_control(
        words("ui.overlap.level"),
        LEVELS,
        default="given",
        format_func=lambda level: words(f"overlap.level.{level}"),
        key=LEVEL,
        required=True,
        label_visibility="collapsed",
        persist_state="session",
        wrap=True,
    )
    return chosen or "given"


def _who(shared: Shared, modes: int, words: Words) -> str:
    """The modes of a set, in words."""
    if len(shared.modes) == 1:
        return spaced(words("ui.overlap.only", mode=words.mode(shared.modes[0])))
    names = words.join([words.mode(mode) for mode in shared.modes])
    return words("ui.overlap.all") if len(shared.modes) == modes else names


def _count(shared: Shared, words: Words) -> str:
    gold = words("ui.overlap.of_gold", count=shared.gold)
    count = words("ui.overlap.count", count=len(shared.passages))
    return " · ".join([count, gold]) if shared.gold else count


def _figure(found: Sequence[Shared], comparison: Comparison, words: Words) -> go.Figure:
    """A bar for each set, its words on lines of their own above it, so that a narrow screen keeps its width."""
    colours = palette()
    places = [colour_of(comparison, shared.modes[0], colours) if len(shared.modes) == 1 else None for shared in found]
    texts = [
        wrapped(f"{_who(shared, len(comparison.runs), words)} · {_count(shared, words)}", LINE) for shared in found
    ]
    room = BAR + GAP + LINE_HEIGHT * max(text.count("<br>") for text in texts)
    figure = sheet(colours, len(found) * room + 16)
    figure.add_bar(
        x=[len(shared.passages) for shared in found],
        y=list(range(len(found))),
        orientation="h",
        width=BAR / room,
        marker={"color": [own or colours.muted for own in places], "opacity": [1 if own else 0.45 for own in places]},
        hoverinfo="skip",
    )
    above = {"x": 0, "yanchor": "bottom", "yshift": BAR // 2, "xanchor": "left", "showarrow": False, "align": "left"}
    for number, (text, own) in enumerate(zip(texts, places, strict=True)):
        figure.add_annotation(y=number, text=text, font={"color": own or colours.text}, borderpad=0, **above)
    figure.update_xaxes(rangemode="tozero", visible=False)
    below = 0.6 * BAR / room
    figure.update_yaxes(range=[len(found) - 1 + below, below - 1], visible=False)
    return figure


def _named(found: Sequence[Shared], view: View) -> None:
    """The passages of each set by name, gold first."""
    words = view.words
    gold = {passage.id for passage in view.gold}
    lines = []
    for shared in found:
        first = sorted(shared.passages, key=lambda passage: passage.id not in gold)
        marked = [replace(p, title=f"◆ {p.title or p.id}") if p.id in gold else p for p in first]
        who = f"**{inline(_who(shared, len(view.comparison.runs), words))}**"
        if len(shared.modes) == 1:
            place = next(n for n, run in enumerate(view.comparison.runs) if run.mode == shared.modes[0])
            who = f":{COLOURS[place]}[{who}]"
        lines.append(f"- {who} {inline(listed(marked, NAMED, words))}")
    st.markdown("\n".join(lines))
    if gold & {passage.id for shared in found for passage in shared.passages}:
        st.markdown(f":small[:yellow[◆ {words('ui.chart.gold')}]]")


def _table(view: View, level: Level) -> list[Column]:
    """Each passage's place in each mode at this level."""
    words = view.words
    places = {row.passage.id: [_place(cell, level, words) for cell in row.cells] for row in view.matrix.rows}
    rows = [row for row in view.matrix.rows if any(places[row.passage.id])]
    gold = {row.passage.id for row in rows if row.gold}
    modes = [
        Column(words.mode(mode), [places[row.passage.id][number] for row in rows], right=True)
        for number, mode in enumerate(view.matrix.modes)
    ]
    return [*passages([row.passage for row in rows], gold, words), *modes]


def _place(cell: Cell, level: Level, words: Words) -> int | str | None:
    """A passage's place in a mode; a word for one that has none since it was only read, or left out later."""
    place = {"touched": cell.rank, "given": cell.given, "cited": cell.cited}[level]
    return words("ui.overlap.unranked") if place is None and level == "touched" and cell.touched else place
