"""Where a heading, a numbered article, a case or a row of a sheet begins in the lines of a document."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from core.knowledge.layout import CLOSED, blank, directive, fences
from core.knowledge.main_parts import LEVEL, main_parts
from core.knowledge.numbered import ARTICLE, NUMBER, number_of, numbered, refers, sets_apart

_CHAPTER_LEVELS = {"部分": 11, "编": 12, "編": 12, "篇": 12, "分编": 13, "分編": 13, "章": 14, "节": 15, "節": 15}
"""Chapters written as plain lines lie below every Markdown heading (levels 1 to 6) and in each other in this order."""

_ENGLISH_LEVELS = {"part": 11, "chapter": 14, "section": 15}

_ATX = re.compile(r" {0,3}(?P<hashes>#{1,6})(?P<title>(?:[ \t\u3000\xa0].*)?|(?<=##)[^#\s].*)")
_TRAILING = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(?P<rule>={2,}|-{2,})[ \t]*")
_NO_TITLE = re.compile(r" {4}|[ ]{0,3}<!--|\t|[ ]{0,3}(?:[>|#]|[-*+][ \t]|[0-9]+[.)][ \t])")
_CHAPTER = re.compile(
    rf"[ \t\u3000]*(?:\*\*)?第[ \u3000]?{NUMBER}[ \u3000]?(?P<unit>部分|分编|分編|[编編篇章节節])"
    r"(?P<rest>[ \t\u3000\xa0：:]+[^。；，;,]{1,40})?"
)
_ENGLISH_CHAPTER = re.compile(
    r"(?P<unit>Part|Chapter|Section)[ \t]+(?:[0-9]+|[IVXLC]+)(?:[.:]?[ \t]+[^a-z.;,][^.;]{0,80})?"
)
_ANNEX = re.compile(r"[ \t\u3000]*附[ \u3000]*则[ \t\u3000]*")
_BEGINS = re.compile(r"\s*(?:\*\*|__)?(?:#|第|案例|附|行|(?:Row|Part|Chapter|Section|Article|Case)\b)")
"""How a line starts at which any of these may begin, but for an underlined title; most lines are none."""

_ROW = re.compile(r"(?:行|Row) [0-9]{1,9}")
_FIELD = re.compile(r"[^\n：:]{1,120}[：:]")
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_LAYOUT_SPACE = re.compile(r"(?<![\u3400-\u9fff])([\u3400-\u9fff])[ \u3000]+([\u3400-\u9fff])(?![\u3400-\u9fff])")


@dataclass(frozen=True, slots=True)
class Mark:
    """A heading, article, case or row that begins at line `first` (from 0); its own line or lines end before `end`.

    `level` is a heading's depth (from 1), also of an article whose number stands in a heading; `title` its text.
    `joined` where an author joined it to what stands before.
    """

    kind: Literal["heading", "article", "case", "row"]
    first: int
    end: int
    level: int | None = None
    title: str = ""
    label: str = ""
    joined: bool = False


def marks(lines: list[str], start: int = 0) -> list[Mark]:
    """All marks of a document in order, from line `start` on."""
    fenced = {at for first, end in fences(lines, start) for at in range(first, end)}
    found: list[Mark] = []
    previous = ""

    @cache
    def apart() -> frozenset[int | None]:
        """The numbers that the document sets apart."""
        return frozenset(
            number_of(line) for at, line in enumerate(lines) if at >= start and at not in fenced and sets_apart(line)
        )

    parts = main_parts(lines, start, fenced, _begins_article, _begins_chapter)
    at = start
    while at < len(lines):
        mark = None if at in fenced or not _may_begin(lines, at) else _mark(lines, at, found, apart, previous)
        if mark is None and at in parts and not (found and found[-1].kind == "row"):
            mark = Mark("heading", at, at + 1, LEVEL, tidy(lines[at]))
        if mark is not None:
            found.append(mark)
            previous = mark.label if mark.kind == "article" else previous
        at = mark.end if mark else at + 1
    return _joined(lines, _titled(lines, start, found))


def _begins_article(line: str) -> bool:
    return ARTICLE.match(line) is not None or numbered(line) is not None


def _begins_chapter(line: str) -> bool:
    return _ATX.fullmatch(line) is not None or _CHAPTER.fullmatch(line.rstrip()) is not None


def _may_begin(lines: list[str], at: int) -> bool:
    underlined = at + 1 < len(lines) and lines[at + 1].lstrip(" ")[:1] in ("=", "-")
    return underlined or _BEGINS.match(lines[at]) is not None


def _mark(
    lines: list[str], at: int, found: list[Mark], apart: Callable[[], frozenset[int | None]], previous: str
) -> Mark | None:
    """What begins at a line; after a row only rows and sheets begin, since a cell may hold whole articles."""
    if _ROW.fullmatch(lines[at].rstrip()) and at + 1 < len(lines) and _FIELD.match(lines[at + 1]):
        return Mark("row", at, at + 1, label=lines[at].rstrip())
    if found and found[-1].kind == "row" and not _ATX.fullmatch(lines[at]):
        return None
    return _heading(lines, at, found) or _number(lines, at, found, apart, previous)


def _joined(lines: list[str], found: list[Mark]) -> list[Mark]:
    """The marks, those told apart that follow a `join` of the author."""
    return [replace(mark, joined=True) if _asked(lines, mark.first) else mark for mark in found]


def _asked(lines: list[str], at: int) -> bool:
    """Whether a `join` stands before a line, with nothing but blanks and directives between."""
    while at and (blank(lines[at - 1]) or directive(lines[at - 1])):
        at -= 1
        if directive(lines[at]) == "join":
            return True
    return False


def _heading(lines: list[str], at: int, found: list[Mark]) -> Mark | None:
    line = lines[at]
    if match := _ATX.fullmatch(line):
        return _headed(len(match["hashes"]), _TRAILING.sub("", match["title"]), at, at + 1)
    if at + 1 < len(lines) and (under := _UNDERLINE.fullmatch(lines[at + 1])) and _may_be_underlined(lines, at, found):
        return _headed(1 if under["rule"][0] == "=" else 2, line, at, at + 2)
    if match := _CHAPTER.fullmatch(line.rstrip()):
        pointing = _open(lines, at, found) and refers(match["rest"] or "", lines, at)
        return None if pointing else Mark("heading", at, at + 1, _level(match["unit"], found), tidy(line))
    if match := _ENGLISH_CHAPTER.fullmatch(line.strip()):
        return Mark("heading", at, at + 1, _ENGLISH_LEVELS[match["unit"].lower()], tidy(line))
    return Mark("heading", at, at + 1, _level("章", found), tidy(line)) if _ANNEX.fullmatch(line) else None


def _level(unit: str, found: list[Mark]) -> int:
    """The level of a chapter written as a plain line: that of the last heading of its unit, else its own."""
    for mark in reversed(found):
        match = _CHAPTER.fullmatch(mark.title) if mark.kind == "heading" else None
        if match and mark.level and match["unit"] == unit:
            return mark.level
    return _CHAPTER_LEVELS[unit]


def _headed(level: int, title: str, first: int, end: int) -> Mark:
    """A Markdown heading; where it starts with an article's number, the article begins here."""
    title = tidy(title)
    number = numbered(title)
    return Mark(number.kind if number else "heading", first, end, level, title, number.label if number else "")


