"""Runs that models write, over real HTTP: the answer, what it cost, and every way in which it can fail."""

from __future__ import annotations

import threading
import time
from contextlib import closing

import pytest

from core.archive import Archive
from core.asking import entrants
from core.citations import cite, flags
from core.pricing import Prices, cost
from core.race import Race, compare
from core.saved import Choices, Saved
from core.spending import Spending
from core.words import Words
from tests.agent.conftest import REPAIRS, RETURNS
from tests.loopback import SOON, Dropped, Failed, Raw, Said, Silent, case_path, eventually, strict
from tests.loopback import key_is as only_key

QUESTION = "退货要多久？"
ANSWER = "七日内可以退货，运费由商家承担[1]。"
FAILURES = [
    ("sse_reasoning_only_length", "model.only_reasoning", ""),
    ("sse_content_filter_midway", "model.filtered_midway", "根据第六"),
    ("sse_sensitive_finish_zhipu", "model.filtered_midway", "部分内容"),
    ("sse_cut_without_finish", "model.cut", "答案写到一"),
    ("sse_error_object_mid_stream", "model.midstream", "开始"),
]


@pytest.fixture
def shop(at_server, open_base):
    """The bench of a shop's rules with models at the server."""

    def opened(**variables):
        return open_base(at_server(**variables), a=RETURNS, b=REPAIRS)

    return opened


def ask(bench, *modes, question=QUESTION):
    return compare(bench, entrants(question, modes or ["bm25"], None, {}))


def test_the_model_writes_from_numbered_sources_and_its_usage_is_the_providers_own(shop, server):
    server.always(
        Said(ANSWER, reasoning="先看资料", usage={"prompt_tokens": 70, "completion_tokens": 30, "total_tokens": 100})
    )
    run = ask(shop()).runs[0]
    assert (run.answer, run.reasoning) == (ANSWER, "先看资料")
    assert (run.usage.prompt, run.usage.completion, run.usage.cached) == (70, 30, None)
    assert '<source id="1"' in server.chats[0].messages[-1]["content"]
    assert server.chats[0].messages[-1]["content"].endswith(QUESTION)


def test_every_mode_is_written_by_the_same_model_with_the_same_prompt(shop, server):
    server.always(Said(ANSWER))
    ask(shop(WORKBENCH_PLANNER="offline"), "bm25", "rerank", "agentic")
    assert len({chat.messages[0]["content"] for chat in server.chats}) == 1
    assert {chat.model for chat in server.chats} == {"writer"}


@pytest.mark.parametrize(("question", "rules"), [("How long is 退货?", "资料"), ("XR-2200 warranty", "sources")])
def test_the_rules_for_the_writer_are_in_the_language_of_the_question(at_server, open_base, server, question, rules):
    server.always(Said("It is one year [1]."))
    ask(open_base(at_server(), a="# 退货\nXR-2200 warranty: one year.\n退货七日。\n"), question=question)
    assert rules in server.chats[0].messages[0]["content"]


def test_without_evidence_no_model_is_called(shop, server):
    run = ask(shop(), question="zzqq").runs[0]
    assert run.stop_reason == "no_hits" and not server.chats


@pytest.mark.parametrize(("case", "code", "partial"), FAILURES)
def test_a_broken_answer_is_a_failed_run_with_its_part_and_its_reason_in_the_trace(shop, server, case, code, partial):
    server.always(Raw(case_path(case)))
    comparison = ask(shop(WORKBENCH_PLANNER="offline"))
    run = comparison.runs[0]
    assert run.stop_reason == "failed" and run.error and run.error.code == code
    assert run.answer == partial
    assert run.steps[-1].name == "write" and run.steps[-1].error == run.error
    assert Words("zh").say(run.error) and Words("en").say(run.error)


def test_a_failed_run_costs_what_the_provider_says_it_cost(shop, server):
    server.always(Raw(case_path("sse_reasoning_only_length")))
    assert ask(shop()).runs[0].usage.prompt == 11


