"""Vectors of passages: computed once, kept on disk, never mixed between models.

The cache is one SQLite file in the data folder, keyed by the embedder's space (model, dimension, endpoint,
prefixes) and the text's hash. SQLite makes each batch atomic and lets two processes fill it at once.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.database import connect, connect_to_read
from core.errors import EmbeddingError
from core.ports import Embedder, Vectors

log = logging.getLogger(__name__)

_SCHEMA = """CREATE TABLE IF NOT EXISTS vectors (
    space TEXT NOT NULL, hash BLOB NOT NULL, vector BLOB NOT NULL, seconds REAL NOT NULL,
    PRIMARY KEY (space, hash)) WITHOUT ROWID"""
_BATCH = 400
"""Keys in one query: under SQLite's smallest limit of variables."""
_CHUNK = 8
"""Texts embedded between two writes: what a stop or a crash can lose."""


def text_hash(text: str) -> bytes:
    """Key of a text: 16 bytes of BLAKE2b."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class Lookup:
    """Vectors of some texts, `matrix` of shape `(n, dimension)`.

    `computed` of them were embedded now in `seconds`; for the others, which came from the cache, `cached` of shape
    `(n,)` has the seconds each had once taken, 0 for what was computed now.
    """

    matrix: Vectors
    computed: int
    seconds: float
    cached: npt.NDArray[np.float64]


class VectorCache:
    """Vectors on disk; without a folder, or where it cannot be written, in memory only."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._writable = True
        if path is not None:
            self._open_or_set_aside(path)

    def _open_or_set_aside(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with closing(connect_to_read(path)) as connection:
                self._prepare(connection)
                connection.execute("SELECT space, hash, vector, seconds FROM vectors LIMIT 1").fetchone()
        except sqlite3.DatabaseError as broken:
            self._recover(path, broken)
        except OSError as unwritable:
            log.warning("vector cache %s cannot be used: %s", path, unwritable)
            self._path = None

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Make the table; a file that can only be read keeps what it has and takes nothing new."""
        try:
            connection.execute(_SCHEMA)
        except sqlite3.OperationalError as readonly:
            log.warning("vector cache %s can only be read: %s", self._path, readonly)
            self._writable = False

    def _recover(self, path: Path, broken: sqlite3.DatabaseError) -> None:
        """A damaged file is set aside and begun anew: vectors can always be computed again."""
        if isinstance(broken, sqlite3.OperationalError) and not str(broken).startswith("no such column"):
            log.warning("vector cache %s cannot be used: %s", path, broken)
            self._path = None
            return
        log.warning("vector cache %s is damaged (%s); it is set aside and rebuilt", path, broken)
        try:
            path.replace(path.with_suffix(".damaged"))
            for leftover in (f"{path}-wal", f"{path}-shm"):
                Path(leftover).unlink(missing_ok=True)
            with closing(connect(path)) as connection:
                connection.execute(_SCHEMA)
        except (OSError, sqlite3.DatabaseError) as worse:
            log.warning("vector cache %s cannot be rebuilt: %s", path, worse)
            self._path = None

    def read(self, space: str, keys: Sequence[bytes], dimension: int) -> dict[bytes, tuple[Vectors, float]]:
        """Vectors known for `keys`, each with the seconds it once took; damaged rows count as unknown."""
        if self._path is None or not keys:
            return {}
        found: dict[bytes, tuple[Vectors, float]] = {}
        try:
            with self._lock, closing(connect_to_read(self._path)) as connection:
                for at in range(0, len(keys), _BATCH):
                    some = keys[at : at + _BATCH]
                    marks = ",".join("?" * len(some))
                    query = f"SELECT hash, vector, seconds FROM vectors WHERE space=? AND hash IN ({marks})"
                    for key, blob, seconds in connection.execute(query, (space, *some)):
                        if len(blob) == 4 * dimension and np.isfinite(vector := np.frombuffer(blob, "<f4")).all():
                            found[key] = (vector, seconds)
        except sqlite3.OperationalError as locked:
            log.warning("vector cache %s cannot be read now: %s", self._path, locked)
        except sqlite3.DatabaseError as broken:
            self._recover(self._path, broken)
        return found

    def write(self, space: str, rows: Sequence[tuple[bytes, Vectors, float]]) -> None:
        """Keep computed vectors; a cache that cannot be written is only logged, the vectors are used anyway."""
        if self._path is None or not self._writable or not rows:
            return
        values = [(space, key, vector.astype("<f4").tobytes(), seconds) for key, vector, seconds in rows]
        try:
            with self._lock, closing(connect(self._path)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?,?,?,?)", values)
                connection.execute("COMMIT")
        except sqlite3.OperationalError as unwritable:
            log.warning("vector cache %s cannot be written now: %s", self._path, unwritable)
        except sqlite3.DatabaseError as broken:
            self._recover(self._path, broken)


class VectorSpace:
    """The passages of one base in one embedder's space: what it lacks is embedded when asked for."""

    def __init__(self, texts: Sequence[str], embedder: Embedder, cache: VectorCache) -> None:
        self._texts = texts
        self._cache = cache
        self.embedder = embedder
        self._keys = [text_hash(text) for text in texts]
        self._matrix = np.zeros((len(texts), embedder.dimension), dtype=np.float32)
        self._seconds = np.full(len(texts), np.nan)
        self._lock = threading.Lock()
        self._read_cache()

    def _read_cache(self) -> None:
        known = self._cache.read(self.embedder.space, self._keys, self.embedder.dimension)
        for row, key in enumerate(self._keys):
            if key in known:
                self._matrix[row], self._seconds[row] = known[key]

    @property
    def filled(self) -> int:
        """How many passages have a vector."""
        return int(np.count_nonzero(~np.isnan(self._seconds)))

    @property
    def complete(self) -> bool:
        """Whether every passage has one, so that the whole base can be searched by meaning."""
        return self.filled == len(self._texts)

    def __len__(self) -> int:
        """Passages, with a vector or without."""
        return len(self._texts)

    def known(self) -> npt.NDArray[np.int64]:
        """Positions of the passages that have a vector, in order."""
        return np.flatnonzero(~np.isnan(self._seconds))

    def rows(self, positions: Sequence[int]) -> Lookup:
        """Vectors of the passages at `positions`, embedding those that lack one; raises `EmbeddingError`."""
        index = np.asarray(positions, dtype=np.int64)
        had = ~np.isnan(self._seconds[index])
        began = time.perf_counter()
        computed = self._embed([int(p) for p in index[~had]])
        seconds = time.perf_counter() - began if computed else 0.0
        cached = np.where(had, self._seconds[index], 0.0)
        return Lookup(self._matrix[index], computed, seconds, cached)

    def fill(self) -> Iterator[tuple[int, int]]:
        """Embed all that lack a vector, a few at a time, telling (done, total) after each batch."""
        missing = [int(p) for p in np.flatnonzero(np.isnan(self._seconds))]
        for at in range(0, len(missing), _CHUNK):
            self._embed(missing[at : at + _CHUNK], background=True)
            yield self.filled, len(self)

    def _embed(self, positions: Sequence[int], background: bool = False) -> int:
        """Embed in small batches, leaving out what another thread did meanwhile; how many were computed here."""
        computed = 0
        for at in range(0, len(positions), _CHUNK):
            lacking = [p for p in positions[at : at + _CHUNK] if np.isnan(self._seconds[p])]
            if not lacking:
                continue
            began = time.perf_counter()
            vectors = self.embedder.passages([self._texts[p] for p in lacking], background=background)
            each = (time.perf_counter() - began) / len(lacking)
            if vectors.shape != (len(lacking), self.embedder.dimension) or not np.isfinite(vectors).all():
                raise EmbeddingError("embeddings.malformed", shape=str(vectors.shape))
            with self._lock:
                self._matrix[lacking] = vectors
                self._seconds[lacking] = each
            self._cache.write(
                self.embedder.space, [(self._keys[p], v, each) for p, v in zip(lacking, vectors, strict=True)]
            )
            computed += len(lacking)
        return computed
