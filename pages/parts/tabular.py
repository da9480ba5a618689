"""A passage as Markdown to be read: its text literally, and a table of it as a table whose cells are literal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pages.parts.literal import highlighted

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Marks:
    """What is marked, and in which colour."""

    spans: tuple[Span, ...]
    colour: str


_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*")
_BAR = re.compile(r"(?<!\\)\|")


def readable(text: str, spans: Iterable[Span] = (), colour: str = "yellow") -> str:
    r"""As `highlighted`; a head, the rule below it and the rows that follow become a table.

    >>> print(readable("Prices:\n| model | price |\n|---|---|\n| XR | $5 |"))
    Prices\:
    <BLANKLINE>
    | model | price |
    |---|---|
    | XR | \$5 |
    """
    marks = _Marks(tuple(sorted(spans)), colour)
    parts = [
        _table(text, lines, marks) if whole else _marked(text, (lines[0][0], lines[-1][1]), marks)
        for whole, lines in _blocks(text)
    ]
    return "\n\n".join(part for part in parts if part.strip())


def has_table(markdown: str) -> bool:
    """Whether what `readable` gave holds a table."""
    return "\n|---|" in markdown


def _lines(text: str) -> list[Span]:
    """Where each line begins and ends."""
    ends = [match.start() for match in re.finditer("\n", text)] + [len(text)]
    return list(zip([0, *(end + 1 for end in ends[:-1])], ends, strict=True))


def _blocks(text: str) -> Iterator[tuple[bool, list[Span]]]:
    """The lines in groups: those of a table, and those between tables."""
    lines, plain, at = _lines(text), list[Span](), 0
    while at < len(lines):
        if not _begins(text, lines[at : at + 2]):
            plain.append(lines[at])
            at += 1
            continue
        if plain:
            yield False, plain
        plain, end = [], at + 2
        while end < len(lines) and _is_row(text, lines[end]):
            end += 1
        yield True, lines[at:end]
        at = end
    if plain:
        yield False, plain


def _begins(text: str, lines: Sequence[Span]) -> bool:
    """Whether these two lines are the head of a table and the rule below it."""
    if len(lines) < 2 or not _is_row(text, lines[0]) or not _RULE.fullmatch(text[slice(*lines[1])]):
        return False
    return len(_cells(text, lines[0])) == len(_cells(text, lines[1]))


def _is_row(text: str, line: Span) -> bool:
    return text[slice(*line)].lstrip().startswith("|")


def _cells(text: str, line: Span) -> list[Span]:
    """Where each cell of a row begins and ends."""
    start, end = line
    bars = [start + match.start() for match in _BAR.finditer(text[start:end])]
    if bars and text[bars[-1] + 1 : end].strip():  # the last cell is not closed
        bars.append(end)
    return [(one + 1, other) for one, other in zip(bars, bars[1:], strict=False)]


def _table(text: str, lines: Sequence[Span], marks: _Marks) -> str:
    """A row that is too short is filled up; of one that is too long what is over stands in its last cell."""
    width = len(_cells(text, lines[0]))
    rows = []
    for line in (lines[0], *lines[2:]):
        cells = _cells(text, line)
        if len(cells) > width:
            cells = [*cells[: width - 1], (cells[width - 1][0], cells[-1][1])]
        shown = [_marked(text, cell, marks).strip() for cell in cells]
        rows.append(f"| {' | '.join([*shown, *[''] * (width - len(shown))])} |")
    return "\n".join([rows[0], f"|{'---|' * width}", *rows[1:]])


def _marked(text: str, part: Span, marks: _Marks) -> str:
    """A part of the text with the spans that lie in it."""
    start, end = part
    inside = [(max(one, start) - start, min(other, end) - start) for one, other in marks.spans]
    return highlighted(text[start:end], [(one, other) for one, other in inside if one < other], marks.colour)
