"""The history of a knowledge base: who changed what and when, how to go back, and saves that are whole or not at all.

lock ─► what lay half-written is undone ─► what was edited elsewhere becomes a version
     ─► contents and a pending record (committed) ─► files, each in one step ─► the version (committed)

A process that dies in between leaves its pending record, and the next one puts the old contents back. Nothing is
written to a folder before its first save, which begins with a version of what lay there.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.authoring import folder as own
from core.authoring.folder import STAGING, Files, digest
from core.authoring.ledger import Change, Ledger, Version, open_ledger, open_to_read
from core.domain import Say
from core.errors import ConflictError, StoreError, UsageError
from core.knowledge.reading import read

log = logging.getLogger(__name__)

FILE = "history.sqlite"
"""Where the history lies in a base's folder."""


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

            return tuple(Difference(path, then(path), since(path)) for path in _differing(left, right))

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
        with self._writing() as ledger:
            lying = self._noticed(ledger)
            self._check(expected or {}, lying)
            return self._commit(ledger, lying, changes, author, note)

    def roll_back(self, number: int, author: str, note: str | Say) -> Version:
        """A new version whose files equal those of version `number`. Raises UsageError `authoring.version`."""
        with self._writing() as ledger:
            lying = self._noticed(ledger)
            wanted = ledger.files_at(number)
            changes = {
                path: ledger.content(wanted[path]) if path in wanted else None for path in _differing(lying, wanted)
            }
            return self._commit(ledger, lying, changes, author, note)

    def notice_outside(self) -> Version | None:
        """Undo what a save that died left half-written; make a version of what was edited outside the app, if anything.

        Call it before a base is opened. Nothing is written where nothing differs, or no history has begun.
        """
        if not self.path.is_file():
            return None
        with self._reading() as ledger:
            known = ledger.latest
            if not self._unfinished(ledger) and ledger.files_at(known) == own.digests(self.folder):
                return None
        with self._writing() as ledger:
            known = ledger.latest
            self._noticed(ledger)
            return ledger.versions(1)[0] if ledger.latest > known > 0 else None

    @contextmanager
    def _reading(self) -> Iterator[Ledger]:
        try:
            connection = open_to_read(self.path)
            try:
                yield Ledger(connection)
            finally:
                connection.close()
        except (OSError, sqlite3.Error) as failed:
            code = _code(failed, "authoring.unreadable")
            raise StoreError(code, path=str(self.path), reason=_reason(failed)) from failed

    @contextmanager
    def _writing(self) -> Iterator[Ledger]:
        """The ledger, under the folder's lock, with nothing half-written in the folder."""
        with own.locked(self.folder):
            try:
                connection = open_ledger(self.path)
                try:
                    ledger = Ledger(connection)
                    self._recover(ledger)
                    yield ledger
                finally:
                    connection.close()
            except (OSError, sqlite3.Error) as failed:
                code = _code(failed, "authoring.unwritable")
                raise StoreError(code, path=str(self.path), reason=_reason(failed)) from failed

    def _unfinished(self, ledger: Ledger) -> bool:
        return bool(ledger.pending) or (self.folder / STAGING).exists()

    def _recover(self, ledger: Ledger) -> None:
        """Put back what a save that did not end replaced; a file that someone has edited since is left alone."""
        if not self._unfinished(ledger):
            return
        lying = own.digests(self.folder)
        torn = [c for c in ledger.pending if lying.get(c.path) == c.after and not _linked(self.folder, c.path)]
        old = {c.path: ledger.content(c.before) if c.before else None for c in torn}
        own.write(self.folder, old, {path: own.content(self.folder, path) for path in old}, ledger.settle)
        if torn:
            log.warning("a save that did not end was undone in %s: %d files", self.folder, len(torn))

    def _noticed(self, ledger: Ledger) -> dict[str, str]:
        """The digests of what lies on disk, which is the newest version then."""
        known = ledger.files_at(ledger.latest)
        lying = own.digests(self.folder)
        if known == lying and ledger.latest:
            return lying
        with ledger.transaction():
            for path in [path for path in lying if lying[path] != known.get(path)]:
                found = own.content(self.folder, path)
                del lying[path]  # it may have changed once more, or gone, since
                if found is not None:
                    lying[path] = ledger.keep(found)
            changes = [Change(path, known.get(path), lying.get(path)) for path in _differing(known, lying)]
            note = Say.of("authoring.note.outside") if ledger.latest else Say.of("authoring.note.first")
            ledger.add(changes, "", note)
        return lying

    def _check(self, expected: Mapping[str, str | None], lying: Mapping[str, str]) -> None:
        moved = [path for path, known in expected.items() if lying.get(path) != known]
        if moved:
            found = {path: own.content(self.folder, path) if path in lying else None for path in moved}
            raise ConflictError("authoring.conflict", found=found, files=moved)

    def _commit(
        self, ledger: Ledger, lying: Mapping[str, str], changes: Files, author: str, note: str | Say
    ) -> Version:
        new = {p: data for p, data in changes.items() if (None if data is None else digest(data)) != lying.get(p)}
        if not new:
            return ledger.versions(1)[0]
        _no_twins(lying, new)
        with ledger.transaction():
            kept = {path: None if data is None else ledger.keep(data) for path, data in new.items()}
            changed = tuple(Change(path, lying.get(path), after) for path, after in kept.items())
            ledger.begin(changed)
        old = {path: ledger.content(lying[path]) if path in lying else None for path in new}

        def sealed() -> None:
            with ledger.transaction():
                ledger.add(changed, author, note)
                ledger.settle()

        try:
            own.write(self.folder, new, old, sealed)
        except BaseException:
            self._undo(ledger)
            raise
        return ledger.versions(1)[0]

    def _undo(self, ledger: Ledger) -> None:
        """Settle a save that failed; raises StoreError `authoring.torn` where that fails too."""
        try:
            self._recover(ledger)
        except (OSError, sqlite3.Error) as failed:
            raise StoreError("authoring.torn", path=str(self.folder), reason=_reason(failed)) from failed


def _differing(left: Mapping[str, str], right: Mapping[str, str]) -> list[str]:
    return sorted(path for path in {*left, *right} if left.get(path) != right.get(path))


def _linked(folder: Path, path: str) -> bool:
    """Whether someone has put a link where a file of the base was."""
    try:
        own.place(folder, path)
    except UsageError:
        return True
    return False


def _no_twins(lying: Mapping[str, str], new: Files) -> None:
    """Raise UsageError `authoring.case` where a new name is another's but for case or composition."""
    staying = [path for path in lying if new.get(path, b"") is not None]
    seen = {own.folded(path): path for path in staying}
    for path in (path for path, data in new.items() if data is not None and path not in lying):
        other = seen.setdefault(own.folded(path), path)
        if other != path:
            raise UsageError("authoring.case", path=path, other=other)


def _code(error: OSError | sqlite3.Error, usual: str) -> str:
    damaged = getattr(error, "sqlite_errorcode", None) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    return "authoring.damaged" if damaged else usual


def _reason(error: OSError | sqlite3.Error) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
