"""How a finished comparison looks: folded answers, sources in lines, dates by language, and presenter view."""

from dataclasses import replace

import pytest

from core.archive import Archive
from core.asking import entrants
from core.bench import open_bench
from core.domain import Say
from core.environment import load
from core.race import compare
from pages.parts.answer import blocks
from pages.parts.column import ANSWER_HEIGHT
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
    assert [len(column.get("bidi_component")) for column in compared(at)] == [1, 1, 1]
    at.toggle(key="unfold").set_value(True).run()
    assert not at.exception
    assert [len(column.get("bidi_component")) for column in compared(at)] == [0, 0, 0]


def test_a_folded_answer_has_its_room_and_what_is_wrong_with_it_stands_below(home, kept):
    whole = Archive(home).open(kept)
    broken = replace(whole.runs[0], error=Say.of("run.crashed", kind="OSError", reason="<b>disk</b>"))
    Archive(home).keep(replace(whole, id="0123456789ab", runs=(broken, *whole.runs[1:])))
    at = visit(c="0123456789ab").run()
    first = drawn(at, "folded")
    assert first["height"] == ANSWER_HEIGHT and first["blocks"]
    assert [(note["bad"], "<b>disk</b>" in note["text"]) for note in first["notes"]] == [(True, True)]


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


def test_presenter_view_of_what_cannot_be_opened_is_the_ordinary_page(home):
    at = visit(c="nonesuch", present="1").run()
    assert drawn(at, "presenter") is None and "并排作答" in text(at) and at.warning and at.text_area(key="question")


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
    assert not at.exception and drawn(at, "folded") is None
    assert len(compared(at)) == 0 and any("[1]" in element.value for element in at.markdown)


def test_an_answer_is_read_into_blocks_that_hold_plain_text():
    found = blocks("**重点** <b>x</b>\n\n- 甲 `$5`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nx = 1\n```", ())
    assert [block.kind for block in found] == ["text", "item", "table", "code"]
    assert [(span.text, span.bold) for span in found[0].lines[0]] == [("重点", True), (" <b>x</b>", False)]
    assert found[1].lines[0][1].kind == "code" and found[3].code == "x = 1"


@pytest.mark.parametrize(
    ("given", "locale"), [("en", "zh-CN"), ("English", "zh-CN"), ("zh", "en-US"), ("中文", "en-US")]
)
def test_the_address_names_a_language_by_its_code_and_older_addresses_still_work(home, given, locale):
    at = visit(locale, lang=given).run()
    code = {"English": "en", "中文": "zh"}.get(given, given)
    assert at.get_by_key("lang").value == code and drawn(at, "addressed")["values"]["lang"] == code
    del at.query_params["lang"]
    at.switch_page("pages/library.py").run()
    assert at.get_by_key("lang").value == code and drawn(at, "addressed")["values"]["lang"] == code


def test_the_address_names_no_language_where_it_is_the_readers_own(home):
    at = visit("en-US", lang="en").run()
    assert drawn(at, "addressed")["values"]["lang"] == ""
    at.get_by_key("lang").set_value("zh").run()
    assert at.query_params["lang"] == "zh"
    at.get_by_key("lang").set_value("en").run()
    assert "lang" not in at.query_params and at.get_by_key("lang").value == "en"
