"""The evidence matrix as a file that a spreadsheet opens."""

from __future__ import annotations

import csv
import io

from core.explain.matrix import Cell, Matrix
from core.words import Words

_ACTING = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet would take as the beginning of a formula."""
_COLUMNS = ("rank", "ranked", "read", "kept", "given", "cited")


def csv_of(found: Matrix, words: Words) -> bytes:
    """The whole matrix, UTF-8 with a mark at its beginning; no text in it can act as a formula."""
    out = io.StringIO()
    writer = csv.writer(out)
    names = [words.mode(mode) for mode in found.modes]
    head = [words(f"ui.explain.file.{name}") for name in ("section", "id", "title", "gold")]
    told = [f"{name} · {words(f'ui.explain.file.{column}')}" for name in names for column in _COLUMNS]
    writer.writerow([safe(text) for text in (*head, *told)])
    for row in found.rows:
        passage = row.passage
        texts = [safe(text) for text in (passage.section, passage.id, passage.title)]
        writer.writerow([*texts, int(row.gold), *(value for cell in row.cells for value in _values(cell))])
    return out.getvalue().encode("utf-8-sig", errors="replace")


def safe(text: str) -> str:
    """`text` with an apostrophe before what a spreadsheet would run.

    >>> safe("=1+1"), safe("第一条")
    ("'=1+1", '第一条')
    """
    return f"'{text}" if text.startswith(_ACTING) else text


def _values(cell: Cell) -> tuple[int | str | None, ...]:
    return cell.step_rank or cell.rank, cell.ranked, " ".join(map(str, cell.read)), cell.kept, cell.given, cell.cited
