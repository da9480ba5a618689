"""How a finished comparison looks: folded answers, sources in lines, dates by language, and presenter view."""

from dataclasses import replace

import pytest

from core.archive import Archive
from core.asking import entrants
from core.bench import open_bench
from core.environment import load
from core.race import compare
from pages.parts.answer import blocks, lead
from pages.parts.sources import FEW
from tests.app.conftest import ask, compared, drawn, plain, text, visit

OPENING = (
    "装修工人用了电梯，之后电梯坏了，物业要业主赔几千元；监控只拍到他进去，电梯以前就坏过，"
    "一张报价单又说明不了问题，这钱到底该谁付？"
)
CREATED = "2026-11-30T02:57:00+00:00"


@pytest.fixture
def kept(home):
    """The address of the opening dispute's comparison."""
    whole = replace(compare(open_bench(load()), entrants(OPENING, None, None, {})), created=CREATED)
    Archive(home).keep(whole)
    return whole.id


def sources(column):
    return [popover for popover in column.get("popover")]


def test_all_answers_fold_and_unfold_together(kept):
    at = visit(c=kept).run()
    folded = [column.markdown for column in compared(at)]
    assert all(any(":gray[…]" in element.value for element in column) for column in folded)
    at.toggle(key="unfold").set_value(True).run()
    assert not at.exception
    assert not any(":gray[…]" in element.value for column in compared(at) for element in column.markdown)


def test_a_folded_column_lists_few_sources_and_counts_the_rest(kept):
    at = visit(c=kept).run()
    agentic = compared(at)[2]
    assert len(sources(agentic)) == FEW - 1
    assert any(caption.value.startswith("另引用") for caption in agentic.caption)
    at.toggle(key="unfold").set_value(True).run()
    assert len(sources(compared(at)[2])) > FEW


def test_what_was_not_cited_is_drawn_when_its_fold_is_opened(kept):
    at = visit(c=kept).run()
    before = len(at.get("popover"))
    at.session_state["uncited.0"] = True
    at.run()
    assert not at.exception and len(at.get("popover")) > before


@pytest.mark.parametrize(("locale", "when"), [("zh-CN", "2026年11月30日 10:57"), ("en-US", "30 Nov 2026, 10:57")])
def test_a_date_is_written_in_the_readers_language_and_time_zone(kept, locale, when):
    at = visit(locale, c=kept)
    at.context["timezone"] = "Asia/Shanghai"
    assert when in plain(text(at.run()))


def test_above_the_columns_a_line_leads_to_the_explanation_and_below_them_to_the_lessons(kept):
    at = visit(c=kept).run()
    assert "](#explain)" in text(at)
    links = {link.label: link.query_string for link in at.get("page_link")}
    assert f"topic=playback&c={kept}" in links["逐步回放"] and f"c={kept}" in links["盲评投票"]


def test_presenter_view_shows_the_comparison_and_nothing_else(kept):
    at = visit(c=kept, present="1").run()
    assert not at.exception and not at.text_area and drawn(at, "figures") is None
    shown = drawn(at, "presenter")
    assert shown["question"] == OPENING and [column["state"] for column in shown["columns"]] == ["完成"] * 3
    assert all(column["blocks"] and column["sources"] for column in shown["columns"])
    assert "×" in shown["columns"][2]["figures"] and "×" not in shown["columns"][0]["figures"]


def test_presenter_view_is_entered_and_left_by_a_button(kept):
    at = visit(c=kept).run()
    at.button(key="present").click().run()
    assert drawn(at, "presenter") and at.query_params["present"] == "1"
    at.button(key="leave").click().run()
    assert drawn(at, "presenter") is None and drawn(at, "figures") and len(compared(at)) == 3


def test_presenter_view_of_a_comparison_without_answers_says_so_and_lists_the_evidence(home):
    at = ask(visit().run(), retrieval_only=True)
    at.button(key="present").click().run()
    column = drawn(at, "presenter")["columns"][0]
    assert column["absent"] == "只做检索，没有作答" and len(column["sources"]) == 5


def test_one_mode_alone_shows_its_whole_answer(kept):
    at = visit(c=kept).run()
    at.get_by_key("view").set_value("agentic").run()
    assert not at.exception and ":gray[…]" not in text(at)


def test_a_folded_answer_ends_with_a_whole_sentence_and_its_mark():
    long = "".join(f"第{n}句话说明物业应当提供的材料和依据[{n}]。" for n in range(1, 60))
    beginning = lead(long, rows=3)
    assert long.startswith(beginning) and beginning.endswith("。") and 40 < len(beginning) < 80


def test_a_folded_answer_does_not_end_with_the_title_of_what_is_left_out():
    answer = "\n\n".join(f"**第{n}点**\n{'说明。' * 40}" for n in range(1, 6))
    assert lead(answer, rows=8).endswith("说明。")
    assert lead("短答案[1]。") == "短答案[1]。"


def test_an_answer_is_read_into_blocks_that_hold_plain_text():
    found = blocks("**重点** <b>x</b>\n\n- 甲 `$5`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nx = 1\n```", ())
    assert [block.kind for block in found] == ["text", "item", "table", "code"]
    assert [(span.text, span.bold) for span in found[0].lines[0]] == [("重点", True), (" <b>x</b>", False)]
    assert found[1].lines[0][1].kind == "code" and found[3].code == "x = 1"
