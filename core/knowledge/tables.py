"""Markdown's pipe tables: where one stands, and its rows."""

from __future__ import annotations

import re
from collections.abc import Sequence

_DELIMITER = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_PIPE = re.compile(r"(?<!\\)(?:\\\\)*\|")


def table_end(lines: Sequence[str], at: int, stop: int) -> int | None:
    r"""The line after a table whose header stands at line `at`, `None` where none stands there.

    A table has a delimiter row with as many cells as its header; it goes on while lines hold a pipe (not `\|`).

    >>> table_end(["型号 | 价", "---|---", r"A\|B | 3", "", "|"], 0, 5)
    3
    """
    if at + 1 >= stop or not _PIPE.search(lines[at]) or "-" not in lines[at + 1]:
        return None
    if not _DELIMITER.fullmatch(lines[at + 1]) or cells(lines[at]) != cells(lines[at + 1]):
        return None
    end = at + 2
    while end < stop and _PIPE.search(lines[end]):
        end += 1
    return end


def cells(row: str) -> int:
    r"""How many cells a row has; the pipes at its ends are none, and `\|` is text.

    >>> [cells(row) for row in ("| a | b |", "a | b", r"a \| b")]
    [2, 2, 1]
    """
    row = row.strip()
    pipes = [match.end() for match in _PIPE.finditer(row)]
    return len(pipes) + 1 - sum(edge in pipes for edge in {1, len(row)})
