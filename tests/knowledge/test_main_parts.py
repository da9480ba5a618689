"""Main parts numbered 一、二、三、: headings where they head something, and never what an article lists."""

from __future__ import annotations

import time

import pytest

from core.knowledge.splitting import Piece, split

BODY = "物业服务企业应当按照合同约定提供服务并接受业主监督。"
NOTICE = f"""关于电梯的通知

现将有关事项通知如下：

一、总体要求
{BODY}

**二、提高认识，加强领导**

（一）分工
{BODY}
（二）责任
{BODY}

三、其他
{BODY}"""


def headings(text: str) -> list[tuple[str, ...]]:
    return [piece.path for piece in split(text) if piece.kind == "heading"]


def articles(text: str) -> list[Piece]:
    return [piece for piece in split(text) if piece.kind == "article"]


def test_the_main_parts_of_a_notice_are_headings_of_the_section_path() -> None:
    assert headings(NOTICE) == [("一、总体要求",), ("二、提高认识，加强领导",), ("三、其他",)]
    found = [piece for piece in split(NOTICE) if piece.kind == "paragraph"]
    assert [piece.path for piece in found[1:]] == headings(NOTICE)
    assert found[2].text.startswith("（一）分工")


def test_they_lie_below_markdown_headings_and_chapters_and_begin_anew_in_each() -> None:
    text = "## 安装\n\n一、准备\n\n带工具。\n\n二、检查\n\n看外观。\n\n第二章 保养\n一、清洁\n擦。\n二、上油\n抹。"
    assert headings(text) == [
        ("安装",),
        ("安装", "一、准备"),
        ("安装", "二、检查"),
        ("安装", "第二章 保养"),
        ("安装", "第二章 保养", "一、清洁"),
        ("安装", "第二章 保养", "二、上油"),
    ]


def test_parts_with_articles_below_them_head_their_articles() -> None:
    found = articles("一、总则\n第一条 甲。\n第二条 乙。\n二、附则\n第三条 丙。")
    assert [(piece.path, piece.label) for piece in found] == [
        (("一、总则",), "第一条"),
        (("一、总则",), "第二条"),
        (("二、附则",), "第三条"),
    ]


@pytest.mark.parametrize("between", ["", "罚款。\n", "\n罚款。\n\n"])
def test_what_an_article_lists_stays_in_it(between: str) -> None:
    text = f"第五条 有下列情形之一的，处罚：\n一、逾期不交\n{between}二、拒绝检查\n{between}第六条 乙。"
    found = articles(text)
    assert [piece.label for piece in found] == ["第五条", "第六条"] and headings(text) == []
    assert "二、拒绝检查" in found[0].text


@pytest.mark.parametrize(
    "text",
    [
        "需要准备：\n\n一、身份证\n二、户口本\n三、照片",
        "需要准备：\n\n一、身份证\n\n二、户口本\n\n完毕。",
        "一、牛奶\n两箱\n\n二、面包\n全麦",
        "一、牛奶\n两箱\n\n二、面包\n全麦\n\n三、送货\n请在周一上午送到。",
        f"一、{BODY}\n二、{BODY}",
        f"一、总则\n{BODY}\n三、附则\n{BODY}",
        f"二、职责\n{BODY}\n三、附则\n{BODY}",
        f"一、总则\n{BODY}",
        f"一、总则\n{BODY}\n二、{BODY}\n三、附则\n{BODY}",
        "依照\n甲方与\n一、乙方\n签的合同。\n二、丙方\n签的合同。",
        "```\n一、总则\n正文。\n二、附则\n正文。\n```",
        "行 2\n条目：甲\n一、总则\n正文。\n二、附则\n正文。",
    ],
)
def test_a_list_and_what_does_not_count_on_from_one_is_no_heading(text: str) -> None:
    assert headings(text) == []


@pytest.mark.parametrize("below", ["（一）分工", "1. 分工", "| 项 | 值 |\n|---|---|\n| 甲 | 1 |", "分工如下："])
def test_items_and_tables_are_text_that_a_part_can_head(below: str) -> None:
    assert headings(f"一、总则\n{below}\n\n二、附则\n{below}") == [("一、总则",), ("二、附则",)]


@pytest.mark.parametrize("block", ["第一条 甲\n一、标题\n\n", "一、标题\n\n", "一、标题\n二、标题\n甲\n"])
def test_a_long_document_of_numbered_lines_takes_little_time(block: str) -> None:
    text = block * (50_000 // block.count("\n"))
    began = time.process_time()
    assert headings(text) == []
    assert time.process_time() - began < 1.5
