"""Equal evidence budget: what every mode would have given at k, without paying for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.asking import entrants
from core.domain import EVIDENCE, Ask, Say, Step, Usage
from core.errors import UsageError
from core.explain.budget import at_budget
from core.modes import registry
from core.race import compare
from core.retrieval.formula import Bm25
from core.settings import LARGEST_CUT
from tests.explain.made import evidence, judge, run, search

QUESTION = "装修工人用了电梯，之后电梯坏了，物业要业主赔几千元，这钱到底该谁付？"


@pytest.fixture(scope="module")
def whole(bench):
    return compare(bench, entrants(QUESTION, list(registry())[:4], None, {}))


@pytest.mark.parametrize("k", [1, 5, 20])
def test_a_comparison_at_k_is_what_asking_for_k_gives(bench, whole, k):
    cut = at_budget(bench, whole, k)
    asked = compare(bench, entrants(QUESTION, list(registry())[:4], k, {}), retrieval_only=True)
    for one, other in zip(cut.runs, asked.runs, strict=True):
        assert (one.mode, one.ask) == (other.mode, other.ask)
        assert one.evidence == other.evidence and 0 < len(one.evidence) <= k
        assert one.steps[-1].name == EVIDENCE and not one.answer
    assert (cut.id, cut.question, cut.created) == (whole.id, whole.question, whole.created)
    assert cut.settings["retrieval_only"]


def test_the_parameters_of_the_record_hold(bench):
    given = {"rerank": {"candidates": 50}, "agentic": {"calls": 2}}
    cut = at_budget(bench, compare(bench, entrants(QUESTION, list(given), None, given)), 3)
    rerank, agentic = cut.runs
    assert len(rerank.steps[0].hits) == 50
    assert sum(step.call is not None for step in agentic.steps) <= 2


def test_the_settings_of_the_record_hold_though_others_are_in_force_now(bench, whole):
    other = replace(bench, settings=replace(bench.settings, k1=0.1, b=0.0), retriever=bench.retriever.for_run())
    other.retriever.bm25 = Bm25("lucene", 0.1, 0.0)
    changed = compare(other, entrants(QUESTION, ["bm25"], None, {}))
    assert at_budget(other, whole, 5).runs[0].hits == whole.runs[0].hits != changed.runs[0].hits
    assert at_budget(bench, changed, 5).runs[0].hits == changed.runs[0].hits


def recorded(bench, whole, mode, *events, **more):
    """A run that was recorded, in the place of all others of a comparison."""
    made = run(*events, mode=mode, **more)
    return replace(whole, runs=(replace(made, base=bench.info, ask=Ask(QUESTION, None, {})),))


def paid() -> Step:
    return Step("judge", Say.of("step.judge", kept=1), kept=("a#1",), usage=Usage(10, 5, calls=1))


@pytest.mark.parametrize(
    ("mode", "events", "more"),
    [
        ("agentic", (search(1, 2, 3), paid(), evidence(1, 2, 3), "答"), {}),
        ("rerank", (replace(search(1, 2, 3), usage=Usage(embedding=9)), evidence(1, 2, 3), "答"), {}),
        ("bm25", (search(1, 2, 3), evidence(1, 2, 3), "答"), {"stopped": True}),
        ("bm25", (search(1, 2, 3), evidence(1, 2, 3)), {"error": Say.of("model.empty", model="m")}),
        ("gone", (search(1, 2, 3), evidence(1, 2, 3), "答"), {}),
    ],
    ids=["paid", "paid vectors", "stopped", "failed writing", "mode that is gone"],
)
def test_a_run_that_cannot_be_had_again_for_nothing_keeps_its_trace(bench, whole, mode, events, more):
    (cut,) = at_budget(bench, recorded(bench, whole, mode, *events, **more), 2).runs
    assert [p.order for p in cut.evidence] == [1, 2] and cut.steps[:-1] == events[: len(cut.steps) - 1]
    assert cut.steps[-1].detail.values["passages"] == 2 and cut.steps[-1].detail.values["tokens"] > 0
    assert not cut.answer and cut.stop_reason == "answered" and cut.ask.k == 2
    assert cut.ended == cut.events[-1].at


def test_a_model_that_only_wrote_does_not_keep_a_run_from_being_made_anew(bench, whole):
    wrote = Step("write", Say.of("step.write", writer="m"), usage=Usage(10, 5, calls=1))
    (cut,) = at_budget(bench, recorded(bench, whole, "bm25", evidence(1), "答", wrote), 7).runs
    assert len(cut.evidence) == 7


def test_vectors_that_are_no_longer_those_of_the_record_keep_the_trace(bench, whole):
    for settings in ({"vector_space": "other"}, {"embeddings": "openai:text-embedding-3-small"}, {}):
        given = replace(whole, settings=settings)
        cut = {ran.mode: ran for ran in at_budget(bench, given, 20).runs}
        assert len(cut["bm25"].evidence) == 20
        assert len(cut["rerank"].evidence) == 5


def test_a_run_that_came_to_no_evidence_stays_as_it_is(bench, whole):
    made = recorded(bench, whole, "agentic", search(1), judge(1), stopped=True)
    (cut,) = at_budget(bench, made, 2).runs
    assert cut == replace(made.runs[0], ask=replace(made.runs[0].ask, k=2))


def test_a_base_that_has_changed_is_refused_in_words(bench, whole, open_base):
    with pytest.raises(UsageError) as caught:
        at_budget(open_base(a="第一条 一。"), whole, 5)
    assert caught.value.say.code == "budget.base"
    cut_otherwise = replace(whole, base=replace(whole.base, tokeniser="other"))
    with pytest.raises(UsageError):
        at_budget(bench, cut_otherwise, 5)


@pytest.mark.parametrize("k", [0, -1, LARGEST_CUT + 1])
def test_a_budget_that_makes_no_sense_is_refused_in_words(bench, whole, k):
    with pytest.raises(UsageError) as caught:
        at_budget(bench, whole, k)
    assert caught.value.say.code == "parameter.range"


def test_a_comparison_without_runs_stays_without(bench, whole):
    assert at_budget(bench, replace(whole, runs=()), 5).runs == ()
