"""The map as plain values: parts of the base, rows in them, a cell for every passage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.coverage.reach import Counts, PassageRow
from core.domain import Passage
from pages.parts.coverage.view import View

Stage = Literal["retrieved", "read", "given", "cited"]
STAGES: tuple[Stage, ...] = ("retrieved", "read", "given", "cited")
"""What may become of a passage, in the order of its way."""
LEVELS = 4
"""Shades of a cell that is not at zero."""
_SINGLE = 2.0
"""Passages a section from which a document's sections stand in rows of their own, below it all stand in one."""


@dataclass(frozen=True, slots=True)
class Line:
    """A row of cells: its title and its passages in order."""

    title: str
    rows: tuple[PassageRow, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A document: its rows."""

    id: str
    title: str
    lines: tuple[Line, ...]

    @property
    def rows(self) -> tuple[PassageRow, ...]:
        """All its passages."""
        return tuple(row for line in self.lines for row in line.rows)


def parts(view: View) -> tuple[Part, ...]:
    """The documents that hold passages, in order, their sections as rows."""
    held: dict[str, list[PassageRow]] = {}
    for row in view.rows.values():
        held.setdefault(row.passage.document, []).append(row)
    titles = [view.base.documents[id].title for id in held]
    found = []
    for id, rows in held.items():
        own = view.base.documents[id].title
        title = own if own and titles.count(own) == 1 else id
        found.append(Part(id, title, tuple(_lines(own, title, rows))))
    return tuple(found)


def _lines(own: str, title: str, rows: Sequence[PassageRow]) -> list[Line]:
    """The rows of a document: one a section, or one for all where its sections hold a passage each."""
    sections: dict[str, list[PassageRow]] = {}
    for row in rows:
        sections.setdefault(row.passage.section, []).append(row)
    if len(sections) == 1 or len(rows) < _SINGLE * len(sections):
        return [Line(title, tuple(rows))]
    return [Line(_below(section, own), tuple(found)) for section, found in sections.items()]


def _below(section: str, document: str) -> str:
    """A section's path below its document's title."""
    return section.removeprefix(document).lstrip(" ›") or section


def counted(row: PassageRow, stage: Stage, mode: str) -> int:
    """How often a passage came so far in a mode (empty: in all together)."""
    counts: Counts = row.counts[mode] if mode else row.together
    return int(getattr(counts, stage))


def steps(most: int) -> tuple[int, ...]:
    """The counts from which each shade begins, growing by one and the same factor up to the largest count.

    >>> steps(81), steps(3), steps(0)
    ((1, 3, 9, 27), (1, 2, 3), (1,))
    """
    bounds = [round(most ** (level / LEVELS)) for level in range(LEVELS)] if most > LEVELS else range(1, most + 1)
    return tuple(sorted({1, *(bound for bound in bounds if bound > 1)}))


def level(count: int, bounds: Sequence[int]) -> int:
    """The shade of a count; 0 for none at all."""
    return sum(count >= bound for bound in bounds)


def label(passage: Passage) -> str:
    """What a passage is called in a line, where its row tells its document."""
    named = passage.title or passage.id
    return named if passage.section.endswith(named) else f"{named} · {passage.section}"
