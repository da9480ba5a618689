"""A knowledge base as one zip file, out and in again: the same files, byte for byte.

base's own files (and, asked for, its history) ─► zip, sorted, without times ─► looked at ─► unpacked aside ─► renamed

What a zip says of itself is not believed: sizes are counted while it is unpacked. Only files that a base has come in.
"""

from __future__ import annotations

import io
import lzma
import os
import sqlite3
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import IO

from core.authoring import folder as folders
from core.authoring.bases import UNFINISHED, bundled_names, free_name, making, own_copy, owned, told
from core.authoring.contents import LIMITS, Limits, Listing, listing
from core.authoring.history import FILE, History
from core.authoring.packed_history import VERSIONS, in_archive, unpacked
from core.domain import Say
from core.errors import BaseError, StoreError, UsageError, reason_of
from core.knowledge.facts import facts_of
from core.knowledge.loading import FACTS
from core.knowledge.reading import read

_PIECE = 1 << 16
_WHEN = (1980, 1, 1, 0, 0, 0)
"""The first moment that a zip can name; the real times would make equal bases unequal zips."""

_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    struct.error,
    ValueError,
    OverflowError,
    IndexError,
)
"""What Python's zipfile raises for bytes that are no zip, or a damaged one."""


@dataclass(frozen=True, slots=True)
class Received:
    """A base that came in: its name, and the files of the zip that were left out since no base has such.

    `version` is what it became of a base that was there.
    """

    name: str
    left_out: tuple[str, ...] = ()
    version: int | None = None


def to_zip(folder: Path, with_history: bool = False) -> bytes:
    """The base in `folder` as a zip, in one folder of its name; equal bases give equal zips.

    Raises UsageError `authoring.zip.many` or `.big` for more than could come in again, StoreError.
    """
    top = folder.resolve().name
    try:
        found: dict[str, Callable[[], bytes]] = {path: file.read_bytes for path, file in folders.files(folder).items()}
        found |= in_archive(History(folder)) if with_history else {}
        if len(found) > LIMITS.files:
            raise UsageError("authoring.zip.many", most=LIMITS.files)
        return _packed({f"{top}/{path}": found[path] for path in sorted(found)})
    except OSError as refused:
        raise StoreError("authoring.unreadable", path=str(folder), reason=reason_of(refused)) from refused


