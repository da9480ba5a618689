"""Answers may use paragraphs, lists, bold, tables and code; everything else in them is literal."""

import pytest

from core.domain import Citation, Passage
from pages.parts.answer import markdown

PASSAGE = Passage("a#1", "a", "部分", "第一条", "第一条 原文。", 0)
ONE = (Citation(1, PASSAGE, "原文", "grounded"),)


def drawn(answer, citations=ONE):
    return markdown(answer, citations, "blue")


def test_marks_take_the_colour_of_their_mode():
    assert drawn("七日内可退[1]。") == r"七日内可退:blue[\[1\]]。"


def test_a_mark_that_points_nowhere_is_red_and_no_link():
    assert drawn("七日内可退[5]。", (Citation(5, None, "", "dangling"),)) == r"七日内可退:red[\[5\]]。"


def test_paragraphs_bold_and_hard_line_breaks_are_kept():
    assert drawn("第一段 **重点**\n下一行\n\n第二段") == "第一段 **重点**\\\n下一行\n\n第二段"


def test_lists_are_kept_and_their_text_is_literal():
    assert drawn("- 甲 $5\n- 乙\n  - 丙") == "- 甲 \\$5\n- 乙\n    - 丙"


def test_a_table_keeps_its_cells_and_their_marks():
    assert drawn("| 项 | 价 |\n|---|---|\n| a*b | 5[1] |") == "|项|价|\n|---|---|\n|a\\*b|5:blue[\\[1\\]]|"


def test_code_is_shown_and_never_run():
    assert drawn("```mermaid\ngraph TD\n```\n用 `x[1]` 取") == "~~~\ngraph TD\n~~~\n\n用 `x[1]` 取"


def test_an_open_code_block_still_streaming_ends_with_the_answer():
    assert drawn("```py\nx = 1") == "~~~\nx = 1\n~~~"


@pytest.mark.parametrize(
    "hostile", ["# 标题", "> 引文", "<b>x</b>", "$x$ 与 $y$", ":red[x]", "![a](http://x/y)", "~~x~~"]
)
def test_everything_else_is_escaped(hostile):
    assert "\\" in drawn(hostile)
    assert drawn(hostile).replace("\\", "").replace(":gray[]", "") == hostile


def test_a_mark_inside_a_quoted_source_stays_text():
    assert drawn("“原文 [5] 如此”[1]") == r"“原文 \[5\] 如此”:blue[\[1\]]"


def test_private_code_points_of_an_answer_cannot_stand_for_a_mark():
    assert drawn("甲\U000f0000乙[1]") == "甲\ufffd乙:blue[\\[1\\]]"
