"""What was chosen on somebody's disk: files by themselves, or a folder with all that lies below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

from core.authoring.intake import Incoming


def shown(files: Sequence[Incoming]) -> list[Incoming]:
    """The files under their names below the folder that was chosen, hidden ones of it only where there are no others.

    A folder that is read from disk leaves them out too.
    """
    seen = [one for one in files if not ("/" in one.name and _is_hidden(_below(one.name)))]
    return [replace(one, name=_below(one.name)) for one in seen or files]


def called(names: Sequence[str]) -> str:
    """What files may be called together: their folder, or the first of them without its suffix."""
    top, slash, _ = names[0].partition("/")
    return top if slash else PurePath(top).stem


def _below(given: str) -> str:
    """The path of an uploaded file without the folder that was chosen, which is the same for all."""
    _, slash, below = given.partition("/")
    return below if slash else given


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/"))
