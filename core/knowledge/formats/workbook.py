"""The cells of a workbook as a stream: only cells that hold something are kept, however many are formatted.

openpyxl knows the sheets and the shared texts; the cells and their formats themselves are read from the XML, since
its own reading either holds every empty cell in memory or forgets which cells are merged, and stops at odd styles.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from math import isfinite
from typing import Any
from zipfile import ZipFile

from lxml import etree
from openpyxl.reader.excel import ExcelReader
from openpyxl.utils import column_index_from_string, range_boundaries
from openpyxl.xml.constants import ARC_STYLE

from core.errors import BaseError
from core.knowledge.formats.cell_formats import builtin, shown
from core.knowledge.formats.rows import within_bounds

MOST_CELLS = 2_000_000
"""Filled cells of a file; more would be no knowledge base that anyone reads, and take more than a gigabyte."""

_NAMESPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_ROW, _MERGED, _VALUE, _FORMULA = (f"{_NAMESPACE}{name}" for name in ("row", "mergeCell", "v", "f"))
_WORDS, _READING = f"{_NAMESPACE}t", f"{_NAMESPACE}rPh"
"""Texts of a cell, and what says how Japanese ones are read."""

_PLACE = re.compile("([A-Z]{1,3})([0-9]{1,7})")
_ASIDES = re.compile("xl/(?:comments|drawings/drawing)[^.]*[.]xml")
_ASIDE = re.compile(rb"<(?:comment |xdr:txBody[ >])")
_CARRIAGE = re.compile("_x000[dD]_\n?")

Span = tuple[int, int, int, int]
"""A merged range: its first column and row, its last column and row, all from 1."""

_EXACT = 15
"""Digits that a number of a sheet keeps; what is longer is no amount but an identity or a card number."""


@dataclass(slots=True)
class Sheet:
    """What a sheet holds: texts by row, then column (both from 1); merged ranges; formulas without a value."""

    name: str
    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    merged: list[Span] = field(default_factory=list)
    unvalued: list[str] = field(default_factory=list)


class Workbook:
    """An opened workbook. Raises what openpyxl does where it is broken."""

    def __init__(self, data: bytes, file: str) -> None:
        self._file = file
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of extensions that openpyxl would not write again
            self._reader = ExcelReader(BytesIO(data), read_only=True, data_only=True, keep_links=False)
            self._reader.read_manifest()
            self._reader.read_strings()
            self._reader.read_workbook()
        self._epoch = self._reader.wb.epoch
        self._forms = _forms(self._reader.archive)
        self._filled = self._rows = 0

    def sheets(self) -> Iterator[Sheet]:
        """The visible sheets in order. Raises BaseError `base.file.sheet.large` and `base.file.sheet.rows`."""
        for entry, relation in self._reader.parser.find_sheets():
            if entry.state == "visible":
                sheet = Sheet(entry.name)
                if not relation.Type.endswith("/chartsheet"):
                    self._fill(sheet, relation.target)
                yield sheet

    def hidden(self) -> list[str]:
        """Names of the sheets that are hidden."""
        return [entry.name for entry, _ in self._reader.parser.find_sheets() if entry.state != "visible"]

    def asides(self) -> int:
        """How many comments and text boxes there are, which stand beside the cells and are not read."""
        parts = self._reader.archive.namelist()
        return sum(len(_ASIDE.findall(self._reader.archive.read(part))) for part in parts if _ASIDES.match(part))

    def close(self) -> None:
        """Let go of the file."""
        self._reader.archive.close()

    def _fill(self, sheet: Sheet, part: str) -> None:
        place = 0
        with self._reader.archive.open(part) as stream:
            for _, element in etree.iterparse(stream, tag=(_ROW, _MERGED), resolve_entities=False, no_network=True):
                if element.tag == _ROW:
                    place = int(element.get("r") or place + 1)
                    self._row(sheet, element, place)
                    _forget(element)
                elif reference := element.get("ref"):
                    sheet.merged.append(range_boundaries(reference))

    def _row(self, sheet: Sheet, row: Any, number: int) -> None:
        cells: dict[int, str] = {}
        column = 0
        for cell in row:
            match = _PLACE.fullmatch(cell.get("r") or "")
            column = column_index_from_string(match[1]) if match else column + 1
            if len(cell) and (value := self._value(cell, sheet, f"{cell.get('r') or number}")).strip():
                cells[column] = value
        if cells:
            sheet.rows[number] = cells
            self._filled += len(cells)
            self._rows += 1
        if self._filled > MOST_CELLS:
            raise BaseError("base.file.sheet.large", file=self._file, most=MOST_CELLS)
        within_bounds(self._rows, self._file)

    def _value(self, cell: Any, sheet: Sheet, place: str) -> str:
        kind = cell.get("t") or "n"
        if kind == "inlineStr":
            return _text("".join(part.text or "" for part in cell.iter(_WORDS) if part.getparent().tag != _READING))
        value = cell.findtext(_VALUE) or ""
        formula = cell.find(_FORMULA)
        if not value and formula is not None and kind != "str":
            sheet.unvalued.append(place)
            return f"={formula.text}" if formula.text else ""
        if kind == "s":
            return _text(self._reader.shared_strings[int(value)]) if value else ""
        if kind == "b":
            return "TRUE" if value == "1" else "FALSE"
        return self._number(value, int(cell.get("s") or 0)) if kind == "n" and value else _text(value)

    def _number(self, value: str, style: int) -> str:
        number = float(value)
        form = self._forms[style] if style < len(self._forms) else "General"
        if value.isdigit() and len(value) > _EXACT and form in ("General", "0", "@"):
            return value
        return shown(number, form, self._epoch) if isfinite(number) else value


def _forms(archive: ZipFile) -> list[str]:
    """The number format of each style of cells, read past whatever else a style says: exports get colours wrong."""
    if ARC_STYLE not in archive.namelist():
        return []
    root = etree.fromstring(archive.read(ARC_STYLE), etree.XMLParser(resolve_entities=False, no_network=True))
    own = {form.get("numFmtId"): form.get("formatCode") for form in root.iter(f"{_NAMESPACE}numFmt")}
    styles = (style.get("numFmtId") or "0" for style in root.iterfind(f"{_NAMESPACE}cellXfs/{_NAMESPACE}xf"))
    return [own.get(number) or builtin(int(number)) for number in styles]


def _text(value: str) -> str:
    """A text whose line ends are written as a code."""
    return _CARRIAGE.sub("\n", value)


def _forget(row: Any) -> None:
    """Free a row that has been read, and those before it."""
    row.clear()
    while row.getprevious() is not None:
        del row.getparent()[0]
