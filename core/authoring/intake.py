"""Files that are to come in: from disk or from a browser, each read by itself, whatever becomes of the others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.domain import Say
from core.errors import BaseError, UsageError
from core.knowledge.formats import MOST_BYTES, Options, read_source
from core.knowledge.loading import natural
from core.knowledge.reading import Reading

Progress = Callable[[int, int, str], None]
"""Hears of files read: how many, of how many, which comes next."""
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Incoming:
    """A file that is to come in: its name (with folders below what was given), its size in bytes, how to have them."""

    name: str
    size: int
    read: Callable[[], bytes] = field(repr=False)

    @classmethod
    def on_disk(cls, path: Path, name: str) -> Incoming:
        """A file that lies on disk."""
        return cls(name, path.stat().st_size if path.is_file() else 0, path.read_bytes)


@dataclass(frozen=True, slots=True)
class Taken:
    """A file as it was read, or why it was not."""

    name: str
    reading: Reading | None
    refused: Say | None = None


def read_all(
    incoming: Sequence[Incoming], options: Mapping[str, Options] | None = None, progress: Progress | None = None
) -> Iterator[Taken]:
    """Read every file; `options` are those of single files, by name."""
    for done, one in enumerate(incoming):
        if progress is not None:
            progress(done, len(incoming), one.name)
        yield _read(one, (options or {}).get(one.name, Options()))
    if progress is not None and incoming:
        progress(len(incoming), len(incoming), "")


def _read(one: Incoming, options: Options) -> Taken:
    try:
        if one.size > MOST_BYTES:
            raise BaseError("base.file.large", file=one.name, size=one.size // _MEGABYTE, most=MOST_BYTES // _MEGABYTE)
        return Taken(one.name, read_source(one.read(), one.name, options))
    except BaseError as refused:
        return Taken(one.name, None, refused.say)
    except OSError as unreadable:
        reason = unreadable.strerror or str(unreadable)
        return Taken(one.name, None, Say.of("base.file.unreadable", file=one.name, reason=reason))


def on_disk(paths: Iterable[Path]) -> list[Incoming]:
    """The files at `paths`, those of a folder with their path below it, in natural order; links are not followed.

    Raises `UsageError` `import.missing` for a path where nothing lies.
    """
    found: list[Incoming] = []
    for path in paths:
        if not os.path.lexists(path):
            raise UsageError("import.missing", path=str(path))
        if path.is_dir():
            found += [Incoming.on_disk(file, file.relative_to(path).as_posix()) for file in _below(path)]
        else:
            found.append(Incoming.on_disk(path, path.name))
    return found


def _below(folder: Path) -> list[Path]:
    """The files below a folder but hidden ones, in natural order; no link is followed."""
    found = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and not Path(parent, name).is_symlink()]
        found += [Path(parent, name) for name in names if not name.startswith(".")]
    return sorted(found, key=lambda path: natural(path.relative_to(folder).as_posix()))
