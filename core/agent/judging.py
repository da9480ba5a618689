"""How the rule-based policy judges relevance: only against the best that the same query found.

Cosines of one query can be compared with each other, never with those of another; so a hit is kept when it stands
close to its query's best. Rankings without cosines are judged by their BM25 scores in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.domain import Hit
from core.ports import Scale

SHARE = 0.6
"""Share of the best BM25 score that a hit needs where there are no cosines."""


@dataclass(frozen=True, slots=True)
class Bar:
    """How strict a round is: at most `most` hits a query, within `near` times the scale's own of its best cosine."""

    most: int
    near: float = 1.0


def best_cosines(rankings: Iterable[Mapping[str, Sequence[Hit]]]) -> dict[str, float]:
    """The highest cosine that each query has found in any round, filtered or not."""
    best: dict[str, float] = {}
    for by_query in rankings:
        for query, hits in by_query.items():
            cosines = [hit.scores["cosine"] for hit in hits if "cosine" in hit.scores]
            best[query] = max([best.get(query, -1.0), *cosines])
    return best


def select(rankings: Iterable[tuple[Sequence[Hit], float]], bar: Bar, scale: Scale | None) -> tuple[str, ...]:
    """Ids judged relevant: each query's best first, then each query's second, so that every aspect has its turn.

    A ranking comes with the best cosine its query has found anywhere; `scale` says how to read them (`None` where
    nothing is ranked by meaning).
    """
    passing = [[hit.passage.id for hit in _passing(hits, bar, best, scale)] for hits, best in rankings]
    turns = max((len(ids) for ids in passing), default=0)
    return tuple(dict.fromkeys(ids[turn] for turn in range(turns) for ids in passing if turn < len(ids)))


def _passing(hits: Sequence[Hit], bar: Bar, best: float, scale: Scale | None) -> Sequence[Hit]:
    first = hits[: bar.most]
    if scale and first and "cosine" in first[0].scores:
        low = best - bar.near * scale.near
        near = [hit for hit in first if "cosine" in hit.scores]  # what has no vector stands last, without one
        return [h for h in near if h.scores["cosine"] >= (low if "bm25" in h.scores else max(low, scale.least))]
    return [hit for hit in first if hit.score >= SHARE * hits[0].score]
