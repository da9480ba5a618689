"""The formula of BM25: its settings, the two variants of idf, and what a term's part of a score rests on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.settings import VARIANTS, Variant


@dataclass(frozen=True, slots=True)
class Bm25:
    """Settings of BM25; the defaults are rank-bm25's.

    The two variants share the tf part, `tf (k1 + 1) / (tf + k1 (1 - b + b length / mean length))`, and differ
    only in the idf of a term that stands in `n` of `N` passages:

    - `lucene`: `log(1 + (N - n + 0.5) / (n + 0.5))`, always positive. (Lucene itself leaves out the constant
      factor `k1 + 1`, which changes no order; it stays so that scores compare.)
    - `okapi`: `log(N - n + 0.5) - log(n + 0.5)`; where that is negative, `epsilon` times the mean idf of the
      vocabulary. As in `rank_bm25.BM25Okapi`, a term in exactly half of the passages scores 0, and in a tiny
      base a match may score below 0.
    """

    variant: Variant = "lucene"
    k1: float = 1.5
    b: float = 0.75
    epsilon: float = 0.25

    def __post_init__(self) -> None:
        """Refuse what the formula has no meaning for (`ValueError`)."""
        if self.variant not in VARIANTS:
            raise ValueError(f"variant is lucene or okapi, not {self.variant!r}")
        if not (0 <= self.k1 < math.inf and 0 <= self.b <= 1 and math.isfinite(self.epsilon)):
            raise ValueError(f"BM25 needs finite k1 >= 0 and 0 <= b <= 1, got {self}")


USUAL = Bm25()


@dataclass(frozen=True, slots=True)
class TermScore:
    """What one query term gives one passage; the contributions of a passage add up to its score."""

    term: str
    tf: int
    df: int
    idf: float
    contribution: float


IDF: Mapping[Variant, Callable[[int, int], float]] = {
    "lucene": lambda passages, n: math.log(1 + (passages - n + 0.5) / (n + 0.5)),
    "okapi": lambda passages, n: math.log(passages - n + 0.5) - math.log(n + 0.5),
}
"""The weight of a term that stands in so many (second) of the passages (first), by variant."""
