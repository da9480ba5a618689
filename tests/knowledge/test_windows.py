"""Long texts to windows: nothing is lost, nothing whole is broken, and each cut falls at the best place there is."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from core.knowledge.layout import directive, fences, layout
from core.knowledge.reading import read_file
from core.knowledge.splitting import Piece, Splitting, split

CASES = Path(__file__).parents[1] / "cases"
TEXTS = sorted(path for path in CASES.glob("*") if re.match(r"(md|txt)_(?!binary)", path.name))
SETTINGS = [Splitting(600), Splitting(600, 120), Splitting(80), Splitting(80, 30), Splitting(25, 10), Splitting(7, 3)]
LINES = (
    """# 总则|## 范围 ##|##紧贴|#标签|章程|====|----|---|***|||| \t|```py|```|~~~|第一条 正文。|第二条正文|第二条规定的
**第三条** 乙|### 第四条 题|案例一 标题：正文|第一章  总 则|附则|> 引文|<!-- 注|-->|- 项|  - 子项，说明|1. 首先|（一）其一；
一、基本要求|Article 2 Scope|依照|<!-- cut -->|<!-- join -->|<!-- INFO END -->|行 12|型号：XR-2200|Row 3|Model: XR-2200
![图](a.png)|[图：外观]|图 3 外观|Table 2. Sizes|如下：|价格见下表。|他说：“先看。再动手。”然后走了。|\u200b|（一）|“|”|**注意**"""
).replace("\n", "|").split("|")
LINES += ["| 型号 | 价 |", "|---|---|", r"| A\|B | 3,500 元 |", "a | b", "--- | ---", "短句。" * 90, "没有标点" * 60]
LINES += ["The unit was tested by Dr. Smith, e.g. in No. 5 of v2.1. It works! " * 4, "甲方应当于 2024 年 3.5 月，" * 12]


def generated() -> list[str]:
    chance = random.Random(11)
    return ["\n".join(chance.choices(LINES, k=chance.randint(1, 18))) for _ in range(700)]


def lost(text: str, pieces: tuple[Piece, ...]) -> list[str]:
    """What of each line no piece covers, but blanks, rules and whole lines of directives."""
    covered = [False] * (len(text) + 1)
    for piece in pieces:
        covered[piece.start : piece.end] = [True] * (piece.end - piece.start)
    left, at = [], 0
    for line in text.split("\n"):
        rest = "".join(character for place, character in enumerate(line, at) if not covered[place])
        at += len(line) + 1
        if not layout(rest) or (rest.strip() and rest != line):
            left.append(rest)
    return left


def literal(text: str, piece: Piece) -> str:
    """The source of a piece without directives outside code fences."""
    fenced = {line for first, end in fences(text.split("\n")) for line in range(first, end)}
    inside = enumerate(text[piece.start : piece.end].split("\n"), piece.first - 1)
    return "\n".join(line for at, line in inside if at in fenced or not directive(line))


def faithful(text: str, piece: Piece) -> bool:
    """Whether a piece has its source as text, but for a heading's marks or with a table's header before it."""
    source = literal(text, piece)
    if piece.kind in ("note", "heading"):
        return piece.text == text[piece.start : piece.end]
    if piece.kind in ("article", "case") and piece.text != source:
        return re.sub(r"[\s#=*_-]+", "", piece.text) == re.sub(r"[\s#=*_-]+", "", source)
    head = piece.text.removesuffix(source)
    return piece.text == head + source and (not head or (head in text[: piece.start] and head.count("\n") == 2))


def rows(text: str) -> bool:
    """Whether a text is one row of a table, or its header, alone or with the first row."""
    lines = text.split("\n")
    return len(lines) <= 3 and all("|" in line for line in lines)


def check(text: str, splitting: Splitting) -> None:
    pieces = split(text, splitting)
    assert lost(text, pieces) == []
    for piece in pieces:
        assert faithful(text, piece), piece
        assert piece.first == text.count("\n", 0, piece.start) + 1
        assert piece.last == text.count("\n", 0, piece.end) + 1
        fits = piece.kind != "paragraph" or len(piece.text) <= splitting.longest
        assert fits or "<!-- join -->" in text or rows(literal(text, piece)), piece
    for one, other in zip(pieces, pieces[1:], strict=False):
        assert one.start < other.start and one.end < other.end
        assert splitting.overlap or one.end <= other.start
        assert one.end - other.start <= splitting.overlap


@pytest.mark.parametrize("splitting", SETTINGS, ids=str)
@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_the_pieces_of_every_case_file_cover_it(path: Path, splitting: Splitting) -> None:
    check(read_file(path).text, splitting)


@pytest.mark.parametrize("splitting", SETTINGS, ids=str)
def test_the_pieces_of_any_mixture_cover_it(splitting: Splitting) -> None:
    for text in generated():
        check(text, splitting)
