"""What was found out of a base's coverage, kept in the data folder: a reload, or a restart, still shows it.

One file for each base and reader holds what was found last. It tells the base's version, the questions, the modes and
the settings that it holds of, so that what has changed since can be told. Only the holder of the folder's lock changes
it, and it is replaced in one step. One that is damaged is set aside; one of a newer version counts as none.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

from core.authoring.folder import locked
from core.coverage.kept_form import FORMAT, Kept, dumped, loaded
from core.domain import Say
from core.errors import StoreError, reason_of
from core.json_values import read_json
from core.knowledge.base import KnowledgeBase
from core.whole_files import put, set_aside

__all__ = ["FOLDER", "Kept", "change", "recall"]

_LOG = logging.getLogger(__name__)
FOLDER = "coverage"
"""Where they lie in the data folder."""
_DAMAGED = (KeyError, TypeError, ValueError, IndexError, AttributeError)
"""What reading a file raises that is none of ours."""


def change(base: KnowledgeBase, home: Path, owner: str, make: Callable[[Kept], Kept]) -> None:
    """Put what is made of what lies there in its place; nobody else changes it meanwhile.

    Raises `StoreError`: `coverage.unkept` where it cannot be written, `authoring.busy` where another writer stays.
    """
    path = _path(base, home, owner)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path.parent):
            lying = _lying(path)
            _write(path, make(lying if isinstance(lying, Kept) else Kept()))
    except OSError as refused:
        raise StoreError("coverage.unkept", path=str(path.parent), reason=reason_of(refused)) from refused
    except StoreError as refused:
        if refused.say.code != "authoring.unwritable":
            raise
        values = {"path": str(path.parent), "reason": refused.say.values["reason"]}
        raise StoreError("coverage.unkept", **values) from refused


def _write(path: Path, kept: Kept) -> None:
    put(path, json.dumps(dumped(kept), ensure_ascii=False).encode("utf-8", "replace"))


def recall(base: KnowledgeBase, home: Path, owner: str = "") -> Kept | Say | None:
    """What was kept of a base last; `None` where nothing was, why where it cannot be used.

    A damaged file is set aside beside its place, so that it is told once and nothing of it is lost.
    """
    path = _path(base, home, owner)
    try:
        return _read(path)
    except _DAMAGED as damaged:
        _LOG.warning("what is known of the coverage in %s cannot be used: %r", path, damaged)
    try:
        with locked(path.parent):
            return _lying(path)  # by now another may have put a sound one there
    except StoreError as refused:
        return Say.of("coverage.kept_unreadable", path=str(path), reason=refused.say.as_value())


def _lying(path: Path) -> Kept | Say | None:
    """What lies there; a damaged file is set aside, which only the holder of the lock may do."""
    try:
        return _read(path)
    except _DAMAGED:
        try:
            return Say.of("coverage.kept_damaged", path=str(set_aside(path)))
        except OSError as refused:
            return Say.of("coverage.kept_unreadable", path=str(path), reason=reason_of(refused))


def _read(path: Path) -> Kept | Say | None:
    """What lies there; raises `_DAMAGED`."""
    try:
        raw = read_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except OSError as refused:
        _LOG.warning("what is known of the coverage in %s cannot be read: %r", path, refused)
        return Say.of("coverage.kept_unreadable", path=str(path), reason=reason_of(refused))
    if isinstance(raw, dict) and isinstance(raw.get("format"), int) and raw["format"] > FORMAT:
        return Say.of("coverage.kept_newer", path=str(path))
    return loaded(raw)


def _path(base: KnowledgeBase, home: Path, owner: str) -> Path:
    key = f"{base.path.resolve()}\0{owner}".encode("utf-8", "surrogateescape")
    return home / FOLDER / f"{blake2b(key, digest_size=12).hexdigest()}.json"
