"""How the rule-based policy judges relevance: only against the best that the same query found.

Cosines of one query can be compared with each other, never with those of another; so a hit is kept when it stands
close to its query's best. Rankings without cosines are judged by their BM25 scores in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.domain import Hit

NEAR = 0.02
"""How far below the best cosine of its query a hit may stand (multilingual-e5-small spreads a base over about 0.1)."""
LEAST = 0.84
"""Cosine that a passage found by meaning alone, sharing no word with its query, must reach. By multilingual-e5-small
everyday questions that share no word with their answer reach .85 to .88, random letters .77 to .80."""
SHARE = 0.6
"""Share of the best BM25 score that a hit needs where there are no cosines."""


@dataclass(frozen=True, slots=True)
class Bar:
    """How strict a round is: at most `most` hits a query, at most `near` below its best cosine."""

    most: int
    near: float = NEAR


def best_cosines(rankings: Iterable[Mapping[str, Sequence[Hit]]]) -> dict[str, float]:
    """The highest cosine that each query has found in any round, filtered or not."""
    best: dict[str, float] = {}
    for by_query in rankings:
        for query, hits in by_query.items():
            cosines = [hit.scores["cosine"] for hit in hits if "cosine" in hit.scores]
            best[query] = max([best.get(query, -1.0), *cosines])
    return best


def select(rankings: Iterable[tuple[Sequence[Hit], float]], bar: Bar) -> tuple[str, ...]:
    """Ids judged relevant: each query's best first, then each query's second, so that every aspect has its turn.

    A ranking comes with the best cosine its query has found anywhere.
    """
    passing = [[hit.passage.id for hit in _passing(hits, bar, best)] for hits, best in rankings]
    turns = max((len(ids) for ids in passing), default=0)
    return tuple(dict.fromkeys(ids[turn] for turn in range(turns) for ids in passing if turn < len(ids)))


def _passing(hits: Sequence[Hit], bar: Bar, best: float) -> Sequence[Hit]:
    first = hits[: bar.most]
    if first and "cosine" in first[0].scores:
        least = best - bar.near
        return [h for h in first if h.scores["cosine"] >= (least if "bm25" in h.scores else max(least, LEAST))]
    return [hit for hit in first if hit.score >= SHARE * hits[0].score]
