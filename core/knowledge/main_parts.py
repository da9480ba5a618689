"""Main parts that a document numbers 一、二、三、 on lines of their own, as Chinese notices do; no list is one."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Sequence

from core.knowledge.layout import CLOSED, blank
from core.knowledge.numerals import numeral

LEVEL = 16
"""Below every chapter that is written as a plain line."""

_COUNTED = re.compile(r"[ \t\u3000]*(?:\*\*|__)?(?P<number>[一二三四五六七八九十]{1,3})[、．][ \t\u3000]*(?P<title>.*)")
_LONGEST = 30
"""Characters of a title; what is longer says something itself."""
_SAYING = re.compile(r"[。；;！!？?|]|[，、：:,.…]$")
"""What no title holds, and what none ends with."""
_REAL = re.compile(
    r"[。；！？!?;]|[.：:][ \t]*$"
    r"|^[ \t\u3000]*(?:[（(]?[0-9一二三四五六七八九十]{1,3}[）)]|[0-9]{1,3}[.．、]|第[^ ]{1,8}[条條]|[|])"
)
"""What text has that is more than the few words of a list: a stop, a numbered item or article, a table."""

Test = Callable[[str], bool]


def main_parts(
    lines: Sequence[str], start: int, fenced: Collection[int], article: Test, heading: Test
) -> frozenset[int]:
    """The lines from `start` on that head a main part; `article` and `heading` tell what a line begins.

    They count on from 一 without a gap, each short, without a stop, apart from the text before it and with text of its
    own below, which for most of them is more than a few words. Within an article a counted line is part of it, unless a
    further article follows at once.
    """
    if not any(_COUNTED.match(line) for line in lines):
        return frozenset()
    counted: dict[int, re.Match[str]] = {}
    within = False
    reader = _Reader(lines, start, heading)
    for at in range(start, len(lines)):
        within = at not in fenced and not heading(lines[at]) and (within or article(lines[at]))
        match = None if at in fenced else _COUNTED.match(lines[at])
        if match and not (within and not article(reader.below(at))):
            counted[at] = match
    runs = [run for run in _runs(counted) if len(run) > 1]
    return frozenset(
        at
        for run in runs
        if all(reader.heads(at, counted[at]["title"]) for at in run) and reader.saying(run, counted)
        for at in run
    )


def _runs(counted: dict[int, re.Match[str]]) -> Iterable[list[int]]:
    """The lines that count on from 一, however much they say."""
    runs: list[list[int]] = []
    for at, match in counted.items():
        value = numeral(match["number"])
        if value == 1:
            runs.append([at])
        elif runs and value == len(runs[-1]) + 1:
            runs[-1].append(at)
    return runs


class _Reader:
    """Looks around counted lines, each time at few others."""

    def __init__(self, lines: Sequence[str], start: int, heading: Test) -> None:
        self._lines = lines
        self._start = start
        self._heading = heading
        self._next = _next_said(lines)

    def below(self, at: int) -> str:
        """The next line that says anything; empty where none does."""
        return self._lines[self._next[at + 1]] if self._next[at + 1] < len(self._lines) else ""

    def heads(self, at: int, title: str) -> bool:
        """Whether a counted line heads what stands below it."""
        title = title.strip(" \t\u3000*_")
        below = self.below(at)
        short = 0 < len(title) <= _LONGEST and not _SAYING.search(title)
        return short and bool(below) and not _COUNTED.match(below) and self._apart(at)

    def saying(self, run: Sequence[int], counted: Container[int]) -> bool:
        """Whether below most lines of a run, up to the next counted one or heading, there is real text."""
        return 2 * sum(self._says(at, counted) for at in run) > len(run)

    def _says(self, at: int, counted: Container[int]) -> bool:
        for below in range(at + 1, len(self._lines)):
            if below in counted or self._heading(self._lines[below]):
                return False
            if _REAL.search(self._lines[below]):
                return True
        return False

    def _apart(self, at: int) -> bool:
        """Whether the text before a line has ended: a blank line, a stop, a heading, or nothing but a title above."""
        before = self._lines[at - 1].rstrip() if at > self._start else ""
        if not before.strip() or before[-1] in CLOSED or self._heading(before):
            return True
        return self._next[self._start] >= at - 1


def _next_said(lines: Sequence[str]) -> list[int]:
    """For each line, and one after the last, the first from it on that says anything, else how many lines there are."""
    found = [len(lines)] * (len(lines) + 1)
    for at in range(len(lines) - 1, -1, -1):
        found[at] = found[at + 1] if blank(lines[at]) else at
    return found
