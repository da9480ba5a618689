"""Vectors in rows: what is known of those of a base's texts, and what a look-up of some of them tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.ports import Vectors


@dataclass(slots=True)
class Table:
    """Vectors of one length, a row a text, with the seconds each took (NaN: there is none yet)."""

    matrix: Vectors
    seconds: npt.NDArray[np.float64]

    @classmethod
    def empty(cls, texts: int, dimension: int) -> Table:
        """For so many texts, with a vector of none yet."""
        return cls(np.zeros((texts, dimension), np.float32), np.full(texts, np.nan))

    @property
    def dimension(self) -> int:
        """Length of a vector, 0 while no embedder has told it."""
        return int(self.matrix.shape[1])

    def lacks(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Which of `rows` have no vector yet."""
        return np.isnan(self.seconds[rows])

    def take(self, known: Mapping[bytes, tuple[Vectors, float]], keys: Mapping[int, bytes]) -> None:
        """Take over what is `known` of vectors, each with its seconds, by the keys of rows."""
        for row, key in keys.items():
            if key in known:
                self.matrix[row], self.seconds[row] = known[key]


@dataclass(frozen=True, slots=True)
class Lookup:
    """Vectors of some texts, `matrix` of shape `(n, dimension)`; a text that has none is a row of zeros.

    `computed` of them were embedded now, with `tokens` that the provider counted; `seconds` is what having them took,
    also where another thread was waited for. For what was there already, `cached` of shape `(n,)` has the seconds each
    had once taken, 0 for the others. `split` of them were so long that they were embedded in pieces.
    """

    matrix: Vectors
    computed: int
    seconds: float
    cached: npt.NDArray[np.float64]
    tokens: int | None = None
    split: int = 0
