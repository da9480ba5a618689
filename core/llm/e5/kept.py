"""A graph kept in a folder between starts: taken only whole, made anew where it is damaged, never a reason to fail."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from pathlib import Path

from core.whole_files import put

log = logging.getLogger(__name__)

_SEAL = hashlib.sha256().digest_size


def kept(folder: Path | None, name: str, make: Callable[[], bytes]) -> bytes:
    """What `make` makes, read from the file `name` of the folder where it lies there whole, else written to it.

    Where the folder cannot be read or written (or is `None`) it is made every time.
    """
    if folder is None:
        return make()
    found = _read(folder / name)
    if found is None:
        found = make()
        _write(folder / name, found)
    return found


def _read(path: Path) -> bytes | None:
    """What lies in the file behind its SHA-256; `None` where there is nothing or it is not what was written."""
    try:
        sealed = path.read_bytes()
    except OSError:
        return None
    seal, content = sealed[:_SEAL], sealed[_SEAL:]
    return content if hashlib.sha256(content).digest() == seal else None


def _write(path: Path, content: bytes) -> None:
    """Put the whole file in its place at once, so that no other start ever reads a part of it."""
    try:
        put(path, hashlib.sha256(content).digest() + content)
    except OSError as refused:
        log.warning("%s is not kept: %s", path.name, refused)
