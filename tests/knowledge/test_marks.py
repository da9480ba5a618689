"""Where headings, articles, cases and rows begin."""

from __future__ import annotations

import pytest

from core.knowledge.marks import Mark, marks


def found(text: str) -> list[Mark]:
    return marks(text.split("\n"))


def labels(text: str) -> list[str]:
    return [mark.label or mark.title for mark in found(text)]


def test_a_number_grown_together_counts_where_it_alone_is_missing_in_the_sequence() -> None:
    assert labels("第七条 甲。\n\n第八 条侦查人员应当勘验。\n\n第九条 乙。") == ["第七条", "第八 条", "第九条"]
    assert labels("第七条 甲。\n第八条侦查人员另有办法。\n第八条 乙。\n第九条 丙。") == ["第七条", "第八条", "第九条"]
    assert labels("第七条 甲。\n第八条侦查人员另有办法。") == ["第七条"]


def test_a_comment_above_a_rule_is_no_heading() -> None:
    assert found("<!-- INFO END -->\n---\n正文。") == []


def test_what_follows_a_join_is_told_apart() -> None:
    text = "第一条 甲\n\n<!-- join -->\n\n第二条 乙。\n<!-- cut -->\n第三条 丙。"
    assert [(mark.label, mark.joined) for mark in found(text)] == [
        ("第一条", False),
        ("第二条", True),
        ("第三条", False),
    ]


@pytest.mark.parametrize("line", ["行 12", "Row 12"])
def test_a_row_stands_alone_on_its_line_above_its_fields(line: str) -> None:
    assert [(mark.kind, mark.label) for mark in found(f"{line}\n型号：XR-2200")] == [("row", line)]
    assert found(f"{line} 的说明\n型号：XR-2200") == []
    assert found(f"{line}\n\n型号：XR-2200") == []


def test_after_a_row_only_rows_and_headings_begin() -> None:
    assert labels("行 1\n条款：甲\n第一条 乙\n第二章 丙\n# 表二\n行 1\n条款：丁") == ["行 1", "表二", "行 1"]


def test_marks_in_a_code_fence_are_none() -> None:
    assert labels("```\n# 题\n第一条 甲\n行 1\n甲：乙\n```\n# 真题") == ["真题"]
