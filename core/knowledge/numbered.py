"""What a line of a document is numbered as: an article (`第五条`, `Article 5`), a case, or a reference to one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from core.knowledge.numerals import SMALL, numeral

Kind = Literal["article", "case"]

NUMBER = f"[0-9０-９{SMALL}兩]+"
ARTICLE = re.compile(
    rf"[ \t\u3000]*(?:\*\*|__)?(?P<label>第[ \u3000]?(?P<number>{NUMBER})(?:[-－–][0-9０-９]+)?[ \u3000]?[条條]"
    rf"(?:之{NUMBER})?)(?:\*\*|__)?(?P<rest>.*)"
)
_CASE = re.compile(rf"[ \t\u3000]*(?:\*\*|__)?(?P<label>案例[ \u3000]?{NUMBER})(?:\*\*|__)?(?P<rest>.*)")
_PATTERNS: tuple[tuple[Kind, re.Pattern[str]], ...] = (("article", ARTICLE), ("case", _CASE))
_ENGLISH = re.compile(
    r"[ \t]*(?:\*\*|__)?(?P<label>(?P<word>Article|Case)[ \t]+[0-9]+[A-Za-z]?(?:\.[0-9]+)*)(?P<rest>.*)"
)
_SPACED = re.compile(r"$|[ \t\u3000\xa0：:【．.]")
_ENGLISH_SPACED = re.compile(r"\.?(?:\*\*|__)?(?:$|[:：—–-]|[ \t]+(?![a-z]))")
_REFERENCE = re.compile(r"[ \t\u3000]*(?:[、，,和或至及与與之的所中]|规定|規定|以及|第)")
"""How the text goes on where `第六条` at a line start only points at that article."""
_WIDTH = {0xFF10 + value: str(value) for value in range(10)} | {ord("兩"): "两"}


@dataclass(frozen=True, slots=True)
class Numbered:
    """The number set apart that a line begins with: its label, and what stands behind it."""

    kind: Kind
    label: str
    rest: str
    english: bool = False


def numbered(line: str) -> Numbered | None:
    """The number set apart that a line begins with."""
    for chinese, pattern in _PATTERNS:
        if (match := pattern.fullmatch(line)) and _SPACED.match(match["rest"]):
            return Numbered(chinese, match["label"], match["rest"])
    if (match := _ENGLISH.fullmatch(line)) and _ENGLISH_SPACED.match(match["rest"]):
        return Numbered(
            "article" if match["word"] == "Article" else "case", match["label"], match["rest"], english=True
        )
    return None


def number_of(label: str) -> int | None:
    """The number of a Chinese article label, `None` for an English one."""
    match = ARTICLE.match(label)
    digits = match["number"].translate(_WIDTH) if match else ""
    return numeral(digits) if digits else None


def sets_apart(line: str) -> bool:
    """Whether a line begins with an article's number that is not grown together with its text."""
    return (match := ARTICLE.fullmatch(line)) is not None and _SPACED.match(match["rest"]) is not None


def refers(rest: str, lines: list[str], at: int) -> bool:
    """Whether what follows a number, on its line or else the next, only points at that article."""
    return _REFERENCE.match(rest if rest.strip() or at + 1 == len(lines) else lines[at + 1]) is not None
