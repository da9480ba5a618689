"""Try-outs: what is changed changes the ranks, nothing else does, and nothing stays of it."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace
from functools import cache

import pytest

from core.archive import Archive
from core.asking import entrants
from core.bench import prepare
from core.domain import Usage
from core.errors import UsageError
from core.explain.terms import terms
from core.explain.tryout import Change, changed, moves, try_out
from core.knowledge.tokeniser import Tokeniser
from core.race import compare
from core.retrieval.bm25 import KeywordIndex
from core.retrieval.formula import Bm25
from core.settings import Role
from core.words import Words

QUESTION = "装修工人搬东西用了电梯，后来电梯坏了，谁来赔？"
MODES = ("bm25", "rerank")


@pytest.fixture(scope="module")
def asked(bench):
    """Some modes on the question, retrieval only."""

    @cache
    def ask(*modes):
        return compare(bench, entrants(QUESTION, modes or MODES, None, {}), retrieval_only=True)

    return ask


def ids(run):
    return [hit.passage.id for hit in run.hits]


def test_without_a_change_every_mode_ranks_as_recorded(bench, asked):
    comparison = asked("bm25", "rerank", "agentic")
    tried = try_out(bench, comparison, Change())
    assert [ids(run) for run in tried.comparison.runs] == [ids(run) for run in comparison.runs]
    assert tried.left == () and all(not run.answer for run in tried.comparison.runs)


@pytest.mark.parametrize(
    "change", [Change(question="监控保存多久？"), Change(variant="okapi"), Change(k1=0.1), Change(b=0.0)], ids=str
)
def test_a_changed_question_or_setting_ranks_as_a_bench_with_it(bench, asked, change):
    known = bench.retriever
    given = {name: getattr(change, name) for name in ("variant", "k1", "b") if getattr(change, name) is not None}
    bm25 = replace(known.bm25, **given)
    tried = try_out(bench, asked("bm25"), change).comparison.runs[0]
    terms = known.tokeniser.query(change.question or QUESTION)
    positions, scores = known.index.search(terms, 20, bm25)
    assert ids(tried) == [bench.base.passages[at].id for at in positions]
    assert [hit.score for hit in tried.hits] == scores.tolist() and tried.ask.question == (change.question or QUESTION)


def test_candidates_and_cut_change_in_the_modes_that_have_them(bench, asked):
    change = Change(parameters={"candidates": 40, "k": 2})
    tried = try_out(bench, asked("bm25", "rerank", "agentic"), change).comparison.runs
    assert [len(run.evidence) for run in tried[:2]] == [2, 2] and len(tried[1].hits) == 40
    assert "candidates" not in tried[0].ask.parameters
    assert (tried[2].ask.parameters["candidates"], tried[2].ask.k) == (40, None)


def test_a_cut_also_holds_for_an_agent_that_was_asked_with_one(bench):
    comparison = compare(bench, entrants(QUESTION, ["agentic"], 3, {}), retrieval_only=True)
    assert len(try_out(bench, comparison, Change(parameters={"k": 1})).comparison.runs[0].evidence) == 1


def test_a_parameter_of_one_mode_changes_that_mode_alone(bench, asked):
    comparison = asked("bm25", "agentic")
    bm25, agentic = try_out(bench, comparison, Change(parameters={"evidence": 1})).comparison.runs
    assert bm25.ask == comparison.runs[0].ask and ids(bm25) == ids(comparison.runs[0])
    assert len(agentic.evidence) == 1 < len(comparison.runs[1].evidence)


def test_a_tryout_starts_from_what_was_recorded_whatever_holds_now(bench, asked):
    comparison = asked("bm25")
    other = bench.as_recorded({"k1": 0.1, "b": 0.0})
    tried = try_out(other, comparison, Change())
    assert ids(tried.comparison.runs[0]) == ids(comparison.runs[0])
    far = bench.base.passages[0].id
    assert moves(other, comparison, tried, far) == moves(bench, comparison, try_out(bench, comparison, Change()), far)


def index_of(bench, tokeniser):
    return KeywordIndex.build([tokeniser.tokens(passage.indexed) for passage in bench.base.passages])


@pytest.mark.parametrize("words", [("末次损坏",), ("梯坏", "此前反复"), ("業主",), ("没有这个词吧",), ("的", "电梯间")])
def test_an_added_word_gives_the_index_of_a_dictionary_made_with_it(bench, asked, words):
    tried = changed(bench, asked("bm25"), Change(words=words)).retriever
    fresh = Tokeniser((*bench.base.words, *words), bench.settings.home / "cache")
    whole = index_of(bench, fresh)
    assert tried.tokeniser.tokens(QUESTION) == fresh.tokens(QUESTION)
    assert set(tried.index.vocabulary) == set(whole.vocabulary) and tried.index.mean_length == whole.mean_length
    for variant in ("lucene", "okapi"):
        for term in sorted(whole.vocabulary)[::7] + [word for word in words if word in whole.vocabulary]:
            one, two = (each.scores([term], Bm25(variant)) for each in (tried.index, whole))
            assert one == pytest.approx(two, rel=1e-12)


def test_a_dictionary_with_words_of_its_own_takes_more_as_if_made_with_them(bench, shared_home):
    texts = [passage.indexed for passage in bench.base.passages]
    first = Tokeniser(("电梯使用者", "损坏停运"), shared_home / "cache")
    derived = first.extended(["电梯使", "停运"])
    whole = Tokeniser(("电梯使用者", "损坏停运", "电梯使", "停运"), shared_home / "cache")
    assert [derived.tokens(text) for text in texts] == [whole.tokens(text) for text in texts]
    assert derived.fingerprint == whole.fingerprint
    assert first.tokens("电梯使用") == Tokeniser(first.words, shared_home / "cache").tokens("电梯使用")


def test_a_word_the_segmenter_cuts_apart_is_one_term_once_it_is_added(open_base):
    bench = open_base(a="# 规则\n第一条 末次损坏归责于个别人。\n第二条 货运时间不限。")
    comparison = compare(bench, entrants("末次损坏归责", ["bm25"], None, {}), retrieval_only=True)
    change = Change(words=("末次损坏归责",))
    tried = try_out(bench, comparison, change)
    passage = bench.base.passages[0]
    assert "末次损坏归责" not in bench.retriever.tokeniser.tokens(passage.text)
    row = terms(changed(bench, comparison, change).retriever, "末次损坏归责", passage).rows[-1]
    assert (row.term, row.tf, row.df) == ("末次损坏归责", 1, 1)
    assert moves(bench, comparison, tried, passage.id)[0].given_after


def test_a_place_beyond_the_list_is_told_before_and_after(bench, asked):
    comparison = asked("bm25")
    known = bench.retriever
    terms = known.tokeniser.query(QUESTION)
    far = next(p for p in bench.base.passages if (known.index.rank(terms, p.order, known.bm25) or 0) > 25)
    move = moves(bench, comparison, try_out(bench, comparison, Change(k1=0.2)), far.id)[0]
    assert move.before == known.index.rank(terms, far.order, known.bm25)
    assert move.after == known.index.rank(terms, far.order, replace(known.bm25, k1=0.2))
    assert (move.given_before, move.given_after) == (False, False)


def test_nothing_of_a_tryout_stays(bench, asked):
    home = bench.settings.home
    before = {path: path.stat().st_mtime_ns for path in home.rglob("*.segments")}
    known, kept = bench.retriever, Archive(home).recent(100)
    vocabulary = set(known.index.vocabulary)
    try_out(bench, asked(), Change(words=("反复损坏",), k1=0.4, variant="okapi"))
    again = compare(bench, entrants(QUESTION, MODES, None, {}), retrieval_only=True)
    assert [ids(run) for run in again.runs] == [ids(run) for run in asked().runs]
    assert set(known.index.vocabulary) == vocabulary and "反复损坏" not in known.tokeniser.words
    assert {path: path.stat().st_mtime_ns for path in home.rglob("*.segments")} == before
    assert Archive(home).recent(100) == kept


def test_nothing_of_a_base_that_is_let_go_is_held_by_its_tryouts(open_base):
    bench = open_base(a="# 规则\n第一条 末次损坏归责于个别人。")
    comparison = compare(bench, entrants("末次损坏归责", ["bm25"], None, {}), retrieval_only=True)
    kept = [try_out(bench, comparison, Change(words=("末次损坏归责",))), try_out(bench, comparison, Change(k1=0.3))]
    held = [weakref.ref(bench.base), weakref.ref(bench.retriever.index)]
    del bench
    gc.collect()
    assert kept and [one() for one in held] == [None, None]


def test_a_run_that_cost_money_is_left_out_and_no_model_is_asked(bench, asked):
    comparison = asked("bm25", "agentic")
    first, second = comparison.runs
    steps = second.events
    paid = replace(steps[0], event=replace(steps[0].event, usage=Usage(calls=1)))
    runs = (first, replace(second, events=(paid, *steps[1:])))
    tried = try_out(bench, replace(comparison, runs=runs), Change(k1=1.0))
    assert tried.left == ("agentic",) and [run.mode for run in tried.comparison.runs] == ["bm25"]


def test_a_planner_that_is_set_meanwhile_is_not_asked(bench, asked, at_server, server):
    settings = replace(at_server(), home=bench.settings.home)
    now = replace(prepare(settings, bench.base), settings=settings)
    tried = try_out(now, asked("agentic"), Change(k1=1.0))
    assert tried.left == () and tried.comparison.runs[0].error is None
    assert server.requests == []


def test_modes_of_meaning_are_left_out_where_vectors_cost_money(bench, asked):
    roles = {**bench.settings.roles, "embeddings": Role("openai:e")}
    tried = try_out(replace(bench, settings=replace(bench.settings, roles=roles)), asked(), Change(k1=1.0))
    assert tried.left == ("rerank",) and [run.mode for run in tried.comparison.runs] == ["bm25"]


def test_where_nothing_can_be_tried_that_is_said(bench, asked):
    known = asked("bm25")
    with pytest.raises(UsageError) as refused:
        try_out(bench, replace(known, runs=(replace(known.runs[0], mode="gone"),)), Change(k1=1.0))
    assert refused.value.say.code == "tryout.gone"
    roles = {**bench.settings.roles, "embeddings": Role("openai:e")}
    with pytest.raises(UsageError) as refused:
        try_out(replace(bench, settings=replace(bench.settings, roles=roles)), asked("rerank"), Change(k1=1.0))
    assert refused.value.say.code == "tryout.nothing"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (Change(question=" 　\n"), "question.blank"),
        (Change(question="长" * 3_000), "question.long"),
        (Change(words=("  ",)), "tryout.word_blank"),
        (Change(words=("长" * 1_000,)), "tryout.word_long"),
        (Change(words=("a b",)), "tryout.word_han"),
        (Change(words=("电，梯",)), "tryout.word_han"),
        (Change(words=("电梯",) * 50), "tryout.word_many"),
        (Change(k1=-1.0), "parameter.range"),
        (Change(k1=float("nan")), "parameter.range"),
        (Change(k1=float("inf")), "parameter.range"),
        (Change(b=1.5), "parameter.range"),
        (Change(variant="other"), "parameter.choice"),
        (Change(parameters={"candidates": 0}), "parameter.range"),
        (Change(parameters={"candidates": 10_000}), "parameter.range"),
        (Change(parameters={"evidence": 3}), "parameter.unknown"),
        (Change(parameters={"k": 0}), "parameter.range"),
        (Change(parameters={"k": 1_000}), "parameter.range"),
    ],
    ids=str,
)
def test_a_change_that_makes_no_sense_is_refused_in_words(bench, asked, change, code):
    with pytest.raises(UsageError) as refused:
        try_out(bench, asked(), change)
    assert refused.value.say.code == code
    for language in ("zh", "en"):
        assert "—" not in Words(language).say(refused.value.say)
