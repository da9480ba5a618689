"""Blind votes: which mode's answer a reader liked best before knowing whose it was, kept beside the comparisons."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from core.database import Store

TIE = "tie"
"""The vote of who finds none better."""


class Votes:
    """The votes of one data folder; who may vote on a comparison is who may open it, which the caller sees to."""

    def __init__(self, home: Path) -> None:
        self._store = Store(home)

    def cast(self, comparison: str, voter: str, choice: str) -> None:
        """Count a voter's choice, a mode's id or `TIE`, in the place of an earlier one; raises `StoreError`."""
        row = (comparison, voter, choice, datetime.now(UTC).isoformat(timespec="seconds"))
        with self._store.connection("vote.unkept", write=True) as connection:
            connection.execute("INSERT OR REPLACE INTO votes VALUES (?,?,?,?)", row)

    def of(self, comparison: str, voter: str) -> str | None:
        """What a voter chose, `None` before they did; raises `StoreError`."""
        with self._store.connection("store.unusable") as connection:
            if not _kept(connection):
                return None
            query = "SELECT choice FROM votes WHERE comparison=? AND voter=?"
            row = connection.execute(query, (comparison, voter)).fetchone()
        return str(row[0]) if row else None

    def tally(self, comparison: str) -> Mapping[str, int]:
        """How many chose each mode, or `TIE`; only what was chosen, most first. Raises `StoreError`."""
        with self._store.connection("store.unusable") as connection:
            if not _kept(connection):
                return {}
            rows = connection.execute(
                "SELECT choice, count(*) FROM votes WHERE comparison=? GROUP BY choice ORDER BY count(*) DESC, choice",
                (comparison,),
            ).fetchall()
        return {str(choice): int(count) for choice, count in rows}


def _kept(connection: sqlite3.Connection) -> bool:
    """Whether the file has votes: one of an older version that can only be read has none."""
    query = "SELECT count(*) FROM sqlite_master WHERE type='table' AND name='votes'"
    return bool(connection.execute(query).fetchone()[0])
