"""Tables of web pages as grids: cells that span rows or columns fill all their places."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from core.knowledge.formats.markdown import Cell

_MOST_COLUMNS = 1000
"""What a cell may span at most, as browsers have it."""

_MOST_PLACES = 200_000
"""Places of a table beyond which spans are no longer filled."""


def grid(table: Any, told: Callable[[Any], str]) -> list[list[Cell | None]]:
    """Rows of a table without those of tables within; `told` gives the text of a cell."""
    waiting: dict[int, tuple[int, Cell]] = {}
    rows: list[list[Cell | None]] = []
    places = 0
    for element in _rows(table):
        row: list[Cell | None] = []
        for each in element.iterchildren("td", "th"):
            _fill(row, waiting)
            cell = Cell(told(each))
            width = min(_span(each, "colspan"), _MOST_COLUMNS) if places < _MOST_PLACES else 1
            depth = _span(each, "rowspan")
            for column in range(len(row), len(row) + width):
                if depth != 1:
                    waiting[column] = (depth - 1, cell)
            row += [cell] * width
        _fill(row, waiting)
        places += len(row)
        if places > _MOST_PLACES:
            waiting.clear()
        rows.append(row)
    return rows


def _fill(row: list[Cell | None], waiting: dict[int, tuple[int, Cell]]) -> None:
    """Set the cells from above that reach down to the next place of a row."""
    while len(row) in waiting:
        column = len(row)
        left, cell = waiting.pop(column)
        if left > 1 or left < 0:
            waiting[column] = (left - 1, cell)
        row.append(cell)


def heads(table: Any) -> int:
    """Rows of the header: those of `thead`, else those on top that have but header cells."""
    within = sum(1 for part in table.iterchildren("thead") for _ in part.iterchildren("tr"))
    if within:
        return within
    count = 0
    for row in _rows(table):
        cells = list(row.iterchildren("td", "th"))
        if not cells or any(cell.tag == "td" for cell in cells):
            break
        count += 1
    return max(1, count)


def _rows(table: Any) -> list[Any]:
    """`thead` first and `tfoot` last, wherever they stand in the source."""
    parts: dict[str, list[Any]] = {"thead": [], "tbody": [], "tfoot": []}
    for child in table:
        if child.tag == "tr":
            parts["tbody"].append(child)
        elif child.tag in parts:
            parts[child.tag] += child.iterchildren("tr")
    return [row for rows in parts.values() for row in rows]


def _span(cell: Any, name: str) -> int:
    """How far a cell spans, from 1; a `rowspan` of 0 reaches to the end."""
    told = cell.get(name) or "1"
    if name == "rowspan" and told.strip() == "0":
        return 0
    return max(1, int(told)) if re.fullmatch(r"\s*[0-9]{1,5}\s*", told) else 1
