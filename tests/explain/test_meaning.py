"""Meaning: where a passage stands by cosine, from the vectors that are there, and words that are near in meaning."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.asking import entrants
from core.errors import EmbeddingError
from core.explain.meaning import meaning
from core.explain.passage import explanation
from core.explain.terms import by_meaning, terms
from core.race import compare
from core.retrieval.ranking import Retriever
from core.retrieval.vector_cache import VectorCache
from core.retrieval.vectors import VectorSpace

QUESTION = "监控录像要保存多久？"


def own_vectors(bench, filled=0):
    """The same rankings with vectors of their own, of which the first passages' are there."""
    known = bench.retriever
    texts = [passage.indexed for passage in bench.base.passages]
    space = VectorSpace(texts, known.embedder.space, VectorCache(None), known.embedder.dimension)
    if filled:
        space.rows(range(filled), known.embedder)
    return Retriever(known.base, known.tokeniser, known.index, space, known.embedder, known.bm25), space


def test_rank_and_cosine_are_those_of_a_ranking_of_the_whole_base(filled):
    passages = filled.base.passages
    cosines = filled.retriever.closeness(QUESTION, passages)
    for passage in passages[::9]:
        found = meaning(filled.retriever, QUESTION, passage)
        assert found.cosine == pytest.approx(cosines[passage.order], abs=1e-5)
        assert found.rank == 1 + sum(cosine > cosines[passage.order] + 1e-6 for cosine in cosines)
        assert (found.vectors, found.passages) == (len(passages), len(passages))


def test_the_rank_among_candidates_is_that_of_the_rerank_mode(filled):
    run = compare(filled, entrants(QUESTION, ["rerank"], None, {}), retrieval_only=True).runs[0]
    for hit in run.hits:
        assert meaning(filled.retriever, QUESTION, hit.passage).candidate_rank == hit.rank
    outside = next(p for p in filled.base.passages if run.rank_of(p.id) is None)
    assert meaning(filled.retriever, QUESTION, outside).candidate_rank is None


def test_only_vectors_that_are_there_are_counted_and_none_is_made(bench):
    retriever, space = own_vectors(bench, filled=10)
    found = meaning(retriever, QUESTION, bench.base.passages[3])
    assert (found.vectors, space.filled) == (10, 10)
    with pytest.raises(EmbeddingError) as lacking:
        meaning(retriever, QUESTION, bench.base.passages[40])
    assert (lacking.value.say.code, space.filled) == ("explain.meaning.unfilled", 10)


def test_a_paid_embedder_is_not_asked_for_an_explanation(bench, monkeypatch):
    retriever, _ = own_vectors(bench, filled=10)
    paid = type("Paid", (type(retriever.embedder),), {"free": False, "__init__": lambda self: None, "space": "x"})()
    retriever.embedder = paid
    with pytest.raises(EmbeddingError) as refused:
        meaning(retriever, QUESTION, bench.base.passages[3])
    assert refused.value.say.code == "explain.meaning.paid"


def test_cosines_tell_what_lacks_a_vector_from_what_has_zeros():
    class Fixed:
        space, dimension, batch, longest, free = "fixed", 2, 8, 0, True

        def passages(self, texts, *, background=False):
            rows = [[1.0, 0.0] if text == "a" else [0.0, 0.0] for text in texts]
            return type("E", (), {"vectors": np.array(rows, np.float32), "split": 0, "tokens": None})()

    space = VectorSpace(["a", "b", "c", "a", " "], "fixed", VectorCache(None), 2)
    space.rows([0, 1], Fixed())
    found = space.cosines(np.array([0.6, 0.8], np.float32))
    assert found[[0, 3]].tolist() == pytest.approx([0.6, 0.6])
    assert found[1] == found[4] == -np.inf and np.isnan(found[2])
    assert np.isnan(space.cosines(np.zeros(3, np.float32))).all()


def near(bench, question, id):
    found = by_meaning(bench, terms(bench.retriever, question, bench.base.passage(id)))
    return {(row.term, each.other): each.cosine for row in found.rows for each in row.near if each.how == "meaning"}


def test_words_that_say_the_same_are_found_with_their_cosine(bench):
    refund = next(p for p in bench.base.passages if "押金" in p.text and "退还" in p.text)
    found = near(bench, "押款什么时候退？装修结束以后物业公司不肯给钱怎么办", refund.id)
    assert ("公司", "企业") in found
    assert all(0.9 < cosine < 1 for cosine in found.values())


def test_words_of_two_characters_are_looked_at_though_they_say_little_by_themselves(bench):
    found = near(bench, "电梯以前就反复坏，监控看不清，维修费该谁付？", "05-电梯故障#第二十八条")
    assert ("以前", "此前") in found


def test_words_of_another_matter_are_not_near(bench):
    assert near(bench, "恒星和行星的天文观测需要望远镜，彗星出现在火星附近的夜空中", "05-电梯故障#第二十八条") == {}


def test_a_passage_of_few_words_has_none_that_stands_out(open_base):
    bench = open_base(a="# 退货\n第一条 七日内可以退货。")
    assert near(bench, "退款", bench.base.passages[0].id) == {}


def test_a_base_without_vectors_says_so_and_its_words_are_still_explained(bench):
    known = bench.retriever
    blind = replace(bench, retriever=Retriever(known.base, known.tokeniser, known.index, None, None, known.bm25))
    comparison = compare(blind, entrants(QUESTION, None, None, {}), retrieval_only=True)
    found = explanation(blind, comparison, bench.base.passages[40])
    assert found.meaning is None and found.unknown.code == "embeddings.unavailable"
    assert found.terms.rows and set(found.modes) == {run.mode for run in comparison.runs}
