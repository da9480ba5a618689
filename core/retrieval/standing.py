"""Standing: where a question puts the passages of a base, by words and by the vectors that are there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.domain import Hit, Say
from core.errors import EmbeddingError
from core.retrieval.memo import Memo
from core.retrieval.ranking import Cosines, Retriever

_ORDERS: Memo[tuple[int, ...]] = Memo(50)

FARTHEST = 400
"""Places of BM25 that are looked at: the pool that the largest evidence cut can ask for."""


@dataclass(frozen=True, slots=True)
class Standing:
    """BM25's first positions in `order` and the cosine of all `passages`; without a vector `unknown` says why.

    `vectorless` says that no vector took part, so that candidates keep BM25's order.
    """

    order: tuple[int, ...]
    cosines: Cosines | None
    unknown: Say | None
    vectorless: bool
    passages: int

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
        values = self.cosines[list(candidates)]
        if np.isnan(values).any():
            return None
        return int(np.count_nonzero(values > values[at]) + np.count_nonzero(values[:at] == values[at]) + 1)

    def overall(self, position: int) -> tuple[int, int] | None:
        """The passage's place by cosine among all that have one, and how many those are; `None` where it has none.

        Of equally close ones the first in the base stands first.
        """
        if self.unknown or self.cosines is None or not np.isfinite(self.cosines[position]):
            return None
        own = self.cosines[position]
        ahead = np.count_nonzero(self.cosines > own) + np.count_nonzero(self.cosines[:position] == own)
        return int(ahead) + 1, int(np.count_nonzero(np.isfinite(self.cosines)))


def standing(retriever: Retriever, question: str, recorded: Sequence[Hit] = ()) -> Standing:
    """How the question ranks the base; embeds no passage, and the question only where that costs nothing.

    Where it may not be embedded, the cosines are those of the hits that were `recorded`; where these have none, no
    vector took part in their order.
    """
    order, passages = _order(retriever, question), len(retriever.index)
    kept = _recorded(recorded, passages)
    blind = bool(recorded) and kept is None
    try:
        known = retriever.known_cosines(question)
    except EmbeddingError as unknown:
        vectorless = blind or (kept is None and retriever.vectors is None)
        return Standing(order, kept, unknown.say, vectorless, passages)
    if blind:
        return Standing(order, None, Say.of("explain.meaning.without"), True, passages)
    return Standing(order, known, None, False, passages)


def _recorded(hits: Sequence[Hit], passages: int) -> Cosines | None:
    cosines = np.full(passages, np.nan)
    for hit in hits:
        cosines[hit.passage.order] = hit.scores.get("cosine", np.nan)
    return None if np.isnan(cosines).all() else cosines


def _order(retriever: Retriever, question: str) -> tuple[int, ...]:
    index, bm25 = retriever.index, retriever.bm25

    def make() -> tuple[int, ...]:
        plain = Retriever(retriever.base, retriever.tokeniser, index, None, None, bm25)
        return tuple(hit.passage.order for hit in plain.keyword(question, FARTHEST).hits)

    return _ORDERS.of(index, (question, bm25, retriever.tokeniser.fingerprint), make)
