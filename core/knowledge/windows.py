"""Long texts to windows: packed from whole units, cut at the best place where one does not fit, overlapping in units.

units (paragraphs, lists, tables) -> those too long into their parts -> prose into lines, sentences, clauses, words
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.knowledge.blocks import Unit
from core.knowledge.layout import directive, fences, offsets
from core.knowledge.prose import DEPTHS, Span, cut, lines, quotations, sentences, words
from core.knowledge.units import units

_CLAUSES = 2
"""From this way of cutting on it is parts of sentences that are cut off: not only to keep an introduction company."""


@dataclass(frozen=True, slots=True)
class Splitting:
    """How a base is cut, both in characters: prose longer than `longest` is cut, and a passage repeats `overlap`.

    `longest` is what the embedding model reads at once (510 tokens); `overlap` is at most what a passage repeats of
    the one before, in whole units (sentences, list items).
    """

    longest: int = 600
    overlap: int = 0


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a text; `head` is a table's header to be repeated before it."""

    start: int
    stop: int
    head: str = ""


def windows(text: str, splitting: Splitting) -> list[Window]:
    """The windows of the text under a heading, in order, none longer than `splitting.longest` where avoidable.

    What cannot be cut is a row of a table and what an author joined. Directives lie between windows or, where they
    join, within one.
    """
    if len(text) <= splitting.longest and "<!--" not in text:
        return [Window(0, len(text))] if text.strip() else []
    return _Packer(text, splitting, _asked(text)).packed(units(text))


def cuts(text: str, longest: int) -> list[Span]:
    """Spans of plain `text` of at most `longest` characters each, without the blanks between them.

    >>> cuts("甲乙。丙丁。戊己", 4)
    [(0, 3), (3, 6), (6, 8)]
    """
    found = _Packer(text, Splitting(longest), []).packed([Unit(0, len(text))])
    return [(window.start, window.stop) for window in found if text[window.start : window.stop].strip()]


def _asked(text: str) -> list[int]:
    """Where an author wants a cut."""
    found = text.split("\n")
    fenced = {at for first, end in fences(found) for at in range(first, end)}
    starts = offsets(found)
    return [starts[at] for at, line in enumerate(found) if at not in fenced and directive(line) == "cut"]


class _Packer:
    """Fills window after window with units."""

    def __init__(self, text: str, splitting: Splitting, asked: list[int]) -> None:
        self._text = text
        self._longest = max(1, splitting.longest)
        self._overlap = splitting.overlap
        self._asked = asked
        self._kept: list[Span] | None = None
        self._now: list[Unit] = []
        self._start = 0
        self._before: list[Unit] = []
        self._windows: list[Window] = []

    def packed(self, found: Iterable[Unit]) -> list[Window]:
        for unit in found:
            self._place(unit)
        self._flush()
        return self._windows

    def _place(self, unit: Unit) -> None:
        if self._now and self._wanted(self._now[-1].stop, unit.start):
            self._flush()
            self._before = []
        parted = self._wanted(unit.start, unit.stop)
        if not parted and self._fits(unit):
            self._add(unit)
        elif parts := self._parts(unit, parted):
            if self._now and not self._now[-1].leading and not self._little() and not parted:
                self._flush()
            for part in parts:
                self._place(part)
        else:
            self._flush()
            self._add(unit)

    def _parts(self, unit: Unit, parted: bool) -> list[Unit]:
        """What a unit is cut into where it must be: too long for any window, or left by what introduces it."""
        fits = len(unit.head) + unit.stop - unit.start <= self._longest
        left = bool(self._now) and self._now[-1].leading and (bool(unit.parts) or unit.depth < _CLAUSES)
        if unit.whole or (fits and not parted and not left):
            return []
        if unit.parts:
            return list(unit.parts)
        for depth in range(unit.depth, _CLAUSES if left and fits else DEPTHS):
            spans = cut(self._text, unit.start, unit.stop, depth, self._quotations())
            if len(spans) > 1:
                return [Unit(start, stop, code=unit.code, depth=depth + 1) for start, stop in spans]
        spans = [] if fits else words(self._text, unit.start, unit.stop, self._longest)
        return [Unit(start, stop, code=unit.code, depth=DEPTHS) for start, stop in spans]

    def _quotations(self) -> list[Span]:
        if self._kept is None:
            self._kept = quotations(self._text)
        return self._kept

    def _fits(self, unit: Unit) -> bool:
        start, head = (self._start, self._now[0].head) if self._now else (unit.start, unit.head)
        return len(head) + unit.stop - start <= self._longest

    def _little(self) -> bool:
        """Whether the window so far would be a crumb."""
        return self._now[-1].stop - self._start < self._longest / 3

    def _wanted(self, start: int, stop: int) -> bool:
        """Whether an author wants a cut between two places."""
        return bisect_left(self._asked, start) < bisect_left(self._asked, stop)

    def _add(self, unit: Unit) -> None:
        if not self._now:
            self._start = self._repeated(unit)
        self._now.append(unit)

    def _flush(self) -> None:
        if self._now:
            self._windows.append(Window(self._start, self._now[-1].stop, self._now[0].head))
            self._before, self._now = self._now, []

    def _repeated(self, unit: Unit) -> int:
        """Where a window that begins with `unit` starts: at the last units of the one before, as far as they fit."""
        start = unit.start
        if not self._overlap or not self._before or unit.head:
            return start
        end, opened = self._before[-1].stop, self._windows[-1].start
        room = max(end - self._overlap, unit.stop - self._longest, opened + 1)
        for last in (leaf for unit in reversed(self._before) for leaf in _leaves(unit)):
            begins = self._begins(last)
            reached = begins[bisect_left(begins, room) :]
            start = min([start, *reached])
            if len(reached) < len(begins) or not begins:
                break
        return start

    def _begins(self, unit: Unit) -> list[int]:
        """Where the lines and sentences of prose begin; none in tables and code."""
        if unit.whole or unit.head or unit.code:
            return []
        found = lines(self._text, unit.start, unit.stop)
        return [begin for span in found for begin, _ in sentences(self._text, *span, self._quotations())]


def _leaves(unit: Unit) -> Iterator[Unit]:
    """The smallest units of one, last first."""
    for part in reversed(unit.parts):
        yield from _leaves(part)
    if not unit.parts:
        yield unit
