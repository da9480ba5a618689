"""Every way of ranking the passages of one base, behind one shape: query in, `Ranking` out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.domain import Hit, Passage, Say, Usage
from core.errors import EmbeddingError
from core.knowledge.base import KnowledgeBase
from core.knowledge.tokeniser import Tokeniser
from core.ports import Embedder, Embedding, Scale, Vectors, never
from core.retrieval.asked import RunMemory, remembered, usage_of
from core.retrieval.bm25 import KeywordIndex
from core.retrieval.cosines import by_cosine
from core.retrieval.formula import Bm25
from core.retrieval.keywords import Keywords, Positions
from core.retrieval.memo import Memo
from core.retrieval.vector_table import Lookup
from core.retrieval.vectors import VectorSpace, cosines_to

Way = Literal["bm25", "rerank"]

Cosines = npt.NDArray[np.float64]

_COSINES: Memo[Cosines] = Memo(4)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Hits best first; `times` in seconds by kind as in `Step`; `usage` is what embedding the query took.

    `notice` says why there are none, or what a reader should know of their order. Of several it is the weightiest:
    that the order fell back to BM25's, then that texts have no vector, then that long texts were embedded in pieces.
    """

    hits: tuple[Hit, ...]
    times: Mapping[str, float] = field(default_factory=dict)
    notice: Say | None = None
    usage: Usage | None = None

    @property
    def seconds(self) -> float:
        """Time of the ranking itself, without one-time work."""
        return self.times.get("retrieval", 0.0) + self.times.get("embedding", 0.0)

    @property
    def by_meaning(self) -> bool:
        """Whether cosines took part, so that it is not BM25's order."""
        return any("cosine" in hit.scores for hit in self.hits)


