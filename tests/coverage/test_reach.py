"""Reach: what the questions of a set bring up, counted as the evidence matrix counts it."""

from __future__ import annotations

import pytest

from core.asking import entrants
from core.coverage.reach import Counts, reach
from core.coverage.sweep import How, unpaid
from core.errors import UsageError
from core.explain.matrix import matrix
from core.knowledge.questions import Question
from core.race import compare

RULES = "# 售后\n\n第一条 退货期限为七日。\n\n第二条 维修由门店负责。\n\n第三条 发票遗失不补。\n"
ASKED = (Question("q1", "退货期限是几日？"), Question("q2", "维修找谁负责？"), Question("q3", "zzqq"))
WORDS = How(("bm25",), k=1)


@pytest.fixture(scope="module")
def shop(open_base):
    return open_base(a=RULES, b="# 附则\n\n第四条 本办法自发布之日起施行。\n")


def test_a_passage_counts_for_each_question_that_brings_it_up(shop):
    found = reach(shop, ASKED, WORDS)
    assert found.counts["bm25"]["a#第一条"] == Counts(retrieved=1, given=1)
    assert [passage.id for passage in found.unreached(shop.base)] == ["a#第三条", "b#第四条"]
    assert [row.reached for row in found.rows(shop.base)] == [2, 0]


def test_the_map_holds_every_passage_in_order_with_every_mode(shop):
    found = reach(shop, ASKED, How(("bm25", "rerank")))
    rows = [row for section in found.rows(shop.base) for row in section.passages]
    assert [row.passage for row in rows] == list(shop.base.passages)
    assert all(list(row.counts) == ["bm25", "rerank"] for row in rows)


def test_the_counts_are_those_of_the_matrix(shop):
    chosen = entrants(ASKED[0].question, ["agentic"], None, {})
    cells = {row.passage.id: row.cells[0] for row in matrix(compare(shop, chosen), shop.retriever.tokeniser).rows}
    counts = reach(shop, ASKED[:1], How(("agentic",), answers=True)).counts["agentic"]
    assert {id for id, cell in cells.items() if cell.touched} == set(counts)
    assert {id for id, cell in cells.items() if cell.cited} == {id for id in counts if counts[id].cited}


def test_nothing_is_cited_where_no_answer_is_written(shop):
    counts = reach(shop, ASKED, How(("bm25",), answers=False)).counts["bm25"].values()
    assert sum(each.cited for each in counts) == 0 < sum(each.given for each in counts)


def test_a_question_without_evidence_is_told_with_its_modes(shop):
    found = reach(shop, ASKED, WORDS)
    assert [(each.id, each.modes) for each in found.empty] == [("q3", ("bm25",))]


def test_progress_is_told_and_a_stop_leaves_what_was_asked(shop):
    heard = []
    found = reach(shop, ASKED, WORDS, lambda done, total: heard.append((done, total)), lambda: len(heard) == 2)
    assert heard == [(1, 3), (2, 3)] and (found.asked, found.total) == (2, 3)


def test_a_question_that_cannot_be_asked_is_told_and_the_others_are_asked(shop):
    found = reach(shop, (Question("long", "长" * 3000), *ASKED), WORDS)
    assert [(id, say.code) for id, say in found.refused] == [("long", "question.long")] and found.asked == 4


def test_an_unknown_mode_is_refused_before_anything_is_asked(shop):
    with pytest.raises(UsageError):
        reach(shop, ASKED, How(("nonsense",)))


def test_a_sweep_without_models_calls_none(at_server, open_base, server):
    bench = unpaid(open_base(at_server(), a=RULES))
    found = reach(bench, ASKED[:1], How(("bm25", "agentic"), answers=True))
    assert not server.chats and not found.failures
