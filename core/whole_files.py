"""Files that are put in place whole: who reads one finds what lay there before or all of what is new, never a part."""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import suppress
from itertools import count
from pathlib import Path

LAYING = ".new"
"""How the name ends of what is written before it is put in place; a process that dies may leave one."""
ASIDE = ".damaged"
"""How the name ends of a file that was set aside."""
_STALE = 3600
"""Seconds after which what was laid out is a leftover of a process that died."""


def put(path: Path, content: bytes) -> None:
    """Let the file hold `content`, in one step; its folder is made where there is none.

    Several may write it at once: each leaves a whole file, and the last one stays. Raises OSError; then what lay there
    is as it was. What processes that died left in the folder long ago goes.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=LAYING, delete=False) as file:
        laid = Path(file.name)
        try:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            file.close()
            os.replace(laid, path)
        except OSError:
            laid.unlink(missing_ok=True)
            raise
    _sweep(path.parent)


def _sweep(folder: Path) -> None:
    with suppress(OSError):  # of several who sweep one is first
        for laid in folder.glob(f"*{LAYING}"):
            if time.time() - laid.stat().st_mtime > _STALE:
                laid.unlink(missing_ok=True)


def set_aside(path: Path) -> Path:
    """Rename a damaged file, so that it is told once and nothing of it is lost; where it lies now. Raises OSError."""
    aside = path.with_suffix(ASIDE)
    for repeat in count(2):
        if not aside.exists():
            break
        aside = path.with_suffix(f".{repeat}{ASIDE}")
    os.replace(path, aside)
    return aside
