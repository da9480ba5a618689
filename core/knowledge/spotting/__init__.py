"""Spotting: rules that find one kind of fact each in a text, Chinese or English; precision comes before recall."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from core.knowledge.folding import fold

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－"), "-")
_WIDE = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | _DASHES | {0x3000: " "}
_LATIN = re.compile("[A-Za-z\uff21-\uff3a\uff41-\uff5a]")
_NARROWABLE = re.compile("[‐-―−﹘﹣\uff01-\uff5e\u3000]")


@dataclass(frozen=True, slots=True)
class Entity:
    """One fact: as it stands in the text (`start` to `end`, end exclusive), and its `key`, the same for all spellings.

    `law` is the key of the law that an article reference names, empty where it names none.
    """

    text: str
    key: str
    start: int
    end: int
    law: str = ""


class Source:
    """A text in the two forms that rules read: `narrow` keeps case and every place, `folded` is what terms see."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def latin(self) -> bool:
        """Whether it holds a Latin letter."""
        return _LATIN.search(self.text) is not None

    @cached_property
    def narrow(self) -> str:
        """Full-width letters, digits and dashes as the usual ones; one character for one."""
        return self.text.translate(_WIDE) if _NARROWABLE.search(self.text) else self.text

    @cached_property
    def _folding(self) -> tuple[str, list[int] | None]:
        return fold(self.text)

    @property
    def folded(self) -> str:
        """Width, case and traditional characters folded."""
        return self._folding[0]

    def entity(self, key: str, start: int, end: int, law: str = "") -> Entity:
        """A fact found in `folded` between two places of it."""
        offsets = self._folding[1]
        if offsets is not None:
            start, end = offsets[start], offsets[end - 1] + 1
        return Entity(self.text[start:end], key, start, end, law)

    def same_place(self, key: str, start: int, end: int, law: str = "") -> Entity:
        """A fact found in `narrow`, whose places are those of the text."""
        return Entity(self.text[start:end], key, start, end, law)
