"""Drafts on disk, so that a reload or a restart loses none: one file a session that edits a base, outside its folder.

changes ─► `<home>/drafts/<base>/<token>.json`, put in place in one step ─► taken over by whoever goes on with it
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import secrets
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.authoring.encoded import decoded, encoded
from core.authoring.ledger import now
from core.authoring.operations import Operation
from core.domain import Say
from core.errors import StoreError, UsageError, reason_of
from core.json_values import checked_time
from core.whole_files import put, set_aside

log = logging.getLogger(__name__)

FOLDER = "drafts"
"""Where drafts lie in the data folder."""
_FORMAT = 1
_SUFFIX = ".json"
_TOKEN = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Kept:
    """A draft that lies on disk: its `token`, when it was last changed (ISO, UTC), by whom, its changes in order."""

    token: str
    changed: str
    author: str
    operations: tuple[Operation, ...]


def new_token() -> str:
    """A name for the draft of a session."""
    return secrets.token_hex(16)


def keep(home: Path, base: str, token: str, operations: Sequence[Operation], author: str = "") -> None:
    """Write a draft down, whole or not at all; without changes there is none. Raises StoreError `draft.unkept`."""
    file = _file(home, base, token)
    if not operations:
        return forget(home, base, token)
    row = {"format": _FORMAT, "base": base, "changed": now(), "author": author, "operations": encoded(operations)}
    try:
        put(file, json.dumps(row).encode())
    except OSError as refused:
        raise StoreError("draft.unkept", base=base, reason=reason_of(refused)) from refused


def forget(home: Path, base: str, token: str) -> None:
    """Take a draft away; it may be gone already. Raises StoreError `draft.unkept`."""
    try:
        _file(home, base, token).unlink(missing_ok=True)
    except OSError as refused:
        raise StoreError("draft.unkept", base=base, reason=reason_of(refused)) from refused


def forget_all(home: Path, base: str) -> None:
    """Take away all drafts of a base that is gone for good, as far as they can be."""
    shutil.rmtree(_place(home, base), ignore_errors=True)


def kept(home: Path, base: str) -> tuple[tuple[Kept, ...], tuple[Say, ...]]:
    """The drafts of a base, the one changed last first; and what is to be told of files that are none.

    A damaged file is set aside beside its place, so that it is told once and nothing of it is lost.
    """
    found: list[Kept] = []
    told: list[Say] = []
    for file in _files(home, base):
        try:
            found.append(_read(file))
        except FileNotFoundError:  # someone has taken it over at this moment
            continue
        except OSError as refused:
            told.append(Say.of("draft.unreadable", path=str(file), reason=reason_of(refused)))
        except (ValueError, TypeError, KeyError) as damaged:
            log.warning("a draft cannot be read: %s: %s", file, damaged)
            told.append(_set_aside(file))
    return tuple(sorted(found, key=lambda one: one.changed, reverse=True)), tuple(told)


def lies(home: Path, base: str, token: str) -> bool:
    """Whether that draft is still on disk."""
    return _file(home, base, token).is_file()


def count(home: Path, base: str) -> int:
    """How many drafts of a base lie on disk, read or not."""
    return len(_files(home, base))


def take(home: Path, base: str, token: str, own: str) -> Kept:
    """Go on with a draft as one's own: of several who want it one gets it.

    Raises UsageError `draft.taken` where another was quicker, or it is no draft any more; StoreError.
    """
    file = _file(home, base, own)
    try:
        os.rename(_file(home, base, token), file)
        return _read(file)
    except (FileNotFoundError, ValueError, TypeError, KeyError) as gone:
        raise UsageError("draft.taken") from gone
    except OSError as refused:
        raise StoreError("draft.unkept", base=base, reason=reason_of(refused)) from refused


def follow(home: Path, base: str, new: str) -> None:
    """Let the drafts of a base go to its new name, beside those there. Raises StoreError `draft.unkept`."""
    try:
        for file in _files(home, base):
            target = _place(home, new) / file.name
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(file, target.with_stem(new_token()) if target.exists() else target)
    except OSError as refused:
        raise StoreError("draft.unkept", base=base, reason=reason_of(refused)) from refused


def _place(home: Path, base: str) -> Path:
    """The folder of a base's drafts; a base may be named by a path, which is no name of a folder."""
    return home / FOLDER / hashlib.sha256(base.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _file(home: Path, base: str, token: str) -> Path:
    if not _TOKEN.fullmatch(token):
        raise ValueError(f"no token of a draft: {token!r}")
    return _place(home, base) / f"{token}{_SUFFIX}"


def _files(home: Path, base: str) -> list[Path]:
    try:
        files = (file for file in _place(home, base).iterdir() if file.suffix == _SUFFIX)
        return sorted(file for file in files if _TOKEN.fullmatch(file.stem))
    except OSError:  # none yet, or a data folder that cannot be read, which every page tells
        return []


def _read(file: Path) -> Kept:
    try:
        row: Any = json.loads(file.read_text(encoding="utf-8"))  # lone surrogates come back as they were
    except RecursionError as deep:
        raise ValueError("nested too deep") from deep
    if not isinstance(row, dict) or row.get("format") is True or row.get("format") != _FORMAT:
        raise ValueError("format")
    changed, author, operations = row["changed"], row.get("author", ""), decoded(row["operations"])
    if not isinstance(changed, str) or not isinstance(author, str) or not operations:
        raise TypeError("changed, author, operations")
    checked_time(changed)
    return Kept(file.stem, changed, author, operations)


def _set_aside(file: Path) -> Say:
    try:
        return Say.of("draft.damaged", path=str(set_aside(file)))
    except OSError as refused:
        return Say.of("draft.unreadable", path=str(file), reason=reason_of(refused))
