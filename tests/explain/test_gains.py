"""Marginal gain: what each step added, and what fewer calls would have left a run knowing."""

from __future__ import annotations

import pytest

from core.asking import entrants
from core.domain import EVIDENCE, Say, Step, Usage
from core.explain.gains import calls_of, dry_since, finding, gains, within
from core.explain.gold import gold_of
from core.knowledge.shelf import questions
from core.modes import registry
from core.race import compare
from core.words import LANGUAGES, Words
from tests.explain.made import evidence, hits, judge, passage, run, search


@pytest.fixture(scope="module")
def dispute(bench):
    question = next(q for q in questions(bench.base).questions if "demo:opening" in q.tags)
    return compare(bench, entrants(question.question, list(registry())[:4], None, {}))


@pytest.fixture(params=list(registry())[:4])
def ran(request, dispute):
    return next(ran for ran in dispute.runs if ran.mode == request.param)


def test_the_gains_of_a_run_add_up_to_all_it_touched(bench, dispute, ran):
    gold = gold_of(bench.base, dispute.question)
    found = gains(ran, gold)
    assert [gain.step for gain in found] == list(range(1, len(found) + 1)) and found[-1].name == EVIDENCE
    assert [len(gain.new) for gain in found] == list(ran.new[: len(found)])
    touched = {p.id for step in ran.steps for p in step.touched}
    assert found[-1].recall == len({p.id for p in gold} & touched) / len(gold)
    assert found[-1].kept_recall == len({p.id for p in gold} & {p.id for p in ran.evidence}) / len(gold)
    assert found[-1].calls == calls_of(ran)
    assert [gain.recall for gain in found] == sorted(gain.recall for gain in found)


def test_fewer_calls_never_know_more_and_all_calls_know_the_evidence(ran):
    known = [{p.id for step in within(ran, n).steps for p in step.touched} for n in range(calls_of(ran) + 1)]
    assert all(less <= more for less, more in zip(known, known[1:], strict=False))
    for calls in range(calls_of(ran) + 2):
        cut = within(ran, calls)
        assert not cut.answer and calls_of(cut) == min(calls, calls_of(ran))
        assert cut.ended == (cut.events[-1].at if cut.events else 0.0)
        assert cut.evidence == (ran.evidence if calls >= calls_of(ran) else ())


def test_the_gains_of_a_cut_run_are_the_first_of_the_whole_ones(bench, dispute, ran):
    gold = gold_of(bench.base, dispute.question)
    whole = gains(ran, gold)
    for calls in range(calls_of(ran) + 1):
        assert gains(within(ran, calls), gold) == whole[: len(within(ran, calls).steps)]


def test_a_judgement_after_the_last_call_stays():
    ran = run(judge(), search(1), judge(1), search(2), evidence(1), "答")
    assert [[step.name for step in within(ran, n).steps] for n in (0, 1, 2, 9)] == [
        ["judge"],
        ["judge", "search", "judge"],
        ["judge", "search", "judge", "search", "evidence"],
        ["judge", "search", "judge", "search", "evidence"],
    ]
    assert within(ran, -1).steps == within(ran, 0).steps


def test_a_cut_run_has_neither_the_end_nor_the_error_of_the_whole_one():
    failed = run(search(1), search(2), error=Say.of("stop.time_limit"))
    assert within(failed, 1).error is None and within(failed, 1).ended == 1.0
    assert within(failed, 2) == failed
    wrote = run(search(1), evidence(1), "答", error=Say.of("stop.time_limit"), stopped=True)
    assert within(wrote, 1).error is None and not within(wrote, 1).stopped


def test_refused_calls_count_as_the_loop_counts_them():
    ran = run(search(1), search(code="step.refused"), evidence(1))
    assert calls_of(ran) == 2 and [gain.looked for gain in gains(ran)] == [True, False, False]


@pytest.mark.parametrize(
    ("steps", "dry"),
    [
        ((search(1), search(1, 2), search(2), search(), evidence(1)), 2),
        ((search(1), search(2), evidence(1)), None),
        ((search(1), judge(1), search(1, name="summarize"), evidence(1)), 1),
        ((search(1), judge(1), search(name="summarize"), evidence(1)), None),
        ((search(1), search(code="step.refused"), evidence(1)), None),
        ((search(1), Step("rerank", Say.of("step.rerank"), hits(1), reorders=True), evidence(1)), None),
        ((search(), evidence()), None),
        ((), None),
    ],
    ids=["in vain", "to the last", "seen again", "compressed", "refused", "reordered", "no hits", "nothing"],
)
def test_since_when_nothing_new_came(steps, dry):
    assert dry_since(gains(run(*steps))) == dry


def test_tokens_are_those_that_are_known():
    told = Step("judge", Say.of("step.judge", kept=0), usage=Usage(prompt=10, completion=5, reasoning=3, calls=1))
    unknown = Step("judge", Say.of("step.judge", kept=0), usage=Usage(calls=1))
    sent = Step("search", Say.of("step.search"), hits(1), usage=Usage(embedding=7))
    assert [gain.tokens for gain in gains(run(told, unknown, sent, judge()))] == [15, None, 7, None]


def test_without_gold_no_share_is_told_and_with_it_what_is_kept_counts():
    ran = run(search(1, 2), judge(1), search(3), evidence(3))
    assert {(gain.recall, gain.kept_recall) for gain in gains(ran)} == {(None, None)}
    shares = [(gain.recall, gain.kept_recall) for gain in gains(ran, [passage(1), passage(3)])]
    assert shares == [(0.5, 0.0), (0.5, 0.5), (1.0, 0.5), (1.0, 0.5)]


def test_a_run_that_is_going_has_gains_so_far():
    assert [gain.at for gain in gains(run(search(1), "想", search(2), ended=False))] == [1.0, 3.0]
    assert gains(run(ended=False)) == ()


@pytest.mark.parametrize(
    ("events", "gold", "code"),
    [
        ((search(1), search(2), evidence(1)), (1, 2), "gains.given"),
        ((search(1), search(2), judge(1)), (1, 2), "gains.kept"),
        ((search(1), search(2), judge(1, 2), evidence(1, 2)), (1, 2), "gains.calls_all"),
        ((search(1), judge(1), evidence(1)), (1, 9), "gains.calls"),
        ((Step("search", Say.of("step.keyword"), hits(1)), evidence(1)), (1,), "gains.steps_all"),
        ((Step("search", Say.of("step.keyword"), hits(1)), evidence(1)), (1, 9), "gains.steps"),
        ((search(1), evidence(1)), (9,), "gains.none"),
        ((search(1), search(1), evidence(1)), (1,), "finding.and"),
        ((search(1), search(1), evidence(1)), (), "gains.dry"),
        ((search(1), evidence(1)), (), "gains.all"),
        ((evidence(),), (), "gains.empty"),
    ],
)
def test_what_stands_out_is_told(events, gold, code):
    told = finding(gains(run(*events), [passage(number) for number in gold]), len(gold))
    assert told.code == code
    for language in LANGUAGES:
        assert "—" not in Words(language).say(told) and "gains." not in Words(language).say(told)
