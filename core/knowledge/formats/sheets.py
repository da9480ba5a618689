"""Workbooks (.xlsx) and separated values (.csv, .tsv): each row a text of its own, every column by its name."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from io import StringIO

from openpyxl.utils import get_column_letter

from core.domain import Say
from core.errors import BaseError
from core.knowledge import reading
from core.knowledge.formats import Options
from core.knowledge.formats.markdown import heading, is_chinese, literal
from core.knowledge.formats.packages import check
from core.knowledge.formats.rows import row, within_bounds
from core.knowledge.formats.table_heads import Head, head
from core.knowledge.formats.workbook import MOST_CELLS, Sheet, Span, Workbook
from core.knowledge.reading import Reading, clean

MOST_CHARACTERS = 1_000_000
"""Characters of a line, and of a cell that goes on over lines; a cell of a spreadsheet holds at most 32,767."""

MOST_COLUMNS = 16_384
"""Columns of a file, as a spreadsheet has at most."""

csv.field_size_limit(MOST_CHARACTERS)

_DELIMITERS = (",", "\t", ";", "|")
_SEPARATOR = re.compile(r"sep=(.)", re.I)
_MOST_FILLED = 5_000_000
"""Places that merged cells fill; more only a file has whose merged cells overlap."""

_NAMED = 10
"""Places that a warning names; of more it tells how many there are."""


def read_workbook(data: bytes, file: str, options: Options) -> Reading:
    """Read a workbook. Raises BaseError as `packages.check` does, and as `Workbook.sheets`."""
    check(data, file)
    workbook = Workbook(data, file)
    try:
        sheets, hidden, asides = list(workbook.sheets()), workbook.hidden(), workbook.asides()
    finally:
        workbook.close()
    warnings = [Say.of("base.file.sheet.hidden", file=file, sheets=hidden)] if hidden else []
    if asides:
        warnings.append(Say.of("base.file.sheet.asides", file=file, count=asides))
    for sheet in sheets:
        if cells := sheet.unvalued:
            warnings.append(
                Say.of("base.file.sheet.formulas", file=file, sheet=sheet.name, count=len(cells), cells=cells[:_NAMED])
            )
    text, removed = clean(_told([sheet for sheet in sheets if sheet.rows]))
    return Reading(text, "utf-8", cleaned=removed, warnings=tuple(warnings))


def read_csv(data: bytes, file: str, options: Options) -> Reading:
    """Read separated values; the delimiter is what the first line has most of.

    Raises BaseError as `reading.read`, and where a file is no table that anyone could search: `base.file.sheet.rows`,
    `base.file.sheet.large` (cells), `base.file.sheet.wide` (columns), `base.file.sheet.endless` (a line or a cell).
    """
    source = reading.read(data, file, options.encoding)
    text, skipped = source.text, 0
    if match := _SEPARATOR.fullmatch(text.split("\n", 1)[0].strip("\n")):
        text, skipped = text.partition("\n")[2], 1
    sheet = _table(text, match[1] if match else _delimiter(text), skipped, file)
    told, removed = clean(_told([sheet] if sheet.rows else []))
    warnings = (*_ragged(sheet, file), *_unclosed(text, match[1] if match else _delimiter(text), skipped, file))
    return source.told_as(told, removed, warnings)


def _table(text: str, delimiter: str, skipped: int, file: str) -> Sheet:
    """The records of a text, numbered from 1 after those that were `skipped`."""
    sheet = Sheet("")
    filled = 0
    records = csv.reader(_lines(text, file), delimiter=delimiter)
    try:
        for number, record in enumerate(records, start=1 + skipped):
            cells = {column: value for column, value in enumerate(record, start=1) if value.strip()}
            if cells:
                sheet.rows[number] = cells
                filled += len(cells)
                _check(sheet, filled, max(cells), file)
    except csv.Error as error:  # the only one that text can cause: a cell beyond the limit
        raise BaseError("base.file.sheet.endless", file=file, row=records.line_num, most=MOST_CHARACTERS) from error
    return sheet


def _check(sheet: Sheet, filled: int, columns: int, file: str) -> None:
    within_bounds(len(sheet.rows), file)
    if filled > MOST_CELLS:
        raise BaseError("base.file.sheet.large", file=file, most=MOST_CELLS)
    if columns > MOST_COLUMNS:
        raise BaseError("base.file.sheet.wide", file=file, most=MOST_COLUMNS)


def _lines(text: str, file: str) -> Iterator[str]:
    """The lines of a text with their ends; raises BaseError for one that no table has."""
    for number, line in enumerate(StringIO(text, newline=""), start=1):
        if len(line) > MOST_CHARACTERS:
            raise BaseError("base.file.sheet.endless", file=file, row=number, most=MOST_CHARACTERS)
        yield line


def _delimiter(text: str) -> str:
    """Counted outside quotation marks in the first line that holds anything."""
    line = next((line for line in text.split("\n") if line.strip()), "")
    bare = re.sub('"[^"]*"', "", line)
    return max(_DELIMITERS, key=bare.count)


def _unclosed(text: str, delimiter: str, skipped: int, file: str) -> tuple[Say, ...]:
    """A quotation mark that is never closed: all rows after it are in one cell."""
    if text.count('"') % 2 == 0:
        return ()
    records = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    row, last, begins = 1, [""], 1
    for record in records:
        row, last, begins = begins, record, records.line_num + 1
    swallowed = any("\n" in cell.rstrip("\n") for cell in last)
    return (Say.of("base.file.sheet.unclosed", file=file, row=row + skipped),) if swallowed else ()


def _ragged(sheet: Sheet, file: str) -> tuple[Say, ...]:
    """Rows with more cells than the header has names."""
    if not sheet.rows:
        return ()
    found = head(sheet)
    width = max(found.names, default=0)
    wide = [number for number, cells in sheet.rows.items() if number > found.last and max(cells) > width > 0]
    return (Say.of("base.file.sheet.ragged", file=file, count=len(wide), rows=wide[:_NAMED]),) if wide else ()


def _told(sheets: list[Sheet]) -> str:
    sample = " ".join(value for sheet in sheets for cells in _first(sheet) for value in cells.values())
    chinese = is_chinese(sample)
    parts: list[str] = []
    for sheet in sheets:
        if len(sheets) > 1:
            parts.append(heading(2, sheet.name).text)
        parts += _rows(sheet, chinese)
    return "\n\n".join([*parts, ""]).rstrip("\n") + "\n" if parts else ""


def _first(sheet: Sheet, most: int = 50) -> list[dict[int, str]]:
    return [sheet.rows[number] for number in sorted(sheet.rows)[:most]]


def _rows(sheet: Sheet, chinese: bool) -> Iterator[str]:
    """What stands above the header as it is, then every row below it with the names of its columns."""
    found = head(sheet)
    last = max(max(cells) for cells in sheet.rows.values())
    filled = _Filled(sheet, last)
    for number in sorted(sheet.rows):
        if number < found.first:
            yield literal(" ".join(sheet.rows[number][column] for column in sorted(sheet.rows[number])))
        elif number > found.last:
            cells = filled.row(number)
            yield row(number, ((_name(found, column), cells[column]) for column in sorted(cells)), chinese)


def _name(found: Head, column: int) -> str:
    return found.names.get(column) or get_column_letter(column)


class _Filled:
    """Rows with what merged cells say in them; to be asked in the order of the rows."""

    def __init__(self, sheet: Sheet, last: int) -> None:
        self._rows = sheet.rows
        self._last = last
        self._coming = sorted(sheet.merged, key=lambda span: span[1], reverse=True)
        self._active: list[tuple[Span, str]] = []
        self._left = _MOST_FILLED

    def row(self, number: int) -> dict[int, str]:
        """The cells of a row by column."""
        while self._coming and self._coming[-1][1] <= number:
            span = self._coming.pop()
            if value := self._rows.get(span[1], {}).get(span[0]):
                self._active.append((span, value))
        self._active = [(span, value) for span, value in self._active if span[3] >= number]
        cells = dict(self._rows[number])
        self._left -= len(self._active)
        for (left, _, right, _), value in self._active if self._left > 0 else ():
            self._left -= min(right, self._last) + 1 - left
            for column in range(left, min(right, self._last) + 1):
                cells.setdefault(column, value)
        return cells
