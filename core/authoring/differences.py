"""Two texts compared line by line, and what differs within lines that were rewritten."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

CONTEXT = 2
"""Unchanged lines shown around a change."""
_LONGEST = 2_000
"""Characters of a line up to which the words that differ are looked for."""
_ALIKE = 0.35
"""Likeness from which a line counts as another one rewritten: below it nearly every word would be marked."""
_WORD = re.compile(r"[^\W_\u2e80-\U0003ffff]+|\s+|.", re.DOTALL)

Sign = Literal["same", "removed", "added", "gap"]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a line; `marked` where it differs from the line on the other side."""

    text: str
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its numbers in both texts (from 1, `None` where it is not in that text).

    A `gap` stands for `skipped` unchanged lines.
    """

    sign: Sign
    parts: tuple[Part, ...] = ()
    before: int | None = None
    after: int | None = None
    skipped: int = 0


def differences(before: str, after: str, context: int = CONTEXT) -> tuple[Line, ...]:
    r"""The lines that differ with those around them, in order; none where the texts are equal.

    >>> [(line.sign, "".join(part.text for part in line.parts)) for line in differences("甲\n乙", "甲\n丙")]
    [('same', '甲'), ('removed', '乙'), ('added', '丙')]
    """
    old, new = before.split("\n") if before else [], after.split("\n") if after else []
    matcher = SequenceMatcher(None, _keys(old), _keys(new))
    found: list[Line] = []
    at = 0
    for group in matcher.get_grouped_opcodes(context):
        start = group[0][1]
        if start > at:
            found.append(Line("gap", skipped=start - at))
        for tag, first, last, left, right in group:
            found += _lines(tag, old[first:last], new[left:right], first + 1, left + 1)
        at = group[-1][2]
    if found and at < len(old):
        found.append(Line("gap", skipped=len(old) - at))
    return tuple(found)


def _keys(lines: Sequence[str]) -> list[tuple[str, ...]]:
    """What lines are matched by: a blank one with the line above it, since there are too many to tell apart."""
    return [(text, lines[at - 1] if at and not text.strip() else "") for at, text in enumerate(lines)]


def _lines(tag: str, old: Sequence[str], new: Sequence[str], first: int, left: int) -> Iterator[Line]:
    """The lines of a part; where it was rewritten line by line, each old one stands before its new one."""
    if tag == "equal" or len(old) != len(new):
        inner = [(tag, 0, len(old), 0, len(new))]
    else:
        pairs = enumerate(zip(old, new, strict=True))
        inner = [("equal" if a == b else "replace", at, at + 1, at, at + 1) for at, (a, b) in pairs]
    for kind, start, stop, begin, end in inner:
        if kind == "equal":
            yield from (Line("same", (Part(old[at]),), first + at, left + at) for at in range(start, stop))
            continue
        marked = [_marked(a, b) for a, b in zip(old[start:stop], new[begin:end], strict=False)]
        for at, text in enumerate(old[start:stop]):
            yield Line("removed", marked[at][0] if at < len(marked) else (Part(text),), first + start + at, None)
        for at, text in enumerate(new[begin:end]):
            yield Line("added", marked[at][1] if at < len(marked) else (Part(text),), None, left + begin + at)


def _marked(old: str, new: str) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Both lines in parts, those marked that the other has not."""
    whole = (Part(old),), (Part(new),)
    if not old or not new or max(len(old), len(new)) > _LONGEST:
        return whole
    a, b = _WORD.findall(old), _WORD.findall(new)
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return whole
    left, right = [], []
    for tag, start, stop, first, last in matcher.get_opcodes():
        if stop > start:
            left.append(Part("".join(a[start:stop]), tag != "equal"))
        if last > first:
            right.append(Part("".join(b[first:last]), tag != "equal"))
    return tuple(left), tuple(right)
