"""A base's history within a zip: one line a version, and every content in a file called by its digest.

Not the SQLite file itself: what comes from elsewhere is checked, and equal histories are equal bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from core.authoring.folder import kept
from core.authoring.history import History
from core.authoring.ledger import Change, Ledger, Version, open_ledger
from core.domain import Say
from core.errors import UsageError

VERSIONS = "history/versions.jsonl"
_CONTENT = re.compile(r"history/(?P<digest>[0-9a-f]{64})")
_LONGEST = 100_000
"""Characters of an author's name, or of a note."""


def is_history(path: str) -> bool:
    """Whether a path in a zip, below the base's folder, belongs to its history."""
    return path == VERSIONS or _CONTENT.fullmatch(path) is not None


def in_archive(history: History) -> dict[str, Callable[[], bytes]]:
    """The files that hold a history in a zip, by path, each with how to have it; none where none has begun.

    Raises StoreError as `History` does, also when a content is asked for.
    """
    versions = history.versions()[::-1]
    needed = {change.after for version in versions for change in version.changes if change.after}
    found: dict[str, Callable[[], bytes]] = {f"history/{one}": partial(history.content, one) for one in needed}
    return found | ({VERSIONS: lambda: b"".join(map(_line, versions))} if versions else {})


def _line(version: Version) -> bytes:
    note = version.note.as_value() if isinstance(version.note, Say) else version.note
    changes = [[change.path, change.before, change.after] for change in version.changes]
    row = {"created": version.created, "author": version.author, "note": note, "changes": changes}
    return json.dumps(row, sort_keys=True).encode() + b"\n"


def unpacked(path: Path, lines: bytes, contents: Iterable[tuple[str, bytes]]) -> None:
    """Write the ledger at `path` from what a zip holds: the versions' lines, and every content by its path there.

    Raises UsageError `authoring.zip.history` where that is no history (every content must be what it is called, every
    change go on from the one before), `sqlite3.Error`.
    """
    try:
        versions = [_version(line) for line in lines.splitlines()]
    except (ValueError, TypeError, KeyError, RecursionError) as broken:
        raise UsageError("authoring.zip.history") from broken
    connection = open_ledger(path)
    try:
        ledger = Ledger(connection)
        with ledger.transaction():
            kept_ones = {name: ledger.keep(data) for name, data in contents}
            if any(name != f"history/{key}" for name, key in kept_ones.items()):
                raise UsageError("authoring.zip.history")
            _check(versions, set(kept_ones.values()))
            for version in versions:
                ledger.add(version.changes, version.author, version.note, version.created)
    finally:
        connection.close()


def _version(line: bytes) -> Version:
    row = json.loads(line)
    note: Any = row["note"]
    author, created = row["author"], row["created"]
    if not isinstance(author, str) or max(len(author), len(json.dumps(note))) > _LONGEST:
        raise ValueError("author, note")
    datetime.fromisoformat(created)
    note = Say(str(note["code"]), dict(note["values"])) if isinstance(note, dict) else str(note)
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
