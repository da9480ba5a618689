"""Meaning: a passage's cosine to the question, and its place among the candidates and among all with a vector."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.domain import Passage
from core.errors import EmbeddingError
from core.retrieval.ranking import Retriever
from core.retrieval.standing import standing

CANDIDATES = 20
"""Of BM25's first passages, among how many a place is told where no mode says otherwise."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """`rank` is the passage's place by cosine among all `vectors` passages that have one, of `passages`.

    These are the passages that may be ranked: the whole base, or what filters let through. `candidate_rank` is its
    place among the first `candidates` of BM25, `None` where it is none of them.
    """

    cosine: float
    rank: int
    vectors: int
    passages: int
    candidate_rank: int | None
    candidates: int


def meaning(retriever: Retriever, question: str, passage: Passage, candidates: int = CANDIDATES) -> Meaning:
    """Where a passage stands by meaning, from vectors that are there; candidates without one are not counted.

    Raises `EmbeddingError` where the passage has none, or the question may not be embedded.
    """
    ranked = standing(retriever, question)
    if ranked.unknown or ranked.cosines is None:
        unknown = ranked.unknown
        raise EmbeddingError(unknown.code, **unknown.values) if unknown else EmbeddingError("embeddings.unavailable")
    place = ranked.overall(passage.order)
    own = float(ranked.cosines[passage.order])
    if place is None:
        raise EmbeddingError("explain.meaning.unfilled" if np.isnan(own) else "explain.meaning.zero")
    among = ranked.place(passage.order, candidates)
    if among is None and passage.order in ranked.order[:candidates]:
        among = int(np.count_nonzero(ranked.cosines[list(ranked.order[:candidates])] > own)) + 1
    return Meaning(own, *place, retriever.reach, among, candidates)
