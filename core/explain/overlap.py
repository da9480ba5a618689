"""Overlap: which passages were found by which modes together, and which by one alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Literal

from core.domain import Passage, Say
from core.explain.matrix import Cell, Matrix, Row
from core.modes import spoken

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


def finding(found: Sequence[Shared], modes: int, level: Level) -> Say:
    """What stands out of the sets of `modes` modes; there must be a set.

    Gold that a mode alone has, for each such mode, else the most that one alone has, else that all agree.
    """
    told = Say.of(f"overlap.level.{level}").as_value()
    if modes == 1:
        return Say.of("overlap.one", level=told, count=len(found[0].passages))
    alone = [shared for shared in found if len(shared.modes) == 1]
    if gold := [_gold(shared, told) for shared in alone if shared.gold]:
        return reduce(lambda one, next: Say.of("finding.and", first=one.as_value(), second=next.as_value()), gold)
    most = max(alone, key=lambda shared: len(shared.passages), default=None)
    if most is None:
        if len(found) == 1 and len(found[0].modes) == modes:
            return Say.of("overlap.same", level=told, count=len(found[0].passages))
        return Say.of("overlap.shared", level=told)
    return Say.of("overlap.only", mode=spoken(most.modes[0]), level=told, count=len(most.passages))


def _gold(shared: Shared, level: Mapping[str, Any]) -> Say:
    return Say.of("overlap.gold", mode=spoken(shared.modes[0]), level=level, count=shared.gold)


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
