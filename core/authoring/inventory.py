"""The bases on the shelf as a list shows them, without opening any: what `kb.toml` says, and the files counted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from core.authoring.bases import listed
from core.authoring.folder import files
from core.domain import Say
from core.errors import WorkbenchError, reason_of
from core.knowledge.base import Facts
from core.knowledge.beir import corpus_file
from core.knowledge.facts import facts_of
from core.knowledge.loading import FACTS, SECTIONS, shown
from core.knowledge.reading import read
from core.knowledge.shelf import Shelf
from core.settings import BUNDLED

Kind = Literal["bundled", "own", "edited"]
"""Comes with the program; of the data folder; there a copy of one that comes with the program."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A base on the shelf: its folder, its files counted, their size in bytes, when one last changed (ISO, UTC).

    `refused` says why it cannot be opened, where that shows without opening it. A `corpus` has one file of passages
    and no documents to edit.
    """

    name: str
    title: str
    kind: Kind
    folder: Path
    language: str = ""
    documents: int = 0
    bytes: int = 0
    changed: str = ""
    corpus: bool = False
    refused: Say | None = None


def inventory(home: Path) -> list[Entry]:
    """All bases, own ones first, then by name; raises `BaseError` where the shelf itself cannot be read."""
    shelf = Shelf(BUNDLED, home)
    entries = [_entry(name, shelf.where(name)) for name in shelf.names()]
    return sorted(entries, key=lambda one: (one.kind == "bundled", one.name))


def _entry(name: str, folder: Path) -> Entry:
    kind: Kind = "bundled" if folder.parent == BUNDLED else "edited" if name in listed(BUNDLED) else "own"
    facts, refused = _facts(folder / FACTS)
    found = _counted(folder)
    return Entry(
        name,
        facts.title or shown(name),
        kind,
        folder,
        facts.language,
        sum(path.startswith(f"{SECTIONS}/") for path in found),
        sum(size for size, _ in found.values()),
        _when(max((changed for _, changed in found.values()), default=0.0)),
        corpus_file(folder) is not None,
        refused,
    )


def _facts(path: Path) -> tuple[Facts, Say | None]:
    """What the `kb.toml` at `path` says, nothing where there is none; and why it cannot be read."""
    try:
        return (facts_of(read(path.read_bytes(), FACTS).text, str(path)) if path.is_file() else Facts()), None
    except WorkbenchError as broken:
        return Facts(), broken.say
    except OSError as refused:
        return Facts(), Say.of("base.file.unreadable", file=str(path), reason=reason_of(refused))


def _counted(folder: Path) -> dict[str, tuple[int, float]]:
    """Size and time of every file of a base, by path; what cannot be looked at is left out."""
    found: dict[str, tuple[int, float]] = {}
    try:
        lying = files(folder)
    except OSError:
        return found
    for path, file in lying.items():
        try:
            known = file.stat()
        except OSError:
            continue
        found[path] = (known.st_size, known.st_mtime)
    return found


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds") if seconds else ""
