"""The blocks of a text as its lines tell: paragraphs, lists with nested items, tables, code fences and captions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.knowledge.layout import directive, fences, layout, offsets
from core.knowledge.tables import rows_end, table_end

_ITEM = re.compile(
    r"(?P<indent>[ \t\u3000]*)(?:(?P<bullet>[-*+•·●○▪◆][ \t]+)"
    r"|(?P<digits>[0-9]{1,3}(?:[.)](?:[ \t]+|(?=[\u3400-\u9fff]))|[、．）]))"
    r"|(?P<han>[一二三四五六七八九十]{1,3}[、．])|(?P<bracketed>[（(][一二三四五六七八九十]{1,3}[）)])"
    r"|(?P<inner>[（(][0-9]{1,3}[）)])|(?P<circled>[①-⑳])|(?P<letter>[a-zA-Z][.)][ \t]+))(?=\S)"
)
_DEEPEST = 24
"""Columns of indent that tell how deep an item stands; beyond all stand alike."""
_NUMBER = r"[ \u3000]?[0-9一二三四五六七八九十]+(?:[-.－—][0-9]+)*"
_CAPTION = re.compile(
    rf"[ \t]*(?:!\[[^\]]*\]\([^)]*\)|[\[［【](?:图|圖|图片|圖片|表|Picture|Figure)(?:[：:].*)?[\]］】]"
    rf"|(?:\*\*|__)?(?:[图圖表]{_NUMBER}[ \t\u3000：:.*_](?!.*。)|(?:Figure|Fig\.|Table)[ ]?[0-9]+(?:[-.][0-9]+)*"
    rf"(?:[.:)*_]+(?=\s|$)|[ ](?![a-z])|$)|(?:Caption|图注|圖註|表注|题注)[ ]?[0-9]*[：:]).*)[ \t]*",
)
_LONGEST_CAPTION = 160
Kind = Literal["prose", "list", "table", "fence", "caption"]


@dataclass(frozen=True, slots=True)
class Unit:
    """The part of a text from `start` to `stop` that is kept whole where it fits.

    `parts` is what it is cut into where it does not; without any it is prose, to be cut from level `depth` of
    prose on, or, if `whole`, never cut. `head` is repeated before it where it begins a passage (a table's header),
    `leading` says that it should not end one (it introduces what follows), `code` that it is part of a code fence.
    """

    start: int
    stop: int
    parts: tuple[Unit, ...] = ()
    whole: bool = False
    head: str = ""
    leading: bool = False
    code: bool = False
    depth: int = 0


def led(leads: Sequence[Unit], unit: Unit) -> Unit:
    """A unit with what introduces it, which stays with its first part."""
    for lead in reversed(leads):
        unit = _led(lead, unit)
    return unit


def _led(lead: Unit, unit: Unit) -> Unit:
    if unit.parts and not unit.parts[0].leading:
        return Unit(lead.start, unit.stop, (_led(lead, unit.parts[0]), *unit.parts[1:]))
    return Unit(lead.start, unit.stop, (replace(lead, leading=True), unit))


@dataclass(frozen=True, slots=True)
class _Item:
    """An item of a list: how deep it stands and how it is marked, and its lines."""

    key: tuple[int, str]
    first: int
    end: int


class Reader:
    """Reads the lines of a text into blocks."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = text.split("\n")
        self._starts = offsets(self._lines)
        self._fences = dict(fences(self._lines))
        fenced = {at for first, end in self._fences.items() for at in range(first, end)}
        self._asked = {
            at: directive(line) for at, line in enumerate(self._lines) if at not in fenced and directive(line)
        }
        self._empty = {at for at, line in enumerate(self._lines) if at not in fenced and layout(line)} | set(
            self._asked
        )
        self.joins = [self._starts[at] for at, what in self._asked.items() if what == "join"]

    def blocks(self) -> Iterator[tuple[Kind, Unit]]:
        """The blocks in order; one line right below a caption is part of it."""
        at = 0
        below: int | None = None
        while at < len(self._lines):
            if at in self._empty:
                at += 1
                continue
            first = at
            kind, unit, at = self._block(at)
            if kind == "prose" and first == below and at == first + 1 and len(self._lines[first]) <= _LONGEST_CAPTION:
                kind = "caption"
            below = at if kind == "caption" else None
            yield kind, unit

    def _block(self, at: int) -> tuple[Kind, Unit, int]:
        """The block that begins at a line, and the line after it."""
        if end := self._fences.get(at):
            shown = [line for line in range(at, end) if self._lines[line].strip()]
            parts = tuple(replace(self._unit(line, line + 1), code=True) for line in shown)
            return "fence", replace(self._unit(at, end), parts=parts if len(parts) > 1 else (), code=True), end
        if end := table_end(self._lines, at):
            return self._table(at, end)
        if self._captions(at):
            return "caption", self._unit(at, at + 1), at + 1
        if _ITEM.match(self._lines[at]):
            items = self._items(at)
            nested = tuple(self._nested(items))
            parts = nested if len(nested) > 1 else nested[0].parts
            return "list", replace(self._unit(at, items[-1].end), parts=parts), items[-1].end
        end = at + 1
        while end < len(self._lines) and not self._begins(end):
            end += 1
        return "prose", self._unit(at, end), end

    def _begins(self, at: int) -> bool:
        """Whether a line ends the paragraph before it."""
        return (
            at in self._empty
            or at in self._fences
            or _ITEM.match(self._lines[at]) is not None
            or self._captions(at)
            or table_end(self._lines, at) is not None
        )

    def _captions(self, at: int) -> bool:
        line = self._lines[at]
        return len(line) <= _LONGEST_CAPTION and _CAPTION.fullmatch(line) is not None

    def _unit(self, first: int, end: int) -> Unit:
        return Unit(self._starts[first], self._starts[end] - 1)

    def _table(self, at: int, end: int) -> tuple[Kind, Unit, int]:
        """A table with its rows, those after a directive too; the header belongs to the first row."""
        first = replace(self._unit(at, min(at + 3, end)), whole=True)
        head = self._text[self._starts[at] : self._starts[at + 2]]
        found = list(range(at + 3, end))
        while (end in self._asked) and (more := rows_end(self._lines, end + 1)) > end + 1:
            found += range(end + 1, more)
            end = more
        rows = [replace(self._unit(line, line + 1), whole=True, head=head) for line in found]
        return "table", replace(self._unit(at, end), parts=(first, *rows)), end

    def _items(self, at: int) -> list[_Item]:
        """The items of the list that begins at a line, in order."""
        items: list[_Item] = []
        end = at
        while (begin := self._goes_on(end)) is not None:
            end = self._fences.get(begin, begin + 1)
            if match := _ITEM.match(self._lines[begin]):
                indent = min(len(match["indent"].expandtabs(4)), _DEEPEST)
                items.append(_Item((indent, match.lastgroup or ""), begin, end))
            else:
                items[-1] = replace(items[-1], end=end)
        return items

    def _goes_on(self, at: int) -> int | None:
        """The next line of a list that has reached line `at`: an item, an indented line, or text right below."""
        begin = at
        while begin < len(self._lines) and begin in self._empty:
            begin += 1
        if begin == len(self._lines):
            return None
        line = self._lines[begin]
        if _ITEM.match(line) or (line[:1] in " \t" and line.strip()):
            return begin
        return begin if begin == at and not self._begins(begin) else None

    def _nested(self, items: Sequence[_Item]) -> Iterator[Unit]:
        """The items as units, those of a deeper indent or another mark within the one before."""
        at = 0
        while at < len(items):
            item, after = items[at], at + 1
            while after < len(items) and items[after].key != item.key and items[after].key[0] >= item.key[0]:
                after += 1
            own = self._unit(item.first, item.end)
            inner = tuple(self._nested(items[at + 1 : after]))
            yield led([own], Unit(inner[0].start, inner[-1].stop, inner)) if inner else own
            at = after