def test_a_broken_answer_is_never_kept_as_complete(shop, server, tmp_path):
    server.always(Raw(case_path("sse_cut_without_finish")))
    comparison = ask(shop())
    Archive(tmp_path).keep(comparison)
    assert [kept.complete for kept in Archive(tmp_path).recent()] == [False]
    assert Archive(tmp_path).open(comparison.id).runs[0].error == comparison.runs[0].error


def test_the_other_modes_finish_when_one_fails(shop, server):
    refused = Failed(400, {"error": {"code": "1301", "message": "sensitive"}})
    server.always(Said(ANSWER))
    server.always(refused, model="planner")
    runs = ask(shop(), "bm25", "rerank", "agentic").runs
    assert [run.stop_reason for run in runs] == ["answered", "answered", "failed"]
    assert runs[2].error and runs[2].error.code == "model.filtered"
    assert runs[2].steps[-1].name == "judge" and runs[2].steps[-1].error == runs[2].error


def test_an_answer_cut_by_the_limit_of_a_reply_says_so(shop, server):
    server.always(Said("七日", finish="length"))
    run = ask(shop(WORKBENCH_WRITER_MAX_TOKENS=5)).runs[0]
    assert run.error and run.error.code == "model.length" and run.answer == "七日"
    assert run.steps[-1].sent["max_tokens"] == 5


def test_an_empty_answer_is_an_error_and_no_blank_column(shop, server):
    server.always(Said(""))
    run = ask(shop()).runs[0]
    assert run.error and run.error.code == "model.empty"


def test_evidence_longer_than_the_context_is_shortened_and_said(shop, server):
    full = Failed(400, {"error": {"code": "1261", "message": "prompt too long"}})
    server.then(full, Said(ANSWER))
    run = ask(shop(), question="退货 保修 进水").runs[0]
    assert run.answer == ANSWER and run.steps[-1].error and run.steps[-1].error.code == "write.shortened"
    assert server.chats[1].messages[-1]["content"].count("<source") < server.chats[0].messages[-1]["content"].count(
        "<source"
    )


def test_a_wrong_key_is_said_in_each_column_and_never_shown(shop, server, caplog):
    server.always(strict(Said(ANSWER), [only_key("another")]))
    comparison = ask(shop(), "bm25", "agentic")
    for run in comparison.runs:
        assert run.error and run.error.code == "model.key_refused"
        assert "sk-loopback-1234" not in repr(run) + Words("zh").say(run.error)
    assert "sk-loopback-1234" not in caplog.text + repr(comparison)


@pytest.mark.parametrize("family", ["openai", "zhipu"])
def test_stop_is_heard_while_a_model_is_silent(shop, server, family):
    server.always(Silent(Said(reasoning="想"), seconds=30))
    race = Race(shop(WORKBENCH_WRITER=f"{family}:writer"), entrants(QUESTION, ["bm25"], None, {}))
    with closing(race):
        for _ in race:
            if race.run("bm25").reasoning:
                break
    stopped = time.perf_counter()
    workers = [t for t in threading.enumerate() if t.name.startswith("race-")]
    for worker in workers:
        worker.join(2 * SOON)
    assert time.perf_counter() - stopped < SOON
    assert race.run("bm25").stop_reason == "stopped"
    assert eventually(lambda: server.abandoned == 1)


def test_a_run_that_would_pass_its_limit_is_answered_in_extracts_and_says_so(shop, server):
    run = ask(shop(WORKBENCH_LIMIT_RUN_TOKENS=50)).runs[0]
    assert run.stop_reason == "spend_limit" and not server.chats
    assert "七日内可以退货" in run.answer
    assert [step.error.code for step in run.steps if step.error] == ["spend.run"]


