"""Files that are to come in: from disk, out of a zip, from a browser; each read by itself, whatever becomes of others.

A link that someone names is followed, since they named it; one that lies within a folder is not, and is told. What is
no ordinary file (a pipe, a device) would be waited for without end: it is told too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from core.authoring.zipped import is_zip, unzipped
from core.domain import Say
from core.errors import BaseError, WorkbenchError, reason_of
from core.knowledge.formats import MOST_BYTES, Options, read_source
from core.knowledge.loading import natural
from core.knowledge.reading import Reading, read, too_large

Same = Literal["replace", "keep", "skip"]
"""What becomes of a file whose document is there already with other content."""
Progress = Callable[[int, int, str], None]
"""Hears of files read: how many, of how many, which comes next."""
_USUAL = Options()


@dataclass(frozen=True, slots=True)
class Incoming:
    """A file that is to come in: its name (with folders below what was given), its size in bytes, how to have them.

    `read` raises `WorkbenchError` or OSError where it cannot be had.
    """

    name: str
    size: int
    read: Callable[[], bytes] = field(repr=False)

    @classmethod
    def refused(cls, name: str, code: str, **values: str) -> Incoming:
        """A file that is not to be read, with the code that says why, and its other values."""

        def refuse() -> bytes:
            raise BaseError(code, file=name, **values)

        return cls(name, 0, refuse)


@dataclass(frozen=True, slots=True)
class Taken:
    """A file as it was read, or why it was not; `same` is its own choice where that of all is not to hold for it."""

    name: str
    reading: Reading | None
    refused: Say | None = None
    same: Same | None = None


def read_all(
    incoming: Sequence[Incoming], options: Mapping[str, Options] | None = None, progress: Progress | None = None
) -> Iterator[Taken]:
    """Read every file; `options` are those of single files, by name, those under the empty name hold for all others."""
    given = options or {}
    for done, one in enumerate(incoming):
        if progress is not None:
            progress(done, len(incoming), one.name)
        yield read_one(one, given.get(one.name) or given.get("") or _USUAL)
    if progress is not None and incoming:
        progress(len(incoming), len(incoming), "")


def read_one(one: Incoming, options: Options = _USUAL) -> Taken:
    """Read a file; what is the matter with it is told in what comes back."""
    try:
        if one.size > MOST_BYTES:
            raise too_large(one.name, one.size, MOST_BYTES)
        return Taken(one.name, read_source(one.read(), one.name, options))
    except WorkbenchError as refused:
        return Taken(one.name, None, refused.say)
    except OSError as unreadable:
        return Taken(one.name, None, Say.of("base.file.unreadable", file=one.name, reason=reason_of(unreadable)))


def on_disk(paths: Iterable[Path]) -> list[Incoming]:
    """The files at `paths`, those of a folder with their path below it, in natural order, zips opened.

    A path where nothing lies is among them, and told when it is read.
    """
    found: list[Incoming] = []
    for path in paths:
        try:
            missing = not path.exists()
        except OSError as refused:  # in a folder that cannot be entered, or a name that is too long
            found.append(Incoming.refused(named(path.name), "import.unreachable", reason=reason_of(refused)))
            continue
        if missing:
            found.append(Incoming.refused(str(path), "import.missing"))
            continue
        found += _below(path) if path.is_dir() else [_file(path, named(path.name))]
    return opened(found)


def opened(incoming: Iterable[Incoming]) -> list[Incoming]:
    """The same files, those in a zip in place of it; a zip that cannot be opened stays, and tells why when it is read.

    Names that come twice stay twice: they are told apart when they get their place in the base.
    """
    found: list[Incoming] = []
    for one in incoming:
        if not is_zip(one.name) or one.size > MOST_BYTES:
            found.append(one)
            continue
        try:
            entries = unzipped(one.read(), one.name)
        except WorkbenchError as refused:
            found.append(Incoming(one.name, 0, _raising(refused)))
        except OSError:  # reading it tells
            found.append(one)
        else:
            found += [Incoming(entry.name, entry.size, entry.read) for entry in entries]
    return found


def _raising(error: WorkbenchError) -> Callable[[], bytes]:
    def refuse() -> bytes:
        raise error

    return refuse


def named(name: str) -> str:
    """A name on disk as text, also where the file system holds it in another encoding (GBK)."""
    if not any("\ud800" <= character <= "\udfff" for character in name):
        return name
    try:
        return read(os.fsencode(name).lstrip(b"\xff\xfe"), Path(name).suffix).text  # a name has no byte order mark
    except BaseError:  # a name in no encoding we know: shown with its odd bytes replaced
        return os.fsencode(name).decode("utf-8", errors="replace")


def _file(path: Path, name: str) -> Incoming:
    if not path.is_file():
        return Incoming.refused(name, "import.special")
    return Incoming(name, path.stat().st_size, path.read_bytes)


def _below(folder: Path) -> list[Incoming]:
    """The files below a folder but hidden ones, in natural order, with what cannot be entered."""
    found: list[Incoming] = []

    def refused(error: OSError) -> None:
        found.append(Incoming.refused(_under(Path(error.filename), folder), "import.locked"))

    for parent, folders, names in os.walk(folder, onerror=refused):
        shown = [name for name in folders if not name.startswith(".")]
        folders[:] = [name for name in shown if not Path(parent, name).is_symlink()]
        linked = [name for name in shown if Path(parent, name).is_symlink()]
        for path in (Path(parent, name) for name in [*linked, *names] if not name.startswith(".")):
            name = _under(path, folder)
            found.append(Incoming.refused(name, "import.link") if path.is_symlink() else _file(path, name))
    return sorted(found, key=lambda one: natural(one.name))


def _under(path: Path, folder: Path) -> str:
    return named(path.relative_to(folder).as_posix())
