"""A base's history within a zip: one line a version, and every content in a file called by its digest.

Not the SQLite file itself: what comes from elsewhere is checked, and equal histories are equal bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.authoring.folder import digest, kept
from core.authoring.history import History
from core.authoring.ledger import Change, Ledger, Version, open_ledger
from core.domain import Say
from core.errors import UsageError

VERSIONS = "history/versions.jsonl"
_CONTENT = re.compile(r"history/(?P<digest>[0-9a-f]{64})")
_LONGEST = 2_000
"""Characters of an author's name, or of a note."""


def is_history(path: str) -> bool:
    """Whether a path in a zip, below the base's folder, belongs to its history."""
    return path == VERSIONS or _CONTENT.fullmatch(path) is not None


def in_archive(history: History) -> dict[str, bytes]:
    """The files that hold a history in a zip; none where none has begun. Raises StoreError as `History` does."""
    versions = history.versions()[::-1]
    needed = {side for version in versions for c in version.changes for side in (c.before, c.after) if side}
    found = {f"history/{one}": history.content(one) for one in sorted(needed)}
    return found | ({VERSIONS: b"".join(map(_line, versions))} if versions else {})


def _line(version: Version) -> bytes:
    note = version.note.as_value() if isinstance(version.note, Say) else version.note
    changes = [[change.path, change.before, change.after] for change in version.changes]
    row = {"created": version.created, "author": version.author, "note": note, "changes": changes}
    return json.dumps(row, sort_keys=True).encode() + b"\n"


def unpacked(path: Path, files: Mapping[str, bytes]) -> None:
    """Write the ledger at `path` from a zip's files.

    Raises UsageError `authoring.zip.history` where they are no history: every content must be what it is called, every
    change go on from the one before.
    """
    contents = {match["digest"]: data for name, data in files.items() if (match := _CONTENT.fullmatch(name))}
    if any(digest(data) != key for key, data in contents.items()):
        raise UsageError("authoring.zip.history")
    try:
        versions = [_version(line) for line in files[VERSIONS].splitlines()]
    except (ValueError, TypeError, KeyError, RecursionError) as broken:
        raise UsageError("authoring.zip.history") from broken
    _check(versions, set(contents))
    connection = open_ledger(path)
    try:
        ledger = Ledger(connection)
        with ledger.transaction():
            for data in contents.values():
                ledger.keep(data)
            for version in versions:
                ledger.add(version.changes, version.author, version.note, version.created)
    finally:
        connection.close()


def _version(line: bytes) -> Version:
    row = json.loads(line)
    note: Any = row["note"]
    author, created = row["author"], row["created"]
    if isinstance(note, dict):
        note = Say(str(note["code"]), dict(note["values"]))
    if not all(isinstance(text, str) and len(text) <= _LONGEST for text in (author, created)):
        raise ValueError("author, created")
    if not isinstance(note, Say) and not (isinstance(note, str) and len(note) <= _LONGEST):
        raise ValueError("note")
    return Version(0, created, author, note, tuple(Change(*change) for change in row["changes"]))


def _check(versions: list[Version], contents: set[str]) -> None:
    state: dict[str, str] = {}
    for version in versions:
        for change in version.changes:
            known = isinstance(change.path, str) and kept(change.path) and state.get(change.path) == change.before
            if not known or (change.after is not None and change.after not in contents):
                raise UsageError("authoring.zip.history")
            state.pop(change.path, None)
            if change.after is not None:
                state[change.path] = change.after
        if len({change.path for change in version.changes}) != len(version.changes):
            raise UsageError("authoring.zip.history")
