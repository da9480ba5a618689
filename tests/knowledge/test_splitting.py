"""Documents to pieces: articles, headings, notes and paragraphs, and nothing lost on the way."""

from __future__ import annotations

import hashlib
import random
import re
from pathlib import Path

import pytest

from core.knowledge.reading import read_file
from core.knowledge.splitting import Piece, cuts, split

CASES = Path(__file__).parents[1] / "cases"
TEXTS = sorted(path.name for path in CASES.glob("*") if re.match(r"(md|txt)_(?!binary)", path.name))


def pieces(name: str) -> tuple[Piece, ...]:
    return split(read_file(CASES / name).text)


def paths(found: tuple[Piece, ...], kind: str) -> list[tuple[str, ...]]:
    return [piece.path for piece in found if piece.kind == kind]


def squashed(text: str) -> str:
    return re.sub(r"[\s#=*_-]+", "", text)


@pytest.mark.parametrize("name", TEXTS)
def test_every_character_of_a_case_file_is_in_some_piece(name: str) -> None:
    text = read_file(CASES / name).text
    assert squashed("".join(piece.text for piece in split(text))) == squashed(text)


def test_every_character_of_any_mixture_is_in_some_piece_and_on_its_lines() -> None:
    parts = (
        ["# 总则", "## 范围 ##", "##紧贴", "#标签", "章程", "====", "----", "---", "***", "", "", " \t", "```py", "```"]
        + [
            "第一条 正文。",
            "第二条正文",
            "第二条规定的",
            "**第三条** 乙",
            "### 第四条 题",
            "案例一 标题：正文",
            "第一章  总 则",
        ]
        + [
            "附则",
            "> 引文",
            "<!-- 注",
            "-->",
            "| 甲 | 乙 |",
            "|---|---|",
            "- 项",
            "Article 2 Scope",
            "正文。" * 90,
            "依照",
            "一、总则",
            "二、职责",
            "三、有下列情形的，",
        ]
    )
    chance = random.Random(7)
    for _ in range(1500):
        text = "\n".join(chance.choices(parts, k=chance.randint(1, 14)))
        found = split(text)
        assert squashed("".join(piece.text for piece in found)) == squashed(text), text
        lines = text.split("\n")
        assert all(piece.text in "\n".join(lines[piece.first - 1 : piece.last]) for piece in found), text


def test_each_article_keeps_its_body_and_a_reference_at_a_line_start_stays_inside() -> None:
    found = {piece.label: piece for piece in pieces("txt_articles_same_line.txt") if piece.kind == "article"}
    assert list(found) == ["第一条", "第二条", "第三条", "第四条", "第五条", "第六条", "第六条之一"]
    assert found["第五条"].text == "第五条 连续旷工三日的，依照\n第六条规定的程序解除合同。"
    assert found["第四条"].text == "第四条\u3000请假须提前一日申请（全角空格）。"
    assert found["第六条之一"].text == "第六条之一 通知应当载明理由。"
    assert {piece.path for piece in found.values()} == {("员工考勤管理办法", "第一章 总则")}


@pytest.mark.parametrize("reference", ["第一条 第二款的程序办理。", "第一条\n的规定办理。", "第一条、第三条办理。"])
def test_a_reference_set_apart_stays_in_its_article_where_the_line_before_runs_on(reference: str) -> None:
    found = split(f"第一条 甲。\n第二条 有争议的，依照\n{reference}\n第三条 乙。")
    assert [piece.label for piece in found] == ["第一条", "第二条", "第三条"]


def test_an_article_alone_on_its_line_takes_the_text_below() -> None:
    found = split("第一条\n甲方提供设备\n第二条\n乙方支付价款")
    assert [piece.text for piece in found] == ["第一条\n甲方提供设备", "第二条\n乙方支付价款"]


def test_numbers_grown_together_with_their_text_count_only_in_sequence() -> None:
    found = split(
        "第一条为了规范管理，制定本办法。\n第二条本办法适用于员工。\n第一条所称员工包括临时工。\n第三条附则。"
    )
    assert [piece.label for piece in found] == ["第一条", "第二条", "第三条"]
    assert "临时工" in found[1].text


def test_articles_in_headings_and_bold_are_articles() -> None:
    found = split("# 规则\n## 第一章 总则\n### 第一条 范围\n适用于全体。\n### 第二条 只有标题行。\n**第三条** 粗体。")
    assert [(piece.label, piece.text) for piece in found if piece.kind == "article"] == [
        ("第一条", "第一条 范围\n适用于全体。"),
        ("第二条", "第二条 只有标题行。"),
        ("第三条", "**第三条** 粗体。"),
    ]
    assert paths(found, "article") == [("规则", "第一章 总则")] * 3


def test_cases_and_english_articles_are_numbered_too() -> None:
    assert [p.label for p in split("案例一 监控缺失：正文。\n案例一中的人不是案例。\n案例 2：正文。")] == [
        "案例一",
        "案例 2",
    ]
    found = split("Chapter 1 General\nArticle 1 Scope. All lifts.\nArticle 1 provides nothing new.\nArticle 2\nBody")
    assert [p.label for p in found if p.kind == "article"] == ["Article 1", "Article 2"]


