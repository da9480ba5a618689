"""What the styles of a Word file make of its paragraphs: heading levels, captions, lists, hidden text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from docx.oxml.ns import qn

_HEADING = re.compile(r"(?:heading|标题|標題|título|titre|titolo|überschrift|rubrik|見出し|제목)\s*([1-9])", re.I)
_TITLES = frozenset(("title", "标题", "標題", "文档标题", "文件標題"))
_CAPTIONS = frozenset(("caption", "题注", "題注", "标号", "標號"))
_CONTENTS = re.compile(r"(?:toc|目录|目錄|table of figures|图表目录|圖表目錄)\s*\d*", re.I)
_OFF = frozenset(("0", "false", "off"))
_BODY = 9
"""The outline level that says a paragraph is none."""


class Styles:
    """The styles of a file by their id; each may be based on another."""

    def __init__(self, root: Any) -> None:
        styles = list(root.iterchildren(qn("w:style")))
        self._styles = {style.get(qn("w:styleId")): style for style in styles}
        self._default = next((style.get(qn("w:styleId")) for style in styles if _is_default(style)), None)

    def level(self, paragraph: Any) -> int | None:
        """Depth of a heading (from 1), `None` for body text; the paragraph itself is asked before its style."""
        outline = _value(paragraph, "w:pPr/w:outlineLvl")
        for style in () if outline else self._chain(paragraph):
            if match := _HEADING.fullmatch(_name(style)):
                return int(match[1])
            if outline := _value(style, "w:pPr/w:outlineLvl"):
                break
        return int(outline) + 1 if outline and int(outline) < _BODY else None

    def is_title(self, paragraph: Any) -> bool:
        """Whether the paragraph is the title of the whole document."""
        return any(_name(style) in _TITLES for style in self._chain(paragraph))

    def is_caption(self, paragraph: Any) -> bool:
        """Whether the paragraph tells what a picture or table beside it shows."""
        return any(_name(style) in _CAPTIONS for style in self._chain(paragraph))

    def is_contents(self, paragraph: Any) -> bool:
        """Whether the paragraph is a line of the table of contents."""
        return any(_CONTENTS.fullmatch(_name(style)) for style in self._chain(paragraph))

    def numbered(self, paragraph: Any) -> tuple[str, int | None, str] | None:
        """The list of a paragraph: its id, the level (`None`: not told), the id of the style that told it."""
        number, level = _value(paragraph, "w:pPr/w:numPr/w:numId"), _value(paragraph, "w:pPr/w:numPr/w:ilvl")
        told_by = ""
        for style in self._chain(paragraph):
            if number is not None:
                break
            number = _value(style, "w:pPr/w:numPr/w:numId")
            if number is not None:
                level = level or _value(style, "w:pPr/w:numPr/w:ilvl")
                told_by = _identifier(paragraph) or self._default or ""
        return None if number in (None, "0") else (str(number), int(level) if level else None, told_by)

    def hides(self, run: Any) -> bool:
        """Whether a run is formatted as hidden."""
        own = run.find(f"{qn('w:rPr')}/{qn('w:vanish')}")
        if own is not None:
            return own.get(qn("w:val")) not in _OFF
        style = _value(run, "w:rPr/w:rStyle")
        return any(
            mark is not None and mark.get(qn("w:val")) not in _OFF
            for each in self._based(style)
            for mark in (each.find(f"{qn('w:rPr')}/{qn('w:vanish')}"),)
        )

    def _chain(self, paragraph: Any) -> Iterator[Any]:
        return self._based(_identifier(paragraph) or self._default)

    def _based(self, identifier: str | None) -> Iterator[Any]:
        seen: set[str] = set()
        while identifier is not None and identifier in self._styles and identifier not in seen:
            seen.add(identifier)
            yield self._styles[identifier]
            identifier = _value(self._styles[identifier], "w:basedOn")


def _is_default(style: Any) -> bool:
    return style.get(qn("w:type")) == "paragraph" and style.get(qn("w:default")) in ("1", "true", "on")


def _identifier(paragraph: Any) -> str | None:
    return _value(paragraph, "w:pPr/w:pStyle")


def _name(style: Any) -> str:
    return (_value(style, "w:name") or "").strip().lower()


def _value(element: Any, path: str) -> str | None:
    found = element.find("/".join(qn(step) for step in path.split("/")))
    return None if found is None else found.get(qn("w:val"))
