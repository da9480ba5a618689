"""What was read with little confidence is ranked down by a stated measure, and nothing else moves by a single digit."""

from __future__ import annotations

import pytest

from core.asking import entrants
from core.explain.passage import explain
from core.race import compare
from core.retrieval.doubt import FACTOR, LOWERED, THRESHOLD
from core.retrieval.standing import standing
from core.words import Words

TEXT = "监控影像保存三十日"
QUESTION = "监控影像保存多久"


@pytest.fixture(scope="module")
def scanned(made):
    """The same passage three times: of a scan that was hardly legible, of a good one, and typed."""
    rows = [("扫描件", "记录", "", TEXT, {"confidence": given}) for given in (THRESHOLD - 0.2, THRESHOLD)]
    return made([*rows, ("打字稿", "记录", "", TEXT), ("别的", "记录", "", "与此无关的一段话")])


def test_only_what_lies_below_the_threshold_is_ranked_down(scanned):
    hits = scanned.retriever.keyword(QUESTION, 5).hits
    assert [hit.passage.order for hit in hits] == [1, 2, 0]
    assert hits[2].score == pytest.approx(hits[0].score * FACTOR)
    assert [hit.scores.get("confidence") for hit in hits] == [None, None, THRESHOLD - 0.2]


def test_by_meaning_its_score_is_lowered_and_its_cosine_is_not(scanned):
    hits = scanned.for_run().retriever.search(QUESTION, 5, "rerank").hits
    low = next(hit for hit in hits if hit.passage.order == 0)
    assert [hit.passage.order for hit in hits[:3]] == [1, 2, 0]
    assert low.scores["cosine"] == hits[0].scores["cosine"] and low.score == pytest.approx(hits[0].score - LOWERED)


def test_contributions_times_the_factor_are_the_score(scanned):
    passage = scanned.base.passages[0]
    found = explain(scanned, entrants(QUESTION, ["bm25", "rerank"], None, {}), passage)
    facts, rows = found.modes["bm25"].facts, found.terms.rows
    assert found.terms.factor == facts["factor"] == FACTOR
    assert sum(row.contribution for row in rows) * FACTOR == pytest.approx(found.terms.score) == facts["score"]
    hit = scanned.retriever.keyword(QUESTION, 5).hits[2]
    assert (found.terms.score, found.terms.rank) == (pytest.approx(hit.score), 3)
    for language in ("zh", "en"):
        told = Words(language).say(found.marks[0])
        assert str(FACTOR) in told and str(LOWERED) in told and "—" not in told


def test_places_that_are_told_are_those_of_the_rerank(scanned):
    run = compare(scanned, entrants(QUESTION, ["rerank"], None, {}), retrieval_only=True).runs[0]
    ranked = standing(scanned.retriever, QUESTION)
    assert [ranked.place(hit.passage.order, 20) for hit in run.hits] == [hit.rank for hit in run.hits]


def test_a_literal_match_is_ranked_down_too(made):
    bench = made(
        [("a", "节", "", "设备abcxyzdef", {"confidence": 0.1}), ("b", "节", "", "设备 abcxyzdef 说明说明说明")]
    )
    hits = bench.retriever.keyword("xyz", 5).hits
    plain = made([("a", "节", "", "设备abcxyzdef"), ("b", "节", "", "设备 abcxyzdef 说明说明说明")])
    assert hits[-1].score == pytest.approx(FACTOR * plain.retriever.keyword("xyz", 5).hits[0].score)
    assert bench.retriever.stands("xyz", hits[-1].passage)[:2] == (hits[-1].rank, hits[-1].score)


def test_without_the_key_no_ranking_changes_by_a_digit(bench):
    index, terms = bench.retriever.index, bench.retriever.tokeniser.query(QUESTION)
    positions, scores = index.search(terms, 68, bench.retriever.bm25)
    hits = bench.retriever.keyword(QUESTION, 68).hits
    assert [(hit.passage.order, hit.score) for hit in hits] == list(
        zip(positions.tolist(), scores.tolist(), strict=True)
    )
    assert all(set(hit.scores) == {"bm25", "bm25_rank"} for hit in hits)
