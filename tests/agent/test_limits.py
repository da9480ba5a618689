"""The loop: every limit ends it with its own reason, and no call is left without an answer."""

from __future__ import annotations

from core.agent.loop import Limits
from core.agent.policy import Turn
from core.domain import Say
from tests.agent.scripted import Scripted, play, search, turn


def test_a_policy_that_makes_no_call_is_content(shop):
    outcome = play(shop, Scripted(turn(search("退货"), keep=())))
    assert outcome.reason == "answered"
    assert [step.name for step in outcome.steps] == ["search"]


def test_two_rounds_without_a_new_passage_end_the_search(shop):
    outcome = play(shop, Scripted(*(turn(search(query)) for query in ("退货", "退货 包装", "包装 退货期", "保修"))))
    assert outcome.reason == "saturated"
    assert len(outcome.steps) == 3


def test_a_new_passage_between_dry_rounds_lets_the_search_go_on(shop):
    queries = ("退货", "退货 包装", "保修", "包装 退货期")
    assert play(shop, Scripted(*(turn(search(query)) for query in queries))).reason == "answered"


def test_the_policy_may_still_judge_after_the_last_round_but_makes_no_call(shop):
    script = Scripted(turn(search("退货")), turn(search("保修"), keep=("a#第一条",)))
    outcome = play(shop, script, calls=1)
    assert outcome.reason == "call_limit"
    assert [step.name for step in outcome.steps] == ["search", "judge"]
    assert outcome.evidence == ["a#第一条"]
    assert script.states[-1].calls_left == 0


def test_parallel_calls_past_the_limit_each_get_an_answer(shop):
    calls = [search("退货"), search("运费"), search("包装"), search("保修"), search("进水")]
    outcome = play(shop, Scripted(turn(*calls)), calls=3)
    answered = outcome.states[-1].rounds[-1].exchanges
    assert [exchange.call.id for exchange in answered] == [f"call_{n}" for n in range(1, 6)]
    assert [exchange.result.error and exchange.result.error.code for exchange in answered[3:]] == [
        "tool.over_limit"
    ] * 2
    assert outcome.reason == "call_limit" and outcome.states[-1].calls_left == 0


def test_a_search_that_never_ends_by_itself_is_ended_with_its_evidence(shop):
    turns = [turn(search(f"退货 {n}")) for n in range(99)]
    outcome = play(shop, Scripted(*turns), calls=3, dry_rounds=99)
    assert outcome.reason == "call_limit"
    assert outcome.evidence[0] in {"a#第一条", "a#第二条", "a#第三条"}


def test_a_full_context_is_compressed_and_the_search_goes_on(shop):
    script = Scripted(turn(search("退货")), turn(search("保修"), keep=()))
    outcome = play(shop, script, context=60)
    assert [step.name for step in outcome.steps] == ["search", "summarize", "search", "summarize"]
    assert outcome.reason == "answered"
    assert script.states[1].context < 60


def test_a_context_is_compressed_as_often_as_it_fills_though_what_is_kept_stays_the_same(shop):
    turns = [turn(search(query), keep=("a#第一条",)) for query in ("退货", "保修", "进水")]
    outcome = play(shop, Scripted(*turns), context=60)
    compressed = [step for step in outcome.steps if step.name == "summarize"]
    assert len(compressed) > 1
    assert [step.error for step in compressed] == [None] * len(compressed)
    assert "七日内可以退货" in compressed[-1].output


def test_a_context_that_compressing_cannot_free_ends_the_search(shop):
    outcome = play(shop, Scripted(turn(search("退货")), turn(search("保修"))), context=1)
    assert outcome.reason == "context_limit"
    assert len(outcome.evidence) == 3


def test_the_policy_is_warned_when_nine_tenths_of_the_context_are_used(shop):
    used = play(shop, Scripted(turn(search("退货")))).states[-1].context
    calm = play(shop, Scripted(turn(search("退货"))), context=2 * used).states
    tight = play(shop, Scripted(turn(search("退货"))), context=int(used / 0.95)).states
    assert [state.warned for state in calm] == [False, False]
    assert [state.warned for state in tight] == [False, True]


def test_time_runs_out(shop):
    seconds = iter(range(0, 10_000, 10))
    outcome = play(shop, Scripted(*(turn(search(f"退货 {n}")) for n in range(9))), lambda: next(seconds), seconds=60)
    assert outcome.reason == "time_limit"
    assert outcome.evidence


def test_the_ordinary_limits_are_those_of_the_design():
    assert (Limits().calls, Limits().context, Limits().dry_rounds) == (15, 128_000, 2)


def test_why_a_policy_judged_stands_in_the_trace(shop):
    why = Say.of("rules.done", kept=0, uncovered=[])
    assert [step.detail for step in play(shop, Scripted(Turn(judged=True, why=why))).steps] == [why]
