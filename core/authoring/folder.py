"""A knowledge base's own folder: which files are its, what lies there now, and how several are replaced as one.

New contents are laid beside the folder's files first, with the old ones, so that putting them in place, or back again,
takes no more room on the disk.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from core.database import PATIENCE
from core.errors import StoreError, UsageError
from core.knowledge.annotations import ANNOTATIONS
from core.knowledge.beir import CORPUS
from core.knowledge.loading import FACTS, SECTIONS, SUFFIXES, WORDS
from core.knowledge.questions import QUESTIONS, SET_SUFFIXES

Files = Mapping[str, bytes | None]
"""Contents by path below the base's folder, `/` between folders; `None`: there is no such file."""

STAGING = ".saving"
"""The folder within a base where a save lays out what it is about to put in place."""

HISTORY = "history.sqlite"
"""Where the history lies in a base's folder."""

_LOCK = "history.lock"
_BESIDE = (_LOCK, HISTORY, STAGING)
_TOP = (FACTS, WORDS, ANNOTATIONS, "queries.jsonl", *CORPUS)
_BELOW = {SECTIONS: SUFFIXES, QUESTIONS: SET_SUFFIXES, "qrels": (".tsv",)}
"""The folders of a base with the kinds of files they hold; only `sections` has folders within."""

_ODD = re.compile(r"[\x00-\x1f\x7f\\\ud800-\udc7f\udd00-\udfff]|^[A-Za-z]:|^\.")
"""What no name of a base's file has: controls, separators, drives, a hidden start, what no file system can write."""


def digest(content: bytes) -> str:
    """SHA-256 of a file's content, 64 hex digits."""
    return hashlib.sha256(content).hexdigest()


def kept(path: str) -> bool:
    """Whether a path below a base's folder names one of its own files: what is versioned, exported and imported.

    >>> [kept(path) for path in ("kb.toml", "sections/一/01.md", "sections/../kb.toml", "history.sqlite", "keys.toml")]
    [True, True, False, False, False]
    """
    first, *others = path.split("/")
    if any(not part or _ODD.search(part) for part in (first, *others)):
        return False
    if not others:
        return first in _TOP
    deep = first == SECTIONS or len(others) == 1
    return deep and others[-1].lower().endswith(_BELOW.get(first, ()))


def folded(path: str) -> str:
    """What two paths have in common that some systems take for one: case and composition left aside."""
    return unicodedata.normalize("NFC", path).casefold()


def place(folder: Path, path: str) -> Path:
    """Where a file of the base lies, or would.

    Raises UsageError: `authoring.path` for what is no file of a base, `authoring.link` where a link stands in the way.
    """
    if not kept(path):
        raise UsageError("authoring.path", path=path)
    at = folder
    for part in path.split("/"):
        at /= part
        if at.is_symlink():
            raise UsageError("authoring.link", path=path)
    return at


def files(folder: Path) -> dict[str, Path]:
    """The base's own files that lie there now, sorted by path; links are not followed. Raises OSError."""
    found = {name: path for name in _TOP if _plain(path := folder / name)}
    for top in _BELOW:
        for parent, folders, names in os.walk(folder / top, onerror=_refuse) if _directory(folder / top) else ():
            folders[:] = [name for name in folders if not name.startswith(".")]
            for path in (Path(parent, name) for name in names):
                if kept(below := path.relative_to(folder).as_posix()) and _plain(path):
                    found[below] = path
    return dict(sorted(found.items()))


def digests(folder: Path) -> dict[str, str]:
    """The digests of the base's own files as they lie there now. Raises OSError."""
    found = {}
    for path, file in files(folder).items():
        with file.open("rb") as opened:
            found[path] = hashlib.file_digest(opened, "sha256").hexdigest()
    return found


def content(folder: Path, path: str) -> bytes | None:
    """What a file of the base holds now, `None` where there is none. Raises OSError, and UsageError as `place` does."""
    file = place(folder, path)
    return file.read_bytes() if _plain(file) else None


def _refuse(error: OSError) -> None:
    raise error


def _plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _directory(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def unlinked(folder: Path) -> None:
    """Raise StoreError `authoring.link` where what a save writes beside the base's files is a link, to anywhere."""
    if link := next((name for name in _BESIDE if (folder / name).is_symlink()), None):
        raise StoreError("authoring.link", path=link)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder against every other writer; let go also when this process dies.

    SQLite's own lock on an empty file: it works on every system, and waits. Raises StoreError: `authoring.unwritable`
    where the folder cannot be written, `authoring.busy` after `PATIENCE` seconds, `authoring.link` as `unlinked`.
    """
    unlinked(folder)
    try:
        connection = sqlite3.connect(folder / _LOCK, timeout=PATIENCE, isolation_level=None)
    except sqlite3.Error as refused:
        raise StoreError("authoring.unwritable", path=str(folder), reason=str(refused)) from refused
    try:
        connection.execute("BEGIN EXCLUSIVE")
        yield
    except sqlite3.OperationalError as refused:
        if refused.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise StoreError("authoring.busy", path=str(folder)) from refused
        raise StoreError("authoring.unwritable", path=str(folder), reason=str(refused)) from refused
    except sqlite3.DatabaseError as foreign:  # someone has put something else there
        raise StoreError("authoring.unwritable", path=str(folder / _LOCK), reason=str(foreign)) from foreign
    finally:
        connection.close()


def write(folder: Path, new: Files, old: Files, sealed: Callable[[], None]) -> None:
    """Put `new` in place of `old`, then call `sealed`; where any of it fails, `old` is put back and the error raised.

    Only the holder of the lock may call it. Raises OSError, and what `place` and `sealed` raise.
    """
    room = folder / STAGING
    shutil.rmtree(room, ignore_errors=True)
    try:
        laid, back = _laid(folder, room / "new", new), _laid(folder, room / "old", old)
        try:
            _put(folder, laid)
            sealed()
        except BaseException:
            _put(folder, back)
            raise
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _laid(folder: Path, room: Path, contents: Files) -> dict[str, Path | None]:
    """Every content in a file of its own in `room`, on the disk for good, with the rights of the file it replaces."""
    room.mkdir(parents=True)
    laid: dict[str, Path | None] = {}
    for number, (path, data) in enumerate(contents.items()):
        target = place(folder, path)
        laid[path] = None
        if data is None:
            continue
        laid[path] = staged = room / str(number)
        with staged.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, staged)
    return laid


def _put(folder: Path, laid: Mapping[str, Path | None]) -> None:
    """Removals come first: where names differ only by case, the new file may be the old one's."""
    for path in (path for path, staged in laid.items() if staged is None):
        place(folder, path).unlink(missing_ok=True)
        _prune(folder, path)
    for path, staged in laid.items():
        if staged is not None:
            target = place(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(staged, target)


def _prune(folder: Path, path: str) -> None:
    """Take away the folders that a removed file leaves empty."""
    for parent in list(PurePosixPath(path).parents)[:-1]:
        try:
            (folder / parent).rmdir()
        except OSError:  # it holds something else
            return
