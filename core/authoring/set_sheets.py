"""A question set that comes as a workbook: its first sheet with a column of questions, as CSV."""

from __future__ import annotations

import csv
import io

from core.domain import Say
from core.errors import BaseError, WorkbenchError
from core.knowledge.formats.packages import check
from core.knowledge.formats.workbook import Sheet, Workbook

_QUESTION = ("question", "query", "text", "问题")
_KNOWN = (*_QUESTION, "id", "_id", "kind", "gold", "facts", "answer", "split", "tags")
"""Columns that are read, and always kept."""
_OTHERS = 100
"""Further columns that are kept: a cell far to the right makes no set of thousands of columns."""
_MOST_FILLED = 1_000_000
"""Places that merged cells fill; more only a file has whose merged cells overlap."""
_NAMED, _REASON = 10, 160
"""Cells named of those without a value; characters passed on of what a library said."""


def as_csv(data: bytes, file: str) -> tuple[bytes, tuple[Say, ...]]:
    """The questions of a workbook as CSV, merged cells filled, and what is to be told of it.

    Raises BaseError as `packages.check` and `Workbook.sheets` do, `base.file.broken` for what is no workbook, and
    `questions.columns` where no sheet has a column of questions.
    """
    sheets = [sheet for sheet in _opened(data, file) if sheet.rows]
    for sheet in sheets:
        first, *rest = sorted(sheet.rows)
        columns = _columns(sheet.rows[first])
        if any(_name(sheet.rows[first][column]) in _QUESTION for column in columns):
            _fill(sheet, first, columns)
            out = io.StringIO()
            rows = ([sheet.rows[number].get(column, "") for column in columns] for number in (first, *rest))
            csv.writer(out, lineterminator="\n").writerows(rows)
            return out.getvalue().encode("utf-8-sig"), _told(sheet, file)
    found = [cell for sheet in sheets[:1] for cell in list(sheet.rows[min(sheet.rows)].values())[:_OTHERS]]
    raise BaseError("questions.columns", file=file, columns=found)


def _opened(data: bytes, file: str) -> list[Sheet]:
    check(data, file)
    try:
        workbook = Workbook(data, file)
        try:
            return list(workbook.sheets())
        finally:
            workbook.close()
    except WorkbenchError:
        raise
    except Exception as error:  # whatever the library makes of a ZIP that is no workbook
        said = " ".join(str(error).split())[:_REASON]
        raise BaseError("base.file.broken", file=file, reason=said or type(error).__name__) from error


def _columns(header: dict[int, str]) -> list[int]:
    """The columns with a name that are kept, in order."""
    known = [column for column, cell in header.items() if _name(cell) in _KNOWN]
    others = [column for column in sorted(header) if column not in known]
    return sorted(known + others[:_OTHERS])


def _name(cell: str) -> str:
    return cell.strip().lower()


def _fill(sheet: Sheet, first: int, columns: list[int]) -> None:
    """Let each row below the header say what the merged cells over it say."""
    numbers, left = sorted(number for number in sheet.rows if number > first), _MOST_FILLED
    for start, top, end, bottom in sheet.merged:
        value = sheet.rows.get(top, {}).get(start)
        for number in (at for at in numbers if value and top <= at <= bottom):
            places = [column for column in columns if start <= column <= end]
            left -= len(places)
            if left < 0:
                return
            for column in places:
                sheet.rows[number].setdefault(column, value or "")


def _told(sheet: Sheet, file: str) -> tuple[Say, ...]:
    cells = sheet.unvalued
    values = {"file": file, "sheet": sheet.name, "count": len(cells), "cells": cells[:_NAMED]}
    return (Say("base.file.sheet.formulas", values),) if cells else ()
