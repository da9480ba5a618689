"""The data folder's SQLite file: WAL where it can be written, read-only where it cannot, migrated on first use.

The schema version only ever goes up. A key is never in the file.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import StoreError

log = logging.getLogger(__name__)

PATIENCE = 10.0
"""Seconds to wait for another process's write."""

_MIGRATIONS = (
    """CREATE TABLE comparisons (
        id TEXT PRIMARY KEY, created TEXT NOT NULL, question TEXT NOT NULL, base TEXT NOT NULL,
        owner TEXT NOT NULL, complete INTEGER NOT NULL, record TEXT NOT NULL);
    CREATE INDEX comparisons_created ON comparisons (created DESC);""",
    """CREATE TABLE spend (
        day TEXT NOT NULL, model TEXT NOT NULL, currency TEXT NOT NULL, tokens INTEGER NOT NULL, amount REAL NOT NULL,
        PRIMARY KEY (day, model, currency));
    CREATE TABLE saved (name TEXT PRIMARY KEY, value TEXT NOT NULL);""",
    """CREATE TABLE votes (
        comparison TEXT NOT NULL, voter TEXT NOT NULL, choice TEXT NOT NULL, created TEXT NOT NULL,
        PRIMARY KEY (comparison, voter));""",
)


def connect(path: Path) -> sqlite3.Connection:
    """A connection in autocommit mode; raises `sqlite3.Error`."""
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """As `connect`; where the folder cannot be written the file is opened as it lies, so that it stays readable.

    Raises `sqlite3.Error`.
    """
    try:
        return connect(path)
    except sqlite3.OperationalError:
        if not path.is_file():
            raise
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)


class Store:
    """The one SQLite file of a data folder, shared by comparisons, votes, spending and saved settings."""

    def __init__(self, home: Path) -> None:
        self.path = home / "workbench.sqlite"

    @contextmanager
    def connection(self, code: str, *, write: bool = False) -> Iterator[sqlite3.Connection]:
        """A connection to the migrated file; raises `StoreError` with `code` where it cannot be used."""
        opened = connect if write else connect_to_read
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = opened(self.path)
        except (OSError, sqlite3.Error) as refused:
            raise StoreError(code, path=str(self.path), reason=str(refused)) from refused
        try:
            self._prepare(connection, write)
            yield connection
        except sqlite3.Error as failed:
            raise StoreError(code, path=str(self.path), reason=str(failed)) from failed
        finally:
            connection.close()

    def _prepare(self, connection: sqlite3.Connection, write: bool) -> None:
        """Migrate; a file of an older version that cannot be written is read as it is."""
        try:
            _migrate(connection)
        except sqlite3.OperationalError as refused:
            if write:
                raise
            log.warning("%s is read without being migrated: %s", self.path, refused)


def _migrate(connection: sqlite3.Connection) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(_MIGRATIONS):
        raise StoreError("store.newer", found=version, known=len(_MIGRATIONS))
    if version == len(_MIGRATIONS):
        return
    connection.execute("BEGIN IMMEDIATE")
    version = connection.execute("PRAGMA user_version").fetchone()[0]  # another process may have been first
    for number, script in enumerate(_MIGRATIONS[version:], version + 1):
        for statement in script.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version={number}")
    connection.execute("COMMIT")
