"""Vectors on disk: one SQLite file, keyed by the embedder's space and the text's hash.

SQLite makes each batch atomic and lets two processes fill it at once. A damaged file is set aside and begun anew.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from core.database import connect, connect_to_read
from core.ports import Vectors

log = logging.getLogger(__name__)

_SCHEMA = """CREATE TABLE IF NOT EXISTS vectors (
    space TEXT NOT NULL, hash BLOB NOT NULL, vector BLOB NOT NULL, seconds REAL NOT NULL,
    PRIMARY KEY (space, hash)) WITHOUT ROWID"""
_BATCH = 400
"""Keys in one query: under SQLite's smallest limit of variables."""


def text_hash(text: str) -> bytes:
    """Key of a text: 16 bytes of BLAKE2b."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


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
        """Vectors known for `keys`, each with the seconds it once took; damaged rows count as unknown.

        Where the `dimension` is 0, not known yet, it is that of most of them.
        """
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
                        if blob and len(blob) % 4 == 0 and len(blob) == 4 * (dimension or len(blob) // 4):
                            found[key] = (np.frombuffer(blob, "<f4"), seconds)
        except sqlite3.OperationalError as locked:
            log.warning("vector cache %s cannot be read now: %s", self._path, locked)
        except sqlite3.DatabaseError as broken:
            self._recover(self._path, broken)
        return _sound(found)

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


def _sound(found: dict[bytes, tuple[Vectors, float]]) -> dict[bytes, tuple[Vectors, float]]:
    """Those with finite numbers and of the length that most have."""
    sizes = Counter(len(vector) for vector, _ in found.values())
    most = sizes.most_common(1)[0][0] if sizes else 0
    return {key: row for key, row in found.items() if len(row[0]) == most and np.isfinite(row[0]).all()}
