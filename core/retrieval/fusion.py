"""Reciprocal rank fusion: rankings merged by rank alone, so that scores of different kinds never meet."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)

K = 60
"""The constant of Cormack, Clarke and Büttcher (SIGIR 2009)."""


def fuse(rankings: Sequence[Sequence[Key]], constant: int = K) -> list[tuple[Key, float]]:
    """Merge rankings; each item with the sum of 1 / (constant + rank), best first, ties by first appearance.

    >>> [key for key, _ in fuse([["a", "b"], ["b", "c"]])]
    ['b', 'a', 'c']
    """
    scores: dict[Key, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(ranking, 1):
            scores[key] = scores.get(key, 0.0) + 1.0 / (constant + rank)
    return sorted(scores.items(), key=lambda item: -item[1])
