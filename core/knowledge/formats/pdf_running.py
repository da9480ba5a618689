"""Running headers, footers and page numbers: what stands at the edge of many pages at one height."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from core.knowledge.formats.pdf_rows import Row, pitch
from core.knowledge.marks import marks
from core.knowledge.numerals import numeral

_DEEP = 3
"""Rows from the edge that may belong to a header or footer."""

_LEVEL = 12.0
"""Points that its height may differ from page to page; scans are fed unevenly."""

_MOST = 0.6
"""The share of pages from which on a row at the edge is a header even if it stands close to the text."""

_APART = 1.3
"""How many times the usual distance of rows lies between a header and the text, at least."""

_NUMBER = re.compile(r"[0-9]+|(?<=第)[〇零一二三四五六七八九十百]+(?=[页頁])|(?<![A-Za-z])[ivxlc]+(?![A-Za-z])")


@dataclass(frozen=True, slots=True)
class _Place:
    """A row near an edge: page and row by position, the row's text without blanks and numbers, its numbers."""

    page: int
    at: int
    row: Row
    key: tuple[str, str]
    numbers: tuple[int | None, ...]
    gap: float


def without_running(pages: list[list[Row]]) -> tuple[list[list[Row]], tuple[str, ...], int]:
    """The pages without running headers and footers, one text of each kind that was left out, on how many pages.

    Kept is what is no more than probable: a header must stand at the same height on at least three pages, or on both
    of two, with the same words; its numbers the same, or going up with the pages; and apart from the text, unless it
    is on most pages. A line that begins with a chapter's or an article's number counts only where it is the same one.
    """
    written = [page for page in pages if page]
    if len(written) < 2 or (len(written) < 4 and len({_whole(page) for page in written}) == 1):
        return pages, (), 0
    usual = median(pitch(page) for page in written)
    found: dict[tuple[str, str], list[_Place]] = defaultdict(list)
    for number, page in enumerate(pages):
        for place in _edges(number, page):
            found[place.key].append(place)
    running = [level for places in found.values() if (level := _running(places, len(written), usual))]
    drop = _from_outside(running, pages)
    if all(len(drop.get(number, ())) == len(page) for number, page in enumerate(pages)):
        return pages, (), 0
    kept = [[row for at, row in enumerate(page) if at not in drop.get(n, ())] for n, page in enumerate(pages)]
    texts = dict.fromkeys(places[0].row.text for places in running if places[0].at in drop.get(places[0].page, ()))
    return kept, tuple(texts), len(drop)


def _whole(page: list[Row]) -> str:
    return "\n".join(row.text for row in page)


def _edges(number: int, page: list[Row]) -> Iterator[_Place]:
    """The rows near the top and the bottom of a page, outermost first."""
    down = sorted(range(len(page)), key=lambda at: -page[at].base)
    for edge, order in (("top", down), ("bottom", down[::-1])):
        for depth, at in enumerate(order[:_DEEP]):
            row = page[at]
            inner = next((abs(page[i].base - row.base) for i in order[depth + 1 :] if page[i].base != row.base), 1e9)
            bare = "".join(row.text.split())
            numbers = tuple(map(_value, _NUMBER.findall(bare)))
            yield _Place(number, at, row, (edge, _NUMBER.sub("#", bare)), numbers, inner)


def _value(number: str) -> int | None:
    return int(number[:9]) if number.isdigit() else numeral(number) if number > "z" else None


def _running(places: list[_Place], pages: int, usual: float) -> list[_Place]:
    """Those of equal rows that are a running header or footer; none where they are not."""
    middle = median(place.row.base for place in places)
    level = [place for place in places if abs(place.row.base - middle) <= _LEVEL]
    count = len({place.page for place in level})
    if count < min(3, pages) or not _steps(level):
        return []
    if len({place.numbers[:1] for place in level}) > 1 and marks([level[0].row.text]):
        return []
    close = median(place.gap for place in level) < _APART * usual
    often = pages > 3 and count >= _MOST * pages and len(level[0].row.cells) < 3
    return [] if close and not often else level


def _steps(level: list[_Place]) -> bool:
    """Whether each number in it stays the same, or goes up with the pages, on nearly all pages."""
    for column in zip(*(place.numbers for place in level), strict=True):
        if None in column:
            continue
        known = [value or 0 for value in column]
        offsets = [value - place.page for value, place in zip(known, level, strict=True)]
        usual = max(max(map(known.count, known)), max(map(offsets.count, offsets)))
        if usual < 0.8 * len(level):
            return False
    return True


def _from_outside(running: list[list[_Place]], pages: list[list[Row]]) -> dict[int, set[int]]:
    """The rows to leave out by page: running ones, as long as nothing else stands nearer to the edge."""
    known = {(place.page, place.at, place.key[0]) for level in running for place in level}
    drop: dict[int, set[int]] = defaultdict(set)
    for number, page in enumerate(pages):
        down = sorted(range(len(page)), key=lambda at: -page[at].base)
        for edge, order in (("top", down), ("bottom", down[::-1])):
            for before, at in pairwise([-1, *order[:_DEEP]]):
                same_row = before >= 0 and abs(page[before].base - page[at].base) < 2
                if (number, at, edge) not in known and not same_row:
                    break
                if (number, at, edge) in known:
                    drop[number].add(at)
    return drop
