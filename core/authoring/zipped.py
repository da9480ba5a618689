"""Documents in a zip: every file that it holds, read from it when its turn comes; what would do harm is refused.

What a zip says of its sizes bounds what is taken out of it: of an entry no more is unpacked than it claims to be.
"""

from __future__ import annotations

import io
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from core.authoring.contents import ENCRYPTED, LIMITS, Limits, entry_name
from core.errors import BaseError, UsageError
from core.knowledge.loading import FACTS

_JUNK = ("__MACOSX", "Thumbs.db", "desktop.ini")
"""What systems put into zips unasked."""
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, IndexError)
"""What Python's zipfile raises for bytes that are no zip, or a damaged one."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in a zip: its name, folders before it, its size in bytes, and how to have them."""

    name: str
    size: int
    read: Callable[[], bytes] = field(repr=False)


def is_zip(name: str) -> bool:
    """Whether a file's name says that it is a zip of files."""
    return name.lower().endswith(".zip")


def holds_base(zipped: bytes | Path) -> bool:
    """Whether a zip is a whole knowledge base, with its `kb.toml` at the top or in its only folder."""
    try:
        with zipfile.ZipFile(io.BytesIO(zipped) if isinstance(zipped, bytes) else zipped) as archive:
            paths = [PurePosixPath(entry_name(info)) for info in archive.infolist()]
    except (OSError, *_BROKEN):
        return False
    tops = {path.parts[0] for path in paths if path.parts and path.parts[0] not in _JUNK}
    return any(path.as_posix() == FACTS or (len(tops) == 1 and path.parts[1:] == (FACTS,)) for path in paths)


def unzipped(data: bytes, name: str, limits: Limits = LIMITS) -> list[Entry]:
    """The files in a zip, hidden ones left out; the one folder that all lie in is no part of their names.

    Raises UsageError: `import.zip_base` for a whole knowledge base, `authoring.zip.many`, `.big`, `.bomb`, `.broken`.
    """
    if holds_base(data):
        raise UsageError("import.zip_base", file=name)
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        infos = [info for info in archive.infolist() if not info.is_dir()]
    except _BROKEN as broken:
        raise UsageError("authoring.zip.broken", reason=str(broken)) from broken
    _bounded(infos, len(data), limits)
    paths = [(path, info) for info in infos if (path := _shown(entry_name(info)))]
    top = _top([path for path, _ in paths])
    return [Entry(path.removeprefix(top), info.file_size, _reader(archive, info, path)) for path, info in paths]


def _climbs(name: str) -> bool:
    """Whether the name of an entry would lead out of the folder that it is unpacked to."""
    return name.startswith("/") or ".." in name.split("/") or re.match("[A-Za-z]:", name) is not None


def _bounded(infos: Sequence[zipfile.ZipInfo], size: int, limits: Limits) -> None:
    if len(infos) > limits.files:
        raise UsageError("authoring.zip.many", most=limits.files)
    whole = sum(info.file_size for info in infos)
    if whole > max(limits.free, limits.ratio * size):
        raise UsageError("authoring.zip.bomb", ratio=limits.ratio)
    if whole > limits.bytes:
        raise UsageError("authoring.zip.big", megabytes=limits.bytes // 1_000_000)


def _reader(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> Callable[[], bytes]:
    def taken() -> bytes:
        if _climbs(entry_name(info)):
            raise UsageError("authoring.zip.climbs", file=name)
        if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
            raise BaseError("import.link", file=name)
        if info.flag_bits & ENCRYPTED:
            raise UsageError("authoring.zip.encrypted", file=name)
        try:
            return archive.read(info)
        except _BROKEN as broken:
            raise UsageError("authoring.zip.broken", reason=str(broken)) from broken

    return taken


def _shown(name: str) -> str:
    """The path of an entry without what leads nowhere; empty for what nobody wants to see."""
    parts = [part for part in name.split("/") if part not in ("", ".", "..")]
    if not parts or any(part in _JUNK or part.startswith(".") for part in parts):
        return ""
    return "/".join(parts)


def _top(paths: Sequence[str]) -> str:
    """The folder that all paths lie in, with its slash; empty where there is none."""
    tops = {path.split("/")[0] for path in paths}
    return f"{next(iter(tops))}/" if len(tops) == 1 and all("/" in path for path in paths) else ""
