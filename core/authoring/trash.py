"""Bases that were deleted: they lie in `<home>/kb/.trash` for `KEPT` days, and can be brought back until then."""

from __future__ import annotations

import logging
import os
import re
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.authoring.bases import free_name, listed, owned, told
from core.authoring.folder import locked
from core.authoring.keeping import forget_all
from core.authoring.names import base_name
from core.errors import UsageError
from core.knowledge.base import unique
from core.knowledge.loading import FACTS, title_of
from core.settings import BUNDLED

log = logging.getLogger(__name__)

KEPT = 30
"""Days that a deleted base can be brought back."""

_TRASH = ".trash"
_TIME = "%Y%m%dT%H%M%SZ"
_ENTRY = re.compile(r"(?P<name>.+)~(?P<when>[0-9]{8}T[0-9]{6}Z)(?:~[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Deleted:
    """A base in the trash: its name and title, when it was deleted (ISO, UTC), `entry`, by which it is brought back."""

    name: str
    deleted: str
    entry: str
    title: str


def delete(home: Path, name: str) -> str:
    """Put an own base into the trash and tell its entry there; what has lain there for `KEPT` days is gone for good.

    A bundled base's own copy gone, the bundled one is as it was. Raises UsageError `authoring.not_own`, StoreError.
    """
    folder = owned(home, name)
    trash = home / "kb" / _TRASH
    with told(folder), locked(folder):
        trash.mkdir(exist_ok=True)
    _purge(home)
    entry = unique(f"{name}~{datetime.now(UTC).strftime(_TIME)}", os.listdir(trash))
    with told(folder):
        os.rename(folder, trash / entry)
    return entry


def deleted(home: Path) -> tuple[Deleted, ...]:
    """The bases in the trash, the one deleted last first."""
    found = []
    for entry in listed(home / "kb" / _TRASH):
        if match := _ENTRY.fullmatch(entry):
            title = title_of(home / "kb" / _TRASH / entry) if (home / "kb" / _TRASH / entry / FACTS).is_file() else ""
            found.append(Deleted(match["name"], _when(match).isoformat(timespec="seconds"), entry, title))
    return tuple(sorted(found, key=lambda one: (one.deleted, one.entry), reverse=True))


def restore(home: Path, entry: str, name: str | None = None) -> str:
    """Bring a base back from the trash, under another name where one is given; tell its name.

    Raises UsageError: `authoring.not_deleted`, as `free_name` does, and `authoring.taken` also where a bundled base was
    edited anew meanwhile; StoreError.
    """
    known = next((one for one in deleted(home) if one.entry == entry), None)
    if known is None:
        raise UsageError("authoring.not_deleted", name=entry)
    wanted = base_name(name or known.name)
    if wanted != known.name or wanted not in listed(BUNDLED) or wanted in listed(home / "kb"):
        wanted = free_name(home, wanted)
    with told(home / "kb" / wanted):
        os.rename(home / "kb" / _TRASH / entry, home / "kb" / wanted)
    return wanted


def _purge(home: Path) -> None:
    """Take away what has lain long enough, and the drafts of a base that nothing is left of."""
    trash, oldest = home / "kb" / _TRASH, datetime.now(UTC) - timedelta(days=KEPT)
    entries = [match for name in listed(trash) if (match := _ENTRY.fullmatch(name))]
    gone = [entry for entry in entries if _when(entry) < oldest]
    for entry in gone:
        log.info("deleted for good: %s", entry.string)
        shutil.rmtree(trash / entry.string, ignore_errors=True)
        forget_all(home, entry.string)  # drafts go along with what is deleted
    left = {entry["name"] for entry in entries if entry not in gone}.union(listed(home / "kb"), listed(BUNDLED))
    for name in {entry["name"] for entry in gone} - left:
        forget_all(home, name)


def _when(entry: re.Match[str]) -> datetime:
    return datetime.strptime(entry["when"], _TIME).replace(tzinfo=UTC)
