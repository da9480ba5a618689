"""Long texts to windows: nothing is lost, nothing whole is broken, and each cut falls at the best place there is."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from core.knowledge.layout import directive, fences, layout
from core.knowledge.reading import read_file
from core.knowledge.splitting import Piece, Splitting, cuts, split

CASES = Path(__file__).parents[1] / "cases"
TEXTS = sorted(path for path in CASES.glob("*") if re.match(r"(md|txt)_(?!binary)", path.name))
SETTINGS = [Splitting(600), Splitting(600, 120), Splitting(80), Splitting(80, 30), Splitting(25, 10), Splitting(7, 3)]
LINES = (
    """
# 总则|## 范围 ##|##紧贴|#标签|章程|====|----|---|***|||| \t|```py|```|~~~|第一条 正文。|第二条正文
第二条规定的|**第三条** 乙|### 第四条 题|案例一 标题：正文|第一章  总 则|附则|> 引文|<!-- 注|-->|- 项
  - 子项，说明|1. 首先|（一）其一；|一、基本要求|二、其他要求|Article 2 Scope|依照|<!-- cut -->|<!-- join -->
<!-- INFO END -->
行 12|型号：XR-2200|Row 3|Model: XR-2200|![图](a.png)|[图：外观]|图 3 外观|Table 2. Sizes|如下：|价格见下表。
他说：“先看。再动手。”然后走了。|\u200b|（一）|“|”|**注意**
""".strip("\n")
    .replace("\n", "|")
    .split("|")
)
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
    plain = re.sub(r"[\s#=*_-]+", "", source)
    if piece.kind in ("article", "case") and re.sub(r"[\s#=*_-]+", "", piece.text) == plain:
        return True
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


def texts(text: str, longest: int, overlap: int = 0) -> list[str]:
    return [piece.text for piece in split(text, Splitting(longest, overlap)) if piece.kind == "paragraph"]


def test_paragraphs_stay_whole_where_they_fit_and_are_cut_at_sentences_where_they_do_not() -> None:
    found = texts("# 题\n第一段只有一句话。\n\n第二段第一句话。第二段第二句话。第二段第三句话。\n\n第三段。", 18)
    assert found == ["第一段只有一句话。", "第二段第一句话。第二段第二句话。", "第二段第三句话。\n\n第三段。"]


def test_a_cut_leaves_quotations_numbers_and_abbreviations_whole() -> None:
    text = (
        "他说：“先看图纸。再动手。否则说不清。”张三点头。Dr. Smith tested No. 5 of v2.1 at 3.5 kV. It works, e.g. here."
    )
    assert texts(text, 44) == [
        "他说：“先看图纸。再动手。否则说不清。”张三点头。",
        "Dr. Smith tested No. 5 of v2.1 at 3.5 kV.",
        "It works, e.g. here.",
    ]
    assert texts("依照《管理规定。（试行）》办理。《另一规定》也适用。", 16) == [
        "依照《管理规定。（试行）》办理。",
        "《另一规定》也适用。",
    ]


def test_a_quote_or_emphasis_right_after_a_stop_opens_the_next_sentence() -> None:
    assert texts('甲先走了。"你好"乙说。', 8) == ["甲先走了。", '"你好"乙说。']
    assert texts("甲先走了。**注意**安全。", 9) == ["甲先走了。", "**注意**安全。"]
    assert texts("**甲先走了。**乙后走了。", 10) == ["**甲先走了。**", "乙后走了。"]


def test_words_and_numbers_are_not_broken_where_there_is_no_stop() -> None:
    found = texts("型号XR2200与型号KT1000000以及型号AB300均可", 12)
    assert found == ["型号XR2200与型号", "KT1000000以及型", "号AB300均可"]
    assert max(map(len, texts("x" * 95, 30))) == 30


def test_lines_broken_by_hand_within_a_sentence_are_no_place_to_cut() -> None:
    first = "The cabin door closes only when both landing doors are shut and the\nlight curtain is free."
    second = "A second sentence of about the same length follows here, so that a\ncut is needed."
    assert texts(f"{first} {second}", 120) == [first, second]


def test_a_list_is_cut_between_items_and_its_introduction_stays_with_the_first() -> None:
    text = (
        "安装之前先做下列准备。安装步骤如下：\n\n- 断电\n  - 拉下总闸\n  - 挂牌并锁定\n- 验电，用合格的验电笔\n- 放电"
    )
    assert texts(text, 38) == [
        "安装之前先做下列准备。",
        "安装步骤如下：\n\n- 断电\n  - 拉下总闸\n  - 挂牌并锁定",
        "- 验电，用合格的验电笔\n- 放电",
    ]


def test_chinese_numbering_nests_and_a_short_item_leads_what_follows() -> None:
    text = "（一）要求\n\n各部门应当落实责任，保证安全。\n\n"
    text += "（二）措施\n1.加强管理：\n① 建立台账；\n② 定期检查；\n2.强化监督。"
    assert texts(text, 32) == [
        "（一）要求\n\n各部门应当落实责任，保证安全。",
        "（二）措施\n1.加强管理：\n① 建立台账；\n② 定期检查；",
        "2.强化监督。",
    ]


@pytest.mark.parametrize("mark", ["{}、", "（{}）", "第{}，"])
def test_long_items_are_cut_between_items_first(mark: str) -> None:
    items = [mark.format(number) + "应当按约定提供服务。" * 9 for number in "一二三四五六"]
    assert texts("# 要求\n" + "\n".join(items), 210) == ["\n".join(items[at : at + 2]) for at in (0, 2, 4)]


TABLE = "| 型号 | 价 |\n|---|---|\n| A\\|B | 3,500 |\n| C | 3,600 |\n| D | 3,700 |"


def test_a_table_too_long_is_cut_between_rows_and_repeats_its_header() -> None:
    found = [p for p in split(f"# 价\n{TABLE}\n\n以上。", Splitting(46)) if p.kind == "paragraph"]
    head = "| 型号 | 价 |\n|---|---|\n"
    assert [p.text for p in found] == [
        head + "| A\\|B | 3,500 |",
        head + "| C | 3,600 |",
        head + "| D | 3,700 |\n\n以上。",
    ]
    assert [(p.first, p.last) for p in found] == [(2, 4), (5, 5), (6, 8)]
    assert found[1].end - found[1].start == len("| C | 3,600 |")


def test_a_table_that_fits_stays_with_its_caption_and_the_sentence_before() -> None:
    text = (
        "先说别的事情，说得长一些。再说价格见下表。\n\n表 1 价格\n\n" + TABLE + "\n\n后面另有一段文字，也说得长一些。"
    )
    assert texts(text, 90) == [
        "先说别的事情，说得长一些。",
        "再说价格见下表。\n\n表 1 价格\n\n" + TABLE,
        "后面另有一段文字，也说得长一些。",
    ]


def test_a_table_without_leading_pipes_is_one_and_a_row_is_never_cut() -> None:
    row = "XR-2200 | " + "很长的说明，" * 10
    found = texts(f"型号 | 说明\n--- | ---\n{row}\nXR-2201 | 短", 40)
    assert found == [f"型号 | 说明\n--- | ---\n{row}", "型号 | 说明\n--- | ---\nXR-2201 | 短"]


@pytest.mark.parametrize(
    "caption", ["图 3 外观", "[图：外观]", "[图]\n门的外观", "![外观](a.png)", "Figure 3. Front view"]
)
def test_a_caption_stays_with_the_text_beside_it(caption: str) -> None:
    found = texts(f"第一段说明一件事。\n\n第二段说明外观。\n\n{caption}\n\n第三段说明另外的事情，而且说得很长。", 34)
    assert f"第二段说明外观。\n\n{caption}" in found[0] + found[1]
    assert caption not in (found[-1], found[1])


def test_words_right_above_a_table_stay_with_it() -> None:
    text = f"先说一件别的事，说得长一些。\n\n各型号的售价\n{TABLE}"
    assert texts(text, 84) == ["先说一件别的事，说得长一些。", f"各型号的售价\n{TABLE}"]


def test_a_sentence_about_a_figure_is_no_caption() -> None:
    assert texts("先说一件别的事。\n\n图 3 所示的门已经关闭。\n\n再说一件别的事。", 22) == [
        "先说一件别的事。",
        "图 3 所示的门已经关闭。",
        "再说一件别的事。",
    ]


def test_a_code_fence_that_fits_is_never_cut() -> None:
    fence = "```\nfirst line. Second.\n\nthird line\n```"
    assert texts(f"说明文字，说明文字，说明文字。\n\n{fence}\n\n后面的文字。", 40) == [
        "说明文字，说明文字，说明文字。",
        fence,
        "后面的文字。",
    ]


def test_a_window_repeats_whole_sentences_or_items_of_the_one_before() -> None:
    found = texts("第一句话在这里。第二句话在这里。第三句话在这里。第四句话在这里。", 24, 10)
    assert found == ["第一句话在这里。第二句话在这里。第三句话在这里。", "第三句话在这里。第四句话在这里。"]
    assert texts("- 甲项目\n- 乙项目\n- 丙项目\n- 丁项目", 18, 6) == [
        "- 甲项目\n- 乙项目\n- 丙项目",
        "- 丙项目\n- 丁项目",
    ]
    assert texts("第一句话在这里。第二句话在这里。第三句话在这里。", 16, 7)[1] == "第三句话在这里。"


def test_plain_cuts_never_exceed_what_is_asked_even_in_tables() -> None:
    row = "| " + "很长的说明" * 30 + " |"
    text = f"| 甲 |\n|---|\n{row}\n\n正文。"
    found = [text[start:stop] for start, stop in cuts(text, 40)]
    assert max(map(len, found)) <= 40
    assert re.sub(r"\s", "", "".join(found)) == re.sub(r"\s", "", text)
    assert cuts(" \n", 5) == []
