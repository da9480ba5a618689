"""Every comparison is kept in the data folder's SQLite file, safe under several processes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from core.database import Store
from core.errors import StoreError, UsageError
from core.records import dump, load
from core.runs import Comparison


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
        self._store = Store(home)
        self.path = self._store.path

    def keep(self, comparison: Comparison, owner: str = "") -> None:
        """Write a comparison, or write it anew; raises `StoreError`."""
        record = json.dumps(dump(comparison), ensure_ascii=False, separators=(",", ":"))
        record = record.encode("utf-8", "backslashreplace").decode("utf-8")  # a lone surrogate as JSON's own escape
        complete = all(run.whole for run in comparison.runs)
        question, base = (t.encode("utf-8", "replace").decode() for t in (comparison.question, comparison.base.name))
        row = (comparison.id, comparison.created, question, base, owner, complete, record)
        with self._store.connection("store.unkept", write=True) as connection:
            connection.execute("INSERT OR REPLACE INTO comparisons VALUES (?,?,?,?,?,?,?)", row)

    def open(self, identifier: str, owner: str | None = None) -> Comparison:
        """The comparison of that id (only the owner's, if one is named); raises `UsageError` where there is none."""
        with self._store.connection("store.unusable") as connection:
            row = connection.execute("SELECT record, owner FROM comparisons WHERE id=?", (identifier,)).fetchone()
        if row is None or (owner is not None and row[1] != owner):
            raise UsageError("comparison.unknown", id=identifier)
        try:
            return load(json.loads(row[0]))
        except (ValueError, RecursionError) as broken:
            raise StoreError("store.record.broken", reason=str(broken)) from broken

    def recent(self, limit: int = 20, owner: str | None = None) -> list[Kept]:
        """The latest comparisons, newest first."""
        with self._store.connection("store.unusable") as connection:
            rows = connection.execute(
                "SELECT id, created, question, base, complete FROM comparisons WHERE ? IS NULL OR owner = ?"
                " ORDER BY created DESC, rowid DESC LIMIT ?",
                (owner, owner, limit),
            ).fetchall()
        return [_kept(row) for row in rows]

    def citing(self, passage: str, limit: int = 20, owner: str | None = None) -> list[Kept]:
        """Kept comparisons (only the owner's, if one is named) whose record names a passage, newest first."""
        with self._store.connection("store.unusable") as connection:
            rows = connection.execute(
                "SELECT id, created, question, base, complete FROM comparisons"
                " WHERE instr(record, ?) > 0 AND (? IS NULL OR owner = ?) ORDER BY created DESC, rowid DESC LIMIT ?",
                (json.dumps(passage, ensure_ascii=False), owner, owner, limit),
            ).fetchall()
        return [_kept(row) for row in rows]


def _kept(row: tuple[str, str, str, str, int]) -> Kept:
    identifier, created, question, base, complete = row
    return Kept(identifier, created, question, base, bool(complete))