def test_an_agent_out_of_tokens_answers_from_what_it_found(shop, server):
    usage = {"prompt_tokens": 900, "completion_tokens": 90, "total_tokens": 990}
    server.then(Said(calls=(("search", '{"query": "退货"}'),), usage=usage), tools=True)
    run = ask(shop(WORKBENCH_LIMIT_RUN_TOKENS=1_500), "agentic").runs[0]
    assert run.stop_reason == "spend_limit" and run.evidence and run.answer


def test_an_agent_that_may_not_spend_at_all_still_searches_the_question(shop, server):
    run = ask(shop(WORKBENCH_LIMIT_RUN_TOKENS=100), "agentic").runs[0]
    assert run.stop_reason == "spend_limit" and not server.chats
    assert run.evidence and "七日内可以退货" in run.answer


def test_an_agent_whose_calls_are_all_broken_still_searches_the_question(shop, server):
    server.always(Raw(case_path("sse_tool_args_empty_and_truncated")), model="planner")
    server.always(Said(ANSWER), model="writer")
    run = ask(shop(), "agentic").runs[0]
    assert run.evidence and run.answer == ANSWER


def test_a_limit_of_the_day_holds_for_the_next_question(shop, server, tmp_path):
    server.always(Said(ANSWER, usage={"prompt_tokens": 900, "completion_tokens": 90, "total_tokens": 990}))
    bench = shop(WORKBENCH_LIMIT_DAY_TOKENS=1_000)
    assert ask(bench).runs[0].stop_reason == "answered"
    assert Spending(tmp_path).today().tokens == 990
    assert ask(bench).runs[0].stop_reason == "spend_limit"
    assert len(server.chats) == 1


def test_what_a_model_costs_is_told_by_its_price_and_unknown_without_one(shop, server, tmp_path):
    server.always(Said(ANSWER, usage={"prompt_tokens": 1_000, "completion_tokens": 500, "total_tokens": 1_500}))
    unpriced = ask(shop())
    assert cost(unpriced.runs[0], unpriced.settings["prices"]).amounts is None
    price = {"host": "", "model": "writer", "currency": "CNY", "input": 2, "output": 8}
    Saved(tmp_path).store(Choices(prices=Prices([price])))
    priced = ask(shop())
    assert cost(priced.runs[0], priced.settings["prices"]).amounts == pytest.approx({"CNY": 0.006})
    assert Spending(tmp_path).today().amounts == pytest.approx({"CNY": 0.006})


def test_a_refusal_is_not_flagged_and_a_claim_without_citation_is(shop, server):
    bench = shop()
    server.then(Said("资料中未找到相关规定。"), Said("没有任何引用的结论。"), Said("七日内可退[5]。"))
    found = []
    for _ in range(3):
        run = ask(bench).runs[0]
        citations = cite(run.answer, run.evidence, bench.retriever.tokeniser)
        found.append([flag.code for flag in flags(run.answer, citations)])
    assert found == [[], ["citation.none"], ["citation.dangling"]]


def test_thoughts_closed_without_having_been_opened_are_taken_out_of_the_answer(shop, server):
    server.always(Said("先想一想</think>\n\n七日内可以退货[1]。", pieces=4))
    run = ask(shop()).runs[0]
    assert (run.answer, run.reasoning) == ("七日内可以退货[1]。", "先想一想")
    assert run.thoughts == {len(run.steps) - 1: "先想一想"}
    assert run.first_token_seconds == next(t.at for t in run.events if getattr(t.event, "text", "").startswith("七日"))


def test_a_stream_that_dies_before_it_says_anything_is_tried_again(shop, server):
    server.then(Dropped(Said(ANSWER), chunks=0))
    server.always(Said(ANSWER))
    assert ask(shop()).runs[0].answer == ANSWER


def test_two_hundred_runs_leave_no_thread_behind(shop, server):
    server.always(Said(ANSWER, pieces=1))
    bench = shop()
    for _ in range(200):
        ask(bench)
    assert eventually(lambda: not [t for t in threading.enumerate() if t.name.startswith(("model-", "race-"))])
