"""What the styles of a Word file make of its paragraphs: heading levels, captions, lists, hidden text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from core.knowledge.formats.word_names import named, value

_HEADING = re.compile(r"(?:heading|标题|標題|título|titre|titolo|überschrift|rubrik|見出し|제목)\s*([1-9])", re.I)
_TITLES = frozenset(("title", "标题", "標題", "文档标题", "文件標題"))
_CAPTIONS = frozenset(("caption", "题注", "題注", "标号", "標號"))
_CONTENTS = re.compile(r"(?:toc|目录|目錄|table of figures|图表目录|圖表目錄)\s*\d*", re.I)
_OFF = frozenset(("0", "false", "off"))
_BODY = 9
"""The outline level that says a paragraph is none."""


@dataclass(frozen=True, slots=True)
class _Style:
    identifier: str
    names: frozenset[str]
    level: int | None
    number: str | None
    depth: str | None


class Styles:
    """The styles of a file by their id; each may be based on another."""

    def __init__(self, root: Any) -> None:
        styles = list(root.iterchildren(named("w:style")))
        self._styles = {style.get(named("w:styleId")): style for style in styles}
        self._default = next((style.get(named("w:styleId")) for style in styles if _is_default(style)), None)
        self._known: dict[str, _Style] = {}

    def level(self, paragraph: Any) -> int | None:
        """Depth of a heading (from 1), `None` for body text; the paragraph itself is asked before its style."""
        outline = value(paragraph, "w:pPr/w:outlineLvl")
        return _depth(outline) if outline else self._of(paragraph).level

    def is_title(self, paragraph: Any) -> bool:
        """Whether the paragraph is the title of the whole document."""
        return not _TITLES.isdisjoint(self._of(paragraph).names)

    def is_caption(self, paragraph: Any) -> bool:
        """Whether the paragraph tells what a picture or table beside it shows."""
        return not _CAPTIONS.isdisjoint(self._of(paragraph).names)

    def is_contents(self, paragraph: Any) -> bool:
        """Whether the paragraph is a line of the table of contents."""
        return any(_CONTENTS.fullmatch(name) for name in self._of(paragraph).names)

    def numbered(self, paragraph: Any) -> tuple[str, int | None, str] | None:
        """The list of a paragraph: its id, the level (`None`: not told), the id of the style that told it."""
        number, level = value(paragraph, "w:pPr/w:numPr/w:numId"), value(paragraph, "w:pPr/w:numPr/w:ilvl")
        told_by = ""
        if number is None:
            style = self._of(paragraph)
            number, level, told_by = style.number, level or style.depth, style.identifier
        return None if number in (None, "0") else (str(number), int(level) if level else None, told_by)

    def hides(self, run: Any) -> bool:
        """Whether a run is formatted as hidden."""
        own = run.find(named("w:rPr/w:vanish"))
        if own is not None:
            return own.get(named("w:val")) not in _OFF
        style = value(run, "w:rPr/w:rStyle")
        return any(
            mark is not None and mark.get(named("w:val")) not in _OFF
            for each in self._based(style)
            for mark in (each.find(named("w:rPr/w:vanish")),)
        )

    def _of(self, paragraph: Any) -> _Style:
        identifier = value(paragraph, "w:pPr/w:pStyle") or self._default or ""
        if identifier not in self._known:
            self._known[identifier] = _style(identifier, list(self._based(identifier)))
        return self._known[identifier]

    def _based(self, identifier: str | None) -> Iterator[Any]:
        seen: set[str] = set()
        while identifier is not None and identifier in self._styles and identifier not in seen:
            seen.add(identifier)
            yield self._styles[identifier]
            identifier = value(self._styles[identifier], "w:basedOn")


def _is_default(style: Any) -> bool:
    return style.get(named("w:type")) == "paragraph" and style.get(named("w:default")) in ("1", "true", "on")


def _style(identifier: str, chain: list[Any]) -> _Style:
    """What a style says, with all that it is based on, nearest first."""
    names = [(value(style, "w:name") or "").strip().lower() for style in chain]
    level = None
    for style, name in zip(chain, names, strict=True):
        outline = value(style, "w:pPr/w:outlineLvl")
        if match := _HEADING.fullmatch(name):
            level = int(match[1])
        elif outline:
            level = _depth(outline)
        if match or outline:
            break
    counted = next((style for style in chain if value(style, "w:pPr/w:numPr/w:numId") is not None), None)
    number, depth = value(counted, "w:pPr/w:numPr/w:numId"), value(counted, "w:pPr/w:numPr/w:ilvl")
    return _Style(identifier, frozenset(names), level, number, depth)


def _depth(outline: str) -> int | None:
    return int(outline) + 1 if int(outline) < _BODY else None
