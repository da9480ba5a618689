"""A passage as Markdown to be read: its text literally, and a table of it as a table whose cells are literal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from pages.parts.literal import highlighted

Span = tuple[int, int]
_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*")
_BAR = re.compile(r"(?<!\\)\|")


def readable(text: str, spans: Iterable[Span] = ()) -> str:
    r"""As `highlighted`; a head, the rule below it and the rows that follow become a table.

    >>> print(readable("Prices:\n| model | price |\n|---|---|\n| XR | $5 |"))
    Prices\:
    <BLANKLINE>
    | model | price |
    |---|---|
    | XR | \$5 |
    """
    marked = sorted(spans)
    parts = [
        _table(text, lines, marked) if whole else _marked(text, lines[0][0], lines[-1][1], marked)
        for whole, lines in _blocks(text)
    ]
    return "\n\n".join(part for part in parts if part.strip())


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


def _table(text: str, lines: Sequence[Span], spans: Sequence[Span]) -> str:
    """A row that is too short is filled up; of one that is too long what is over stands in its last cell."""
    width = len(_cells(text, lines[0]))
    rows = []
    for line in (lines[0], *lines[2:]):
        cells = _cells(text, line)
        if len(cells) > width:
            cells = [*cells[: width - 1], (cells[width - 1][0], cells[-1][1])]
        shown = [_marked(text, *cell, spans).strip() for cell in cells]
        rows.append(f"| {' | '.join([*shown, *[''] * (width - len(shown))])} |")
    return "\n".join([rows[0], f"|{'---|' * width}", *rows[1:]])


def _marked(text: str, start: int, end: int, spans: Sequence[Span]) -> str:
    """A part of the text with the spans that lie in it."""
    while start < end and text[start] in " \t" and "\n" not in text[start:end]:
        start += 1
    inside = [(max(one, start) - start, min(other, end) - start) for one, other in spans if one < end and other > start]
    return highlighted(text[start:end], inside)
