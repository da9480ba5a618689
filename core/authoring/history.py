"""The history of a knowledge base: who changed what and when, how to go back, and saves that are whole or not at all.

A process that dies in the middle of a save leaves its pending record, and the next one puts the old contents back
(`commits.py`). Nothing is written to a folder before its first save, which begins with a version of what lay there.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.authoring import folder as own
from core.authoring.commits import Commit, begin, differing, unfinished
from core.authoring.folder import Files
from core.authoring.ledger import Ledger, Version, open_ledger, open_to_read
from core.domain import Say
from core.errors import StoreError, reason_of
from core.knowledge.reading import read

FILE = own.HISTORY


@dataclass(frozen=True, slots=True)
class Difference:
    """One file of two versions, as bytes; `None`: that version has no such file."""

    path: str
    before: bytes | None
    after: bytes | None

    @property
    def kind(self) -> Literal["added", "removed", "changed"]:
        """What became of the file."""
        if self.before is None:
            return "added"
        return "removed" if self.after is None else "changed"

    @property
    def texts(self) -> tuple[str, str]:
        """Both sides as text, empty where there is no file. Raises BaseError as `read` does."""
        before, after = (read(side, self.path).text if side else "" for side in (self.before, self.after))
        return before, after


class History:
    """The history of the base in one folder, safe under several threads and processes.

    Reading raises StoreError `authoring.unreadable`; writing `authoring.unwritable`, also where the disk is full, and
    `authoring.busy`; both `authoring.damaged` where the file is no ledger. What was there before is then as it was, but
    for `authoring.torn`: the disk refuses even that, and the next opening puts it back.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / FILE

    def versions(self, limit: int | None = None) -> tuple[Version, ...]:
        """The newest versions, newest first; none before the first save."""
        with self._reading() as ledger:
            return ledger.versions(limit)

    def content(self, wanted: str) -> bytes:
        """The content with that digest. Raises StoreError `authoring.content` where it is not there, or damaged."""
        with self._reading() as ledger:
            return ledger.content(wanted)

    def files_at(self, number: int) -> Mapping[str, str]:
        """The digests of all files of a version, by path. Raises UsageError `authoring.version`."""
        with self._reading() as ledger:
            return ledger.files_at(number)

    def files_now(self) -> Mapping[str, str]:
        """The digests of all files as they lie there now, by path: what an editor opens, and `save` then expects."""
        with self._reading():
            return own.digests(self.folder)

    def compare(self, before: int, after: int | None = None) -> tuple[Difference, ...]:
        """The files that differ between two versions, or a version and what lies on disk now, sorted by path.

        Raises UsageError `authoring.version`.
        """
        with self._reading() as ledger:
            left = ledger.files_at(before)
            right = own.digests(self.folder) if after is None else ledger.files_at(after)

            def then(path: str) -> bytes | None:
                return ledger.content(left[path]) if path in left else None

            def since(path: str) -> bytes | None:
                if path not in right:
                    return None
                return own.content(self.folder, path) if after is None else ledger.content(right[path])

            return tuple(Difference(path, then(path), since(path)) for path in differing(left, right))

    def save(
        self, changes: Files, author: str, note: str | Say, expected: Mapping[str, str | None] | None = None
    ) -> Version:
        """Write files (`None`: take it away) as one new version; where nothing would change, tell the newest one.

        `expected` holds the digests that files had when they were opened, `None` for one that was not there; raises
        ConflictError `authoring.conflict`, with what is there now, where one differs, UsageError as `place` does and
        `authoring.case` for a name that another file has but for its case.
        """
        for path in changes:
            own.place(self.folder, path)
        with self._writing() as commit:
            commit.check(expected or {})
            return commit.make(changes, author, note)

    def roll_back(self, number: int, author: str, note: str | Say) -> Version:
        """A new version whose files equal those of version `number`. Raises UsageError `authoring.version`."""
        with self._writing() as commit:
            wanted = commit.ledger.files_at(number)
            differ = differing(commit.lying, wanted)
            changes = {path: commit.ledger.content(wanted[path]) if path in wanted else None for path in differ}
            return commit.make(changes, author, note)

    def notice_outside(self) -> Version | None:
        """Undo what a save that died left half-written; make a version of what was edited outside the app, if anything.

        Call it before a base is opened. Nothing is written where nothing differs, or no history has begun.
        """
        if not self.path.is_file():
            return None
        with self._reading() as ledger:
            known = ledger.latest
            if not unfinished(self.folder, ledger) and ledger.files_at(known) == own.digests(self.folder):
                return None
        with self._writing() as commit:
            return commit.outside

    @contextmanager
    def _reading(self) -> Iterator[Ledger]:
        own.unlinked(self.folder)
        try:
            connection = open_to_read(self.path)
            try:
                yield Ledger(connection)
            finally:
                connection.close()
        except (OSError, sqlite3.Error) as failed:
            code = _code(failed, "authoring.unreadable")
            raise StoreError(code, path=str(self.path), reason=reason_of(failed)) from failed

    @contextmanager
    def _writing(self) -> Iterator[Commit]:
        """A commit under the folder's lock, with nothing half-written in the folder."""
        with own.locked(self.folder):
            try:
                connection = open_ledger(self.path)
                try:
                    yield begin(self.folder, Ledger(connection))
                finally:
                    connection.close()
            except (OSError, sqlite3.Error) as failed:
                code = _code(failed, "authoring.unwritable")
                path = self.folder if code == "authoring.unwritable" else self.path
                raise StoreError(code, path=str(path), reason=reason_of(failed)) from failed


def _code(error: OSError | sqlite3.Error, usual: str) -> str:
    damaged = getattr(error, "sqlite_errorcode", None) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    return "authoring.damaged" if damaged else usual
