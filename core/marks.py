"""Citation marks of an answer: which brackets are marks, and which only look like one. Pure functions.

A mark inside a quote that itself carries a mark (`“… [5] …”[1]`) is source text, not a mark; so are marks in code,
links, footnotes and array indices.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

HIGHEST, WIDEST = 999, 50
"""A larger number is a year or an amount, a wider range is no list of sources: neither is a mark."""

_NUMBERS = r"\s*\d{1,4}(?:\s*(?:[,，、;；]|[-–—~～－−‐‑])\s*\d{1,4})*\s*"
_MARK = re.compile(rf"\[{_NUMBERS}\]|【{_NUMBERS}】|［{_NUMBERS}］")
_RANGE = re.compile(r"(\d+)(?:\s*[-–—~～－−‐‑]\s*(\d+))?")
_TOKEN = re.compile(
    r"^[ \t>]*(?P<fence>`{3,}|~{3,})[^\n]*(?:\n.*?(?:^[ \t>]*(?P=fence)[`~]*[ \t]*$|\Z)|\Z)"
    r"|(?<!`)(?P<ticks>`+)(?!`)(?:(?!\n[ \t]*\n).){1,500}?(?<!`)(?P=ticks)(?!`)"
    r"|(?P<quote>[“「『\"])"
    rf"|(?P<mark>{_MARK.pattern})",
    re.MULTILINE | re.DOTALL,
)
_LINKED = re.compile(
    r"\((?:\s*(?:[a-z][a-z0-9+.\-]*:|www\.|[/#.<])|[^\s()\u3400-\u9fff]+\))|:[ \t]*\S+://", re.IGNORECASE
)
_INDEXED = re.compile(r"(?P<before>[a-z0-9][)\]]?[,;]? )?(?P<word>[a-z0-9_]+)(?:\[\d+\])*$", re.IGNORECASE)
_CODE_AFTER = re.compile(r"\s*(?:[-+*/]?=|\.[a-z_]|\()")
_ATTRIBUTED = re.compile(rf"[。．.，,；;、]?[ \u3000]?(?={_MARK.pattern})")
_CLOSING = {"”": "“", "」": "「", "』": "『"}


@dataclass(frozen=True, slots=True)
class Mark:
    """A citation mark: its span in the answer (characters, end exclusive) and its numbers in order, each once."""

    start: int
    end: int
    numbers: tuple[int, ...]


def marks(answer: str) -> tuple[Mark, ...]:
    """The citation marks of an answer, in order: `[1]`, `[1,3]`, `[1-3]`, `【2】`, `［1］`.

    A bracket right after a Latin word is an array index unless the word reads as prose (`7 days[1]`, `USB[1]`).

    >>> [mark.numbers for mark in marks("见【2】和[1-3]，数组 a[1] 除外。")]
    [(2,), (1, 2, 3)]
    """
    return scan(answer)[0]


def scan(answer: str) -> tuple[tuple[Mark, ...], list[tuple[int, int]]]:
    """The marks of an answer and the spans of its attributed quotes, quotation marks included."""
    paired = closings(answer)
    found = []
    quotes = []
    at = 0
    while token := _TOKEN.search(answer, at):
        at = token.end()
        if token["quote"]:
            close = paired.get(token.start())
            if close is not None and _ATTRIBUTED.match(answer, close + 1) and "\n" not in answer[token.start() : close]:
                quotes.append((token.start(), close + 1))
                at = close + 1
        elif token["mark"] and (numbers := _numbers_of(answer, token)):
            found.append(Mark(token.start(), token.end(), numbers))
    return tuple(found), quotes


def closings(text: str) -> dict[int, int]:
    """For each opening quotation mark the place of its closing one; kinds are paired apart, straight ones by line."""
    open_at: dict[str, list[int]] = {opening: [] for opening in _CLOSING.values()}
    pairs = {m.start(): m.end() - 1 for m in re.finditer(r'"[^"\n]+"', text)}
    for at, character in enumerate(text):
        if character in open_at:
            open_at[character].append(at)
        elif character in _CLOSING and open_at[_CLOSING[character]]:
            pairs[open_at[_CLOSING[character]].pop()] = at
    return pairs


def _numbers_of(answer: str, token: re.Match[str]) -> tuple[int, ...]:
    """The numbers of a bracket, or none where it is a link, an index, or no list of sources."""
    if _LINKED.match(answer, token.end()) or _is_index(answer, token):
        return ()
    numbers: list[int] = []
    for part in _RANGE.finditer(token.group()):
        first, last = int(part[1]), int(part[2] or part[1])
        if not 1 <= first <= last <= HIGHEST or last - first >= WIDEST:
            return ()
        numbers += range(first, last + 1)
    return tuple(dict.fromkeys(numbers))


def _is_index(answer: str, token: re.Match[str]) -> bool:
    """Whether a bracket belongs to the identifier before it."""
    before = _INDEXED.search(answer[max(0, token.start() - 80) : token.start()])
    if before is None or token.group()[0] != "[":
        return False
    word = before["word"]
    if word.isdigit() or _CODE_AFTER.match(answer, token.end()):
        return not word.isdigit()
    return not (word.isalpha() and len(word) > 1 and (word.isupper() or word.istitle() or before["before"]))
