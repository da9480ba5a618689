"""The one tokeniser: index, query, highlight and explanation all see text through it.

Han runs are cut by jieba in search mode; article numbers, model numbers and amounts are recognised before it
sees them, so that `第61条` meets `第六十一条` and `XR-2200` meets `xr2200`.
"""

from __future__ import annotations

import hashlib
import logging
import marshal
import re
import threading
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from core.knowledge.folding import fold
from core.knowledge.numerals import SMALL, numeral

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # jieba 0.42.1 has invalid escapes and reaches for pkg_resources
    import jieba

jieba.setLogLevel(logging.CRITICAL)

log = logging.getLogger(__name__)

_RULES = 2
"""Version of the rules below; part of every fingerprint."""

_CACHED = f"jieba-{version('jieba')}.cache"
"""The file in the cache folder into which jieba marshals its dictionary."""

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_LETTER = r"a-z0-9\u00c0-\u024f\u0370-\u1fff"
_NUMERAL = f"(?:[0-9]{{1,12}}|[{SMALL}]{{1,12}})"
_UNIT = "条|章|节|款|项|部分|编"
_SCAN = re.compile(
    rf"第(?P<number>{_NUMERAL})(?P<unit>{_UNIT})(?:之(?P<sub>{_NUMERAL}))?"
    rf"|(?P<amount>[0-9]{{1,3}}(?:,[0-9]{{3}})+(?![0-9]))"
    rf"|(?P<word>[{_LETTER}]+(?:[-_./][{_LETTER}]+)*)"
    rf"|(?P<han>(?:(?!第{_NUMERAL}(?:{_UNIT}))[{_HAN}])+)"
    rf"|(?P<other>(?:(?![{_HAN}{_LETTER}])[^\W_])+)"
)
_DECIMAL = re.compile(r"[0-9]+\.[0-9]+")
_SEPARATORS = re.compile(r"[-_./]")
_CASES = re.compile(r"[0-9]+|[^0-9]+")


@dataclass(frozen=True, slots=True)
class Term:
    """A term with the span of the source text it was made from (characters, end exclusive)."""

    text: str
    start: int
    end: int


class Tokeniser:
    """Cuts text into terms. Safe to share between threads; `words` are added to jieba's dictionary."""

    def __init__(self, words: Iterable[str] = (), cache: Path | None = None) -> None:
        self.words = tuple(sorted(set(words)))
        self._cache = cache
        self._lock = threading.Lock()
        self._segmenter: jieba.Tokenizer | None = None
        self._plain: tuple[int, dict[str, int | None]] = (0, {})

    @property
    def fingerprint(self) -> str:
        """Changes whenever the same text could be cut differently."""
        parts = (_RULES, version("jieba"), version("opencc"), *self.words)
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]

    def _jieba(self) -> jieba.Tokenizer:
        """The segmenter, its dictionary loaded once (0.2 s from the cache, 1 s without)."""
        with self._lock:
            if self._segmenter is None:
                segmenter = jieba.Tokenizer()
                if self._cache is None or not _kept(segmenter, self._cache / _CACHED):
                    if self._cache is not None:
                        segmenter.tmp_dir, segmenter.cache_file = str(self._folder(self._cache)), _CACHED
                    segmenter.initialize()
                self._plain = _add(segmenter, self.words)
                self._segmenter = segmenter
            return self._segmenter

    def extended(self, words: Iterable[str]) -> Tokeniser:
        """One that knows these words too, cutting as if made with them; it shares the dictionary and reads none."""
        known = self._jieba()
        own = Tokeniser((*self.words, *words), self._cache)
        segmenter = jieba.Tokenizer()
        segmenter.total, before = self._plain
        segmenter.FREQ = _Layer(known.FREQ, before)
        segmenter.initialized = True
        own._plain = _add(segmenter, own.words)
        own._segmenter = segmenter
        return own

    @staticmethod
    def _folder(cache: Path) -> Path:
        """The folder of jieba's own cache, made where it can be; without it the dictionary loads more slowly."""
        try:
            cache.mkdir(parents=True, exist_ok=True)
        except OSError as refused:
            log.warning("the segmenter's cache %s cannot be made: %s", cache, refused)
        return cache

    def warm(self) -> None:
        """Load the dictionary now instead of at the first question."""
        self._jieba()

    def terms(self, text: str) -> list[Term]:
        """All terms of `text` in order, with their spans in it; overlapping where search mode cuts twice."""
        folded, offsets = fold(text)
        found = []
        for term, start, end in self._scan(folded):
            if offsets is not None:
                start, end = offsets[start], offsets[end - 1] + 1
            found.append(Term(term, start, end))
        return found

    def tokens(self, text: str) -> list[str]:
        """The terms of `text` without their spans."""
        return [term for term, _, _ in self._scan(fold(text)[0])]

    def query(self, text: str) -> list[str]:
        """The terms of a question, each once, in order of first appearance."""
        return list(dict.fromkeys(self.tokens(text)))

    def spans(self, text: str, terms: Iterable[str]) -> list[tuple[int, int]]:
        """Where `terms` stand in `text`: merged, ordered spans for highlighting."""
        wanted = set(terms)
        merged: list[tuple[int, int]] = []
        for start, end in sorted((t.start, t.end) for t in self.terms(text) if t.text in wanted):
            if merged and start <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
            else:
                merged.append((start, end))
        return merged

    def _scan(self, folded: str) -> Iterator[tuple[str, int, int]]:
        for match in _SCAN.finditer(folded):
            start, end = match.span()
            kind = match.lastgroup
            if kind == "han":
                for term, first, last in self._jieba().tokenize(match.group(), mode="search"):
                    yield term, start + first, start + last
            elif kind == "word":
                yield from ((term, start + a, start + b) for term, a, b in _word_terms(match.group()))
            elif match["number"]:
                sub = f"之{numeral(match['sub'])}" if match["sub"] else ""
                yield f"第{numeral(match['number'])}{match['unit']}{sub}", start, end
            elif kind == "amount":
                yield match.group().replace(",", ""), start, end
            else:
                yield match.group(), start, end


