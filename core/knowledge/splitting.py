"""Markdown and plain text to pieces: numbered articles, cases, headings, notes and headed paragraphs.

lines -> marks (where a heading, an article or a case begins) -> pieces (what stands from one mark to the next)

Every line that is not blank or a rule belongs to exactly one piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from core.knowledge.marks import Mark, marks

Kind = Literal["heading", "note", "article", "case", "paragraph"]

LONGEST = 600
"""Characters of a headed paragraph before it is cut: what the embedding model reads at once (510 tokens)."""

_BREAKS = tuple(map(re.compile, (r"\n[ \t]*\n", r"\n", r"[。！？；!?]+[”’」』）)\"']*|[.;] ", r"[，,、\s]")))
"""Where a long text is cut, best first: blank line, line end, sentence end, comma or space."""

_RULE = re.compile(r"[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*")
_FRONT = re.compile(r"---[ \t]*\n(?:.*\n){0,60}?---[ \t]*(?:\n|$)")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a document: `text` is literal source, `first` and `last` its lines from 1.

    `path` holds the titles of the headings in force, outermost first (a heading's own last), `label` an article's
    or a case's number as written, `level` a heading's depth (1 to 6; chapters written as plain lines from 11 on). Only
    articles, cases and paragraphs become passages.
    """

    kind: Kind
    path: tuple[str, ...]
    label: str
    text: str
    first: int
    last: int
    level: int | None = None


def split(text: str, longest: int = LONGEST) -> tuple[Piece, ...]:
    r"""Cut a document (newlines `\n`) into its pieces, in order.

    Articles and cases stay whole; the text under a heading is one paragraph piece, cut at about `longest` characters
    where it is longer. Quotations and comments before the first article of a document that has any are notes.

    >>> [(p.kind, p.label, p.text) for p in split("# 总则\n第一条 本办法适用于全体员工。")]
    [('heading', '', '# 总则'), ('article', '第一条', '第一条 本办法适用于全体员工。')]
    """
    lines = text.split("\n")
    front = _FRONT.match(text)
    start = front.group().rstrip("\n").count("\n") + 1 if front else 0
    return tuple(_Cutter(lines, marks(lines, start), longest).pieces(start))


class _Cutter:
    """Walks from mark to mark, keeping the headings in force."""

    def __init__(self, lines: list[str], found: list[Mark], longest: int) -> None:
        self._lines = lines
        self._marks = found
        self._longest = longest
        self._headings: list[tuple[int, str]] = []
        self._noting = any(mark.kind != "heading" for mark in found)

    def pieces(self, start: int) -> Iterator[Piece]:
        """All pieces; `start` is the first line after the front matter."""
        if start:
            yield self._piece("note", 0, start)
        ends = [*(mark.first for mark in self._marks[1:]), len(self._lines)]
        yield from self._body(start, self._marks[0].first if self._marks else len(self._lines))
        for mark, end in zip(self._marks, ends, strict=False):
            if mark.level is not None:
                while self._headings and self._headings[-1][0] >= mark.level:
                    self._headings.pop()
            if mark.kind == "heading":
                self._headings.append((mark.level or 0, mark.title))
                yield self._piece("heading", mark.first, mark.end, mark.level)
                yield from self._body(mark.end, end)
            else:
                self._noting = False
                yield self._numbered(mark, end)

    def _numbered(self, mark: Mark, end: int) -> Piece:
        first, last = self._trim(mark.first, end)
        text = "\n".join(self._lines[first:last])
        if mark.level is not None:
            text = "\n".join([mark.title, *self._lines[mark.end : last]])
        kind: Kind = "case" if mark.kind == "case" else "article"
        return Piece(kind, self._path(), mark.label, text, first + 1, last)

    def _body(self, first: int, end: int) -> Iterator[Piece]:
        """What stands between a heading and the next mark: notes where they may be, else paragraphs."""
        at = first
        if self._noting:
            for start, stop in _asides(self._lines, first, end):
                yield from self._paragraphs(at, start)
                yield self._piece("note", start, stop)
                at = stop
        yield from self._paragraphs(at, end)

    def _paragraphs(self, first: int, end: int) -> Iterator[Piece]:
        first, end = self._trim(first, end)
        text = "\n".join(self._lines[first:end])
        for start, stop in cuts(text, self._longest):
            line = first + 1 + text.count("\n", 0, start)
            yield Piece("paragraph", self._path(), "", text[start:stop], line, line + text.count("\n", start, stop))

    def _piece(self, kind: Kind, first: int, end: int, level: int | None = None) -> Piece:
        return Piece(kind, self._path(), "", "\n".join(self._lines[first:end]), first + 1, end, level)

    def _path(self) -> tuple[str, ...]:
        return tuple(title for _, title in self._headings if title)

    def _trim(self, first: int, end: int) -> tuple[int, int]:
        """Without the blank lines and rules around."""
        while first < end and _layout(self._lines[first]):
            first += 1
        while first < end and _layout(self._lines[end - 1]):
            end -= 1
        return first, end


def _layout(line: str) -> bool:
    return not line.strip() or _RULE.fullmatch(line) is not None


def _asides(lines: list[str], first: int, end: int) -> Iterator[tuple[int, int]]:
    """Block quotations and HTML comments as spans of lines."""
    at = first
    while at < end:
        start = at
        if lines[at].lstrip().startswith(">"):
            while at < end and lines[at].lstrip().startswith(">"):
                at += 1
            yield start, at
        elif lines[at].lstrip().startswith("<!--"):
            while at < end - 1 and "-->" not in lines[at]:
                at += 1
            at += 1
            yield start, at
        else:
            at += 1


def cuts(text: str, longest: int) -> list[tuple[int, int]]:
    """Spans of `text` of at most `longest` characters each, without the blanks between them.

    A cut falls at the last blank line, else line end, sentence end, comma or space in reach, else at `longest`.

    >>> cuts("甲乙。丙丁。戊己", 4)
    [(0, 3), (3, 6), (6, 8)]
    """
    spans = []
    start = 0
    while len(text) - start > longest:
        stop = start + _cut(text[start : start + longest])
        spans.append((start, stop))
        start = stop
    spans.append((start, len(text)))
    trimmed = []
    for start, stop in spans:
        inner = text[start:stop]
        left = len(inner) - len(inner.lstrip("\n"))
        right = len(inner.rstrip("\n"))
        if inner.strip():
            trimmed.append((start + left, start + right))
    return trimmed


def _cut(window: str) -> int:
    """Where to end a piece that must not be longer than `window`; not in its first third, to leave no crumbs."""
    for pattern in _BREAKS:
        ends = [match.end() for match in pattern.finditer(window, len(window) // 3)]
        if ends:
            return ends[-1]
    return len(window)
