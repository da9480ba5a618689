"""Standing: where a question puts the passages of a base, by words and by the vectors that are there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.domain import Hit, Say
from core.errors import EmbeddingError
from core.retrieval.doubt import LOWERED
from core.retrieval.memo import Memo
from core.retrieval.placing import FREE, Placing
from core.retrieval.ranking import Cosines, Retriever

_ORDERS: Memo[tuple[int, ...]] = Memo(50)

FARTHEST = 400
"""Places of BM25 that are looked at: the pool that the largest evidence cut can ask for."""


@dataclass(frozen=True, slots=True)
class Standing:
    """BM25's first positions in `order` and the cosine of all `passages`; without a vector `unknown` says why.

    `vectorless` says that no vector took part, so that candidates keep BM25's order. `placing` is what decides beside
    words and meaning; of `passages` only those within it count.
    """

    order: tuple[int, ...]
    cosines: Cosines | None
    unknown: Say | None
    vectorless: bool
    passages: int
    placing: Placing = FREE

    def keyword(self, position: int) -> int | None:
        """The passage's place in BM25's order, from 1; `None` where it is not among the first."""
        return self.order.index(position) + 1 if position in self.order else None

    def place(self, position: int, pool: int) -> int | None:
        """The passage's place among the first `pool` once they are reordered by meaning, as `rerank` would.

        `None` where it is no candidate, or a candidate's cosine is not known.
        """
        candidates = self.order[:pool]
        if position not in candidates:
            return None
        at = candidates.index(position)
        if self.cosines is None:
            return at + 1 if self.vectorless else None
        values = self._ordering(candidates)
        if np.isnan(values).any():
            return None
        front = self.placing.grades(candidates)
        ahead = (front > front[at]) | ((front == front[at]) & (values > values[at]))
        ties = (front[:at] == front[at]) & (values[:at] == values[at])
        return int(np.count_nonzero(ahead) + np.count_nonzero(ties) + 1)

    def _ordering(self, positions: Sequence[int]) -> Cosines:
        """The cosines that put these positions in order: lower where a passage was read with little confidence."""
        assert self.cosines is not None
        at = list(positions)
        values = self.cosines[at]
        return values if self.placing.factors is None else values - LOWERED * (self.placing.factors[at] < 1)

    def overall(self, position: int) -> tuple[int, int] | None:
        """The passage's place by cosine among all that have one, and how many those are; `None` where it has none.

        Of equally close ones the first in the base stands first.
        """
        if self.unknown or self.cosines is None or not np.isfinite(self.cosines[position]):
            return None
        own, counted = self.cosines[position], np.isfinite(self.cosines)
        if self.placing.within is not None:
            counted &= np.isin(np.arange(len(counted)), self.placing.within)
        if not counted[position]:
            return None
        ahead = np.count_nonzero(self.cosines[counted] > own)
        ties = np.count_nonzero(self.cosines[:position][counted[:position]] == own)
        return int(ahead + ties) + 1, int(np.count_nonzero(counted))


def standing(retriever: Retriever, question: str, recorded: Sequence[Hit] = ()) -> Standing:
    """How the question ranks the base; embeds no passage, and the question only where that costs nothing.

    Where it may not be embedded, the cosines are those of the hits that were `recorded`; where these have none, no
    vector took part in their order.
    """
    order, passages, placing = _order(retriever, question), retriever.reach, retriever.placing(question)
    kept = _recorded(recorded, len(retriever.index))
    blind = bool(recorded) and kept is None
    try:
        known = retriever.known_cosines(question)
    except EmbeddingError as unknown:
        vectorless = blind or (kept is None and retriever.vectors is None)
        return Standing(order, kept, unknown.say, vectorless, passages, placing)
    if blind:
        return Standing(order, None, Say.of("explain.meaning.without"), True, passages, placing)
    return Standing(order, known, None, False, passages, placing)


def _recorded(hits: Sequence[Hit], passages: int) -> Cosines | None:
    cosines = np.full(passages, np.nan)
    for hit in hits:
        cosines[hit.passage.order] = hit.scores.get("cosine", np.nan)
    return None if np.isnan(cosines).all() else cosines


def _order(retriever: Retriever, question: str) -> tuple[int, ...]:
    def make() -> tuple[int, ...]:
        return tuple(hit.passage.order for hit in retriever.keyword(question, FARTHEST).hits)

    known = (question, retriever.bm25, retriever.exact, retriever.filters, retriever.tokeniser.fingerprint)
    return _ORDERS.of(retriever.index, known, make)
