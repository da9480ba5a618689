"""What a passage is about, by the headings above it."""

from __future__ import annotations

import re

from core.domain import Passage
from core.knowledge.base import JOINT

_NUMBERED = re.compile(
    r"^(?:第.{1,8}(?:条|章|节|编|部分)|行 ?\d+|row \d+|[一二三四五六七八九十]{1,3}、|[(（].{1,3}[)）]"
    r"|\d+(?:\.\d+)*[、.)）]?(?=\s|$)|\d+(?:[、)）]|(?:\.\d+)+(?![\d-])))\s*",
    re.I,
)
"""What numbers a heading; a part number, an amount or a period that a heading begins with is none."""


def subject(passage: Passage) -> str:
    """The last heading above a passage, or its own, that is more than a number; empty where there is none.

    >>> subject(Passage("a#1", "a", "售后 › 3.2 保修", "第五条", "第五条 两年。", 0))
    '保修'
    """
    for heading in (passage.title, *reversed(passage.section.split(JOINT))):
        if plain := _NUMBERED.sub("", heading.strip()).strip():
            return plain
    return ""
