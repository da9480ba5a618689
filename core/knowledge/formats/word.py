"""Word files (.docx): headings, numbers, lists, tables, notes and boxes in the order in which they are read.

Left out, with a warning: page headers and footers, tables of contents, hidden text (a reader of the document sees none
of it, so no answer should quote it), comments. Deletions that are being tracked are gone, insertions are text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from docx import Document
from docx.oxml import OxmlElement, parse_xml

from core.domain import Say
from core.knowledge.formats import Options, markdown
from core.knowledge.formats.markdown import Block, Cell, is_chinese
from core.knowledge.formats.packages import MOST_TREE, check
from core.knowledge.formats.word_names import named
from core.knowledge.formats.word_numbers import BULLET, Numbers
from core.knowledge.formats.word_runs import Inline, Runs
from core.knowledge.formats.word_styles import Styles
from core.knowledge.reading import Reading, clean

_LONGEST_HEADING = 120
"""Characters; what is longer, or ends like a sentence, is a paragraph that only stands in the outline."""

_GONE = frozenset(map(named, ("w:del", "w:moveFrom", "w:sectPr", "w:tblPr", "w:tblGrid", "w:tcPr", "w:sdtPr")))
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_DIVIDES = re.compile("第|(?:Article|Section|Chapter|Part|Case)[ \\t]")
"""Numbers of articles and chapters, which are more than items of a list."""

_MOST_SPAN = 63
"""Columns that a cell may span: as many as a table of Word can have."""

_SHOWN = 200
"""Characters of page headers and footers that a warning repeats."""


def read(data: bytes, file: str, options: Options) -> Reading:
    """Read a Word file as Markdown. Raises BaseError as `packages.check` does."""
    check(data, file, MOST_TREE)
    document = Document(BytesIO(data))
    teller = _Teller(document.part)
    blocks = list(teller.blocks(document.element.body))
    text, removed = clean(markdown.joined(blocks))
    return Reading(text, "utf-8", cleaned=removed, warnings=tuple(teller.warnings(file)))


class _Teller:
    """Walks through the body of a document and keeps count of what it leaves out."""

    def __init__(self, part: Any) -> None:
        self._part = part
        styles = self._root("styles")
        self._styles = Styles(styles if styles is not None else OxmlElement("w:styles"))
        body = part.element.body
        self._chinese = is_chinese("".join(element.text or "" for element in body.iter(named("w:t"))))
        notes = {
            (kind, note.get(named("w:id")) or ""): note
            for kind in ("footnote", "endnote")
            for root in (self._root(f"{kind}s"),)
            if root is not None
            for note in root.iterchildren(named(f"w:{kind}"))
        }
        self._runs = Runs(self._styles, notes, "注" if self._chinese else "note ")
        self._numbers = Numbers(self._root("numbering"), self._styles)
        self._titled = any(self._styles.is_title(paragraph) for paragraph in body.iterchildren(named("w:p")))
        self._contents = 0
        self._foreign = 0

    def _root(self, kind: str) -> Any | None:
        return next((parse_xml(blob) for blob in self._blobs(kind)), None)

    def _blobs(self, kind: str) -> Iterator[bytes]:
        for relation in self._part.rels.values():
            if not relation.is_external and relation.reltype.endswith(f"/{kind}"):
                yield relation.target_part.blob

    def blocks(self, parent: Any) -> Iterator[Block]:
        """What stands in the body, in a cell, in a note or in a text box, in order."""
        for child in parent:
            if child.tag == named("w:p"):
                yield from self._paragraph(child)
            elif child.tag == named("w:tbl"):
                yield from self._table(child)
            elif child.tag == named("w:altChunk"):
                self._foreign += 1
            elif isinstance(child.tag, str) and child.tag not in _GONE and child.tag != _FALLBACK:
                yield from self.blocks(child)

    def _paragraph(self, paragraph: Any) -> Iterator[Block]:
        inline = self._runs.read(paragraph)
        words = inline.text.strip()
        gone = paragraph.find(f"{named('w:pPr')}/{named('w:rPr')}/{named('w:del')}") is not None
        label = None if gone and not words else self._numbers.label(paragraph)
        if words and self._styles.is_contents(paragraph):
            self._contents += 1
        elif words:
            yield self._worded(paragraph, words, label, inline)
        for alt in inline.pictures:
            yield markdown.picture(alt, self._chinese)
        for identifier in inline.drawn:
            yield from self._drawn(identifier)
        for box in inline.boxes:
            yield from self.blocks(box)

    def _worded(self, paragraph: Any, words: str, label: tuple[str, int] | None, inline: Inline) -> Block:
        number, depth = label or ("", 0)
        whole = f"{number} {words}" if number and number != BULLET else words
        level = 1 if self._styles.is_title(paragraph) else self._level(paragraph)
        if level and not inline.notes and len(whole) <= _LONGEST_HEADING and whole[-1] not in "。；;":
            return markdown.heading(level, whole)
        notes = "".join(f"\n{self._noted(name, note)}" for name, note in inline.notes)
        if self._styles.is_caption(paragraph):
            return Block("caption", markdown.literal(whole + notes))
        if number == BULLET:
            inner = words.replace("\n", f"\n{'  ' * (depth + 1)}")
            return Block("list", f"{'  ' * depth}{BULLET} {inner}{notes}")
        listed = number and not _DIVIDES.match(number)
        return Block("list" if listed else "text", markdown.literal(whole + notes))

    def _drawn(self, identifier: str) -> Iterator[Block]:
        """Words in a diagram or a chart, which are kept in a part of their own."""
        root = parse_xml(self._part.related_parts[identifier].blob)
        lines = ("".join(text.text or "" for text in each.iter(named("a:t"))) for each in root.iter(named("a:p")))
        if words := "\n".join(line for line in lines if line.strip()):
            yield markdown.text(words)

    def _level(self, paragraph: Any) -> int | None:
        level = self._styles.level(paragraph)
        return level + 1 if level and self._titled else level

    def _noted(self, name: str, note: Any) -> str:
        words = " ".join(" ".join(block.text.split()) for block in self.blocks(note))
        return f"{name}：{words}" if self._chinese else f"{name}: {words}"

    def _table(self, table: Any) -> Iterator[Block]:
        rows = list(_rows(table))
        if len(rows) == 1 and len(list(_cells(rows[0]))) == 1:
            yield from self.blocks(next(_cells(rows[0])))
            return
        heads = 0
        while heads < len(rows) and rows[heads].find(named("w:trPr/w:tblHeader")) is not None:
            heads += 1
        yield from markdown.table(self._grid(rows), max(1, heads))

    def _grid(self, rows: list[Any]) -> list[list[Cell | None]]:
        grid: list[list[Cell | None]] = []
        for row in rows:
            line: list[Cell | None] = [None] * _number(row, "w:trPr", "w:gridBefore", 0)
            for cell in _cells(row):
                above = grid[-1][len(line)] if grid and len(line) < len(grid[-1]) else None
                merged = cell.find(named("w:tcPr/w:vMerge"))
                goes_on = merged is not None and merged.get(named("w:val")) != "restart" and above is not None
                told = above if goes_on else Cell(self._cell(cell))
                line += [told] * _number(cell, "w:tcPr", "w:gridSpan", 1)
            grid.append(line)
        return grid

    def _cell(self, cell: Any) -> str:
        parts = []
        for child in cell:
            if child.tag == named("w:tbl"):
                parts.append(markdown.flat(self._grid(list(_rows(child)))))
            else:
                parts += [block.text for block in self.blocks([child])]
        return "\n".join(parts)

    def warnings(self, file: str) -> Iterator[Say]:
        """What was left out."""
        edges = [_words(parse_xml(blob)) for kind in ("header", "footer") for blob in self._blobs(kind)]
        if words := " / ".join(dict.fromkeys(edge for edge in edges if edge)):
            yield Say.of("base.file.word.edges", file=file, words=words[:_SHOWN])
        if self._contents:
            yield Say.of("base.file.word.contents", file=file, count=self._contents)
        if self._runs.hidden:
            yield Say.of("base.file.word.hidden", file=file, count=self._runs.hidden)
        comments = sum(len(list(parse_xml(blob).iter(named("w:comment")))) for blob in self._blobs("comments"))
        if comments:
            yield Say.of("base.file.word.comments", file=file, count=comments)
        if self._foreign:
            yield Say.of("base.file.word.foreign", file=file, count=self._foreign)


def _words(root: Any) -> str:
    return " ".join("".join(element.text or "" for element in root.iter(named("w:t"))).split())


def _within(parent: Any, tag: str) -> Iterator[Any]:
    """Children of a kind, also those that a content control or a tracked insertion wraps."""
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag in (named("w:sdt"), named("w:sdtContent"), named("w:ins"), named("w:customXml")):
            yield from _within(child, tag)


def _rows(table: Any) -> Iterator[Any]:
    gone = named("w:trPr/w:del")
    return (row for row in _within(table, named("w:tr")) if row.find(gone) is None)


def _cells(row: Any) -> Iterator[Any]:
    return _within(row, named("w:tc"))


def _number(element: Any, properties: str, tag: str, default: int) -> int:
    found = element.find(f"{named(properties)}/{named(tag)}")
    value = None if found is None else found.get(named("w:val"))
    return max(0, min(int(value), _MOST_SPAN)) if value else default
