"""The tables behind a base's history: versions, what each changed, every content once, and a save that is under way.

A version holds only the paths it changed; contents are kept under their SHA-256, packed with zlib.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.authoring.folder import digest
from core.database import connect, connect_to_read
from core.domain import Say
from core.errors import StoreError, UsageError

_SCHEMA_VERSION = 1
_SCHEMA = (
    """CREATE TABLE versions (number INTEGER PRIMARY KEY, created TEXT NOT NULL, author TEXT NOT NULL,
        note TEXT NOT NULL)""",
    """CREATE TABLE changes (version INTEGER NOT NULL, path BLOB NOT NULL, before TEXT, after TEXT,
        PRIMARY KEY (version, path)) WITHOUT ROWID""",
    "CREATE TABLE contents (digest TEXT PRIMARY KEY, packed BLOB NOT NULL)",
    "CREATE TABLE pending (path BLOB PRIMARY KEY, before TEXT, after TEXT) WITHOUT ROWID",
    f"PRAGMA user_version={_SCHEMA_VERSION}",
)


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one file: the digests of its content; `None`: there was, or is, no such file."""

    path: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Version:
    """A state of the base: `number` from 1, when (ISO, UTC), by whom, why, and what differs from the one before it.

    A `note` that a person wrote is text, one of the app's own a `Say`; `author` is empty where nobody is known.
    """

    number: int
    created: str
    author: str
    note: str | Say
    changes: tuple[Change, ...]


def now() -> str:
    """This moment, ISO, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def open_ledger(path: Path) -> sqlite3.Connection:
    """A connection that writes to the ledger at `path`, made if it is not there; raises `sqlite3.Error`, StoreError.

    What is committed is on the disk for good, since a save goes on to files once its pending record is.
    """
    connection = connect(path)
    try:
        connection.execute("PRAGMA synchronous=FULL")
        if _made(connection):
            return connection
        return _make(connection)
    except BaseException:
        connection.close()
        raise


def open_to_read(path: Path) -> sqlite3.Connection:
    """A connection to the ledger at `path`, or to an empty one where none is yet; raises as `open_ledger` does."""
    connection = connect_to_read(path) if path.is_file() else sqlite3.connect(":memory:", isolation_level=None)
    try:
        if _made(connection):
            return connection
    except BaseException:
        connection.close()
        raise
    connection.close()
    return _make(sqlite3.connect(":memory:", isolation_level=None))


def _made(connection: sqlite3.Connection) -> bool:
    """Whether the tables are there; raises StoreError `store.newer`."""
    found = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if found > _SCHEMA_VERSION:
        raise StoreError("store.newer", found=found, known=_SCHEMA_VERSION)
    return found == _SCHEMA_VERSION


def _make(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.execute("BEGIN IMMEDIATE")
    for statement in _SCHEMA:
        connection.execute(statement)
    connection.execute("COMMIT")
    return connection


class Ledger:
    """The history over one connection; whoever writes holds the folder's lock. All raise `sqlite3.Error`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of what is written within it, or nothing."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    @property
    def latest(self) -> int:
        """The number of the newest version; 0 where there is none."""
        found = self._connection.execute("SELECT coalesce(max(number), 0) FROM versions").fetchone()
        return int(found[0])

    def versions(self, limit: int | None = None) -> tuple[Version, ...]:
        """The newest versions, newest first; all where there is no limit."""
        rows = self._connection.execute(
            "SELECT number, created, author, note FROM versions ORDER BY number DESC LIMIT ?",
            (-1 if limit is None else limit,),
        ).fetchall()
        changes: dict[int, list[Change]] = {}
        for number, *row in self._connection.execute(
            "SELECT version, path, before, after FROM changes WHERE version >= ? ORDER BY path",
            (rows[-1][0] if rows else 0,),
        ):
            changes.setdefault(number, []).append(_change(row))
        return tuple(
            Version(number, created, author, _noted(note), tuple(changes.get(number, ())))
            for number, created, author, note in rows
        )

    def files_at(self, number: int) -> dict[str, str]:
        """The digests of all files of one version; none for 0. Raises UsageError `authoring.version`."""
        if not 0 <= number <= self.latest:
            raise UsageError("authoring.version", number=number, latest=self.latest)
        rows = self._connection.execute(
            "SELECT path, after, max(version) FROM changes WHERE version <= ? GROUP BY path", (number,)
        )
        return {_text(path): after for path, after, _ in rows if after is not None}

    def content(self, wanted: str) -> bytes:
        """The content with that digest. Raises StoreError `authoring.content` where it is not there, or damaged."""
        row = self._connection.execute("SELECT packed FROM contents WHERE digest = ?", (wanted,)).fetchone()
        try:
            found = zlib.decompress(row[0]) if row else None
        except zlib.error:
            found = None
        if found is None or digest(found) != wanted:
            raise StoreError("authoring.content", digest=wanted[:12])
        return found

    def keep(self, data: bytes) -> str:
        """Keep a content, where it is not kept already, and tell its digest."""
        key = digest(data)
        if not self._connection.execute("SELECT 1 FROM contents WHERE digest = ?", (key,)).fetchone():
            self._connection.execute("INSERT INTO contents VALUES (?,?)", (key, zlib.compress(data)))
        return key

    def add(self, changes: Iterable[Change], author: str, note: str | Say, created: str = "") -> Version:
        """Write down the next version."""
        changed = tuple(sorted(changes, key=lambda change: change.path))
        number = self.latest + 1
        author = author.encode("utf-8", "replace").decode()
        version = Version(number, created or now(), author, note, changed)
        row = (number, version.created, author, json.dumps(note.as_value() if isinstance(note, Say) else note))
        self._connection.execute("INSERT INTO versions VALUES (?,?,?,?)", row)
        rows = [(number, *_row(change)) for change in changed]
        self._connection.executemany("INSERT INTO changes VALUES (?,?,?,?)", rows)
        return version

    @property
    def pending(self) -> tuple[Change, ...]:
        """What the save that is under way is about to change."""
        rows = self._connection.execute("SELECT path, before, after FROM pending ORDER BY path")
        return tuple(_change(row) for row in rows)

    def begin(self, changes: Iterable[Change]) -> None:
        """Write down that a save is under way."""
        self._connection.executemany("INSERT INTO pending VALUES (?,?,?)", [_row(change) for change in changes])

    def settle(self) -> None:
        """Write down that no save is under way."""
        self._connection.execute("DELETE FROM pending")


def _row(change: Change) -> tuple[bytes, str | None, str | None]:
    """A path as bytes, since a file's name may be in no encoding."""
    return change.path.encode("utf-8", "surrogateescape"), change.before, change.after


def _change(row: Iterable[Any]) -> Change:
    path, before, after = row
    return Change(_text(path), before, after)


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")


def _noted(text: str) -> str | Say:
    value = json.loads(text)
    return Say(value["code"], value["values"]) if isinstance(value, Mapping) else str(value)
