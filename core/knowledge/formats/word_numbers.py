"""The numbers that Word shows before paragraphs: they stand in no run, so they are counted here as Word counts them."""

from __future__ import annotations

import re
from typing import Any

from core.knowledge.formats.numbering import shaped
from core.knowledge.formats.word_names import named, value
from core.knowledge.formats.word_styles import Styles

BULLET = "-"
"""What stands for every kind of bullet."""

_LEVELS = 9
_HOLE = re.compile("%([1-9])")


class Numbers:
    """Counts the paragraphs of each list in the order of the document (ECMA-376, 17.9)."""

    def __init__(self, root: Any | None, styles: Styles) -> None:
        self._styles = styles
        lists = [] if root is None else root.iterchildren(named("w:abstractNum"))
        self._lists = {each.get(named("w:abstractNumId")): each for each in lists}
        uses = [] if root is None else root.iterchildren(named("w:num"))
        self._uses = {each.get(named("w:numId")): each for each in uses}
        self._counts: dict[str, list[int | None]] = {}
        self._begun: set[tuple[str, int]] = set()
        self._levels: dict[tuple[str, int], Any | None] = {}

    def label(self, paragraph: Any) -> tuple[str, int] | None:
        """The number or `BULLET` before a paragraph, `""` where none is shown, and its level (from 0); counts it."""
        numbered = self._styles.numbered(paragraph)
        if numbered is None or numbered[0] not in self._uses:
            return None
        number, told, style = numbered
        use = self._uses[number]
        name = self._list(use)
        if name is None:
            return None
        level = told if told is not None else self._linked(name, style)
        level = max(0, min(level, _LEVELS - 1))
        self._count(use, number, name, level)
        return self._shown(use, name, level), level

    def _list(self, use: Any) -> str | None:
        """The list that a use of it refers to; one may only lead, by the name of a style, to the list that is meant."""
        name = value(use, "w:abstractNumId")
        link = value(self._lists.get(name), "w:numStyleLink")
        if link is not None:
            linked = (key for key, each in self._lists.items() if value(each, "w:styleLink") == link)
            name = next(linked, name)
        return name if name in self._lists else None

    def _linked(self, name: str, style: str) -> int:
        levels = self._lists[name].iterchildren(named("w:lvl"))
        return next((int(each.get(named("w:ilvl"))) for each in levels if value(each, "w:pStyle") == style), 0)

    def _count(self, use: Any, number: str, name: str, level: int) -> None:
        counts = self._counts.setdefault(name, [None] * _LEVELS)
        restart = value(_by_level(use, "w:lvlOverride", level), "w:startOverride")
        before = counts[level]
        if restart is not None and (number, level) not in self._begun:
            counts[level] = int(restart)
        else:
            counts[level] = self._start(use, name, level) if before is None else before + 1
        self._begun.add((number, level))
        for deeper in range(level + 1, _LEVELS):
            after = value(self._level(use, name, deeper), "w:lvlRestart")
            if after is None or level < int(after):
                counts[deeper] = None

    def _start(self, use: Any, name: str, level: int) -> int:
        return int(value(self._level(use, name, level), "w:start") or 0)

    def _level(self, use: Any, name: str, level: int) -> Any | None:
        key = (use.get(named("w:numId")), level)
        if key not in self._levels:
            override = _by_level(use, "w:lvlOverride", level)
            own = None if override is None else override.find(named("w:lvl"))
            self._levels[key] = own if own is not None else _by_level(self._lists[name], "w:lvl", level)
        return self._levels[key]

    def _shown(self, use: Any, name: str, level: int) -> str:
        own = self._level(use, name, level)
        if value(own, "w:numFmt") == "bullet":
            return BULLET
        legal = own is not None and own.find(named("w:isLgl")) is not None

        def number(match: re.Match[str]) -> str:
            place = int(match[1]) - 1
            count = self._counts[name][place]
            shape = value(self._level(use, name, place), "w:numFmt") or "decimal"
            count = self._start(use, name, place) if count is None else count
            return "" if shape == "none" else shaped(count, "decimal" if legal and place < level else shape)

        return _HOLE.sub(number, value(own, "w:lvlText") or "").strip()


def _by_level(parent: Any, tag: str, level: int) -> Any | None:
    return next((each for each in parent.iterchildren(named(tag)) if each.get(named("w:ilvl")) == str(level)), None)
