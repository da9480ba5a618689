"""Knowledge bases made, copied and renamed: the folders below `<home>/kb`.

A folder is filled aside and renamed at the end, so that a base is there whole or not at all.
"""

from __future__ import annotations

import logging
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.authoring import folder as folders
from core.authoring.facts import checked, write_facts
from core.authoring.names import base_name, safe_name
from core.authoring.toml_text import dumped
from core.domain import Say
from core.errors import StoreError, UsageError, WorkbenchError, reason_of
from core.knowledge.loading import FACTS, SECTIONS
from core.settings import BUNDLED

log = logging.getLogger(__name__)

UNFINISHED = ".new-"
"""How the name of a folder begins that is being filled."""
_SUGGESTED, _MOST_ALIKE = 40, 1_000
"""Characters of a name that is suggested, and how many alike are told apart by a number."""
_LEFT_ALONE = 86_400.0
"""Seconds after which a folder that was being filled counts as given up."""


def create(home: Path, name: str, title: str = "", language: str = "", **facts: Any) -> Path:
    """Make an empty base and tell its folder; further facts as `write_facts` takes them.

    Raises UsageError as `free_name` and `write_facts` do, StoreError.
    """
    name = free_name(home, name)
    given = checked({"title": title or name, "language": language, **facts})
    text = dumped({key: value for key, value in given.items() if value not in ("", None)})
    with making(home, name) as folder:
        (folder / FACTS).write_text(text, encoding="utf-8", newline="\n")
        (folder / SECTIONS).mkdir()
    return home / "kb" / name


def free_name(home: Path, raw: str) -> str:
    """`raw` as a base's name that none has yet, whatever its case.

    Raises UsageError as `base_name` does, and `authoring.taken`.
    """
    name = base_name(raw)
    taken = {folders.folded(known) for known in (*listed(home / "kb"), *bundled_names())}
    if folders.folded(name) in taken:
        raise UsageError("authoring.taken", name=name)
    return name


def bundled_names() -> list[str]:
    """The names of the bases that come with the program."""
    return listed(BUNDLED)


def free_like(home: Path, raw: str) -> str:
    """A name that no base has yet, like a file's or a folder's; empty where nothing of that can be a name."""
    stem = safe_name(raw).replace("/", "-").lstrip(".~- ")[:_SUGGESTED].rstrip(". ")
    for number in range(1, _MOST_ALIKE):
        try:
            return free_name(home, stem if number == 1 else f"{stem}-{number}")
        except UsageError as refused:
            if refused.say.code != "authoring.taken":
                return ""
    return ""


def own_copy(home: Path, name: str) -> Path:
    """The copy of a bundled base that is edited, made on the first call.

    Raises UsageError `base.unknown`, StoreError.
    """
    target = home / "kb" / name
    if name in listed(home / "kb"):
        return target
    if name not in bundled_names():
        raise UsageError("base.unknown", name=name, known=bundled_names())
    try:
        with making(home, name) as folder:
            for path, file in folders.files(BUNDLED / name).items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, folder / path)
    except UsageError:  # another made it at the same moment
        log.info("the own copy of %s is there already", name)
    return target


def rename(home: Path, name: str, new: str, title: str | None = None, author: str = "") -> str:
    """Give an own base another name, and another title where one is given; tell the name as it is kept.

    Raises UsageError: as `free_name` does, `authoring.not_own` for a base that does not lie in the data folder;
    StoreError.
    """
    folder = owned(home, name)
    same = folders.folded(base_name(new)) == folders.folded(name)
    wanted = base_name(new) if same else free_name(home, new)
    if title is not None:
        write_facts(folder, {"title": title}, author)
    if wanted != name:
        with told(folder), folders.locked(folder):
            pass  # a save that is under way ends first
        with told(folder):
            os.rename(folder, home / "kb" / wanted)
    return wanted


def owned(home: Path, name: str) -> Path:
    """The folder of a base in the data folder. Raises UsageError `authoring.not_own` where there is none."""
    if name.startswith(".") or name not in listed(home / "kb"):
        raise UsageError("authoring.not_own", name=name)
    return home / "kb" / name


@contextmanager
def making(home: Path, name: str) -> Iterator[Path]:
    """A folder to fill, which becomes the base `name` on the shelf; as `filled`."""
    with filled(home / "kb" / name) as folder:
        yield folder


@contextmanager
def filled(target: Path) -> Iterator[Path]:
    """A folder to fill, which becomes `target` when the block ends, and goes where it fails.

    What fails is told of `target`, since nobody knows the other. Raises UsageError `authoring.taken` where another was
    quicker, StoreError `authoring.unwritable`.
    """
    folder = target.with_name(f"{UNFINISHED}{secrets.token_hex(6)}")
    try:
        with told(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            _sweep(target.parent)
            folder.mkdir()
            yield folder
            _settle(folder, target)
    except WorkbenchError as failed:
        failed.say = _told_of(failed.say, folder, target)
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _told_of(say: Say, folder: Path, target: Path) -> Say:
    """The same, of `target` where it names `folder`, or a file in it."""
    values = {
        name: value.replace(str(folder), str(target)) if isinstance(value, str) else value
        for name, value in say.values.items()
    }
    return Say(say.code, values)


def _settle(folder: Path, target: Path) -> None:
    """Give a filled folder its name, unless something lies there; an empty folder is nothing."""
    try:
        if os.path.isdir(target) and not os.path.islink(target) and not os.listdir(target):
            os.rmdir(target)
        if not os.path.lexists(target):
            os.rename(folder, target)
            return
    except OSError:
        if not os.path.lexists(target):
            raise
    raise UsageError("authoring.taken", name=target.name)


def _sweep(shelf: Path) -> None:
    """Take away what a process that died was filling."""
    for name in os.listdir(shelf):
        if name.startswith(UNFINISHED) and time.time() - (shelf / name).lstat().st_mtime > _LEFT_ALONE:
            shutil.rmtree(shelf / name, ignore_errors=True)


def listed(folder: Path) -> list[str]:
    """The folders in a folder, hidden ones left out; none where it is not there."""
    try:
        return sorted(name for name in os.listdir(folder) if not name.startswith(".") and (folder / name).is_dir())
    except FileNotFoundError:
        return []
    except OSError as refused:
        raise StoreError("authoring.unreadable", path=str(folder), reason=reason_of(refused)) from refused


@contextmanager
def told(folder: Path) -> Iterator[None]:
    """What the system refuses there is told as StoreError `authoring.unwritable`."""
    try:
        yield
    except OSError as refused:
        raise StoreError("authoring.unwritable", path=str(folder), reason=reason_of(refused)) from refused
