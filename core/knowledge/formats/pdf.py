"""PDF files to text: pages in reading order, sentences whole over rows, columns and pages.

Tables are not recognised as such: where their cells are placed in rows, each row stays a line.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Literal

from pypdf import PdfReader

from core.domain import Say
from core.errors import BaseError
from core.knowledge.formats import Options, scanned
from core.knowledge.formats.pdf_blocks import composed
from core.knowledge.formats.pdf_columns import in_order
from core.knowledge.formats.pdf_pages import DRAWN, Clock, LateError, Page, opened, read_page
from core.knowledge.formats.pdf_pictures import has_pictures, pictures
from core.knowledge.formats.pdf_rows import Row, rows
from core.knowledge.formats.pdf_running import without_running
from core.knowledge.reading import Reading, clean

_UNREADABLE = 0.01
"""The share of characters without a meaning from which on a page is told to be partly unreadable."""

_SCANS = 200
"""Scanned pages of one file that are read, at some seconds each."""


def read_pdf(data: bytes, file: str, options: Options) -> Reading:
    """Read a PDF file.

    Raises BaseError with a code under `base.pdf`: `no_bytes`, `other`, `password`, `broken`, `cryptography`,
    `many_pages`, `too_long`, and where not a word could be read `scanned`, `scanned_off`, `unrecognised`, `no_text`.
    """
    reader = opened(data, file)
    found = _Found(file, reader, options)
    found.read()
    found.recognise()
    ordered = found.ordered()
    text, origins = composed(ordered)
    if not text:
        raise found.refusal()
    return Reading(text, "utf-8", cleaned=found.cleaned, origins=origins, warnings=tuple(found.warnings))


@dataclass(slots=True)
class _Found:
    """What is known of a file so far: its pages, their rows, and what a person should know of the reading."""

    file: str
    reader: PdfReader
    options: Options
    pages: list[Page] = field(default_factory=list)
    rows: list[list[Row]] = field(default_factory=list)
    unread: list[int] = field(default_factory=list)
    cleaned: int = 0
    warnings: list[Say] = field(default_factory=list)

    def read(self) -> None:
        """Read the text of all pages and find those that hold none but show something."""
        clock = Clock()
        try:
            for number in range(1, len(self.reader.pages) + 1):
                self.pages.append(read_page(self.reader, number, clock))
        except LateError:
            raise BaseError("base.pdf.too_long", file=self.file, page=len(self.pages) + 1) from None
        sheets = [self._cleaned(rows(page.fragments, page.number)) for page in self.pages]
        self.rows, texts, count = without_running(sheets)
        self.unread = [page.number for page in self.pages if self._hides(page)]
        self._tell("damaged", [page.number for page in self.pages if page.damaged])
        self._tell_unmapped()
        if texts:
            self.warnings.append(Say.of("base.pdf.running", file=self.file, texts=list(texts[:6]), count=count))

    def _cleaned(self, sheet: list[Row]) -> list[Row]:
        """The rows without characters that no page can show; those that held nothing else are gone."""
        kept = []
        for row in sheet:
            cells = []
            for cell in row.cells:
                text, removed = clean(cell.text)
                self.cleaned += removed
                text = " ".join(text.split("\n")).strip()
                cells += [replace(cell, text=text)] if text else []
            if cells:
                kept.append(replace(row, cells=tuple(cells)))
        return kept

    def _hides(self, page: Page) -> bool:
        """Whether a page without text shows something that may be text: a picture, or letters drawn as outlines."""
        if self.rows[page.number - 1]:
            return False
        return page.painted >= DRAWN or has_pictures(self.reader.pages[page.number - 1])

    def recognise(self) -> None:
        """Read the pictures of pages without text, where that is wanted and can be done."""
        if not self.unread:
            return
        if hindrance := self._hindrance():
            self._tell("unread_off" if hindrance == "off" else "unread", self.unread)
        else:
            self._recognised(self.unread[:_SCANS])
            self._tell("unread_rest", self.unread[_SCANS:])

    def _hindrance(self) -> Literal["missing", "off", ""]:
        """Why pictures of pages are not read; what is not installed comes first, since it cannot be switched on."""
        if not scanned.available():
            return "missing"
        return "" if self.options.scanned else "off"

    def _recognised(self, numbers: list[int]) -> None:
        seen: list[int] = []
        empty: list[int] = []
        for number in numbers:
            page, source = self.pages[number - 1], self.reader.pages[number - 1]
            sheet = [row for image, box in pictures(source, page) for row in scanned.recognise(image, number, box)]
            self.rows[number - 1] = self._cleaned(sorted(sheet, key=lambda row: -row.base))
            (seen if self.rows[number - 1] else empty).append(number)
        self._tell("recognised", seen)
        self._tell("unrecognised_pages", empty)
        unsure = [number for number in seen if _confidence(self.rows[number - 1]) < scanned.SURE]
        self._tell("unsure", unsure)
        self.rows, _, _ = without_running(self.rows)

    def ordered(self) -> list[Row]:
        """All rows as they are read."""
        ordered: list[Row] = []
        apart: list[int] = []
        for number, sheet in enumerate(self.rows, 1):
            page, columns = in_order(sheet)
            ordered += page
            apart += [number] if columns else []
        self._tell("columns", apart)
        return ordered

    def refusal(self) -> BaseError:
        """Why there is not a word."""
        if any(page.damaged for page in self.pages):
            return BaseError("base.pdf.broken_pages", file=self.file)
        if not self.unread:
            return BaseError("base.pdf.no_text", file=self.file)
        code = {"missing": "scanned", "off": "scanned_off", "": "unrecognised"}[self._hindrance()]
        return BaseError(f"base.pdf.{code}", file=self.file, count=len(self.unread))

    def _tell(self, what: str, numbers: list[int]) -> None:
        if numbers:
            code = f"base.pdf.{what}"
            self.warnings.append(Say.of(code, file=self.file, pages=spans(numbers), count=len(numbers)))

    def _tell_unmapped(self) -> None:
        """Name the pages of which a share cannot be read, with the share over all of them."""
        worst = [page for page in self.pages if page.letters and page.unmapped >= _UNREADABLE * page.letters]
        if worst and (letters := sum(page.letters for page in worst)):
            share = f"{sum(page.unmapped for page in worst) / letters:.0%}"
            numbers = [page.number for page in worst]
            pages = spans(numbers)
            self.warnings.append(
                Say.of("base.pdf.partly_unreadable", file=self.file, pages=pages, count=len(numbers), share=share)
            )


def _confidence(sheet: list[Row]) -> float:
    letters = sum(len(row.text) for row in sheet)
    return sum((row.confidence or 0.0) * len(row.text) for row in sheet) / letters


def spans(numbers: list[int]) -> list[str]:
    """Page numbers in order, neighbours drawn together.

    >>> spans([1, 2, 3, 7])
    ['1–3', '7']
    """
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])]
    return [str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs]
