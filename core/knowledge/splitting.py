"""Markdown and plain text to pieces: numbered articles, cases, rows, headings, notes and headed paragraphs.

lines -> marks (where a heading, an article, a case or a row begins) -> pieces (what stands from one mark to the next)

Every line that is not blank or a rule belongs to a piece.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from core.knowledge.joining import runs
from core.knowledge.layout import Directive, blank, directive, fences, layout, offsets
from core.knowledge.marks import Mark, marks
from core.knowledge.tables import header_above
from core.knowledge.windows import Splitting, cuts, windows

__all__ = ["Kind", "Piece", "Splitting", "cuts", "split"]

Kind = Literal["heading", "note", "article", "case", "paragraph", "row"]

_FRONT = re.compile(r"---[ \t]*\n(?:.*\n){0,60}?---[ \t]*(?:\n|$)")
_KEYED = re.compile(r"#|[ \t]+\S|-[ \t]|(?!第.{1,8}[编章节条款])[^\s:#>|*-][^:\n]{0,60}:(?:[ \t]|$)")
"""A line of front matter: a key, an item, a comment, or what continues the line before."""
_USUAL = Splitting()

_ASKED = 4
"""Texts whose pieces are remembered: one edit asks for those of its document, as it is and as it will be, ten times."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a document: its lines `first` to `last` (from 1), its characters `start` to before `end` (from 0).

    `path` holds the titles of the headings in force, outermost first (a heading's own last), `label` the number of an
    article, a case or a row as written, `level` a heading's depth (1 to 6; chapters written as plain lines from 11
    on). Only articles, cases, rows and paragraphs become passages.

    `text` is the source from `start` to `end`, but that an article whose number stands in a heading begins with the
    heading's words, that directives for authors are left out, and that a piece that begins within a table has the
    table's header before it.
    """

    kind: Kind
    path: tuple[str, ...]
    label: str
    text: str
    first: int
    last: int
    start: int
    end: int
    level: int | None = None


@lru_cache(maxsize=_ASKED)
def split(text: str, splitting: Splitting = _USUAL) -> tuple[Piece, ...]:
    r"""Cut a document (newlines `\n`) into its pieces, in order.

    Articles, cases and rows stay whole; the text under a heading is one paragraph piece, cut at the borders of its
    units where it is longer than wanted. Quotations and comments before the first article of a document that has any
    are notes. `<!-- cut -->` on a line of its own begins a new piece, within an article too, whose parts are then
    labelled 第五条, 第五条（2） …; `<!-- join -->` forbids the cut that would follow.

    >>> [(p.kind, p.label, p.text) for p in split("# 总则\n第一条 本办法适用于全体员工。")]
    [('heading', '', '# 总则'), ('article', '第一条', '第一条 本办法适用于全体员工。')]
    """
    lines = text.split("\n")
    return tuple(_Cutter(text, lines, _front(text, lines), splitting).pieces())


def _front(text: str, lines: Sequence[str]) -> int:
    """How many lines of front matter a document opens with: keys with values between two rules, and nothing else."""
    if not (match := _FRONT.match(text)):
        return 0
    count = match.group().rstrip("\n").count("\n") + 1
    within = lines[1 : count - 1]
    return count if all(not line.strip() or _KEYED.match(line) for line in within) else 0


class _Cutter:
    """Walks from mark to mark, keeping the headings in force."""

    def __init__(self, text: str, lines: list[str], start: int, splitting: Splitting) -> None:
        """`start` is the first line after the front matter."""
        self._text = text
        self._lines = lines
        self._starts = offsets(lines)
        self._first = start
        self._marks = marks(lines, start)
        self._splitting = splitting
        self._headings: list[tuple[int, str]] = []
        self._noting = any(mark.kind in ("article", "case") for mark in self._marks)
        self._fenced = {at for first, end in fences(lines, start) for at in range(first, end)}
        self._asked = self._directives() if "<!--" in text else {}

    def _directives(self) -> dict[int, Directive]:
        free = ((at, directive(line)) for at, line in enumerate(self._lines) if at not in self._fenced)
        return {at: asked for at, asked in free if asked and at >= self._first}

    def pieces(self) -> Iterable[Piece]:
        """All pieces in order."""
        found = [self._piece("note", 0, self._first)] if self._first else []
        found += self._walked(self._first)
        if not self._asked:
            return found
        covered = {line for piece in found for line in range(piece.first - 1, piece.last)}
        found += [self._note(line) for line in self._asked if line not in covered]
        return sorted(found, key=lambda piece: piece.first)

    def _walked(self, start: int) -> Iterator[Piece]:
        begun = runs(self._lines, self._marks, start)
        firsts = [first for first, _ in begun]
        yield from self._body(start, firsts[0] if firsts else len(self._lines))
        for (first, run), end in zip(begun, [*firsts[1:], len(self._lines)], strict=False):
            mark = run[0]
            self._enter(mark)
            if mark.kind == "heading":
                yield self._piece("heading", mark.first, mark.end, mark.level)
                yield from self._body(mark.end, end)
            else:
                self._noting = False
                yield from self._numbered(mark, first, end)
            for joined in run[1:]:
                self._enter(joined)

    def _enter(self, mark: Mark) -> None:
        """Put a heading in force, and those of its level or deeper out of it."""
        if mark.level is not None:
            while self._headings and self._headings[-1][0] >= mark.level:
                self._headings.pop()
        if mark.kind == "heading":
            self._headings.append((mark.level or 0, mark.title))

    def _numbered(self, mark: Mark, first: int, end: int) -> Iterator[Piece]:
        """An article, a case or a row, in parts where its author cut it."""
        for part, (start, stop) in enumerate(self._parts(first, end), 1):
            text = self._literal(self._starts[start], self._starts[stop] - 1)
            if mark.level is not None and start == mark.first:
                below = self._literal(self._starts[mark.end], self._starts[stop] - 1) if stop > mark.end else None
                text = mark.title if below is None else f"{mark.title}\n{below}"
            elif part > 1 and (head := header_above(self._lines, first, start, self._asked)) is not None:
                text = self._text[self._starts[head] : self._starts[head + 2]] + text
            yield self._made(mark.kind, _part(mark.label, part), text, start, stop)

    def _parts(self, first: int, end: int) -> Iterator[tuple[int, int]]:
        """The lines between an author's cuts, without what lays out around."""
        at = first
        for stop in [*(line for line, what in self._asked.items() if what == "cut" and first < line < end), end]:
            start, last = self._trim(at, stop)
            if start < last:
                yield start, last
            at = stop

    def _body(self, first: int, end: int) -> Iterator[Piece]:
        """What stands between a heading and the next mark: notes where they may be, else paragraphs."""
        at = first
        if self._noting:
            for start, stop in self._asides(first, end):
                yield from self._paragraphs(at, start)
                yield self._piece("note", start, stop)
                at = stop
        yield from self._paragraphs(at, end)

    def _asides(self, first: int, end: int) -> Iterator[tuple[int, int]]:
        """Block quotations and HTML comments as spans of lines."""
        at = first
        while at < end:
            start = at
            if at in self._fenced:
                at += 1
            elif self._lines[at].lstrip().startswith(">"):
                while at < end and self._lines[at].lstrip().startswith(">"):
                    at += 1
                yield start, at
            elif self._lines[at].lstrip().startswith("<!--") and at not in self._asked:
                while at < end - 1 and "-->" not in self._lines[at]:
                    at += 1
                at += 1
                yield start, at
            else:
                at += 1

    def _paragraphs(self, first: int, end: int) -> Iterator[Piece]:
        first, end = self._trim(first, end)
        if first == end:
            return
        base = self._starts[first]
        for window in windows(self._text[base : self._starts[end] - 1], self._splitting):
            start, stop = base + window.start, base + window.stop
            lines = bisect_right(self._starts, start), bisect_right(self._starts, stop - 1)
            text = window.head + self._literal(start, stop)
            kind: Kind = "note" if blank(text) else "paragraph"
            yield Piece(kind, self._path(), "", text, *lines, start, stop)

    def _literal(self, start: int, stop: int) -> str:
        """The source between two places without the lines of directives."""
        text = self._text[start:stop]
        if "<!--" not in text:
            return text
        first = bisect_right(self._starts, start) - 1
        kept = [line for at, line in enumerate(text.split("\n"), first) if at not in self._asked]
        return "\n".join(kept)

    def _piece(self, kind: Kind, first: int, end: int, level: int | None = None) -> Piece:
        start, stop = self._starts[first], self._starts[end] - 1
        return Piece(kind, self._path(), "", self._text[start:stop], first + 1, end, start, stop, level)

    def _made(self, kind: Kind, label: str, text: str, first: int, end: int) -> Piece:
        return Piece(kind, self._path(), label, text, first + 1, end, self._starts[first], self._starts[end] - 1)

    def _note(self, line: int) -> Piece:
        start, stop = self._starts[line], self._starts[line + 1] - 1
        return Piece("note", (), "", self._text[start:stop], line + 1, line + 1, start, stop)

    def _path(self) -> tuple[str, ...]:
        return tuple(title for _, title in self._headings if title)

    def _trim(self, first: int, end: int) -> tuple[int, int]:
        """Without the blank lines, rules and directives around."""
        while first < end and self._lays_out(first):
            first += 1
        while first < end and self._lays_out(end - 1):
            end -= 1
        return first, end

    def _lays_out(self, line: int) -> bool:
        return line in self._asked or layout(self._lines[line])


def _part(label: str, number: int) -> str:
    """The label of a part (from 1) of an article that its author cut.

    >>> _part("第五条", 1), _part("第五条", 2), _part("Article 5", 3)
    ('第五条', '第五条（2）', 'Article 5 (3)')
    """
    if number == 1:
        return label
    return f"{label} ({number})" if label.isascii() else f"{label}（{number}）"
