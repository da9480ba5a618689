"""Rows of sheets as passages: ids that tell sheets apart, and titles that say which row it is."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from openpyxl import Workbook

from core.domain import Passage
from core.knowledge.building import cut_document
from core.knowledge.formats import read_source
from core.knowledge.sheet_rows import body_of


def book(**sheets: list[list[Any]]) -> tuple[Passage, ...]:
    made = Workbook()
    made.remove(made.active)
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    stream = BytesIO()
    made.save(stream)
    return cut_document("价目表", read_source(stream.getvalue(), "价目表.xlsx"), "价目表.xlsx").passages


def rows(text: str, name: str = "a.csv") -> tuple[Passage, ...]:
    return cut_document("a", read_source(text.encode(), name), name).passages


def test_rows_of_several_sheets_have_their_sheet_in_their_id() -> None:
    found = book(零售=[["型号", "价格"], ["甲机", 1], ["乙机", 2]], 库存=[["型号", "数量"], ["甲机", 5]])
    assert [passage.id for passage in found] == ["价目表#零售 行 2", "价目表#零售 行 3", "价目表#库存 行 2"]


def test_a_sheet_whose_name_holds_what_parts_an_id_does_not_part_it() -> None:
    found = book(**{"A#1|旧": [["型号", "价格"], ["甲机", 1]], "乙": [["型号", "价格"], ["甲机", 1]]})
    assert [passage.id for passage in found] == ["价目表#A 1 旧 行 2", "价目表#乙 行 2"]


def test_rows_of_one_sheet_and_of_separated_values_keep_their_ids() -> None:
    assert [passage.id for passage in book(零售=[["型号", "价格"], ["甲机", 1]])] == ["价目表#行 2"]
    assert [passage.id for passage in book(零售=[["型号", "价格"], ["甲机", 1]], 空表=[])] == ["价目表#行 2"]
    assert [passage.id for passage in rows("Model,Price\nXR,1\nKT,2\n")] == ["a#Row 2", "a#Row 3"]


@pytest.mark.parametrize(
    ("row", "title"),
    [
        ("1,XR-2200,扶梯,100", "XR-2200"),
        ("1,58-1205,密封圈,3", "58-1205 密封圈"),
        ("1,A-1,扶梯,3", "A-1 扶梯"),
        ("1,,甲,3", "甲"),
        ("1,58-1205,,", "58-1205"),
        ("1,2,3,4", "行 2"),
        (f"1,{'长' * 80},扶梯,3", "长" * 39 + "…"),
    ],
)
def test_a_row_is_called_by_its_first_cells_up_to_one_with_a_word(row: str, title: str) -> None:
    assert rows(f"序号,编号,名称,价格\n{row}\n")[0].title == title


def test_the_part_of_a_row_that_its_author_cut_off_is_called_by_its_own_cells() -> None:
    found = rows("行 2\n名称：扶梯\n<!-- cut -->\n说明：按月维护\n", "a.md")
    assert [(passage.id, passage.title) for passage in found] == [("a#行 2", "扶梯"), ("a#行 2（2）", "按月维护")]


@pytest.mark.parametrize(
    ("text", "name", "body"),
    [
        ("名称,值\n扶梯,行 2\n", "a.csv", "名称：扶梯\n值：行 2"),
        ("Name,Size\nLift,2\n", "a.csv", "Name: Lift\nSize: 2"),
        ("第五条 甲。", "a.md", " 甲。"),
        ("# 说明\n\n概述。", "a.md", "概述。"),
    ],
)
def test_the_body_of_a_passage_is_its_text_without_the_label(text: str, name: str, body: str) -> None:
    assert body_of(rows(text, name)[0]) == body


def test_the_titles_of_articles_and_paragraphs_stay_what_they_are() -> None:
    found = rows("# 规则\n\n## 说明\n\n概述。\n\n第五条 甲。\n\n案例一 乙。\n", "a.md")
    assert [passage.title for passage in found] == ["说明", "第五条", "案例一"]
