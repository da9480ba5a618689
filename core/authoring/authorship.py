"""Who last changed what: the version of a base's history that gave a document, or a passage, the text it has now."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.authoring.history import History
from core.authoring.ledger import Version
from core.domain import Say
from core.errors import StoreError, WorkbenchError
from core.knowledge.reading import read

_NO_EDITS = ("import.note", "authoring.note.first", "authoring.note.replaced")
"""Notes of versions whose files came in, or lay there, as they were."""
OUTSIDE = Say.of("authoring.note.outside")
"""The note of a version that was made outside the app."""
_LOOKED_AT = 200
"""Versions among which the one is sought that changed a text."""


def edited(folder: Path) -> Mapping[str, Version]:
    """The documents that were edited since they came in, by path below the base's folder, each with its last edit.

    What was edited outside the app becomes a version first. A history that cannot be read tells of none.
    """
    try:
        history = History(folder)
        history.notice_outside()
        versions = history.versions()
    except StoreError:
        return {}
    last: dict[str, Version] = {}
    for version in versions:
        for change in version.changes:
            last.setdefault(change.path, version)
    return {path: version for path, version in last.items() if not _came_in(version)}


def signed(version: Version) -> str | dict[str, Any]:
    """Who made a version, as a value of a sentence."""
    return version.author or Say.of("authoring.nobody").as_value()


def _came_in(version: Version) -> bool:
    return isinstance(version.note, Say) and version.note.code in _NO_EDITS


def changed_by(folder: Path, path: str, before: str, now: str | None) -> Version | None:
    """The newest version in which a file lost the text `before`, or got the text `now`; `None` where none is known."""
    history = History(folder)
    try:
        history.notice_outside()
        for version in history.versions(_LOOKED_AT):
            for change in version.changes:
                if change.path == path and _turned(history, change.before, change.after, before, now):
                    return version
    except WorkbenchError:  # the panel shows both texts without it
        return None
    return None


def _turned(history: History, old: str | None, new: str | None, before: str, now: str | None) -> bool:
    """Whether a text stands on one side of a change only: what is there now after it, else what was there before it."""
    was, became = (read(history.content(digest), "").text if digest else "" for digest in (old, new))
    return now in became and now not in was if now else before in was and before not in became
