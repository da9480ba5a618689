"""Vectors of a record: explained, cut and tried out by them only where they are those in force now."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.asking import entrants
from core.bench import NO_VECTORS, SPACE, prepare
from core.domain import Say
from core.explain.budget import at_budget
from core.explain.passage import explanation
from core.explain.tryout import Change, try_out
from core.race import compare
from core.retrieval.ranking import Retriever
from core.words import Words

QUESTION = "电梯坏了维修资金怎么申请"
OTHER = "explain.meaning.other"
WITHOUT = "explain.meaning.without"


@pytest.fixture(scope="module")
def blind(filled):
    known = filled.retriever
    return replace(filled, retriever=Retriever(known.base, known.tokeniser, known.index, None, None, known.bm25))


@pytest.fixture
def paid(filled, at_server):
    return prepare(replace(at_server(WORKBENCH_EMBEDDINGS="openai:embed")), filled.base)


def asked(bench, *modes, k=None):
    return compare(bench, entrants(QUESTION, modes or ("bm25", "rerank"), k, {}), retrieval_only=True)


def older(comparison):
    """The comparison as records kept it before they told their vectors."""
    return replace(comparison, settings={name: v for name, v in comparison.settings.items() if name != SPACE})


def test_a_record_tells_which_vectors_ranked_it(filled, blind, paid):
    spaces = [asked(each).settings[SPACE] for each in (filled, blind, paid)]
    assert spaces == [filled.space, NO_VECTORS, paid.space] and len(set(spaces)) == 3


@pytest.mark.parametrize("as_kept", [lambda kept: kept, older], ids=["told", "older"])
def test_a_record_of_other_vectors_is_explained_by_its_own_cosines_alone(filled, paid, as_kept):
    comparison = as_kept(asked(paid))
    for hit in comparison.runs[1].hits:
        found = explanation(filled, comparison, hit.passage)
        why = found.modes["rerank"]
        assert (found.meaning, found.unknown) == (None, Say.of(OTHER))
        assert why.facts["cosine"] == hit.scores["cosine"] and why.rank == hit.rank
        if why.settings:
            assert why.remedy.values["rank"] <= why.remedy.values["k"]
            assert why.remedy.values["rank"] <= hit.rank or why.remedy.code != "rerank.remedy_k"


@pytest.mark.parametrize("as_kept", [lambda kept: kept, older], ids=["told", "older"])
def test_a_record_without_vectors_is_explained_by_the_order_of_keywords(filled, blind, as_kept):
    comparison = as_kept(asked(blind))
    for hit in comparison.runs[1].hits[5:]:
        found = explanation(filled, comparison, hit.passage)
        assert (found.meaning, found.unknown) == (None, Say.of(WITHOUT))
        assert found.modes["rerank"].remedy.values["k"] == hit.rank == found.modes["rerank"].rank


def test_a_record_with_vectors_is_explained_where_there_are_none_now(filled, blind):
    comparison = asked(filled)
    hit = comparison.runs[1].hits[7]
    found = explanation(blind, comparison, hit.passage)
    assert found.unknown == Say.of(OTHER)
    assert found.modes["rerank"].rank == 8 and found.modes["rerank"].facts["cosine"] == hit.scores["cosine"]


def test_a_run_whose_vectors_failed_is_explained_by_the_order_it_kept(filled, blind):
    comparison = asked(blind)
    failed = replace(comparison, settings={**comparison.settings, SPACE: filled.space})
    hit = failed.runs[1].hits[8]
    assert explanation(filled, failed, hit.passage).modes["rerank"].remedy.values["k"] == 9


def test_a_budget_keeps_the_order_that_was_recorded(filled, blind, paid):
    for made in (asked(blind), asked(paid), older(asked(blind)), older(asked(paid))):
        (bm25, rerank), kept = at_budget(filled, made, 8).runs, made.runs[1]
        assert len(bm25.evidence) == 8 and rerank.evidence == kept.evidence[:8]
    assert len(at_budget(filled, older(asked(filled)), 8).runs[1].evidence) == 8
    assert len(at_budget(blind, asked(blind), 8).runs[1].evidence) == 8


def test_a_tryout_says_that_it_ranks_by_other_vectors(filled, blind):
    change = Change(parameters={"candidates": 30})
    assert try_out(blind, asked(filled), change).notice == Say.of("tryout.without")
    assert try_out(filled, asked(blind), change).notice == Say.of("tryout.vectors")
    for same in (try_out(filled, asked(filled), change), try_out(blind, asked(blind), change)):
        assert same.notice is None
    assert try_out(filled, asked(blind, "bm25"), Change(k1=1.0)).notice is None


@pytest.mark.parametrize("code", [OTHER, WITHOUT, "tryout.vectors", "tryout.without"])
def test_what_is_said_of_them_has_words(code):
    for language in ("zh", "en"):
        assert Words(language).say(Say.of(code)) != code