def tidy(title: str) -> str:
    """A heading's text without emphasis marks and layout spaces.

    >>> tidy("**第一章　总  则**")
    '第一章 总则'
    """
    title = " ".join(_BOLD.sub(r"\1", title.strip()).strip("*_").split())
    return _LAYOUT_SPACE.sub(r"\1\2", title)


def _may_be_underlined(lines: list[str], at: int, found: list[Mark]) -> bool:
    """Whether the line is a title by itself: short, plain, and not the end of a longer paragraph."""
    line = lines[at]
    alone = at == 0 or not lines[at - 1].strip() or bool(found and found[-1].end == at and found[-1].kind == "heading")
    return alone and 0 < len(line.strip()) <= 80 and not _NO_TITLE.match(line) and not numbered(line)


def _open(lines: list[str], at: int, found: list[Mark]) -> bool:
    """Whether the line before is text that goes on here: not blank, not a heading, and without a closing stop."""
    before = lines[at - 1].rstrip() if at and not directive(lines[at - 1]) else ""
    headed = bool(found) and found[-1].kind == "heading" and found[-1].end == at
    return bool(before) and not headed and before[-1] not in CLOSED


def _number(
    lines: list[str], at: int, found: list[Mark], apart: Callable[[], frozenset[int | None]], previous: str
) -> Mark | None:
    """An article or case at a line start, if it is not a reference to one.

    Numbers grown together with their text count only in unbroken sequence, and in a document that otherwise sets its
    numbers `apart` only where that one is missing between its neighbours.
    """
    line = lines[at]
    runs_on = _open(lines, at, found)
    if number := numbered(line):
        pointing = runs_on and (number.english or refers(number.rest, lines, at))
        return None if pointing else Mark(number.kind, at, at + 1, label=number.label)
    match = ARTICLE.fullmatch(line)
    if match and not runs_on and not refers(match["rest"], lines, at):
        value = (number_of(previous) or 0) + 1
        missing = not apart() or (value not in apart() and value + 1 in apart())
        if missing and number_of(match["label"]) == value:
            return Mark("article", at, at + 1, label=match["label"])
    return None


def _titled(lines: list[str], start: int, found: list[Mark]) -> list[Mark]:
    """In a document without a top heading a short first line right before its first mark is the title."""
    if not found or any(mark.level == 1 for mark in found):
        return found
    texts = [at for at in range(start, found[0].first) if not blank(lines[at])]
    title = lines[texts[0]].strip() if len(texts) == 1 else ""
    plain = title and len(title) <= 40 and title[-1] not in CLOSED and not title.startswith((">", "<", "|", "`"))
    return [Mark("heading", texts[0], texts[0] + 1, 1, tidy(title)), *found] if plain else found
