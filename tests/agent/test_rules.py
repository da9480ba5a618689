"""The rule-based policy in the real mode: it stops, judges, survives every limit, and obeys no document."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.asking import entrants
from core.bench import Bench
from core.modes import registry
from core.race import compare
from core.retrieval.ranking import Retriever
from core.runs import Run
from core.words import Words

CASES = Path(__file__).parents[1] / "cases"
DISPUTE = "装修工人用了电梯后电梯坏了，物业要业主赔几千块，监控只拍到他进去，电梯之前也坏过，报价单能证明什么，谁来赔？"


def agentic(bench: Bench, question: str, **parameters: object) -> Run:
    return compare(bench, entrants(question, ["agentic"], None, {"agentic": parameters})).runs[0]


def test_a_question_of_many_aspects_is_searched_in_several_rounds(bench):
    run = agentic(bench, DISPUTE)
    assert run.error is None
    assert run.steps[0].detail.code == "rules.split"
    assert len({passage.section for passage in run.evidence}) >= 4
    assert len(run.evidence) <= 20


@pytest.mark.parametrize("calls", [1, 2, 3])
def test_a_limit_of_calls_ends_it_with_an_answer_from_what_it_kept(bench, calls):
    run = agentic(bench, DISPUTE, calls=calls)
    assert sum(step.call is not None and step.error is None for step in run.steps) <= calls
    assert run.stop_reason == "call_limit"
    assert run.evidence and "[1]" in run.answer


@pytest.mark.parametrize("budget", [1, 80, 400, 1_500])
def test_a_small_context_is_compressed_and_the_last_round_is_still_judged(bench, budget):
    tight = replace(bench, settings=replace(bench.settings, budget_tokens=budget))
    run = agentic(tight, DISPUTE)
    assert run.error is None
    assert run.stop_reason in ("context_limit", "answered", "saturated", "call_limit")
    assert "summarize" in [step.name for step in run.steps]
    assert run.evidence and run.answer


def test_without_any_time_the_question_is_searched_once_and_the_limit_told(bench):
    run = agentic(replace(bench, settings=replace(bench.settings, time_limit=0.0)), DISPUTE)
    assert (run.error, run.stop_reason) == (None, "time_limit")
    assert [step.name for step in run.steps if step.call] == ["search"]
    assert run.evidence and "没有找到" not in run.answer


@pytest.mark.parametrize("question", ["？？！", "🙂🙂"])
def test_a_question_without_a_word_ends_with_no_hits_and_the_reason(bench, question):
    run = agentic(bench, question)
    assert (run.stop_reason, run.evidence) == ("no_hits", ())
    assert [step.error.code for step in run.steps if step.error] == ["search.no_terms"]


def test_instructions_inside_a_passage_make_no_tool_call(open_base):
    hostile = (CASES / "md_prompt_injection.md").read_text(encoding="utf-8")
    run = agentic(open_base(a=hostile, b="# 营业时间\n早上九点开门。"), "客服电话")
    assert {step.name for step in run.steps} <= {"judge", "search", "find", "evidence", "write"}
    assert "400-000-0000" in run.answer and "[1]" in run.answer


def test_where_there_are_no_vectors_the_trace_says_so(open_base):
    small = open_base(a="# 退货\n第一条 七日内可以退货。")
    known = small.retriever
    blind = replace(small, retriever=Retriever(known.base, known.tokeniser, known.index, None, None, known.bm25))
    run = agentic(blind, "退货")
    assert [step.error.code for step in run.steps if step.name == "search"] == ["embeddings.unavailable"]
    assert run.evidence


def test_the_same_question_is_searched_in_the_same_way_again(bench):
    first, second = agentic(bench, DISPUTE), agentic(bench, DISPUTE)
    assert first.fingerprint == second.fingerprint
    assert [step.call for step in first.steps] == [step.call for step in second.steps]


def test_why_says_how_a_passage_was_reached_that_only_find_or_open_showed(bench):
    run = agentic(bench, DISPUTE)
    read = {passage for step in run.steps if step.name in ("find", "open") for passage in step.touched}
    searched = {passage for step in run.steps if step.name == "search" for passage in step.touched}
    assert read - searched
    for passage in read - searched:
        said = registry()["agentic"].why(bench, run.ask, passage, run).sentence
        assert said.code != "agentic.unfound" and "—" not in Words("zh").say(said)


def test_a_limit_reached_before_anything_was_found_is_the_reason_told(bench):
    run = agentic(replace(bench, settings=replace(bench.settings, time_limit=0.0)), DISPUTE)
    assert run.stop_reason == "time_limit"
