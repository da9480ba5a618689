"""The order in which the rows of a page are read: columns that were written across each other are taken apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby, pairwise

from core.knowledge.formats.pdf_rows import Row, measured

_FEWEST = 3
"""Rows that a column has at least; fewer do not tell a column from chance."""

_CROSSING = 0.2
"""The share of rows that may run across the gap, as titles do."""

_CANDIDATES = 12
"""Places where a column may begin that are tried, the most frequent first."""

_SENTENCE = re.compile(r"[。！？；;!?]|[a-z]\.(?:\s|$)")


def in_order(page: list[Row]) -> tuple[list[Row], bool]:
    """The rows as they are read, each measured within its column, and whether columns had to be taken apart.

    Where columns were written one after the other their order is kept. A table's cells hold no sentences, so that a
    table stays row by row.
    """
    gap = _gap(page)
    if gap is None:
        return measured(_downwards(page) if _disordered(page) else page), False
    sides = [side for row in page for side in _sides(row, gap)]
    crossed = sum(before[0] != after[0] for before, after in pairwise(sides)) > _FEWEST
    ordered: list[Row] = []
    for group in _apart(sides) if crossed else _runs(sides):
        ordered += in_order(group)[0] if group else []
    return ordered, crossed


def _downwards(page: list[Row]) -> list[Row]:
    return sorted(page, key=lambda row: (row.angle, -row.base))


def _disordered(page: list[Row]) -> bool:
    """Whether a row was written above one that it does not stand beside."""
    return any(
        after.base > before.base + before.size and after.left < before.right and after.angle == before.angle
        for before, after in pairwise(page)
    )


def _gap(page: list[Row]) -> float | None:
    """Where the right one of two columns begins, if there are two."""
    margin = min((row.left for row in page), default=0.0)
    starts = Counter(round(cell.left) for row in page for cell in row.cells if cell.left > margin + 8 * row.size)
    often = sorted(start for start, count in starts.most_common(_CANDIDATES) if count > 1)
    return next((float(start) for start in often if _parts(page, start)), None)


def _parts(page: list[Row], start: float) -> bool:
    """Whether what begins at `start` and what ends before it are two columns of running text."""
    sides = [side for row in page for side in _sides(row, start)]
    right = [row for side, row in sides if side == "right"]
    if sum(abs(row.left - start) <= 2 for row in right) < _FEWEST or len(right) < _FEWEST:
        return False
    top, bottom = max(row.base for row in right), min(row.base for row in right)
    beside = [(side, row) for side, row in sides if bottom - row.size <= row.base <= top + row.size]
    left = [row for side, row in beside if side == "left"]
    crossing = sum(side == "across" for side, _ in beside)
    return len(left) >= _FEWEST and crossing <= _CROSSING * len(beside) and _prose(left) and _prose(right)


def _prose(group: list[Row]) -> bool:
    """Whether rows run on from one to the next: some hold a sentence's end, some do not, and none is a mere word."""
    ended = sum(_SENTENCE.search(row.text) is not None for row in group)
    letters = sum(len(row.text) for row in group)
    return 0 < ended and (ended < len(group) or letters > 20 * len(group)) and letters >= 5 * len(group)


def _sides(row: Row, start: float) -> Iterator[tuple[str, Row]]:
    """The parts of a row: `left` of where a column starts, `right` of it, or the whole row where it runs `across`."""
    left = tuple(cell for cell in row.cells if cell.left < start - row.size)
    right = tuple(cell for cell in row.cells if cell.left >= start - row.size)
    if left and max(cell.right for cell in left) > start - 0.5 * row.size:
        yield "across", row
        return
    if left:
        yield "left", replace(row, cells=left)
    if right:
        yield "right", replace(row, cells=right)


def _runs(sides: list[tuple[str, Row]]) -> Iterator[list[Row]]:
    """What was written together."""
    for _, run in groupby(sides, key=lambda side: side[0]):
        yield [row for _, row in run]


def _apart(sides: list[tuple[str, Row]]) -> Iterator[list[Row]]:
    """From the top of the page down, between rows that run across: the left column, then the right one."""
    columns: dict[str, list[Row]] = {"left": [], "right": [], "across": []}
    for side, row in sorted(sides, key=lambda pair: -pair[1].base):
        if any(columns[other] for other in columns if (other == "across") != (side == "across")):
            yield from columns.values()
            columns = {name: [] for name in columns}
        columns[side].append(row)
    yield from columns.values()
