"""Every comparison is kept: one SQLite file in the data folder, safe under several processes.

The file is made on first use, in WAL mode, with a schema version that only ever goes up. A key is never in it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from core.database import connect, connect_to_read
from core.errors import StoreError, UsageError
from core.records import dump, load
from core.runs import Comparison

_MIGRATIONS = (
    """CREATE TABLE comparisons (
        id TEXT PRIMARY KEY, created TEXT NOT NULL, question TEXT NOT NULL, base TEXT NOT NULL,
        owner TEXT NOT NULL, complete INTEGER NOT NULL, record TEXT NOT NULL);
    CREATE INDEX comparisons_created ON comparisons (created DESC);""",
)


@dataclass(frozen=True, slots=True)
class Kept:
    """A line of the list of kept comparisons; `complete` is false when a run was stopped or failed."""

    id: str
    created: str
    question: str
    base: str
    complete: bool


class Archive:
    """The kept comparisons of one data folder."""

    def __init__(self, home: Path) -> None:
        self.path = home / "workbench.sqlite"

    @contextmanager
    def _connection(self, code: str = "store.unusable") -> Iterator[sqlite3.Connection]:
        """A connection to the migrated file; raises `StoreError` with `code` where it cannot be used."""
        opened = connect if code == "store.unkept" else connect_to_read
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = opened(self.path)
        except (OSError, sqlite3.Error) as refused:
            raise StoreError(code, path=str(self.path), reason=str(refused)) from refused
        try:
            self._migrate(connection)
            yield connection
        except sqlite3.Error as failed:
            raise StoreError(code, path=str(self.path), reason=str(failed)) from failed
        finally:
            connection.close()

    def _migrate(self, connection: sqlite3.Connection) -> None:
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

    def keep(self, comparison: Comparison, owner: str = "") -> None:
        """Write a comparison, or write it anew; raises `StoreError`."""
        record = json.dumps(dump(comparison), ensure_ascii=False, separators=(",", ":"))
        record = record.encode("utf-8", "backslashreplace").decode("utf-8")  # a lone surrogate as JSON's own escape
        complete = all(run.stop_reason not in ("stopped", "failed", None) for run in comparison.runs)
        question, base = (t.encode("utf-8", "replace").decode() for t in (comparison.question, comparison.base.name))
        row = (comparison.id, comparison.created, question, base, owner, complete, record)
        with self._connection("store.unkept") as connection:
            connection.execute("INSERT OR REPLACE INTO comparisons VALUES (?,?,?,?,?,?,?)", row)

    def open(self, identifier: str, owner: str | None = None) -> Comparison:
        """The comparison of that id (only the owner's, if one is named); raises `UsageError` where there is none."""
        with self._connection() as connection:
            row = connection.execute("SELECT record, owner FROM comparisons WHERE id=?", (identifier,)).fetchone()
        if row is None or (owner is not None and row[1] != owner):
            raise UsageError("comparison.unknown", id=identifier)
        try:
            return load(json.loads(row[0]))
        except ValueError as broken:
            raise StoreError("store.record.broken", reason=str(broken)) from broken

    def recent(self, limit: int = 20, owner: str | None = None) -> list[Kept]:
        """The latest comparisons, newest first."""
        with self._connection() as connection:
            rows = connection.execute(
                "SELECT id, created, question, base, complete FROM comparisons WHERE ? IS NULL OR owner = ?"
                " ORDER BY created DESC, rowid DESC LIMIT ?",
                (owner, owner, limit),
            ).fetchall()
        return [_kept(row) for row in rows]

    def citing(self, passage: str, limit: int = 20, owner: str | None = None) -> list[Kept]:
        """Kept comparisons (only the owner's, if one is named) whose record names a passage, newest first."""
        with self._connection() as connection:
            rows = connection.execute(
                "SELECT id, created, question, base, complete FROM comparisons"
                " WHERE instr(record, ?) > 0 AND (? IS NULL OR owner = ?) ORDER BY created DESC, rowid DESC LIMIT ?",
                (json.dumps(passage, ensure_ascii=False), owner, owner, limit),
            ).fetchall()
        return [_kept(row) for row in rows]


def _kept(row: tuple[str, str, str, str, int]) -> Kept:
    identifier, created, question, base, complete = row
    return Kept(identifier, created, question, base, bool(complete))
