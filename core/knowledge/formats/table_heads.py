"""Which rows of a sheet name its columns."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from openpyxl.utils import get_column_letter

from core.knowledge.formats.workbook import Sheet, Span

_NUMBER = re.compile(r"[-+(]?[¥￥$€£]?[\d.,:/\s-]+[%)]?")
_DEEPEST = 3
"""Rows that a header has at most."""

_SEARCHED = 30
"""Rows in which the header is looked for."""


@dataclass(frozen=True, slots=True)
class Head:
    """The rows from `first` to `last` name the columns (by their number from 1); without a header both are 0."""

    first: int = 0
    last: int = 0
    names: dict[int, str] = field(default_factory=dict)


def head(sheet: Sheet) -> Head:
    """The first row with several texts, or with one in a sheet of one column, and those that its merged cells reach."""
    numbers = sorted(sheet.rows)
    width = len({column for number in numbers for column in sheet.rows[number]})
    needed = 1 if width == 1 and len(numbers) > 1 else 2
    for number in numbers[:_SEARCHED]:
        cells = sheet.rows[number]
        if sum(_is_text(value) for value in cells.values()) >= needed:
            last = _last(sheet, number)
            return Head(number, last, _names(sheet, number, last))
    return Head()


def _is_text(value: str) -> bool:
    return _NUMBER.fullmatch(value.strip()) is None


def _last(sheet: Sheet, first: int) -> int:
    """The last row of the header: where a cell spans columns, the row below names them one by one."""
    begun = [span for span in sheet.merged if span[1] == first]
    last = first
    while last - first < _DEEPEST - 1:
        below = sheet.rows.get(last + 1, {})
        wide = [span for span in sheet.merged if span[1] == last == span[3] and span[2] > span[0]]
        under = [below[column] for span in wide for column in range(span[0], span[2] + 1) if column in below]
        if not under or not all(map(_is_text, under)):
            break
        last += 1
    deep = [span[3] for span in begun if span[3] > span[1] and any(span[2] > span[0] for span in begun)]
    return max([last, *(row for row in deep if row - first < _DEEPEST)])


def _names(sheet: Sheet, first: int, last: int) -> dict[int, str]:
    """Names by column, those of several rows joined with `/`; one that stands twice is told apart by its column."""
    names: dict[int, list[str]] = {}
    for number in range(first, last + 1):
        row = {**_spread(sheet, number), **sheet.rows.get(number, {})}
        for column, value in row.items():
            told = names.setdefault(column, [])
            if value not in told[-1:]:
                told.append(value)
    joined = {column: "/".join(told) for column, told in sorted(names.items())}
    often = Counter(joined.values())
    return {
        column: f"{name} ({get_column_letter(column)})" if often[name] > 1 else name for column, name in joined.items()
    }


def _spread(sheet: Sheet, number: int) -> dict[int, str]:
    """What merged cells say in a row of the header."""
    last = max(max(cells) for cells in sheet.rows.values())
    return {
        column: value
        for span in sheet.merged
        if span[1] <= number <= span[3] and (value := _said(sheet, span))
        for column in range(span[0], min(span[2], last) + 1)
    }


def _said(sheet: Sheet, span: Span) -> str:
    return sheet.rows.get(span[1], {}).get(span[0], "")
