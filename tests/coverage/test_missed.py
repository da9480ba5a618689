"""Gold that was left out: how far it came in every mode, the worst first, and what cannot be said is told apart."""

from __future__ import annotations

import pytest

from core.coverage.missed import document, lines, say_of
from core.coverage.reach import reach
from core.coverage.sought import Sought, Stood, worst_first
from core.coverage.sweep import How
from core.knowledge.questions import Question
from core.words import Words

RULES = "# 售后\n\n第一条 退货期限为七日。\n\n第二条 退货由门店办理。\n\n第三条 发票遗失不补。\n"
ASKED = (
    Question("found", "退货期限是几日？", gold=("a#第一条",)),
    Question("cut", "退货期限是几日，由谁办理？", gold=("a#第一条", "a#第二条")),
    Question("unfound", "zzqq", gold=("a#第三条",)),
    Question("open", "门店在哪里？"),
    Question("astray", "发票怎么补？", gold=("a#第九条",)),
    Question("absent", "几点关门？", kind="unanswerable"),
)


@pytest.fixture(scope="module")
def found(open_base):
    return reach(open_base(a=RULES), ASKED, How(("bm25",), k=1))


def stood(found, id):
    return next(each.stood["bm25"] for each in found.sought if each.id == id)


def test_each_gold_passage_is_told_with_how_far_it_came(found):
    assert stood(found, "found") == (Stood("given", 1),)
    assert sorted(stood(found, "cut"), key=lambda each: each.rank) == [Stood("given", 1), Stood("ranked", 2)]
    assert stood(found, "unfound") == (Stood("unfound"),)


def test_questions_are_missed_where_any_of_their_gold_was_left_out_the_worst_first(found):
    assert [each.id for each in found.missed] == ["unfound", "cut"]
    assert (found.complete("bm25"), len(found.sought)) == (1, 3)


def test_gold_that_is_not_in_the_base_no_gold_at_all_and_no_answer_are_told_apart(found):
    assert (found.astray, found.unjudged, found.unanswerable) == (("astray",), ("open",), ("absent",))
    told = document(found)
    assert (told["gold_not_in_base"], told["without_gold"]) == (["astray"], ["open"])
    said = "\n".join(lines(found, 20, Words("zh")))
    assert "1 个问题写明了标准段落，但知识库里一段也没有（astray）" in said and "1 个问题没有写明" in said


def test_a_passage_that_was_read_and_not_kept_is_said_to_be_read(open_base):
    first = "".join(f"第{n}条 门店第{n}次办理退货，依照本办法第九条处理。\n\n" for n in "一二三四五六七八")
    bench = open_base(a=f"# 甲办法\n\n{first}第九条 货款由总部核对账目以后划出。\n\n第十条 发票遗失不补。\n")
    gold = tuple(passage.id for passage in bench.base.passages)
    (one,) = reach(bench, [Question("q", "门店怎么办理退货？", gold=gold)], How(("agentic",), k=1)).sought
    of = dict(zip(one.gold, one.stood["agentic"], strict=True))
    assert of["a#第九条"] == Stood("read") and of["a#第十条"] == Stood("unfound")  # looked up as it is referred to
    (given,) = (id for id, each in of.items() if each == Stood("given", 1))
    assert all(each.state == "read" and each.rank for id, each in of.items() if id not in (given, *gold[-2:]))


def test_a_run_that_failed_says_nothing_of_what_it_left_out():
    failed = Sought("q", "?", ("a",), {"bm25": (Stood("failed"),)})
    assert failed.missing == () and worst_first([failed]) == ()


def test_where_no_mode_had_any_of_it_comes_before_where_one_lost_a_part():
    part = Sought("part", "?", ("a", "b"), {"x": (Stood("given", 1), Stood("unfound")), "y": (Stood("given", 1),) * 2})
    none = Sought("none", "?", ("a", "b"), {"x": (Stood("unfound"),) * 2, "y": (Stood("given", 1),) * 2})
    assert [each.id for each in worst_first([part, none])] == ["none", "part"]


def test_the_document_and_the_lines_tell_every_place(found):
    told = document(found)
    assert (told["with_gold"], told["complete"]) == (3, {"bm25": 1})
    assert told["missed"][0]["gold"] == [
        {"passage_id": "a#第三条", "modes": {"bm25": {"state": "unfound", "rank": None}}}
    ]
    text = "\n".join(lines(found, 20, Words("zh")))
    assert "3 个问题里，2 个" in text and "没有检索到" in text and "排第 2 名，没有交给作答" in text


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("state", ["given", "read", "ranked", "unfound", "failed"])
def test_every_place_has_its_words(state, language):
    told = Words(language).say(say_of(Stood(state, 14)))
    assert "coverage." not in told and ("14" in told) == (state in ("read", "ranked"))
