"""Main parts that a document numbers 一、二、三、 on lines of their own, as Chinese notices do; no list is one."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from core.knowledge.layout import blank
from core.knowledge.numerals import numeral

LEVEL = 16
"""Below every chapter that is written as a plain line."""

_COUNTED = re.compile(r"[ \t\u3000]*(?:\*\*|__)?(?P<number>[一二三四五六七八九十]{1,3})[、．][ \t\u3000]*(?P<title>.*)")
_LONGEST = 30
"""Characters of a title; what is longer says something itself."""
_SAYING = re.compile(r"[。；;！!？?|]|[，、：:,.…]$")
"""What no title holds, and what none ends with."""
_CLOSED = "。！？；：…!?;:.”」』）)】"

Test = Callable[[str], bool]


def main_parts(
    lines: Sequence[str], start: int, fenced: Collection[int], article: Test, heading: Test
) -> frozenset[int]:
    """The lines from `start` on that head a main part; `article` and `heading` tell what a line begins.

    They count on from 一 without a gap, each short, without a stop, apart from the text before it and with text of its
    own below. Within an article a counted line is part of it, unless a further article follows at once.
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
    return frozenset(at for run in runs if all(reader.heads(at, counted[at]["title"]) for at in run) for at in run)


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
    """Looks around a counted line."""

    def __init__(self, lines: Sequence[str], start: int, heading: Test) -> None:
        self._lines = lines
        self._start = start
        self._heading = heading

    def below(self, at: int) -> str:
        """The next line that says anything; empty where none does."""
        return next((line for line in self._lines[at + 1 :] if not blank(line)), "")

    def heads(self, at: int, title: str) -> bool:
        """Whether a counted line heads what stands below it."""
        title = title.strip(" \t\u3000*_")
        below = self.below(at)
        short = 0 < len(title) <= _LONGEST and not _SAYING.search(title)
        return short and bool(below) and not _COUNTED.match(below) and self._apart(at)

    def _apart(self, at: int) -> bool:
        """Whether the text before a line has ended: a blank line, a stop, a heading, or nothing but a title above."""
        before = self._lines[at - 1].rstrip() if at > self._start else ""
        if not before.strip() or before[-1] in _CLOSED or self._heading(before):
            return True
        return all(blank(line) for line in self._lines[self._start : at - 1])
