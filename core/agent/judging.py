"""How the rule-based policy judges relevance: only against the best that the same query found.

Cosines of one query can be compared with each other, never with those of another; so a hit is kept when it stands
close to its query's best. Rankings without cosines are judged by their BM25 scores in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.domain import Hit, Say
from core.ports import Scale
from core.retrieval.cosines import EXACT

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


def reasons(rankings: Iterable[tuple[Sequence[Hit], float]], bar: Bar, scale: Scale | None) -> dict[str, Say]:
    """Why hits were not judged relevant, by id: of each that passed nowhere, in the ranking where it stood best."""
    passed: set[str] = set()
    found: dict[str, tuple[int, Say]] = {}
    for hits, best in rankings:
        for at, (hit, failed) in enumerate(_judged(hits, bar, best, scale)):
            if failed is None:
                passed.add(hit.passage.id)
            elif hit.passage.id not in found or at < found[hit.passage.id][0]:
                found[hit.passage.id] = at, failed
    return {id: failed for id, (_, failed) in found.items() if id not in passed}


def _passing(hits: Sequence[Hit], bar: Bar, best: float, scale: Scale | None) -> Sequence[Hit]:
    return [hit for hit, failed in _judged(hits, bar, best, scale) if failed is None]


def _judged(hits: Sequence[Hit], bar: Bar, best: float, scale: Scale | None) -> Iterator[tuple[Hit, Say | None]]:
    """Each hit with what speaks against it, `None` where nothing does."""
    by_cosine = scale and hits and "cosine" in hits[0].scores
    most = max((hit.score for hit in hits), default=0.0)
    for rank, hit in enumerate(hits, 1):
        if rank > bar.most:
            yield hit, Say.of("explain.judged.beyond", rank=rank, most=bar.most)
        elif EXACT in hit.scores:  # the question names it
            yield hit, None
        elif scale and by_cosine:
            yield hit, _too_far(hit, best, best - bar.near * scale.near, scale)
        elif hit.score >= SHARE * most:
            yield hit, None
        else:
            share = round(100 * SHARE)
            yield hit, Say.of("explain.judged.weak", score=hit.score, best=most, share=share)


def _too_far(hit: Hit, best: float, low: float, scale: Scale) -> Say | None:
    cosine = hit.scores.get("cosine")
    if cosine is None:  # what has no vector stands last, without one
        return Say.of("explain.judged.blank")
    line = low if "bm25" in hit.scores else max(low, scale.least)
    if cosine >= line:
        return None
    return Say.of("explain.judged.far", cosine=f"{cosine:.4f}", line=f"{line:.4f}", best=f"{best:.4f}")
