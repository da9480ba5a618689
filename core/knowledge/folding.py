"""One-to-one character folding, so that what looks the same is the same, and offsets still point at the source.

Width (NFKC), case, dash variants and traditional characters are folded character by character; zero-width
characters vanish. The shown text is never changed: only terms are made from the folded form.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Literal

import opencc

_DASHES = dict.fromkeys("‐‑‒–—―−﹘﹣－⁃", "-")
_INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")


@cache
def _converter() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")


def _fold_character(character: str) -> str:
    if character in _INVISIBLE:
        return ""
    if character in _DASHES:
        return "-"
    folded = unicodedata.normalize("NFKC", character).lower()
    if "\u2e80" <= folded <= "\U0003ffff" and not "\ud800" <= folded <= "\udfff":
        folded = _converter().convert(folded)
    return folded or " "


class _Folds(dict[int, str]):
    """Lazily filled table for `str.translate`, from code point to folded text."""

    def __missing__(self, point: int) -> str:
        folded = self[point] = _fold_character(chr(point))
        return folded


_TABLE = _Folds()
_HAN = re.compile("[\u3400-\u9fff]")


def fold(text: str) -> tuple[str, list[int] | None]:
    """Fold `text`; also the source offset of every folded character, or `None` where offsets are unchanged.

    >>> fold("ＸＲ－２２００")
    ('xr-2200', None)
    """
    if text.isascii():
        return text.lower(), None
    if all(len(_TABLE[ord(character)]) == 1 for character in set(text)):
        return text.translate(_TABLE), None
    pieces = [_TABLE[ord(character)] for character in text]
    offsets = [at for at, piece in enumerate(pieces) for _ in piece]
    return "".join(pieces), offsets


def has_han(text: str) -> bool:
    """Whether `text` holds a Chinese character."""
    return _HAN.search(text) is not None


def count_han(text: str) -> int:
    """How many Chinese characters `text` holds."""
    return len(_HAN.findall(text))


def language_of(question: str) -> Literal["zh", "en"]:
    """The language in which a question is answered: Chinese, unless its letters are others.

    >>> language_of("BM25 是什么"), language_of("Who pays?"), language_of("？？")
    ('zh', 'en', 'zh')
    """
    return "zh" if has_han(question) or not any(character.isalpha() for character in question) else "en"
