"""Placing: the order that scores give, with some passages in front, some left out, and some ranked down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

BEHIND = 0.5
"""How far in front stands what only mentions a part that has a row of its own."""

_CLASSES = 512
"""Into how many classes passages are dealt when the best are looked for; any number gives the same ranking."""


@dataclass(frozen=True, slots=True, eq=False)
class Placing:
    """What decides an order beside the scores: `within` are the positions to look at (`None`: all), in any order.

    The positions `first` stand before all others, matching or not, in the order of their scores, those of them that are
    `behind` after the rest; each score above 0 is multiplied by its one of `factors`, shape `(N,)`.
    """

    within: Integers | None = None
    first: Integers | None = None
    behind: Integers | None = None
    factors: Floats | None = None

    def front(self, scores: Floats) -> Integers:
        """The positions that stand in front, best first, ties by position."""
        if self.first is None or not len(self.first):
            return np.zeros(0, np.int64)
        front = np.unique(self.first)
        if self.within is not None:
            front = front[np.isin(front, self.within)]
        return front[np.lexsort((-scores[front], -self.grades(front)))]

    def grades(self, positions: Sequence[int] | Integers) -> Floats:
        """How far in front each position stands, shape `(n,)`: 1 what is named, ½ what is behind it, 0 all others."""
        first = np.isin(positions, () if self.first is None else self.first)
        behind = np.isin(positions, () if self.behind is None else self.behind)
        return np.where(first, np.where(behind, BEHIND, 1.0), 0.0)


FREE = Placing()


def scaled(scores: Floats, placing: Placing) -> Floats:
    """The scores with their factors; what is 0 or below stands last as it is."""
    if placing.factors is None:
        return scores
    return np.where(scores > 0, scores * placing.factors, scores)


def places(scores: Floats, lowest: float, k: int, placing: Placing = FREE) -> Integers:
    """Positions of those in front and of the best with a score from `lowest` on, at most `k`, ties by position."""
    if placing.within is None:
        best = best_of(scores, k, lowest)
    else:
        within = np.unique(placing.within)
        best = within[best_of(scores[within], k, lowest)]
    front = placing.front(scores)
    if not len(front):
        return best
    return np.concatenate([front, best[~np.isin(best, front)]])[: max(k, 0)]


def place(scores: Floats, lowest: float, position: int, placing: Placing = FREE) -> int | None:
    """The place of one position (from 1) in that order; `None` where it is none of it."""
    front = placing.front(scores)
    at = np.flatnonzero(front == position)
    if len(at):
        return int(at[0]) + 1
    allowed = placing.within is None or position in placing.within
    if scores[position] < lowest or not allowed:
        return None
    others = scores
    if len(front) or placing.within is not None:
        others = scores.copy()
        others[front] = -np.inf
    if placing.within is not None:
        others = np.where(np.isin(np.arange(len(scores)), placing.within), others, -np.inf)
    ahead = np.count_nonzero(others > scores[position])
    ties = np.count_nonzero(others[:position] == scores[position])
    return len(front) + int(ahead + ties) + 1


def best_of(scores: Floats, k: int, lowest: float) -> Integers:
    """Positions of the `k` highest scores from `lowest` on, best first, ties by position.

    Dealt into classes like cards, the k-th highest of the classes' maxima is a floor under the k-th highest
    score, since each of those k classes holds a score at least as high; so little is left to sort.
    """
    rows = len(scores) // _CLASSES
    if rows and 0 < k <= _CLASSES:
        maxima = scores[: rows * _CLASSES].reshape(rows, _CLASSES).max(axis=0)
        lowest = max(lowest, float(np.partition(maxima, -k)[-k]))
    candidates = np.flatnonzero(scores >= lowest)
    order = np.argsort(-scores[candidates], kind="stable")
    return candidates[order[: max(k, 0)]]