def _packed(contents: Mapping[str, Callable[[], bytes]]) -> bytes:
    packed, taken = io.BytesIO(), 0
    with zipfile.ZipFile(packed, "w") as archive:
        for path, content in contents.items():
            entry = zipfile.ZipInfo(_writable(path), _WHEN)
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o100644 << 16
            data = content()
            taken += len(data)
            if taken > LIMITS.bytes:
                raise UsageError("authoring.zip.big", megabytes=LIMITS.bytes // 1_000_000)
            archive.writestr(entry, data)
    return packed.getvalue()


def _writable(path: str) -> str:
    """A name that UTF-8 can hold, also where the file system holds it in another encoding."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def from_zip(file: Path | IO[bytes], home: Path, name: str | None = None, limits: Limits = LIMITS) -> Received:
    """Take a base in from a zip, under `name`, or what the zip calls it, and tell what it is called.

    Nothing is there before all of it is. Raises UsageError: as `free_name` does, and `authoring.zip.*` for what is no
    zip of a base or would do harm; BaseError as `facts_of` does; StoreError.
    """
    with _opened(file) as opened, _archive(opened, limits) as archive:
        listed = listing(archive, limits)
        called = free_name(home, name or listed.top or _stem(file))
        with making(home, called) as folder:
            unpacking = _Unpacking(archive, opened.seek(0, os.SEEK_END), limits)
            unpacking.files(listed, folder)
            facts_of(read((folder / FACTS).read_bytes(), FACTS).text, FACTS)
            unpacking.history(listed, folder)
        return Received(called, listed.foreign)


def replace_from_zip(
    file: Path | IO[bytes], home: Path, name: str, author: str = "", limits: Limits = LIMITS
) -> Received:
    """Let a base that is there hold the files of a zip and no others, as one version; its own history goes on.

    Of a bundled base the own copy is changed. The history in the zip is left where it is. Raises as `from_zip` does,
    UsageError `authoring.not_own`, and what `History.save` does.
    """
    with _opened(file) as opened, _archive(opened, limits) as archive:
        listed = listing(archive, limits)
        folder = own_copy(home, name) if name in bundled_names() else owned(home, name)
        with TemporaryDirectory(prefix=UNFINISHED, dir=folder.parent) as room, told(folder):
            unpacking = _Unpacking(archive, opened.seek(0, os.SEEK_END), limits)
            unpacking.files(listed, Path(room))
            facts_of(read((Path(room) / FACTS).read_bytes(), FACTS).text, FACTS)
            new: dict[str, bytes | None] = {path: (Path(room) / path).read_bytes() for path in listed.files}
        gone = dict.fromkeys(History(folder).files_now())
        version = History(folder).save({**gone, **new}, author, Say.of("authoring.note.replaced"))
        return Received(name, listed.foreign, version.number)


def _stem(file: Path | IO[bytes]) -> str:
    return PurePath(str(file if isinstance(file, Path) else getattr(file, "name", ""))).stem


@contextmanager
def _sound() -> Iterator[None]:
    """What is no zip, or a damaged one, is told as UsageError `authoring.zip.broken`."""
    try:
        yield
    except _BROKEN as broken:
        raise UsageError("authoring.zip.broken", reason=str(broken)) from broken


@contextmanager
def _opened(file: Path | IO[bytes]) -> Iterator[IO[bytes]]:
    if not isinstance(file, Path):
        file.seek(0)
        yield file
        return
    try:
        opened = file.open("rb")
    except OSError as refused:
        raise BaseError("base.file.unreadable", file=file.name, reason=reason_of(refused)) from refused
    with opened:
        yield opened


@contextmanager
def _archive(file: IO[bytes], limits: Limits) -> Iterator[zipfile.ZipFile]:
    """The zip, once it is sure that its list of entries is not itself too much."""
    size = file.seek(0, os.SEEK_END)
    if size > limits.bytes:
        raise UsageError("authoring.zip.big", megabytes=limits.bytes // 1_000_000)
    file.seek(0)
    marks, end = 0, b""
    while piece := file.read(1 << 20):
        marks += (end + piece).count(b"PK\x01\x02")
        end = piece[-3:]
    if marks > 2 * limits.files:
        raise UsageError("authoring.zip.many", most=limits.files)
    file.seek(0)
    with _sound():
        archive = zipfile.ZipFile(file)
    with archive:
        yield archive


class _Unpacking:
    """Takes files out of a zip of `size` bytes, counting what really comes out."""

    def __init__(self, archive: zipfile.ZipFile, size: int, limits: Limits) -> None:
        self._archive = archive
        self._size = size
        self._limits = limits
        self._taken = 0

    def files(self, listed: Listing, folder: Path) -> None:
        """Write the base's own files."""
        for path, entry in listed.files.items():
            target = folders.place(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as file:
                file.writelines(self._pieces(entry))

    def history(self, listed: Listing, folder: Path) -> None:
        """Write the history, if there is one."""
        entries = dict(listed.history)
        if VERSIONS not in entries:
            return
        lines = b"".join(self._pieces(entries.pop(VERSIONS)))
        contents = ((path, b"".join(self._pieces(entry))) for path, entry in entries.items())
        try:
            unpacked(folder / FILE, lines, contents)
        except sqlite3.Error as failed:
            raise StoreError("authoring.unwritable", path=str(folder), reason=str(failed)) from failed

    def _pieces(self, entry: zipfile.ZipInfo) -> Iterator[bytes]:
        with _sound(), self._archive.open(entry) as source:
            while piece := source.read(_PIECE):
                self._count(len(piece))
                yield piece

    def _count(self, more: int) -> None:
        self._taken += more
        if self._taken > self._limits.bytes:
            raise UsageError("authoring.zip.big", megabytes=self._limits.bytes // 1_000_000)
        if self._taken > max(self._limits.free, self._limits.ratio * self._size):
            raise UsageError("authoring.zip.bomb", ratio=self._limits.ratio)
