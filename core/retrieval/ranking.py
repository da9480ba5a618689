"""Every way of ranking the passages of one base, behind one shape: query in, `Ranking` out."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.domain import Hit, Passage, Say
from core.errors import EmbeddingError
from core.knowledge.base import KnowledgeBase
from core.knowledge.tokeniser import Tokeniser
from core.ports import Vectors
from core.retrieval.bm25 import Bm25, KeywordIndex
from core.retrieval.literal import literal_search
from core.retrieval.vectors import VectorSpace

Way = Literal["bm25", "rerank"]
Positions = npt.NDArray[np.int64] | None


@dataclass(frozen=True, slots=True)
class Ranking:
    """Hits best first; `times` in seconds by kind as in `Step`; `notice` says why none, or what fell back."""

    hits: tuple[Hit, ...]
    times: Mapping[str, float] = field(default_factory=dict)
    notice: Say | None = None

    @property
    def seconds(self) -> float:
        """Time of the ranking itself, without one-time work."""
        return self.times.get("retrieval", 0.0) + self.times.get("embedding", 0.0)


class Retriever:
    """The rankings of one base: its keyword index and, where an embedder is there, its vectors."""

    def __init__(
        self, base: KnowledgeBase, tokeniser: Tokeniser, index: KeywordIndex, vectors: VectorSpace | None, bm25: Bm25
    ) -> None:
        self.base = base
        self.tokeniser = tokeniser
        self.index = index
        self.vectors = vectors
        self.bm25 = bm25
        self._asked: dict[str, Vectors] | None = None
        self._credited: set[int] = set()

    def for_run(self) -> Retriever:
        """The same rankings for one run: a text it embeds twice is embedded once, and no other run rides on that."""
        own = copy(self)
        own._asked = {}
        own._credited = set()
        return own

    def passage_vectors(self, passages: Sequence[Passage]) -> tuple[Vectors, dict[str, float]]:
        """Vectors of passages, shape `(n, dimension)`, and their times in seconds.

        `once` is for what had to be computed, `cached` what the cached ones had once taken, each passage counted the
        first time a run reads it. Raises `EmbeddingError`.
        """
        if self.vectors is None:
            raise EmbeddingError("embeddings.unavailable")
        positions = [passage.order for passage in passages]
        found = self.vectors.rows(positions)
        pairs = zip(positions, found.cached.tolist(), strict=True)
        cached = sum(seconds for position, seconds in pairs if position not in self._credited)
        if self._asked is not None:
            self._credited.update(positions)
        return found.matrix, {kind: s for kind, s in (("once", found.seconds), ("cached", cached)) if s}

    def _query_vector(self, vectors: VectorSpace, query: str) -> Vectors:
        if self._asked is None:
            return vectors.embedder.query(query)
        if query not in self._asked:
            self._asked[query] = vectors.embedder.query(query)
        return self._asked[query]

    def keyword(self, query: str, k: int, within: Positions = None) -> Ranking:
        """Rank by BM25; a literal search stands in only when no term is found. No match gives the reason."""
        began = time.perf_counter()
        if not self.base.passages:
            return Ranking((), notice=Say.of("search.base_empty", base=self.base.title))
        terms = self.tokeniser.query(query)
        if not terms:
            return Ranking((), notice=Say.of("search.no_terms"))
        positions, scores = self.index.search(terms, k, self.bm25, within)
        notice = None
        if not len(positions):
            literal = self._literal(query, k, within)
            positions, scores, found = np.array(literal[0]), np.array(literal[1]), literal[2]
            notice = Say.of("search.literal", terms=list(found)) if found else self._no_match(terms, within)
        passages = self.base.passages
        hits = tuple(
            Hit(passages[p], rank, float(s), {"bm25": float(s), "bm25_rank": rank})
            for rank, (p, s) in enumerate(zip(positions, scores, strict=True), 1)
        )
        return Ranking(hits, {"retrieval": time.perf_counter() - began}, notice)

    def _literal(self, query: str, k: int, within: Positions) -> tuple[Sequence[int], Sequence[float], Sequence[str]]:
        allowed = range(len(self.base.passages)) if within is None else within.tolist()
        texts = [self.base.passages[p].indexed for p in allowed]
        positions, scores, found = literal_search(texts, query, self.tokeniser, k, self.bm25)
        return [allowed[int(p)] for p in positions], [float(s) for s in scores], found

    @staticmethod
    def _no_match(terms: Sequence[str], within: Positions) -> Say:
        code = "search.no_match" if within is None else "search.no_match_filtered"
        return Say.of(code, terms=list(terms))

    def meaning(self, query: str, hits: Sequence[Hit], k: int) -> Ranking:
        """Reorder `hits` by cosine to the query; without vectors their order stays and the notice says so."""
        if not hits:
            return Ranking(())
        if self.vectors is None:
            return Ranking(tuple(hits[:k]), notice=Say.of("embeddings.unavailable"))
        try:
            began = time.perf_counter()
            vector = self._query_vector(self.vectors, query)
            embedded = time.perf_counter()
            matrix, cost = self.passage_vectors([hit.passage for hit in hits])
        except EmbeddingError as failed:
            return Ranking(tuple(hits[:k]), notice=failed.say)
        ranked = time.perf_counter()
        cosines = matrix @ vector
        order = np.argsort(-cosines, kind="stable")[:k]
        reordered = tuple(
            Hit(hits[i].passage, rank, float(cosines[i]), {**hits[i].scores, "cosine": float(cosines[i])})
            for rank, i in enumerate(order, 1)
        )
        times = {"embedding": embedded - began, "retrieval": time.perf_counter() - ranked, **cost}
        return Ranking(reordered, times)

    def closeness(self, text: str, passages: Sequence[Passage]) -> list[float]:
        """Cosine of `text` to each passage of this base, as `meaning` ranks by; raises `EmbeddingError`."""
        if self.vectors is None:
            raise EmbeddingError("embeddings.unavailable")
        vector = self._query_vector(self.vectors, text)
        matrix, _ = self.passage_vectors(passages)
        return [float(cosine) for cosine in matrix @ vector]

    def search(self, query: str, k: int, way: Way = "rerank", pool: int = 20, within: Positions = None) -> Ranking:
        """Rank by BM25 or by BM25 and then meaning, as the modes of these names do."""
        if way == "bm25":
            return self.keyword(query, k, within)
        first = self.keyword(query, max(pool, k), within)
        second = self.meaning(query, first.hits, k)
        kinds = {*first.times, *second.times}
        times = {kind: first.times.get(kind, 0.0) + second.times.get(kind, 0.0) for kind in kinds}
        return Ranking(second.hits, times, second.notice or first.notice)
