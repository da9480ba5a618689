"""Overlap: which passages were found by which modes together, and which by one alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from core.domain import Passage
from core.explain.matrix import Cell, Matrix, Row

Level = Literal["touched", "given", "cited"]

_REACHED: Mapping[Level, Callable[[Cell], bool]] = {
    "touched": lambda cell: cell.touched,
    "given": lambda cell: cell.given is not None,
    "cited": lambda cell: cell.cited is not None,
}


@dataclass(frozen=True, slots=True)
class Shared:
    """Passages that exactly these modes have in common; `gold` counts the gold among them."""

    modes: tuple[str, ...]
    passages: tuple[Passage, ...]
    gold: int


def overlap(found: Matrix, level: Level = "given") -> tuple[Shared, ...]:
    """Every passage once, by the set of modes that reached `level` with it; what all share first, single modes last.

    Sets of as many modes stand in the order of the columns; a set without a passage is left out.
    """
    rows: dict[tuple[int, ...], list[Row]] = {}
    for row in found.rows:
        columns = tuple(at for at, cell in enumerate(row.cells) if _REACHED[level](cell))
        if columns:
            rows.setdefault(columns, []).append(row)
    return tuple(
        Shared(
            tuple(found.modes[at] for at in columns),
            tuple(row.passage for row in shared),
            sum(row.gold for row in shared),
        )
        for columns, shared in sorted(rows.items(), key=lambda pair: (-len(pair[0]), pair[0]))
    )
