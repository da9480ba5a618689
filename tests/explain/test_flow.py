"""Rank flow: every stage as the run had it, cuts where they fell, and a finding that is true."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.asking import entrants
from core.citations import cite
from core.domain import Say, Step
from core.explain.flow import flow
from core.explain.gold import gold_of
from core.knowledge.shelf import questions
from core.modes import registry
from core.race import compare
from core.retrieval.formula import Bm25
from core.words import LANGUAGES, Words
from tests.explain.made import evidence, hits, judge, passage, run, search

NEEDLE = "监控能存多久，我几天之内去要才行？"


def ranked(*numbers: int, reorders: bool = False, **scores: float) -> Step:
    """A ranking that no tool call brought."""
    name = "rerank" if reorders else "search"
    return Step(name, Say.of("step.keyword"), hits(*numbers, **(scores or {"bm25": 1.0})), reorders=reorders)


def codes(found) -> list[str]:
    return [stage.say.code for stage in found.stages]


@pytest.fixture(scope="module")
def asked(bench):
    """A real comparison by its question."""
    known = {}

    def made(question: str):
        if question not in known:
            known[question] = compare(bench, entrants(question, list(registry())[:4], None, {}))
        return known[question]

    return made


def flows(bench, comparison):
    gold, tokeniser = gold_of(bench.base, comparison.question), bench.retriever.tokeniser
    return {
        ran.mode: flow(ran, cite(ran.answer, ran.evidence, tokeniser), gold, bench.retriever) for ran in comparison.runs
    }


@pytest.fixture(params=["demo:opening", "demo:needle61"])
def real(request, bench, asked):
    question = next(q for q in questions(bench.base).questions if request.param in q.tags)
    return asked(question.question)


def test_the_places_of_every_mode_are_those_of_its_run(bench, real):
    for ran, found in zip(real.runs, flows(bench, real).values(), strict=True):
        given = codes(found).index("stage.given")
        for line in found.lines:
            places = dict(zip(codes(found), line.places, strict=True))
            assert places["stage.given"] == next((n for n, p in enumerate(ran.evidence, 1) if p == line.passage), None)
            assert places["stage.cited"] in (None, places["stage.given"])
            if rank := ran.rank_of(line.passage.id):
                assert line.places[given - 1] == rank
        assert found.stages[given].ranked == len(ran.evidence)


def test_gold_comes_first_and_then_the_best(bench, real):
    for found in flows(bench, real).values():
        order = [(not line.gold, min((p for p in line.places if p), default=10**6)) for line in found.lines]
        assert order == sorted(order)
        assert sum(line.gold for line in found.lines) == len(gold_of(bench.base, real.question))


def test_nothing_beyond_a_cut_reaches_the_next_stage(bench, real):
    for found in flows(bench, real).values():
        for line in found.lines:
            for at, stage in enumerate(found.stages[:-1]):
                if stage.passes is not None:
                    passed = line.places[at] is not None and line.places[at] <= stage.passes
                    assert passed == (line.places[at + 1] is not None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_finding_is_a_whole_sentence(bench, real, language):
    for found in flows(bench, real).values():
        told = Words(language).say(found.finding)
        assert "—" not in told and "finding." not in told and "stage." not in told


def test_a_needle_is_lifted_over_the_cut_by_the_rerank_and_cut_by_keywords(bench, asked):
    found = flows(bench, asked(NEEDLE))
    assert codes(found["rerank"]) == ["stage.keyword", "stage.meaning", "stage.given", "stage.cited"]
    lifted = found["rerank"].finding
    assert (lifted.code, lifted.values["passage"], lifted.values["after"]) == ("finding.lifted", "第六十一条", 1)
    assert lifted.values["before"] == found["bm25"].finding.values["rank"] > 5
    assert (found["bm25"].finding.code, found["bm25"].finding.values["passes"]) == ("finding.cut", 5)


def test_gold_beyond_the_candidates_has_its_true_rank(bench, asked):
    question = next(q for q in questions(bench.base).questions if "demo:opening" in q.tags)
    found = flows(bench, asked(question.question))["rerank"]
    line = next(line for line in found.lines if line.passage.title == "第二十八条")
    terms = bench.retriever.tokeniser.query(question.question)
    assert line.places[0] == bench.retriever.index.rank(terms, line.passage.order, bench.retriever.bm25) > 20
    assert line.places[1:] == (None, None, None) and line.lost == 0
    assert (found.finding.code, found.finding.values["second"]["code"]) == ("finding.and", "finding.rest")


def test_a_true_rank_is_not_told_where_the_scores_are_not_the_recorded_ones(bench, asked):
    question = next(q for q in questions(bench.base).questions if "demo:opening" in q.tags).question
    other = bench.retriever.for_run()
    other.bm25 = Bm25("lucene", 0.3, 0.1)
    ran = next(ran for ran in asked(question).runs if ran.mode == "rerank")
    for retriever in (other, None):
        found = flow(ran, (), gold_of(bench.base, question), retriever)
        assert next(line for line in found.lines if line.passage.title == "第二十八条").places[0] is None


def test_searches_of_an_agent_are_one_stage_that_cuts_nothing_by_rank():
    ran = run(search(4, 5), search(6, seen=(7,)), judge(7, 4), evidence(7, 4), "答")
    found = flow(ran, (), [passage(6)], None)
    assert codes(found) == ["stage.found", "stage.given", "stage.cited"]
    assert [stage.passes for stage in found.stages] == [None, None, None]
    assert {line.passage.order: line.places for line in found.lines} == {
        6: (3, None, None),
        4: (1, 2, None),
        7: (4, 1, None),
        5: (2, None, None),
    }
    assert found.finding == Say.of("finding.unkept", passage="第6条")


def test_what_an_agent_kept_and_a_cut_took_away_was_cut_and_not_rejected():
    found = flow(run(search(1, 2, 3), judge(3, 1, 2), evidence(3)), (), [passage(2)], None)
    assert codes(found) == ["stage.found", "stage.kept", "stage.given"]
    assert [stage.passes for stage in found.stages] == [None, 1, None]
    assert found.finding.code == "finding.cut" and found.finding.values["rank"] == 3


def test_stages_are_named_by_what_they_go_by():
    fell_back = ranked(1, 2, reorders=True)
    assert codes(flow(run(ranked(1, 2), fell_back, evidence(1)), (), (), None))[:2] == [
        "stage.keyword",
        "stage.ranking",
    ]
    other = ranked(1, 2, own=1.0)
    assert codes(flow(run(other, ranked(2, 1, reorders=True, cosine=0.5), evidence(2)), (), (), None)) == [
        "stage.ranking",
        "stage.meaning",
        "stage.given",
    ]


@pytest.mark.parametrize(
    ("ran", "gold", "code"),
    [
        (run(), (), "unfinished"),
        (run(ranked(1), ended=False), (), "unfinished"),
        (run(ranked(), evidence(), "没有。"), (1,), "nothing"),
        (run(ranked(1), evidence(1), "答"), (1,), "only"),
        (run(ranked(1, 2), evidence(1, 2), "答"), (1, 2), "all"),
        (run(ranked(1, 2), evidence(1)), (9,), "unfound"),
        (run(ranked(1, 2, 3), evidence(1)), (2, 3), "none"),
        (run(ranked(1, 2, 3), evidence(1)), (1, 3, 2), "several"),
        (run(ranked(1, 2), ranked(2, 1, reorders=True), evidence(2, 1)), (), "risen"),
        (run(ranked(1, 2), ranked(2, 1, reorders=True), evidence(2)), (), "lifted"),
        (run(ranked(1, 2, 3), ranked(3, 1, 2, reorders=True), evidence(3)), (3, 2), "and"),
        (run(ranked(1, 2, 3), ranked(2, reorders=True), evidence(2)), (3,), "dropped"),
        (run(ranked(1, 2, 3), ranked(2, 1, reorders=True), evidence(2)), (3,), "outside"),
        (run(ranked(1, 2), evidence(1)), (), "first"),
        (run(search(1, 2), judge(2), evidence(2)), (), "picked"),
        (run(search(1, 2), evidence()), (), "none_given"),
    ],
)
def test_what_stands_out_is_told(ran, gold, code):
    found = flow(ran, (), [passage(number) for number in gold], None)
    assert found.finding.code == f"finding.{code}"
    assert "—" not in Words("en").say(found.finding)


def test_a_way_ends_where_the_passage_was_gone():
    found = flow(run(ranked(1, 2, 3), ranked(2, 1, reorders=True), evidence(2)), (), [passage(9)], None)
    assert {line.passage.order: line.lost for line in found.lines} == {9: -1, 2: None, 1: 1, 3: 0}
    assert all(line.lost == -1 for line in flow(replace(run(), error=None), (), [passage(1)], None).lines)


def test_two_hundred_passages_flow():
    found = flow(run(ranked(*range(200)), evidence(*range(5))), (), (), None)
    assert len(found.lines) == 200 and found.stages[0].passes == 5