def test_a_comment_in_a_code_fence_is_no_heading() -> None:
    titles = [path[-1] for path in paths(pieces("md_headings_in_code_fence.md"), "heading")]
    assert titles == ["安装手册", "准备", "启动", "端口"]


def test_underlined_and_loose_headings_are_told_from_tags_tables_and_rules() -> None:
    found = pieces("md_setext_and_loose_headings.md")
    assert [path[-1] for path in paths(found, "heading")] == ["公司制度", "总则", "没有空格的标题", "带尾号的标题"]
    last = found[-1].text
    assert "#标签 不是标题" in last and "---|---" in last and last.endswith("分隔线之后的正文丁。")


def test_headings_of_the_same_name_keep_their_full_paths() -> None:
    assert paths(pieces("md_duplicate_headings.md"), "paragraph") == [
        ("产品手册", "型号甲", "保修"),
        ("产品手册", "型号乙", "保修"),
        ("产品手册", "型号丙", "保修"),
    ]


def test_empty_headings_make_no_passage_and_end_the_path() -> None:
    found = pieces("md_empty_sections.md")
    assert [(p.path, p.text) for p in found if p.kind == "paragraph"] == [
        (("目录", "有内容"), "内容在这里。"),
        ((), "无名标题下的正文。"),
    ]


def test_a_quotation_before_the_first_article_is_a_note_and_later_ones_belong_to_their_article() -> None:
    found = split("# 规则\n\n> 本规则为虚构示例。\n\n<!-- 说明 -->\n\n第一条 甲。\n> 旁注\n\n第二条 乙。")
    assert [p.text for p in found if p.kind == "note"] == ["> 本规则为虚构示例。", "<!-- 说明 -->"]
    assert found[-2].text == "第一条 甲。\n> 旁注"


def test_without_articles_a_quotation_is_text_like_any_other() -> None:
    assert [p.kind for p in split("# 手册\n\n> 注意：断电后操作。\n\n正文。")] == ["heading", "paragraph"]


@pytest.mark.parametrize(
    "text",
    [
        "---\n第一条 押金五百元。\n\n第二条 运费十元。\n---\n\n第三条 其他。\n",
        "---\n第一条: 押金五百元。\n---\n\n第三条 其他。\n",
        "---\n一段话，没有键。\n---\n正文。\n",
    ],
)
def test_what_stands_between_two_rules_and_has_no_keys_is_text(text: str) -> None:
    held = "".join(piece.text for piece in split(text) if piece.kind not in ("note", "heading"))
    assert all(words in held for words in re.findall(r"押金五百元|运费十元|其他|一段话，没有键|正文", text))


def test_front_matter_is_a_note_and_no_heading() -> None:
    found = split("---\ntitle: 规则\n---\n# 规则\n正文。")
    assert [(p.kind, p.path) for p in found] == [("note", ()), ("heading", ("规则",)), ("paragraph", ("规则",))]


def test_plain_chapter_lines_nest_and_take_the_level_of_headings_of_their_kind() -> None:
    found = split(
        "办法\n第一编 总编\n第一章 总则\n第一节 目的\n第一条 甲。\n第二章 分则\n第二条 乙。\n附　则\n第三条 丙。"
    )
    assert paths(found, "article") == [
        ("办法", "第一编 总编", "第一章 总则", "第一节 目的"),
        ("办法", "第一编 总编", "第二章 分则"),
        ("办法", "第一编 总编", "附则"),
    ]
    assert paths(split("# 法\n## 第一章 总则\n第一条 甲。\n附则\n第二条 乙。"), "article")[-1] == ("法", "附则")


def test_a_long_text_is_cut_at_blank_lines_before_line_ends_before_sentences() -> None:
    paragraph = "每句十个字总共有十一。" * 20
    found = [
        p for p in split(f"# 手册\n{paragraph}\n\n{paragraph}\n\n{paragraph}\n{paragraph}") if p.kind == "paragraph"
    ]
    assert [len(p.text) for p in found] == [442, 441]
    assert [(p.first, p.last) for p in found] == [(2, 4), (6, 7)]
    assert all(piece.endswith("。") for piece in (paragraph[a:b] for a, b in cuts(paragraph, 100)))


def test_a_line_without_any_stop_is_cut_at_the_limit() -> None:
    found = pieces("txt_one_long_line_no_punct.txt")
    assert max(len(piece.text) for piece in found) == 600
    assert "".join(piece.text for piece in found) == read_file(CASES / "txt_one_long_line_no_punct.txt").text


def labelled(text: str) -> list[tuple[str, str]]:
    return [(piece.label, piece.text) for piece in split(text) if piece.kind not in ("heading", "note")]


