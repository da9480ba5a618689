"""What a zip holds, by the names in its list: a base's files, its history, and what is neither or would do harm."""

from __future__ import annotations

import re
import stat
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from core.authoring.folder import folded, kept
from core.authoring.packed_history import is_history
from core.errors import BaseError, UsageError
from core.knowledge.loading import FACTS
from core.knowledge.reading import read

ENCRYPTED, _UTF8 = 0x1, 0x800
"""Flags of an entry: its content is encrypted, its name is UTF-8."""
_JUNK = frozenset({"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"})
"""What systems put into folders and zips unasked: left out without a word."""
_DRIVE = re.compile(r"^[A-Za-z]:")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a zip may come to: all `bytes` unpacked, `ratio` to its own size beyond `free` bytes, `files`."""

    bytes: int = 500_000_000
    ratio: int = 200
    free: int = 10_000_000
    files: int = 20_000


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Listing:
    """The entries of a zip by their path in the base; `top` is the one folder that all lie in, empty without one."""

    top: str
    files: Mapping[str, zipfile.ZipInfo]
    history: Mapping[str, zipfile.ZipInfo]
    foreign: tuple[str, ...]


def listing(archive: zipfile.ZipFile, limits: Limits = LIMITS) -> Listing:
    """Sort out what a zip holds.

    Raises UsageError: `authoring.zip.many`, `.climbs`, `.link`, `.encrypted`, `.twins` for two names that some systems
    take for one, `.no_base` where there is no kb.toml at its top or in its one folder.
    """
    entries = dict(_entries(archive.infolist()))
    if len(entries) > limits.files:
        raise UsageError("authoring.zip.many", most=limits.files)
    _no_file_in_a_file(entries)
    top = _top(entries)
    below = {path.removeprefix(f"{top}/") if top else path: entry for path, entry in entries.items()}
    files = {path: entry for path, entry in below.items() if kept(path)}
    history = {path: entry for path, entry in below.items() if is_history(path)}
    foreign = sorted(set(below) - set(files) - set(history))
    return Listing(top, files, history, tuple(foreign))


def _entries(infos: Iterable[zipfile.ZipInfo]) -> Iterator[tuple[str, zipfile.ZipInfo]]:
    """The files among the entries, by their names; every name is looked at, a folder's too."""
    seen: dict[str, str] = {}
    for info in infos:
        name = entry_name(info)
        parts = name.removesuffix("/").split("/")
        if name.startswith("/") or ".." in parts or _DRIVE.match(name) or "\0" in name:
            raise UsageError("authoring.zip.climbs", file=name)
        if _JUNK & set(parts):
            continue
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise UsageError("authoring.zip.link", file=name)
        if name.endswith("/"):
            continue
        if info.flag_bits & ENCRYPTED:
            raise UsageError("authoring.zip.encrypted", file=name)
        path = "/".join(part for part in parts if part not in ("", "."))
        if (key := folded(path)) in seen:
            raise UsageError("authoring.zip.twins", file=name, other=seen[key])
        seen[key] = name
        yield path, info


def entry_name(info: zipfile.ZipInfo) -> str:
    """The name of an entry, `/` between folders; Chinese Windows writes names in its own encoding and does not say so.

    zipfile takes what is not marked as UTF-8 for code page 437, which maps every byte to a character and back.
    """
    name = info.orig_filename
    if not info.flag_bits & _UTF8 and not name.isascii():
        raw = name.encode("cp437", "replace")
        try:
            name = read(raw, name).text
        except BaseError:  # in no encoding we know
            name = raw.decode("utf-8", "replace")
    return name.replace("\\", "/")


def _no_file_in_a_file(paths: Iterable[str]) -> None:
    """Raise UsageError `authoring.zip.twins` where one name is a file's and a folder's."""
    known = {folded(path): path for path in paths}
    for path in known.values():
        for parent in map(str, PurePosixPath(path).parents):
            if other := known.get(folded(parent)):
                raise UsageError("authoring.zip.twins", file=path, other=other)


def _top(entries: Mapping[str, zipfile.ZipInfo]) -> str:
    if FACTS in entries:
        return ""
    tops = {PurePosixPath(path).parts[0] for path in entries}
    top = next(iter(tops), "")
    if len(tops) != 1 or f"{top}/{FACTS}" not in entries:
        raise UsageError("authoring.zip.no_base")
    return top
