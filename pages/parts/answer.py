"""An answer as it may be shown: paragraphs, lists, bold, tables and code; everything else in it is literal.

It is read once into blocks. From these comes Markdown for the page, and plain values for an element of our own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from core.citations import Piece, pieces
from core.domain import Citation
from pages.parts.literal import inline, shown

_HELD = 0xF0000
"""Private code points that stand for a mark or a quote while the text around it is read."""
_HOLDER = re.compile("[\U000f0000-\U000ffffd]")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_ITEM = re.compile(r"([ \t]*)([-*+]|[0-9]{1,3}[.)])[ \t]+(?=\S)")
_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_SPAN = re.compile(r"(?P<ticks>`+)(?P<code>[^`\n]+)(?P=ticks)(?!`)|\*\*(?P<bold>(?=\S)[^\n]+?(?<=\S))\*\*")
_CELL = re.compile(r"(?<!\\)\|")

Kind = Literal["text", "code", "mark", "dangling"]


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a line: literal text, code, a mark that points at a source, or one that points nowhere."""

    text: str
    kind: Kind = "text"
    bold: bool = False


Line = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph (`lines`), an item of a list (one line, its `label` and `level`), a table (`rows`) or `code`."""

    kind: Literal["text", "item", "table", "code"]
    lines: tuple[Line, ...] = ()
    label: str = ""
    level: int = 0
    rows: tuple[tuple[Line, ...], ...] = ()
    code: str = ""


def blocks(answer: str, citations: Sequence[Citation]) -> tuple[Block, ...]:
    """The answer block by block, its marks resolved."""
    found = pieces(_HOLDER.sub("\ufffd", shown(answer)), citations)
    text = "".join(chr(_HELD + at) if piece.mark or piece.literal else piece.text for at, piece in enumerate(found))
    return tuple(_Reader(found).blocks(text.split("\n")))


def markdown(answer: str, citations: Sequence[Citation], colour: str) -> str:
    """The answer with its marks in `colour`; a mark that points nowhere is red."""
    out: list[str] = []
    before = ""
    for block in blocks(answer, citations):
        joint = "\n" if before == block.kind == "item" else "\n\n"
        out += [joint if out else "", _markdown(block, colour)]
        before = block.kind
    return "".join(out)


def _markdown(block: Block, colour: str) -> str:
    if block.kind == "code":
        longest = max((len(run) for run in re.findall("~+", block.code)), default=0)
        wall = "~" * max(3, longest + 1)
        return f"{wall}\n{block.code}\n{wall}"
    if block.kind == "table":
        rows = ["|" + "|".join(_drawn(cell, colour) or " " for cell in row) + "|" for row in block.rows]
        return "\n".join([rows[0], "|" + "---|" * len(block.rows[0]), *rows[1:]])
    text = "\\\n".join(_drawn(line, colour) for line in block.lines)
    return f"{'    ' * block.level}{block.label} {text}" if block.kind == "item" else text


def _drawn(line: Iterable[Span], colour: str) -> str:
    out = []
    for bold, spans in groupby(line, lambda span: span.bold):
        text = "".join(_span(span, colour) for span in spans)
        out.append(f"**{text}**" if bold else text)
    return "".join(out)


def _span(span: Span, colour: str) -> str:
    if span.kind == "text":
        return _kept(span.text)
    if span.kind == "code":
        return f"`{span.text}`"
    return f":{colour if span.kind == 'mark' else 'red'}[{inline(span.text)}]"


def _kept(text: str) -> str:
    """Literal text that keeps a blank at either end."""
    middle = inline(text)
    if not middle:
        return " " if text else ""
    return f"{' ' if text[0].isspace() else ''}{middle}{' ' if text[-1].isspace() else ''}"


class _Reader:
    """Reads an answer line by line into what is allowed in it."""

    def __init__(self, found: Sequence[Piece]) -> None:
        self._found = found

    def blocks(self, lines: Sequence[str]) -> list[Block]:
        """Lines that follow one another are one paragraph; an item is a block of its own."""
        out: list[Block] = []
        at = 0
        parted = True
        while at < len(lines):
            line, before = lines[at], None if parted or not out else out[-1]
            parted = False
            if fence := _FENCE.match(line):
                block, at = self._code(lines, at, fence.group(1))
            elif "|" in line and at + 1 < len(lines) and "|" in lines[at + 1] and _RULE.fullmatch(lines[at + 1]):
                block, at = self._table(lines, at)
            elif item := _ITEM.match(line):
                block, at = self._item(line, item, before is not None and before.kind == "item"), at + 1
            elif not line.strip():
                parted, at = True, at + 1
                continue
            else:
                block, at = Block("text", (self._inline(line.strip()),)), at + 1
                if before is not None and before.kind == "text":
                    block = Block("text", (*out.pop().lines, *block.lines))
            out.append(block)
        return out

    def _code(self, lines: Sequence[str], at: int, fence: str) -> tuple[Block, int]:
        """A fenced block up to its end, without its language: one of them would be drawn instead of shown."""
        end = at + 1
        while end < len(lines) and not re.fullmatch(rf"[ \t]*{fence[0]}{{{len(fence)},}}[ \t]*", lines[end]):
            end += 1
        return Block("code", code=self._raw("\n".join(lines[at + 1 : end]))), end + 1

    def _table(self, lines: Sequence[str], at: int) -> tuple[Block, int]:
        width = len(_cells(lines[at]))
        rows = [lines[at]]
        end = at + 2
        while end < len(lines) and "|" in lines[end]:
            rows.append(lines[end])
            end += 1
        return Block("table", rows=tuple(tuple(map(self._inline, _fitted(_cells(row), width))) for row in rows)), end

    def _item(self, line: str, item: re.Match[str], follows: bool) -> Block:
        level = 1 if follows and len(item.group(1).expandtabs(4)) >= 2 else 0
        return Block("item", (self._inline(line[item.end() :].strip()),), item.group(2), level)

    def _inline(self, text: str, bold: bool = False) -> Line:
        out: list[Span] = []
        at = 0
        for span in _SPAN.finditer(text):
            out += self._plain(text[at : span.start()], bold)
            if span["bold"]:
                out += self._inline(span["bold"], bold=True)
            else:
                out.append(Span(self._raw(span["code"]), "code", bold))
            at = span.end()
        return (*out, *self._plain(text[at:], bold))

    def _plain(self, text: str, bold: bool) -> list[Span]:
        """Literal text with the marks and quotes that stand in it."""
        out = []
        at = 0
        for holder in _HOLDER.finditer(text):
            out += [Span(text[at : holder.start()], bold=bold), self._held(holder.group(), bold)]
            at = holder.end()
        return [span for span in (*out, Span(text[at:], bold=bold)) if span.text]

    def _held(self, holder: str, bold: bool) -> Span:
        piece = self._found[ord(holder) - _HELD]
        if piece.mark is None:
            return Span(piece.text, bold=bold)
        points = any(citation.passage for citation in piece.citations)
        return Span(piece.text, "mark" if points else "dangling", bold)

    def _raw(self, text: str) -> str:
        return _HOLDER.sub(lambda holder: self._found[ord(holder.group()) - _HELD].text, text)


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in _CELL.split(row.strip().removeprefix("|").removesuffix("|"))]


def _fitted(cells: list[str], width: int) -> list[str]:
    return (cells + [""] * width)[:width]
