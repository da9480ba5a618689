"""Vectors of passages: computed once, kept on disk, never mixed between models.

A space holds no embedder, since one with a key belongs to a session while the vectors serve all: who asks brings its
own. What one thread is computing, the others wait for, and try themselves where it failed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.errors import EmbeddingError, StoppedError
from core.ports import Embedder, Vectors, never
from core.retrieval.vector_cache import VectorCache, text_hash
from core.retrieval.vector_table import Lookup, Table

_ROWS = 4096
"""Vectors multiplied in one go; any number gives the same cosines."""
DIGITS = 6
"""Decimals of a cosine: beyond them float32 tells nothing, and the way of multiplying would decide between equals."""
_GLANCE = 0.1
"""Seconds between two looks at whether to stop, while another thread computes what is wanted."""


def cosines_to(vector: Vectors, matrix: Vectors) -> npt.NDArray[np.float64]:
    """Cosine of `vector`, shape `(dimension,)`, to each row of `matrix`, shape `(n, dimension)`: rounded to `DIGITS`.

    A row has the same cosine whatever rows stand beside it, so that equal texts are equally close.
    """
    asked = vector.astype(np.float64)
    parts = [matrix[at : at + _ROWS].astype(np.float64) @ asked for at in range(0, len(matrix), _ROWS)]
    return np.round(np.concatenate([np.zeros(0), *parts]), DIGITS)


@dataclass(slots=True)
class _Work:
    """What one thread embedded."""

    computed: int = 0
    tokens: int | None = None
    split: int = 0


class VectorSpace:
    """The passages of one base in one space: what it lacks is embedded when asked for, equal texts once.

    `space` and `dimension` are an embedder's (0: known with its first answer). Of texts longer than `longest`
    characters it makes pieces (0: of none). Blank texts have rows of zeros and are never embedded.
    """

    def __init__(
        self,
        texts: Sequence[str],
        space: str,
        cache: VectorCache,
        dimension: int = 0,
        longest: int = 0,
        before: VectorSpace | None = None,
    ) -> None:
        """Read what the cache has of `texts`; what stood in them `before` is taken from there."""
        self.space = space
        self._cache = cache
        rows: dict[str, int] = {}
        self._rows = np.array([rows.setdefault(text, len(rows)) for text in texts], dtype=np.int64)
        self._texts = list(rows)
        then: dict[str, bytes] = dict(zip(before._texts, before._keys, strict=True)) if before else {}
        self._keys: list[bytes] = [then.get(text) or text_hash(text) for text in self._texts]
        self._blank = [row for row, text in enumerate(self._texts) if not text.strip()]
        self._pieces = [-(-3 * len(text) // (2 * longest)) if 0 < longest < len(text) else 1 for text in self._texts]
        self._turn = threading.Condition()
        self._at_work: set[int] = set()
        self._table = self._taken(before) if before else self._read(dimension, range(len(self._keys)))
        self._tables = {self._table.dimension: self._table}

    def _read(self, dimension: int, rows: Sequence[int]) -> Table:
        """What the cache knows of vectors of this length for the texts at `rows`."""
        known = self._cache.read(self.space, [self._keys[row] for row in rows], dimension)
        dimension = dimension or next((len(vector) for vector, _ in known.values()), 0)
        table = Table.empty(len(self._keys), dimension)
        table.seconds[self._blank] = 0.0
        table.take(known, {row: self._keys[row] for row in rows})
        return table

    def _taken(self, before: VectorSpace) -> Table:
        """The vectors of these texts where they stood before, else from the cache."""
        then = before._table
        places = {key: row for row, key in enumerate(before._keys)}
        new = [row for row, key in enumerate(self._keys) if key not in places]
        table = self._read(then.dimension, new)
        if table.dimension == then.dimension:
            kept = np.array([row for row, key in enumerate(self._keys) if key in places], np.int64)
            from_rows = np.array([places[self._keys[row]] for row in kept], np.int64)
            table.matrix[kept], table.seconds[kept] = then.matrix[from_rows], then.seconds[from_rows]
        return table

    def _fitting(self, embedder: Embedder) -> Table:
        """The table of the embedder's own length: where a model behind a name has changed, another one is begun.

        Raises `ValueError` for an embedder of another space.
        """
        if embedder.space != self.space:
            raise ValueError(f"vectors of {self.space} cannot come from {embedder.space}")
        with self._turn:
            if embedder.dimension not in (0, self._table.dimension):
                found = self._tables.get(embedder.dimension) or self._read(embedder.dimension, range(len(self._keys)))
                self._table = self._tables[embedder.dimension] = found
            return self._table

    @property
    def filled(self) -> int:
        """How many passages have a vector."""
        return len(self.known())

    @property
    def complete(self) -> bool:
        """Whether every passage has one, so that the whole base can be searched by meaning."""
        return self.filled == len(self)

    def __len__(self) -> int:
        """Passages, with a vector or without."""
        return len(self._rows)

    def known(self) -> npt.NDArray[np.int64]:
        """Positions of the passages that have a vector, in order."""
        return np.flatnonzero(~self._table.lacks(self._rows))

    def cosines(self, vector: Vectors) -> npt.NDArray[np.float64]:
        """Cosine of `vector`, shape `(dimension,)`, to every passage, shape `(n,)`; nothing is embedded.

        NaN where a passage has no vector yet (or only one of another length), -inf where its vector is all zeros.
        """
        table = self._table
        if vector.shape != (table.dimension,):
            return np.full(len(self), np.nan)
        found = cosines_to(vector, table.matrix)
        lacking = np.isnan(table.seconds)
        doubtful = np.flatnonzero((found == 0) & ~lacking)
        found[doubtful[~table.matrix[doubtful].any(axis=1)]] = -np.inf
        found[lacking] = np.nan
        every: npt.NDArray[np.float64] = found[self._rows]
        return every

    def rows(self, positions: Sequence[int], embedder: Embedder, stopped: Callable[[], bool] = never) -> Lookup:
        """Vectors of the passages at `positions`, embedding those that lack one.

        Raises `EmbeddingError`; then what was embedded before stays. Raises `StoppedError`.
        """
        rows = self._rows[np.asarray(positions, dtype=np.int64)]
        lacked = self._fitting(embedder).lacks(rows)
        began = time.perf_counter()
        work = _Work()
        for _ in self._embed(rows, embedder, work, stopped):
            pass
        seconds = time.perf_counter() - began if lacked.any() else 0.0
        table = self._fitting(embedder)
        long = sum(self._pieces[row] > 1 for row in rows[~lacked].tolist())
        cached = np.where(lacked, 0.0, table.seconds[rows])
        return Lookup(table.matrix[rows], work.computed, seconds, cached, work.tokens, work.split + long)

    def fill(self, embedder: Embedder, stopped: Callable[[], bool] = never) -> Iterator[tuple[int, int]]:
        """Embed all that lack a vector, a batch at a time, telling (done, total) after each; raises as `rows` does."""
        for _ in self._embed(self._rows, embedder, _Work(), stopped, background=True):
            yield self.filled, len(self)
            if stopped():
                raise StoppedError

    def _embed(
        self,
        rows: npt.NDArray[np.int64],
        embedder: Embedder,
        work: _Work,
        stopped: Callable[[], bool],
        background: bool = False,
    ) -> Iterator[None]:
        """Embed batch by batch what `rows` lack, waiting for what other threads are at."""
        while claimed := self._claim(rows, embedder, stopped):
            try:
                lacking = self._recall(claimed, embedder)
                if lacking:
                    self._compute(lacking, embedder, work, background)
            finally:
                with self._turn:
                    self._at_work.difference_update(claimed)
                    self._turn.notify_all()
            yield

    def _claim(self, rows: npt.NDArray[np.int64], embedder: Embedder, stopped: Callable[[], bool]) -> list[int]:
        """The next rows for one call, so many that their pieces fit it; none once all are there."""
        while True:
            table = self._fitting(embedder)
            with self._turn:
                lacking = list(dict.fromkeys(rows[table.lacks(rows)].tolist()))
                if not lacking:
                    return []
                free = [row for row in lacking if row not in self._at_work]
                if free:
                    sizes = np.cumsum([self._pieces[row] for row in free[: embedder.batch]])
                    claimed = free[: max(1, int(np.searchsorted(sizes, embedder.batch, side="right")))]
                    self._at_work.update(claimed)
                    return claimed
                self._turn.wait(_GLANCE)
            if stopped():
                raise StoppedError

    def _recall(self, claimed: Sequence[int], embedder: Embedder) -> list[int]:
        """Take over what another process or another base has kept meanwhile; the rows that it did not."""
        table = self._fitting(embedder)
        if not table.dimension:
            return list(claimed)
        known = self._cache.read(self.space, [self._keys[row] for row in claimed], table.dimension)
        with self._turn:
            table.take(known, {row: self._keys[row] for row in claimed})
        return [row for row in claimed if self._keys[row] not in known]

    def _compute(self, rows: Sequence[int], embedder: Embedder, work: _Work, background: bool) -> None:
        """Embed `rows` in one call and keep them; a row of zeros not on disk, so that a later start asks again."""
        began = time.perf_counter()
        found = embedder.passages([self._texts[row] for row in rows], background=background)
        each = (time.perf_counter() - began) / len(rows)
        vectors = found.vectors
        if vectors.shape != (len(rows), embedder.dimension) or not np.isfinite(vectors).all():
            raise EmbeddingError("embeddings.malformed", shape=str(vectors.shape))
        table = self._fitting(embedder)
        with self._turn:
            table.matrix[rows] = vectors
            table.seconds[rows] = each
        kept = [(self._keys[row], vector, each) for row, vector in zip(rows, vectors, strict=True) if vector.any()]
        self._cache.write(self.space, kept)
        work.computed += len(rows)
        work.split += found.split
        if found.tokens is not None:
            work.tokens = (work.tokens or 0) + found.tokens