class Retriever(Keywords):
    """The rankings of one base: its keyword index and, where an embedder is there, its vectors."""

    def __init__(
        self,
        base: KnowledgeBase,
        tokeniser: Tokeniser,
        index: KeywordIndex,
        vectors: VectorSpace | None,
        embedder: Embedder | None,
        bm25: Bm25,
        exact: bool = True,
    ) -> None:
        super().__init__(base, tokeniser, index, bm25, exact)
        self.vectors = vectors
        self.embedder = embedder
        self.refused = Say.of("embeddings.unavailable")
        self._stopped: Callable[[], bool] = never
        self._run: RunMemory | None = None
        self._remembers = False

    def for_run(self, embedder: Embedder | None = None, stopped: Callable[[], bool] = never) -> Retriever:
        """The same rankings for one run, with its own embedder where one is given (it must be of the same space).

        A text it embeds twice is embedded once, and no other run rides on that. Once a provider has failed it, it is
        not asked again: a search of many queries would else wait for each in vain. `stopped` ends a wait.
        """
        own = copy(self)
        own.embedder = embedder or self.embedder
        own._stopped = stopped
        own._run = RunMemory()
        return own

    def without_vectors(self, why: Say) -> Retriever:
        """The same rankings without vectors; `why` is what is said where one is asked for."""
        own = copy(self)
        own.vectors, own.embedder, own.refused = None, None, why
        return own

    def remembering(self) -> Retriever:
        """The same rankings; a question that was ever embedded here for nothing is not embedded again.

        For looking at a question again and again, where times do not count.
        """
        own = copy(self)
        own._remembers = True
        return own

    @property
    def scale(self) -> Scale | None:
        """How to read the cosines of the embedder in force."""
        return self.embedder.scale if self.embedder else None

    def passage_vectors(self, passages: Sequence[Passage]) -> tuple[Vectors, dict[str, float]]:
        """Vectors of passages, shape `(n, dimension)`, and their times in seconds.

        `once` is for what had to be computed, `cached` what the cached ones had once taken, each passage counted the
        first time a run reads it. Raises `EmbeddingError`.
        """
        found, times = self._lookup(passages)
        return found.matrix, times

    def _lookup(self, passages: Sequence[Passage]) -> tuple[Lookup, dict[str, float]]:
        positions = [passage.order for passage in passages]
        with self._asking() as (vectors, embedder):
            found = vectors.rows(positions, embedder, self._stopped)
        known = self._run.credited if self._run else set()
        pairs = zip(positions, found.cached.tolist(), strict=True)
        cached = sum(seconds for position, seconds in pairs if position not in known)
        known.update(positions)
        return found, {kind: s for kind, s in (("once", found.seconds), ("cached", cached)) if s}

    def _embed(self, query: str) -> Embedding:
        """The vector of a query; one that this run has asked before costs nothing any more."""
        if self._run and query in self._run.asked:
            return Embedding(self._run.asked[query])
        with self._asking() as (_, embedder):
            remembers = self._remembers and embedder.free
            found = remembered(embedder, query) if remembers else embedder.query(query)
        if self._run:
            self._run.asked[query] = found.vectors
        return found

    def known_cosines(self, query: str) -> Cosines:
        """Cosine of `query` to every passage, shape `(N,)`, as far as vectors are there (`VectorSpace.cosines`).

        The query is embedded only where that costs nothing. Raises `EmbeddingError`.
        """
        if self.vectors is None or self.embedder is None:
            raise EmbeddingError(self.refused.code, **self.refused.values)
        if not self.embedder.free:
            raise EmbeddingError("explain.meaning.paid", model=self.embedder.id)
        asked = remembered(self.embedder, query).vectors
        if not asked.any():
            raise EmbeddingError("embeddings.question_zero")
        space = self.vectors
        return _COSINES.of(space, (query, self.embedder.space, space.filled), lambda: space.cosines(asked))

    @contextmanager
    def _asking(self) -> Iterator[tuple[VectorSpace, Embedder]]:
        """The vectors and who makes them; raises `EmbeddingError` where there are none, and remembers a failure."""
        if self.vectors is None or self.embedder is None:
            raise EmbeddingError(self.refused.code, **self.refused.values)
        if self._run and self._run.failed:
            raise EmbeddingError(self._run.failed.code, **self._run.failed.values)
        try:
            yield self.vectors, self.embedder
        except EmbeddingError as failed:
            if self._run and not self.embedder.free:
                self._run.failed = failed.say
            raise

    def keyword(self, query: str, k: int, within: Positions = None) -> Ranking:
        """Rank by BM25, what the query names exactly in front; no match gives the reason.

        A literal search stands in only when no term is found.
        """
        return Ranking(*self.by_words(query, k, within))

    def meaning(self, query: str, hits: Sequence[Hit], k: int) -> Ranking:
        """Reorder `hits` by cosine to the query; without vectors their order stays and the notice says so.

        A passage whose vector is all zeros has no cosine and stands last, with the score -1.
        """
        if not hits:
            return Ranking(())
        began = time.perf_counter()
        usage: Usage | None = None
        try:
            asked = self._embed(query)
            usage = usage_of(asked)
            embedded = time.perf_counter()
            found, cost = self._lookup([hit.passage for hit in hits])
        except EmbeddingError as failed:
            times = {"embedding": time.perf_counter() - began} if self.vectors else {}
            return Ranking(tuple(hits[:k]), times, failed.say, usage)
        ranked = time.perf_counter()
        reordered, notice = by_cosine(hits, asked, found)
        times = {"embedding": embedded - began, "retrieval": time.perf_counter() - ranked, **cost}
        return Ranking(reordered[:k], times, notice, usage)

    def closeness(self, text: str, passages: Sequence[Passage]) -> list[float]:
        """Cosine of `text` to each passage of this base, as `meaning` ranks by, 0 for what has no vector.

        What the text costs is told by `told_beside`. Raises `EmbeddingError`.
        """
        asked = self._embed(text)
        if self._run and (usage := usage_of(asked)):
            self._run.beside = self._run.beside + usage if self._run.beside else usage
        found, _ = self._lookup(passages)
        return [float(cosine) for cosine in cosines_to(asked.vectors, found.matrix)]

    def told_beside(self) -> Usage | None:
        """What a provider counted for `closeness` in this run and was not told yet."""
        if self._run is None:
            return None
        usage, self._run.beside = self._run.beside, None
        return usage

    def search(self, query: str, k: int, way: Way = "rerank", pool: int = 20, within: Positions = None) -> Ranking:
        """Rank by BM25 or by BM25 and then meaning, as the modes of these names do."""
        if way == "bm25":
            return self.keyword(query, k, within)
        first = self.keyword(query, max(pool, k), within)
        second = self.meaning(query, first.hits, k)
        kinds = {*first.times, *second.times}
        times = {kind: first.times.get(kind, 0.0) + second.times.get(kind, 0.0) for kind in kinds}
        notices = (first.notice, second.notice) if second.by_meaning else (second.notice, first.notice)
        notice = notices[0] or notices[1]
        return Ranking(second.hits, times, notice, second.usage)
