"""Where prose may be cut: after lines, sentences and clauses, and not within a quotation where that can be helped.

Its sentences cover the text and keep a quotation whole. Those of `sentences.py`, which are quoted and checked one by
one, end at a semicolon too, within a quotation as well, and lack the marks of lists and headings.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from core.knowledge.sentences import WIDE, columns

_CLOSERS = r"[”’」』）)》〉】\"']*"
_EMPHASIS = re.compile(r"[*_]+")
_SENTENCE = re.compile(
    rf"[。！？]+{_CLOSERS}"
    rf"|[!?]+{_CLOSERS}(?=\s|\Z|[^\x00-\x7f])"
    rf"|(?P<point>\.){_CLOSERS}(?=\s|\Z)|(?<=[\u4e00-\u9fff])\.(?=[\u4e00-\u9fff])"
)
_LINE = re.compile(r"\n")
_SEMICOLON = re.compile(r"；|;(?=\s|\Z)")
_COMMA = re.compile(r"[，、：]|[,:](?=\s|\Z)|——")
_ABBREVIATION = re.compile(
    r"(?:(?<![A-Za-z])(?:[A-Z]|Mrs?|Ms|Dr|Prof|St|Jr|No|Nos|Figs?|Art|Arts|Sec|Ch|Vol|pp?|Eq|vs|cf|al|approx|ca|Inc|Ltd|Co"
    r"|Corp|e\.g|i\.e)|^[ \t]*[0-9]+|\n[ \t]*[0-9]+)$"
)
_LONGEST_ABBREVIATION = 8
"""Characters before a point in which an abbreviation is looked for."""
_STOPPED = re.compile(rf"(?:[。！？；：…!?;:.|]|——){_CLOSERS}[*_]*$")
_WRAPPED = re.compile(r"[ \t]*[*_`\"“‘(（《「【\[./~]*(?=[^\W_])(?!第|[0-9]+[.)、])")

_PAIRS = {"“": "”", "‘": "’", "「": "」", "『": "』", "《": "》", "（": "）", "(": ")", "【": "】"}
_OPENING = {closing: opening for opening, closing in _PAIRS.items()}
_QUOTE = re.compile("[" + re.escape("".join([*_PAIRS, *_OPENING, '"'])) + r"]|\n[ \t]*(?=\n)")
_LONGEST_EMPHASIS = 400
"""Characters before a mark of emphasis in which the one that opened it is looked for."""
_DEEPEST = 20
"""Quotations open at once; beyond, marks are only strewn about."""
_WORD = re.compile(r"[A-Za-z0-9À-ɏ][A-Za-z0-9À-ɏ_.,'’/%-]*|\S[\u0300-\u036f\ufe0e\ufe0f\u200d]+")

Span = tuple[int, int]

DEPTHS = 8
"""How many ways there are to cut prose before its words, best first."""


def cut(text: str, start: int, stop: int, depth: int, kept: list[Span]) -> list[Span]:
    """A part of `text` cut in the way of `depth`; `kept` are the quotations that the first ways leave whole.

    0 lines, 1 sentences, 2 at semicolons, 3 at commas, 4 around quotations; 5 to 7 as 1 to 3, also within quotations.
    """
    if depth == 0:
        return lines(text, start, stop)
    ways = (_edges, sentences, _semicolons, _clauses)
    return ways[depth % 4](text, start, stop, kept if depth < 5 else [])


def lines(text: str, start: int, stop: int) -> list[Span]:
    """The lines of a part of `text`, those broken by hand within a sentence together."""
    ends = [match.end() for match in _LINE.finditer(text, start, stop) if not _goes_on(text, match.start())]
    return _between(text, start, stop, ends)


def sentences(text: str, start: int, stop: int, kept: list[Span]) -> list[Span]:
    """The sentences of a part of `text`, closing quotes with them; `kept` are the quotations not to be cut."""
    found = [match for match in _SENTENCE.finditer(text, start, stop) if _ends(text, match)]
    return _between(text, start, stop, _outside([_closed(text, match, kept) for match in found], kept))


def _semicolons(text: str, start: int, stop: int, kept: list[Span]) -> list[Span]:
    return _between(text, start, stop, _outside([m.end() for m in _SEMICOLON.finditer(text, start, stop)], kept))


def _clauses(text: str, start: int, stop: int, kept: list[Span]) -> list[Span]:
    return _between(text, start, stop, _outside([m.end() for m in _COMMA.finditer(text, start, stop)], kept))


def _edges(text: str, start: int, stop: int, kept: list[Span]) -> list[Span]:
    first, last = bisect_left(kept, (start,)), bisect_left(kept, (stop,))
    return _between(text, start, stop, [edge for span in kept[first:last] for edge in span if start < edge < stop])


def words(text: str, start: int, stop: int, longest: int) -> list[Span]:
    """Parts of at most `longest` characters: cut at a blank, else anywhere but within a Latin word or a number."""
    ends = []
    at = start
    while stop - at > longest:
        at += _cut(text[at : at + longest + 1], longest)
        ends.append(at)
    return _between(text, start, stop, ends)


def _cut(window: str, longest: int) -> int:
    blanks = [at for at in range(longest // 3, longest + 1) if window[at].isspace()]
    if blanks:
        return max(blanks[-1], 1)
    for word in _WORD.finditer(window):
        if word.start() < longest < word.end() and word.start():
            return word.start()
    return longest


def quotations(text: str) -> list[Span]:
    """What stands in quotes, title marks or parentheses, the outermost only; none reaches over a blank line."""
    found: list[Span] = []
    opened: list[tuple[str, int]] = []
    for match in _QUOTE.finditer(text):
        mark = match.group()
        if mark[0] == "\n":
            opened.clear()
        elif mark == '"':
            mark = _straight(text, match.start(), opened)
        if mark in _PAIRS or mark == "<":
            opened.append((mark, match.start()))
            del opened[:-_DEEPEST]
        elif opening := _OPENING.get(mark, "<" if mark == ">" else ""):
            _close(opening, match.end(), opened, found)
    return found


def _straight(text: str, at: int, opened: list[tuple[str, int]]) -> str:
    """`<` where a straight quote opens, `>` where it closes, nothing where it is a measure of inches."""
    if any(mark == "<" for mark, _ in opened):
        return ">"
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    return "<" if after.strip() and not (before.isascii() and before.isalnum()) else ""


def _close(opening: str, end: int, opened: list[tuple[str, int]], found: list[Span]) -> None:
    at = next((at for at in reversed(range(len(opened))) if opened[at][0] == opening), None)
    if at is None:
        return
    start = opened[at][1]
    del opened[at:]
    while found and found[-1][0] > start:
        found.pop()
    found.append((start, end))


def _outside(ends: list[int], kept: list[Span]) -> list[int]:
    return [end for end in ends if (span := _span_over(end, kept)) is None or span[0] == end]


def _span_over(at: int, kept: list[Span]) -> Span | None:
    """The quotation that reaches over a place."""
    before = bisect_left(kept, (at,)) - 1
    return kept[before] if before >= 0 and at < kept[before][1] else None


def _closed(text: str, stop: re.Match[str], kept: list[Span]) -> int:
    """Where a sentence really ends: a quote or emphasis right after its stop may open what follows."""
    end = stop.end()
    span = _span_over(end, kept)
    if span and span[0] > stop.start():
        return span[0]
    marks = _EMPHASIS.match(text, end)
    if marks is None:
        return end
    following = text[marks.end() : marks.end() + 1]
    opened = max(text.rfind("\n", 0, end) + 1, end - _LONGEST_EMPHASIS)
    closes = text.count(marks.group(), opened, end) % 2 == 1
    return marks.end() if closes or not following.strip() else end


def _ends(text: str, stop: re.Match[str]) -> bool:
    """Whether a stop ends its sentence: a point not after an abbreviation, nor before a small letter."""
    if stop["point"] is None:
        return True
    at = stop.start()
    following = text[stop.end() : stop.end() + 40].lstrip()[:1]
    return not following.islower() and not _ABBREVIATION.search(text, max(0, at - _LONGEST_ABBREVIATION), at)


def _goes_on(text: str, at: int) -> bool:
    """Whether the line break at `at` is within a sentence: a wide line without a stop before, a plain word after."""
    line = text[text.rfind("\n", 0, at) + 1 : at].rstrip()
    return columns(line) >= WIDE and not _STOPPED.search(line) and _WRAPPED.match(text, at + 1) is not None


def _between(text: str, start: int, stop: int, ends: list[int]) -> list[Span]:
    """The parts between cuts without the blanks around them; a line keeps its indent."""
    return [span for span in _raw(text, start, [*ends, stop]) if span[0] < span[1]]


def _raw(text: str, start: int, ends: list[int]) -> Iterator[Span]:
    for end in ends:
        inner = text[start:end]
        lead = len(inner) - len(inner.lstrip())
        lead = inner.rfind("\n", 0, lead) + 1 or (0 if start == 0 or text[start - 1] == "\n" else lead)
        yield start + lead, start + max(lead, len(inner.rstrip()))
        start = end
