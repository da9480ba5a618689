"""Rows of sheets as passages: a title that says which row it is, and a label that tells sheets apart."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain import Passage
from core.knowledge.splitting import Piece

_LONGEST_TITLE = 40
_LONGEST_NAME = 60
_COUNT = re.compile(r"[0-9]{0,7}")
"""The running number of a row, which says nothing of it."""
_WORD = re.compile(r"[^\W\d_]{2}")
_NAME = re.compile(r"[^\W\d_]|[0-9]-[0-9]")
_LABEL = re.compile(r"(?:行|Row) [0-9]{1,9}\n")
_SEPARATORS = re.compile(r"[#|/\s]+")
"""What an id has between its parts."""


def title_of_row(piece: Piece) -> str:
    r"""The first cells of a row, up to the first that holds a word; its label where none does.

    >>> title_of_row(Piece("row", (), "行 2", "行 2\n序号：1\n型号：58-1205\n名称：密封圈\n价格：3", 1, 5, 0, 9))
    '58-1205 密封圈'
    """
    told: list[str] = []
    for line in piece.text.removeprefix(f"{piece.label}\n").split("\n"):
        value = re.split("：|: ", line, maxsplit=1)[-1].strip()
        if line[:1] not in (" ", "\t") and not _COUNT.fullmatch(value):
            told.append(value)
            if _WORD.search(value):
                break
    return _bounded(" ".join(told), _LONGEST_TITLE) if any(map(_NAME.search, told)) else piece.label


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
