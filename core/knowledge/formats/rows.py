"""Rows of a sheet, or objects of a file of them, as text: a label of its own, then one line a column."""

from __future__ import annotations

from collections.abc import Iterable

from core.errors import BaseError
from core.knowledge.formats.markdown import literal

MOST_ROWS = 200_000
"""Rows of a file that come in, each a passage; until so many could be searched took 0.8 GB and 80 seconds, measured."""

_INDENT = "    "
"""Before the further lines of a cell; no column's line begins so, and Markdown takes nothing so deep for a heading."""


def row(number: int, pairs: Iterable[tuple[str, str]], chinese: bool) -> str:
    r"""One row: its number as its source counts it (from 1), then its columns that hold anything, by name.

    >>> row(2, [("名称", "扶梯"), ("说明", "两段\n各一行"), ("备注", "")], chinese=True)
    '行 2\n名称：扶梯\n说明：两段\n    各一行'
    """
    lines = [f"行 {number}" if chinese else f"Row {number}"]
    for name, value in pairs:
        if value.strip():
            first, *rest = value.strip("\n").rstrip().split("\n")
            name = " ".join(name.split())
            lines.append(literal(f"{name}：{first}" if chinese else f"{name}: {first}"))
            lines += [_INDENT + line for line in rest]
    return "\n".join(lines)


def within_bounds(rows: int, file: str) -> None:
    """Raises BaseError `base.file.sheet.rows` where a file has more rows than come in."""
    if rows > MOST_ROWS:
        raise BaseError("base.file.sheet.rows", file=file, most=MOST_ROWS)