def test_an_author_cuts_an_article_into_parts_with_labels_of_their_own() -> None:
    text = "第五条 甲。\n\n<!-- cut -->\n乙。\n<!-- cut -->\n丙。\n第六条 丁。"
    assert labelled(text) == [
        ("第五条", "第五条 甲。"),
        ("第五条（2）", "乙。"),
        ("第五条（3）", "丙。"),
        ("第六条", "第六条 丁。"),
    ]
    assert [label for label, _ in labelled("Article 5 One.\n<!-- CUT -->\nTwo.")] == ["Article 5", "Article 5 (2)"]
    assert [piece.text for piece in split(text) if piece.kind == "note"] == ["<!-- cut -->"] * 2


def test_an_author_cuts_short_text_and_a_table_which_repeats_its_header() -> None:
    text = "# 题\n一段。\n<!-- cut -->\n二段。\n| a |\n|---|\n| 1 |\n<!-- cut -->\n| 2 |"
    assert labelled(text) == [("", "一段。"), ("", "二段。\n| a |\n|---|\n| 1 |"), ("", "| a |\n|---|\n| 2 |")]


def test_an_article_cut_within_a_table_repeats_the_header_in_each_part() -> None:
    text = "第一条 价：\n| a |\n|---|\n| 1 |\n<!-- cut -->\n| 2 |\n<!-- cut -->\n| 3 |\n其他。"
    assert [part for _, part in labelled(text)][1:] == ["| a |\n|---|\n| 2 |", "| a |\n|---|\n| 3 |\n其他。"]


def test_an_author_joins_articles_to_one_labelled_by_the_first() -> None:
    text = "# 法\n第一条 甲\n<!-- join -->\n第二条 乙。\n<!-- join -->\n## 第二章 分则\n第三条 丙。"
    assert labelled(text) == [("第一条", "第一条 甲\n第二条 乙。\n## 第二章 分则"), ("第三条", "第三条 丙。")]
    assert paths(split(text), "article") == [("法",), ("法", "第二章 分则")]


def test_an_author_joins_the_paragraph_before_an_article_to_it() -> None:
    text = "# 法\n说明一。\n\n说明二。\n<!-- join -->\n### 第一条 范围\n甲。\n第二条 乙。"
    found = labelled(text)
    assert found == [("", "说明一。"), ("第一条", "说明二。\n### 第一条 范围\n甲。"), ("第二条", "第二条 乙。")]


def test_an_author_joins_paragraphs_however_long_they_are() -> None:
    first, second, third = "一段。" * 150, "二段。" * 150, "三段。" * 150
    found = labelled(f"# 题\n{first}\n<!-- join -->\n{second}\n\n{third}")
    assert found == [("", f"{first}\n{second}"), ("", third)]


def test_a_directive_in_a_code_fence_or_beside_other_text_is_text() -> None:
    text = "```\n<!-- cut -->\n```\n见 <!-- cut --> 处。"
    assert labelled(text) == [("", text)]


def test_each_row_of_a_sheet_is_a_passage_even_if_its_cells_hold_articles() -> None:
    text = (
        "# 价目\n## 甲表\n行 2\n型号：XR-2200\n条款：第一条\n第二条 约定\n\n行 3\n型号：KT-1\n## 乙表\nRow 1\nModel: X"
    )
    rows = [piece for piece in split(text) if piece.kind == "row"]
    assert [piece.label for piece in rows] == ["行 2", "行 3", "Row 1"]
    assert rows[0].text == "行 2\n型号：XR-2200\n条款：第一条\n第二条 约定"
    assert [piece.path[-1] for piece in rows] == ["甲表", "甲表", "乙表"]
    assert labelled("行 12\n没有栏目的正文。") == [("", "行 12\n没有栏目的正文。")]


def test_the_dates_of_adoption_before_the_first_article_are_a_passage_and_comments_are_not() -> None:
    text = "# 某法\n\n1979年7月1日 通过\n\n<!-- INFO END -->\n\n## 第一章 总则\n\n第一条 甲。"
    assert labelled(text) == [("", "1979年7月1日 通过"), ("第一条", "第一条 甲。")]


def test_characters_without_width_make_no_passage_but_are_covered() -> None:
    found = split("# 题\n\u200b\n\u200b\n## 节\n正文。")
    assert [(piece.kind, piece.text) for piece in found if piece.kind != "heading"] == [
        ("note", "\u200b\n\u200b"),
        ("paragraph", "正文。"),
    ]


def test_an_article_in_a_heading_begins_with_the_words_of_the_heading() -> None:
    text = "### **第一条**　范 围 ###\n\n适用于全体。\n"
    article = split(text)[0]
    assert article.text == "第一条 范围\n\n适用于全体。"
    assert text[article.start : article.end] == text.rstrip("\n")


def test_the_bundled_base_is_cut_as_it_always_was() -> None:
    digest = hashlib.sha256()
    for path in sorted((CASES.parents[1] / "knowledge_base" / "elevator" / "sections").glob("*.md")):
        for piece in split(read_file(path).text):
            if piece.kind not in ("heading", "note"):
                digest.update(
                    "\x1f".join([*piece.path, piece.label, piece.text, str(piece.first), str(piece.last)]).encode()
                )
    assert digest.hexdigest()[:12] == "ef7439f1486d"
