"""Markdown's pipe tables: where one stands, and its rows."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

_DELIMITER = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_PIPE = re.compile(r"(?<!\\)(?:\\\\)*\|")


def table_end(lines: Sequence[str], at: int) -> int | None:
    r"""The line after a table whose header stands at line `at`, `None` where none stands there.

    A table has a delimiter row with as many cells as its header; it goes on while lines hold a pipe (not `\|`).

    >>> table_end(["型号 | 价", "---|---", r"A\|B | 3", "", "|"], 0)
    3
    """
    if at + 1 >= len(lines) or not _PIPE.search(lines[at]) or "-" not in lines[at + 1]:
        return None
    if not _DELIMITER.fullmatch(lines[at + 1]) or cells(lines[at]) != cells(lines[at + 1]):
        return None
    return rows_end(lines, at + 2)


def table_heads(lines: Sequence[str]) -> frozenset[int]:
    """The lines that head a table, each with its delimiter row on the next.

    >>> sorted(table_heads(["价目", "", "| 型号 | 价 |", "|---|---|", "| A | 3 |"]))
    [2]
    """
    return frozenset(at for at in range(len(lines) - 1) if table_end(lines, at) is not None)


def rows_end(lines: Sequence[str], at: int) -> int:
    """The line after the rows that stand from line `at` on."""
    while at < len(lines) and _PIPE.search(lines[at]):
        at += 1
    return at


def header_above(lines: Sequence[str], first: int, at: int, skipped: Container[int]) -> int | None:
    """The line of the header, not above `first`, of the table whose rows go on at line `at`; `skipped` lie between."""
    if not _PIPE.search(lines[at]) or table_end(lines, at):
        return None
    above = at
    while above > first and (above - 1 in skipped or _PIPE.search(lines[above - 1])):
        above -= 1
    return next((line for line in range(above, at) if table_end(lines, line)), None)


def cells(row: str) -> int:
    r"""How many cells a row has; the pipes at its ends are none, and `\|` is text.

    >>> [cells(row) for row in ("| a | b |", "a | b", r"a \| b")]
    [2, 2, 1]
    """
    row = row.strip()
    pipes = [match.end() for match in _PIPE.finditer(row)]
    return len(pipes) + 1 - sum(edge in pipes for edge in {1, len(row)})
