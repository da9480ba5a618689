"""Rows of sheets as passages: a title that says which row it is, and a label that tells sheets apart."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain import Passage
from core.knowledge.sentences import columns, sentences
from core.knowledge.splitting import Piece

_LONGEST_TITLE = 40
_LONGEST_NAME = 60
_COUNT = re.compile(r"[0-9]{0,7}")
"""The running number of a row, which says nothing of it."""
_WORD = re.compile(r"[^\W\d_]{2}")
_NAME = re.compile(r"[^\W\d_]|[0-9]-[0-9]")
_LABEL = re.compile(r"(?:行|Row) [0-9]{1,9}\n")
_CELL_END = re.compile(r"\n(?![ \t])")
"""The further lines of a cell begin with a blank."""
_SEPARATORS = re.compile(r"[#|/\s]+")
"""What an id has between its parts."""


def title_of_row(piece: Piece) -> str:
    r"""The first cells of a row, up to the first that holds a word; its label where none does.

    >>> title_of_row(Piece("row", (), "行 2", "行 2\n序号：1\n型号：58-1205\n名称：密封圈\n价格：3", 1, 5, 0, 9))
    '58-1205 密封圈'
    """
    cells = _cells(piece.text.removeprefix(f"{piece.label}\n"))
    told = [value for cell in cells[: _naming(cells)] if not _COUNT.fullmatch(value := _value(cell))]
    return _bounded(" ".join(told), _LONGEST_TITLE) if any(map(_NAME.search, told)) else piece.label


def quotable(passage: Passage, most: int) -> list[str]:
    r"""A row as text to quote, each of at most `most` columns (Han count two) where its sentences are.

    All its cells in one line where they fit; else in several, each with what says which row it is before it, and by
    their sentences those that take more than half.

    >>> row = Passage("a#行 2", "a", "", "扶梯", "行 2\n名称：扶梯\n价格：3\n备注：无", 0, metadata={"type": "row"})
    >>> quotable(row, 40), quotable(row, 20)
    (['名称：扶梯 价格：3 备注：无'], ['名称：扶梯 价格：3', '名称：扶梯 … 备注：无'])
    """
    cells = [" ".join(cell.split()) for cell in _cells(body_of(passage))]
    if columns(" ".join(cells)) <= most:
        return [" ".join(cells)]
    long = [cell for cell in cells if columns(cell) > most // 2]
    return [*_lines(cells, long, most), *(cell[start:end] for cell in long for start, end in sentences(cell))]


def _lines(cells: Sequence[str], left_out: Sequence[str], most: int) -> list[str]:
    """The cells but those `left_out` in lines that all begin with what says which row it is; `…` where some lack."""
    name = " ".join(cell for cell in cells[: _naming(cells)] if cell not in left_out)
    name = name if columns(name) <= most // 2 else ""
    lines, joint = [""], ""
    for cell in cells:
        if cell in left_out:
            joint = " … "
        elif columns(f"{lines[-1]}{joint}{cell}") <= most:
            lines[-1], joint = f"{lines[-1]}{joint}{cell}", " "
        else:
            lines.append(f"{name} … {cell}" if name else cell)
            joint = " "
    return [line.removeprefix(" … ") for line in lines if line]


def _cells(text: str) -> list[str]:
    """The cells of a row, each with its further lines."""
    return [cell for cell in _CELL_END.split(text) if cell.strip()]


def _naming(cells: Sequence[str]) -> int:
    """How many cells from the first on say which row it is: up to one that holds a word, else all."""
    return next((at for at, cell in enumerate(cells, 1) if _WORD.search(_value(cell))), len(cells))


def _value(cell: str) -> str:
    """What stands in a cell, on its first line, without the name of its column."""
    return re.split("：|: ", cell.split("\n", 1)[0], maxsplit=1)[-1].strip()


def label_of_row(piece: Piece, sheets: int) -> str:
    """The label of a row, with its sheet's name before it in a document that has rows of several."""
    if sheets <= 1 or not piece.path:
        return piece.label
    return f"{_bounded(_SEPARATORS.sub(' ', piece.path[-1]).strip(), _LONGEST_NAME)} {piece.label}".strip()


def sheets_of(pieces: Sequence[Piece]) -> int:
    """Under how many headings rows stand."""
    return len({piece.path for piece in pieces if piece.kind == "row"})


def body_of(passage: Passage) -> str:
    r"""The text of a passage without what it opens with as its label: `第五条`, or the `行 2` of a row.

    >>> body_of(Passage("a#行 2", "a", "", "扶梯", "行 2\n名称：扶梯", 0, metadata={"type": "row"}))
    '名称：扶梯'
    """
    row = _LABEL.match(passage.text) if passage.metadata.get("type") == "row" else None
    return passage.text[row.end() :] if row else passage.text.removeprefix(passage.title)


def _bounded(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
