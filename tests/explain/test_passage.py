"""The whole explanation of a passage from recorded runs: nothing is run anew, and every odd case has its outcome."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.asking import entrants
from core.bench import prepare
from core.domain import Ask, Passage, Say
from core.errors import UsageError
from core.explain.passage import explanation, why_of
from core.knowledge.base import Facts, assemble
from core.modes import registry
from core.race import compare
from core.records import dump, load
from core.runs import Run
from core.words import Words

QUESTION = "监控录像要保存多久？"


@pytest.fixture(scope="module")
def comparison(bench):
    return compare(bench, entrants(QUESTION, None, None, {}), retrieval_only=True)


@pytest.fixture(scope="module")
def runs(comparison):
    return comparison.runs


def test_every_run_is_explained_by_its_own_mode(bench, comparison):
    runs, passage = comparison.runs, bench.base.passages[30]
    found = explanation(bench, comparison, passage)
    assert list(found.modes) == [run.mode for run in runs]
    for run in runs:
        assert found.modes[run.mode] == registry()[run.mode].why(bench, run.ask, passage, run)
    assert found.meaning.candidates == found.modes["rerank"].pool


def test_a_model_that_is_set_is_not_asked_for_an_explanation(bench, comparison, at_server, server):
    now = prepare(replace(at_server(), home=bench.settings.home), bench.base)
    passage = bench.base.passages[10]
    assert explanation(now, comparison, passage).modes == explanation(bench, comparison, passage).modes
    assert server.requests == []


def test_what_held_when_a_comparison_was_recorded_explains_it_whatever_holds_now(bench, comparison):
    other = bench.as_recorded({"k1": 0.1, "b": 0.0, "variant": "okapi"})
    then = compare(other, entrants(QUESTION, None, None, {}), retrieval_only=True)
    for passage in bench.base.passages[::9]:
        assert explanation(bench, then, passage) == explanation(other, then, passage)
        assert explanation(other, comparison, passage) == explanation(bench, comparison, passage)
        for run in then.runs[:2]:
            told = explanation(bench, then, passage).modes[run.mode].rank
            assert told == run.rank_of(passage.id) or run.rank_of(passage.id) is None


def test_a_comparison_opened_again_is_explained_alike(bench):
    comparison = compare(bench, entrants(QUESTION, None, None, {}), retrieval_only=True)
    again = load(json.loads(json.dumps(dump(comparison))))
    for passage in bench.base.passages[::11]:
        first, second = (explanation(bench, each, passage) for each in (comparison, again))
        assert {mode: why.sentence for mode, why in first.modes.items()} == {
            mode: why.sentence for mode, why in second.modes.items()
        }


def test_a_passage_of_another_base_is_refused_with_near_ids(bench, comparison):
    stranger = Passage("90-别处#第一条", "90-别处", "别处", "第一条", "别处的话。", 0)
    with pytest.raises(UsageError) as refused:
        explanation(bench, comparison, stranger)
    assert refused.value.say.code.startswith("passage.un")


def test_a_recorded_passage_is_explained_as_the_base_has_it(bench, comparison):
    own = bench.base.passages[30]
    assert explanation(bench, comparison, replace(own, order=0, text="旧文")).passage == own


def test_a_run_that_failed_says_why_it_did(bench, runs):
    failed = replace(runs[0], error=Say.of("run.crashed", kind="E", reason="r"), events=())
    why = why_of(bench, failed, bench.base.passages[0])
    assert (why.sentence, why.remedy, why.facts["given"]) == (failed.error, None, False)


@pytest.mark.parametrize("mode", ["bm25", "rerank", "agentic"])
def test_a_run_that_was_stopped_while_it_searched_says_so_and_nothing_else(bench, runs, mode):
    whole = next(run for run in runs if run.mode == mode)
    stopped = replace(whole, events=whole.events[:1], stopped=True)
    why = why_of(bench, stopped, whole.hits[0].passage)
    assert (why.sentence.code, why.remedy, why.settings) == ("explain.stopped", None, ())


def test_a_writer_that_failed_hides_nothing_of_what_was_retrieved(bench, runs):
    for run in runs:
        failed = replace(run, error=Say.of("model.unreachable", host="h"))
        for hit in (run.hits[0], run.hits[-1]):
            assert why_of(bench, failed, hit.passage) == why_of(bench, run, hit.passage)


def test_a_mode_that_is_gone_tells_the_rank_that_was_recorded(bench, runs):
    gone = replace(runs[0], mode="gone")
    why = why_of(bench, gone, gone.hits[2].passage)
    assert why.facts == {"rank": 3, "given": True} and why.rank == 3


def test_a_run_with_nothing_found_is_explained(bench):
    comparison = compare(bench, entrants("？？！", None, None, {}), retrieval_only=True)
    found = explanation(bench, comparison, bench.base.passages[0])
    assert found.terms.rows == () and found.terms.rank is None
    for why in found.modes.values():
        assert not why.facts["given"] and "—" not in Words("zh").say(why.sentence)


def test_the_only_passage_of_a_base_is_explained(open_base):
    bench = open_base(a="# 退货\n第一条 七日内可以退货。")
    comparison = compare(bench, entrants("退货", None, None, {}), retrieval_only=True)
    found = explanation(bench, comparison, bench.base.passages[0])
    assert [why.facts["given"] for why in found.modes.values()] == [True, True, True]
    assert (found.terms.rank, found.meaning.rank, found.meaning.vectors) == (1, 1, 1)


def test_a_run_that_was_never_run_is_explained_from_what_is_known(bench):
    run = Run("bm25", Ask(QUESTION), bench.info)
    why = why_of(bench, run, bench.retriever.keyword(QUESTION, 3).hits[2].passage)
    assert why.rank and not why.facts["given"]


def test_a_base_of_which_only_a_title_changed_is_another_one(tmp_path):
    def version(title):
        made = [Passage(f"p{n}", "d", "节", title if n else "题", "电梯维修。", n) for n in range(2)]
        return assemble("b", tmp_path, Facts(), made, {}).version

    assert version("停车") != version("噪声") and version("停车") == version("停车")
