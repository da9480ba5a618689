"""One commit to a base: files put in place together with the version that tells of them, or neither.

what lay half-written is undone ─► what was edited elsewhere becomes a version ─► contents and a pending record
(committed) ─► files, each in one step ─► the version (committed)
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.authoring import folder as own
from core.authoring.folder import STAGING, Files, digest
from core.authoring.ledger import Change, Ledger, Version
from core.domain import Say
from core.errors import ConflictError, StoreError, UsageError, reason_of

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Commit:
    """Writes to a folder and its ledger; whoever has it holds the folder's lock.

    `lying` are the digests of the files that lie there, by path, which are those of the newest version; `outside` is
    the version that was made of edits from elsewhere, if there were any. All raise OSError and `sqlite3.Error`.
    """

    folder: Path
    ledger: Ledger
    lying: Mapping[str, str]
    outside: Version | None = None

    def check(self, expected: Mapping[str, str | None]) -> None:
        """Raise ConflictError `authoring.conflict` where a file is not what someone expects (a digest, or `None`)."""
        moved = [path for path, known in expected.items() if self.lying.get(path) != known]
        if moved:
            found = {path: own.content(self.folder, path) if path in self.lying else None for path in moved}
            raise ConflictError("authoring.conflict", found=found, files=moved)

    def make(self, changes: Files, author: str, note: str | Say) -> Version:
        """Put files in place as a new version; where nothing would change, tell the newest one.

        Raises UsageError `authoring.case`, StoreError `authoring.torn`.
        """
        new = {p: data for p, data in changes.items() if (None if data is None else digest(data)) != self.lying.get(p)}
        if not new and self.ledger.latest:
            return self.ledger.versions(1)[0]
        _no_twins(self.lying, new)
        with self.ledger.transaction():
            kept = {path: None if data is None else self.ledger.keep(data) for path, data in new.items()}
            changed = tuple(Change(path, self.lying.get(path), after) for path, after in kept.items())
            self.ledger.begin(changed)
        old = {path: self.ledger.content(self.lying[path]) if path in self.lying else None for path in new}

        def sealed() -> None:
            with self.ledger.transaction():
                self.ledger.add(changed, author, note)
                self.ledger.settle()

        try:
            own.write(self.folder, new, old, sealed)
        except BaseException:
            self._undo()
            raise
        return self.ledger.versions(1)[0]

    def _undo(self) -> None:
        """Settle a save that failed; raises StoreError `authoring.torn` where that fails too."""
        try:
            _recover(self.folder, self.ledger)
        except (OSError, sqlite3.Error) as failed:
            raise StoreError("authoring.torn", path=str(self.folder), reason=reason_of(failed)) from failed


def begin(folder: Path, ledger: Ledger) -> Commit:
    """A commit to a folder with nothing half-written in it, whose newest version is what lies there.

    The caller holds the folder's lock. Raises OSError, `sqlite3.Error`.
    """
    _recover(folder, ledger)
    known = ledger.latest
    lying = _noticed(folder, ledger)
    return Commit(folder, ledger, lying, ledger.versions(1)[0] if ledger.latest > known > 0 else None)


def unfinished(folder: Path, ledger: Ledger) -> bool:
    """Whether a save that died left something half-written."""
    return bool(ledger.pending) or (folder / STAGING).exists()


def differing(left: Mapping[str, str], right: Mapping[str, str]) -> list[str]:
    """The paths that two states do not have alike, sorted; each state has digests by path."""
    return sorted(path for path in {*left, *right} if left.get(path) != right.get(path))


def _recover(folder: Path, ledger: Ledger) -> None:
    """Put back what a save that did not end replaced; a file that someone has edited since is left alone."""
    if not unfinished(folder, ledger):
        return
    lying = own.digests(folder)
    torn = [c for c in ledger.pending if lying.get(c.path) == c.after and not _linked(folder, c.path)]
    old = {c.path: ledger.content(c.before) if c.before else None for c in torn}
    own.write(folder, old, {path: own.content(folder, path) for path in old}, ledger.settle)
    if torn:
        log.warning("a save that did not end was undone in %s: %d files", folder, len(torn))


def _noticed(folder: Path, ledger: Ledger) -> dict[str, str]:
    """The digests of what lies on disk, which is the newest version then."""
    known = ledger.files_at(ledger.latest)
    lying = own.digests(folder)
    if known == lying:  # of an empty folder no version is made: the first is what is put there
        return lying
    with ledger.transaction():
        for path in [path for path in lying if lying[path] != known.get(path)]:
            found = own.content(folder, path)
            del lying[path]  # it may have changed once more, or gone, since
            if found is not None:
                lying[path] = ledger.keep(found)
        changes = [Change(path, known.get(path), lying.get(path)) for path in differing(known, lying)]
        note = Say.of("authoring.note.outside") if ledger.latest else Say.of("authoring.note.first")
        ledger.add(changes, "", note)
    return lying


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
