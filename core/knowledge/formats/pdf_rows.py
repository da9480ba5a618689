"""Pieces of text with their places on a page, put together to rows."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

CLOSED = "。！？；：…!?;:.”」』）)】》"
"""How a text ends that does not go on in the next row."""

_LEVEL = 0.35
"""How far, in type sizes, baselines of one row may lie apart (an index or a note mark stands a little higher)."""

_WIDE = 1.8
"""From how many type sizes on a gap sets cells or columns apart; the blanks between words stay under one."""

_GAP = 0.22
"""From how many type sizes on a gap between Latin letters is a blank: half the width of one."""

_UNSURE = 0.15
"""How far an estimated width may be out, as a share of it."""

_NARROW = frozenset("iljtfrI.,;:'|!()[]{}-\"` ")
_BROAD = frozenset("mwMW@%—…")


@dataclass(frozen=True, slots=True)
class Fragment:
    """Text that was put on a page in one go.

    `left` and `base` are points (1/72 inch) along the direction of writing and across it, from the lower left corner;
    `right` is the end where it is known. `angle` is the direction in degrees; `confidence` a recogniser's, from 0 to 1;
    `even` tells of a font whose letters are all as wide, as in code.
    """

    text: str
    left: float
    base: float
    size: float
    angle: int = 0
    right: float | None = None
    confidence: float | None = None
    even: bool = False

    @property
    def end(self) -> float:
        """Where it ends: as known, else estimated from its letters."""
        return self.left + self.size * width(self.text.rstrip()) if self.right is None else self.right


@dataclass(frozen=True, slots=True)
class Cell:
    """A part of a row that stands apart from the others."""

    text: str
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Row:
    """What stands on one baseline.

    `margin` and `edge` are the left and right ends of the column that it stands in, `pitch` the usual distance of
    baselines there; `page` is counted from 1. All in points.
    """

    cells: tuple[Cell, ...]
    base: float
    size: float
    angle: int = 0
    confidence: float | None = None
    even: bool = False
    page: int = 1
    margin: float = 0.0
    edge: float = 0.0
    pitch: float = 0.0

    @property
    def text(self) -> str:
        """Its cells, two blanks between them."""
        return "  ".join(cell.text for cell in self.cells)

    @property
    def left(self) -> float:
        """Where it begins."""
        return self.cells[0].left

    @property
    def right(self) -> float:
        """Where it ends."""
        return max(cell.right for cell in self.cells)


def width(text: str) -> float:
    """The width of a text in type sizes, estimated: a Chinese character is 1, a Latin letter about one half.

    >>> width("型号XR"), width("it")
    (3.3, 0.56)
    """
    return round(sum(map(_advance, text)), 2)


def _advance(character: str) -> float:
    if character >= "\u2e80":
        return 1.0
    if character in _NARROW:
        return 0.28
    return 0.85 if character in _BROAD else 0.65 if character.isupper() else 0.53


def is_han(character: str) -> bool:
    """Whether it is written without blanks around: Chinese, Japanese kana, full-width punctuation."""
    return "\u2e80" <= character <= "\u9fff" or "\uf900" <= character <= "\ufaff" or "\uff00" <= character <= "\uffef"


def rows(fragments: Iterable[Fragment], page: int = 1) -> list[Row]:
    """The rows of a page in the order they were written in; what lies on one baseline and further right continues.

    A text put over itself, as print shops do for bold, counts once.
    """
    found: list[_Growing] = []
    broken = True
    for fragment in fragments:
        for part in _lines(fragment):
            if found and found[-1].repeats(part):
                continue
            if found and found[-1].reaches(part, broken):
                found[-1].add(part, broken)
            elif part.text.strip():
                found.append(_Growing(part))
        broken = fragment.text.endswith("\n")
    return [growing.row(page) for growing in found]


def _lines(fragment: Fragment) -> list[Fragment]:
    """A fragment that holds several lines as one a line, set below each other."""
    texts = fragment.text.strip("\n").split("\n")
    if len(texts) == 1:
        return [replace(fragment, text=texts[0])]
    step = 1.2 * fragment.size
    return [replace(fragment, text=text, base=fragment.base - step * at, right=None) for at, text in enumerate(texts)]


class _Growing:
    """A row while its pieces come in."""

    def __init__(self, first: Fragment) -> None:
        self._first = self._last = first
        self._size = first.size
        self._cells: list[Cell] = []
        self._sure: list[tuple[float, int]] = []
        self._even = True
        self._begin(first)
        self._count(first)

    def _begin(self, part: Fragment) -> None:
        self._texts = [part.text.strip()]
        self._left, self._right = part.left, part.end

    def _count(self, part: Fragment) -> None:
        self._last = part
        self._even = self._even and part.even
        if part.confidence is not None:
            self._sure.append((part.confidence, len(part.text)))

    def repeats(self, part: Fragment) -> bool:
        """Whether the piece is the last one put over itself."""
        last = self._last
        near = abs(last.left - part.left) < 0.2 * part.size and abs(last.base - part.base) < 0.2 * part.size
        return near and last.text.strip() == part.text.strip() != ""

    def reaches(self, part: Fragment, broken: bool) -> bool:
        """Whether the piece continues the row; `broken` tells that the reader of the file saw a new line there."""
        level = abs(self._first.base - part.base) <= _LEVEL * max(self._size, part.size)
        over = max(0.6 * part.size, _UNSURE * (self._right - self._left)) if broken else self._right - self._left
        return level and self._first.angle == part.angle and part.left >= self._right - over

    def add(self, part: Fragment, broken: bool) -> None:
        """Put a piece to the end; where the reader of the file saw a new line, the gap decides about a blank."""
        if not part.text.strip():
            self._texts.append("" if broken else " ")
            return
        self._size = max(self._size, part.size)
        gap = part.left - self._right
        if gap > (_WIDE if broken else 1.5 * _WIDE) * self._size:
            self._cells.append(self._cell())
            self._begin(part)
        else:
            before = self._texts[-1][-1:]
            if broken and gap > _GAP * self._size and not (is_han(before) and is_han(part.text[:1])):
                self._texts.append(" ")
            self._texts.append(part.text)
            self._right = part.end
        self._count(part)

    def _cell(self) -> Cell:
        return Cell(re.sub(r"  +", " ", "".join(self._texts)).strip(), self._left, self._right)

    def row(self, page: int) -> Row:
        """The row as it is now."""
        letters = sum(count for _, count in self._sure)
        sure = sum(confidence * count for confidence, count in self._sure) / letters if letters else None
        cells = (*self._cells, self._cell())
        return Row(cells, self._first.base, self._size, self._first.angle, sure, self._even, page)


def measured(group: list[Row]) -> list[Row]:
    """The rows of one column, each with the column's ends and the usual distance of its baselines."""
    if not group:
        return []
    margin, edge = min(row.left for row in group), max(row.right for row in group)
    return [replace(row, margin=margin, edge=edge, pitch=pitch(group)) for row in group]


def pitch(group: list[Row]) -> float:
    """The usual distance of baselines, in points; half as much again as the type where no two rows tell it."""
    steps = sorted(step for a, b in pairwise(group) if 0.5 * b.size < (step := a.base - b.base) < 4 * b.size)
    return steps[len(steps) // 3] if steps else 1.5 * max((row.size for row in group), default=12.0)


def turned(matrix: tuple[float, float, float, float, float, float]) -> tuple[float, float, int, float]:
    """Of a text's matrix: its place along and across its direction, the direction in degrees, the scale of its type."""
    a, b, c, d, x, y = matrix
    angle = round(math.degrees(math.atan2(b, a))) % 360
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return x * cosine + y * sine, y * cosine - x * sine, angle, math.hypot(c, d) or 1.0
