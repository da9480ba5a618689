"""Symbolic links: nothing is read through one that leads out of a base's folder."""

from __future__ import annotations

from pathlib import Path

from core.errors import BaseError, reason_of


def inside(path: Path, folder: Path, file: str) -> None:
    """Refuse a link that leads nowhere good; `file` names it.

    Raises BaseError `base.file.outside` where it leads out of the folder, `base.file.unreadable` where to itself.
    """
    try:
        out = path.is_symlink() and not path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError) as error:
        raise BaseError("base.file.unreadable", file=file, reason=reason_of(error)) from error
    if out:
        raise BaseError("base.file.outside", file=file)
