"""Keywords: the passages of one base ranked by the words of a question, as far as filters let them through."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Self

import numpy as np
import numpy.typing as npt

from core.domain import Hit, Passage, Say
from core.knowledge.base import KnowledgeBase
from core.knowledge.tokeniser import Tokeniser
from core.retrieval.bm25 import KeywordIndex
from core.retrieval.cosines import EXACT
from core.retrieval.doubt import FACTOR, doubted, factors
from core.retrieval.exact import exact_and_behind, prepare
from core.retrieval.filters import OPEN, Filters
from core.retrieval.formula import Bm25
from core.retrieval.literal import literal_search
from core.retrieval.memo import Memo
from core.retrieval.placing import Placing, places, scaled

Positions = npt.NDArray[np.int64] | None
Times = Mapping[str, float]

_LITERAL: Memo[Mapping[int, tuple[int, float]]] = Memo(4)


class Keywords:
    """The order of one base by words: BM25, behind what the question names exactly, within the filters."""

    def __init__(
        self, base: KnowledgeBase, tokeniser: Tokeniser, index: KeywordIndex, bm25: Bm25, exact: bool = True
    ) -> None:
        self.base = base
        self.tokeniser = tokeniser
        self.index = index
        self.bm25 = bm25
        self.exact = exact
        self.filters = OPEN

    def ranking_by(self, bm25: Bm25, exact: bool) -> Self:
        """The same rankings with other settings of BM25, with or without exact look-ups."""
        own = copy(self)
        own.bm25, own.exact = bm25, exact
        return own

    def limited(self, filters: Filters) -> Self:
        """The same rankings of the passages alone that pass `filters`."""
        own = copy(self)
        own.filters = filters
        return own

    @property
    def within(self) -> Positions:
        """Positions of the passages that may be ranked, ascending; `None` where all may."""
        return self.filters.within(self.base)

    @property
    def reach(self) -> int:
        """How many passages may be ranked."""
        within = self.within
        return len(self.base.passages) if within is None else len(within)

    @property
    def passages(self) -> Sequence[Passage]:
        """The passages that the filters let through, in order."""
        within = self.within
        return self.base.passages if within is None else [self.base.passages[at] for at in within]

    def placing(self, query: str, within: Positions = None) -> Placing:
        """What decides the order of a query beside the scores; `within` narrows the filters further."""
        own = self.within
        if own is not None:
            within = own if within is None else np.intersect1d(own, within)
        first, behind = exact_and_behind(self.base, query, within) if self.exact else (None, None)
        return Placing(within, first, behind, factors(self.base))

    def by_words(self, query: str, k: int, within: Positions = None) -> tuple[tuple[Hit, ...], Times, Say | None]:
        """Hits by BM25, their times in seconds by kind, and why there are none or how they were found."""
        if not self.base.passages:
            return (), {}, Say.of("search.base_empty", base=self.base.title)
        once = prepare(self.base, query) if self.exact else 0.0
        began = time.perf_counter()
        terms, placing, notice = self.tokeniser.query(query), self.placing(query, within), None
        if not terms or self._nothing_within(placing):
            return (), {}, self._no_match(terms, placing)
        positions, scores = self.index.search(terms, k, self.bm25, placing=placing)
        named = 0 if placing.first is None else len(placing.first)
        if len(positions) <= named and not self._matched(terms, placing):
            literal = self._literal(query, k, placing)
            positions, scores, found = np.array(literal[0]), np.array(literal[1]), literal[2]
            notice = Say.of("search.literal", terms=list(found)) if found else self._no_match(terms, placing)
            notice = None if named and not found else notice
        hits = tuple(
            self._hit(int(p), rank, float(s), placing)
            for rank, (p, s) in enumerate(zip(positions, scores, strict=True), 1)
        )
        times = {"retrieval": time.perf_counter() - began, **({"once": once} if once else {})}
        return hits, times, notice

    def _hit(self, position: int, rank: int, score: float, placing: Placing) -> Hit:
        """A hit of BM25 with the marks that explain its place."""
        passage = self.base.passages[position]
        scores = {"bm25": score, "bm25_rank": rank}
        if grade := float(placing.grades([position])[0]):
            scores[EXACT] = grade
        if placing.factors is not None and (confidence := doubted(passage)) is not None:
            scores["confidence"] = confidence
        return Hit(passage, rank, score, scores)

    def rank(self, query: str, passage: Passage) -> int | None:
        """A passage's rank among all that `keyword` ranks by terms; `None` where no term of the query stands in it."""
        terms = self.tokeniser.query(query)
        return self.index.rank(terms, passage.order, self.bm25, self.placing(query))

    def matching(self, query: str) -> int:
        """How many of the passages that may be ranked hold a term of the query."""
        return self.index.matching(self.tokeniser.query(query), self.within)

    def _matched(self, terms: Sequence[str], placing: Placing) -> bool:
        """Whether any passage that may be ranked holds a term."""
        return self.index.matching(terms, placing.within) > 0

    def named(self, query: str, passage: Passage) -> bool:
        """Whether the query names the passage exactly, so that it stands in front."""
        first = self.placing(query).first
        return first is not None and passage.order in first

    def stands(self, query: str, passage: Passage) -> tuple[int, float, bool] | None:
        """A passage's rank in the whole of what `keyword` would give, its score, and whether that is literal.

        `None` where it is none of it.
        """
        terms, placing = self.tokeniser.query(query), self.placing(query)
        if not self._matched(terms, placing):
            return self._stands_literally(query, passage, placing) if terms else None
        rank = self.index.rank(terms, passage.order, self.bm25, placing)
        if rank is None:
            return None
        score = sum(s.contribution for s in self.index.explain(terms, passage.order, self.bm25))
        return rank, score * self.factor(passage, score), False

    def _stands_literally(self, query: str, passage: Passage, placing: Placing) -> tuple[int, float, bool] | None:
        known = (query, self.bm25, self.tokeniser.fingerprint, self.filters)
        found = _LITERAL.of(self.index, known, lambda: self._literal_places(query, placing)).get(passage.order)
        return (*found, True) if found else None

    def factor(self, passage: Passage, score: float) -> float:
        """What a BM25 score of the passage is multiplied by: less than 1 where it was read with little confidence."""
        return FACTOR if score > 0 and doubted(passage) is not None else 1.0

    def _literal_places(self, query: str, placing: Placing) -> dict[int, tuple[int, float]]:
        """Rank and score by position of all that holds a piece of the query literally."""
        positions, scores, _ = self._literal(query, len(self.base.passages), placing)
        return {p: (rank, score) for rank, (p, score) in enumerate(zip(positions, scores, strict=True), 1)}

    def _literal(self, query: str, k: int, placing: Placing) -> tuple[Sequence[int], Sequence[float], Sequence[str]]:
        """The best `k` that hold a piece of the query literally, behind what it names; their scores; the pieces."""
        passages = self.base.passages
        allowed = np.arange(len(passages)) if placing.within is None else np.unique(placing.within)
        texts = [passages[p].indexed for p in allowed.tolist()]
        at, known, found = literal_search(texts, query, self.tokeniser, len(texts), self.bm25)
        scores = np.full(len(passages), -np.inf)
        scores[allowed[np.asarray(at, np.int64)]] = known
        scores = scaled(scores, placing)
        order = places(scores, -sys.float_info.max, k, placing)
        return order.tolist(), [max(float(score), 0.0) for score in scores[order]], found

    @staticmethod
    def _nothing_within(placing: Placing) -> bool:
        return placing.within is not None and not len(placing.within)

    def _no_match(self, terms: Sequence[str], placing: Placing) -> Say:
        """Why nothing is ranked."""
        if not terms:
            return Say.of("search.no_terms")
        if self._nothing_within(placing) and self.filters.given:
            return Say.of("filter.nothing", filters=self.filters.told())
        code = "search.no_match" if placing.within is None else "search.no_match_filtered"
        return Say.of(code, terms=list(terms))
