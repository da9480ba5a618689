"""Blocks of a document as Markdown: how what is no plain text is told, so that it can be kept on disk and cut."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

BlockKind = Literal["text", "heading", "list", "table", "picture", "caption", "code"]

_CLOSE = {
    ("list", "list"),
    ("text", "picture"),
    ("text", "caption"),
    ("list", "picture"),
    ("picture", "picture"),
    ("picture", "caption"),
    ("caption", "picture"),
    ("caption", "caption"),
    ("caption", "table"),
}
"""Neighbours with no blank line between them, so that a cut at blank lines never parts a picture from its words."""

_MISREAD = re.compile(r"^(?= {0,3}(?:#{1,6}(?:[ \t\u3000\xa0]|$)|##[^#\s]|`{3}|~{3}|={2,}[ \t]*$|-{2,}[ \t]*$))", re.M)
"""Beginnings of lines that say something else in Markdown than they did in their source: headings, fences, rules."""

_HAN = re.compile("[\u3400-\u9fff]")
_LATIN = re.compile("[A-Za-z]")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a document that stands by itself, as Markdown."""

    kind: BlockKind
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """A cell of a table; one that spans several places stands in each of them as the same object."""

    text: str


Grid = Sequence[Sequence[Cell | None]]
"""Rows of a table with every merged place filled; `None` where a short row ends early."""


def joined(blocks: Iterable[Block]) -> str:
    """Blocks to one text, a blank line between two unless they belong together."""
    parts: list[str] = []
    before: Block | None = None
    for block in blocks:
        if not block.text.strip():
            continue
        if before is not None:
            parts.append("\n" if (before.kind, block.kind) in _CLOSE else "\n\n")
        parts.append(block.text)
        before = block
    return "".join([*parts, "\n"]) if parts else ""


def heading(level: int, text: str) -> Block:
    """A heading of depth `level` (from 1; Markdown has six)."""
    return Block("heading", f"{'#' * max(1, min(level, 6))} {_SPACES.sub(' ', text).strip()}")


def text(words: str) -> Block:
    """A paragraph, literal."""
    return Block("text", literal(words))


def literal(words: str) -> str:
    r"""Text whose lines keep their meaning in Markdown: a backslash stands before what would pass for a heading.

    >>> literal("# of items")
    '\\# of items'
    """
    return _MISREAD.sub(lambda match: "\\", words)


def code(words: str) -> Block:
    """Preformatted text in a fence longer than any that it holds."""
    fence = "`" * max(3, max((len(run) for run in re.findall("`+", words)), default=0) + 1)
    return Block("code", f"{fence}\n{words.strip(chr(10))}\n{fence}")


def picture(alt: str, chinese: bool) -> Block:
    """A picture, by what its author wrote about it."""
    alt = _SPACES.sub(" ", alt).strip()
    if chinese:
        return Block("picture", f"[图：{alt}]" if alt else "[图]")
    return Block("picture", f"[Picture: {alt}]" if alt else "[Picture]")


def table(grid: Grid, heads: int = 1) -> list[Block]:
    """A table with its merged cells filled; `heads` rows on top are its header, joined with `/`.

    A row on top that is one cell is the table's caption; a table of one cell is but a text.
    """
    rows = [row for row in grid if any(cell and cell.text.strip() for cell in row)]
    blocks: list[Block] = []
    while len(rows) > 1 and len(rows[0]) > 1 and len(set(map(id, rows[0]))) == 1:
        blocks.append(Block("caption", literal(rows[0][0].text if rows[0][0] else "")))
        rows, heads = rows[1:], max(1, heads - 1)
    if not rows:
        return blocks
    if len(rows) == 1 and len(rows[0]) == 1:
        return [*blocks, text(rows[0][0].text if rows[0][0] else "")]
    heads = min(max(heads, _depth(rows)), max(1, len(rows) - 1))
    width = max(map(len, rows))
    head = [_head(rows[:heads], column) for column in range(width)]
    lines = [_line(head), _line(["---"] * width)]
    lines += [_line([_cell(row, column) for column in range(len(row))]) for row in rows[heads:]]
    return [*blocks, Block("table", "\n".join(lines))]


def _depth(rows: Grid) -> int:
    """Rows of the header: where a cell of the first spans columns, as many as another of its cells spans downwards."""
    first = [cell for cell in rows[0] if cell]
    if len(set(map(id, first))) == len(first):
        return 1
    depth = 1
    while depth < min(3, len(rows)) and any(cell in first for cell in rows[depth]):
        depth += 1
    return depth


def _head(rows: Grid, column: int) -> str:
    names: list[str] = []
    for row in rows:
        name = _cell(row, column)
        if name and name not in names[-1:]:
            names.append(name)
    return "/".join(names)


def _cell(row: Sequence[Cell | None], column: int) -> str:
    cell = row[column] if column < len(row) else None
    return _SPACES.sub(" ", cell.text).strip().replace("|", "\\|") if cell else ""


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def flat(grid: Grid) -> str:
    """A table within a cell of another, in one line."""
    rows = (dict.fromkeys(cell for cell in row if cell and cell.text.strip()) for row in grid)
    return "; ".join(" / ".join(_SPACES.sub(" ", cell.text).strip() for cell in row) for row in rows if row)


def is_chinese(words: str) -> bool:
    """Whether a text is mostly Chinese: a Han character weighs as much as a Latin word's usual letters."""
    return len(_HAN.findall(words)) * 4 >= max(1, len(_LATIN.findall(words)))