class _Layer(dict[str, int]):
    """Frequencies over a dictionary that stays as it is: only what differs is held here, not its 350,000 words."""

    def __init__(self, below: Mapping[str, int], changed: Mapping[str, int | None]) -> None:
        super().__init__({word: frequency for word, frequency in changed.items() if frequency is not None})
        self._below = below
        self._gone = {word for word, frequency in changed.items() if frequency is None}

    def __missing__(self, word: str) -> int:
        if word in self._gone:
            raise KeyError(word)
        return self._below[word]

    def __contains__(self, word: object) -> bool:
        return super().__contains__(word) or (word not in self._gone and word in self._below)

    def get(self, word: str, default: Any = None) -> Any:
        """What jieba asks for most; a plain dictionary's would not look below."""
        return self[word] if word in self else default


def _kept(segmenter: jieba.Tokenizer, file: Path) -> bool:
    """Take the dictionary from jieba's cache, read at once: its own way, word by word, takes three times as long."""
    try:
        segmenter.FREQ, segmenter.total = marshal.loads(file.read_bytes())
    except (OSError, ValueError, TypeError, EOFError) as useless:
        if not isinstance(useless, FileNotFoundError):
            log.warning("the segmenter's cache %s cannot be read: %s", file, useless)
        return False
    segmenter.initialized = True
    return True


def _add(segmenter: jieba.Tokenizer, words: Iterable[str]) -> tuple[int, dict[str, int | None]]:
    """Add words; the dictionary's total before, and what it held for each of their beginnings."""
    total = segmenter.total
    folded = [fold(word)[0] for word in words]
    parts = {word[:end] for word in folded for end in range(1, len(word) + 1)}
    before = {part: segmenter.FREQ.get(part) for part in parts}
    for word in folded:
        segmenter.add_word(word)
    return total, before


def _word_terms(word: str) -> Iterator[tuple[str, int, int]]:
    """A Latin word; a code with digits also joined and in parts: `xr-2200` gives xr2200, xr, 2200."""
    if _DECIMAL.fullmatch(word) or word.isalpha():
        yield word, 0, len(word)
        return
    pieces = []
    at = 0
    for piece in _SEPARATORS.split(word):
        pieces.append((piece, at, at + len(piece)))
        at += len(piece) + 1
    if any(character.isdigit() for character in word):
        yield _SEPARATORS.sub("", word), 0, len(word)
    if len(pieces) > 1:
        yield from pieces
    else:
        cuts = [m for m in _CASES.finditer(word) if m.end() - m.start() > 1]
        yield from ((m.group(), m.start(), m.end()) for m in cuts if m.group() != word)
