"""Where a file that comes in may lie below `sections`, and whether what lies there already came from it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import count
from pathlib import Path, PurePosixPath

from core.authoring.intake import Taken
from core.authoring.names import safe_name
from core.knowledge.base import Cut
from core.knowledge.loading import SUFFIXES
from core.knowledge.sources import source_of


def path_of(name: str) -> str:
    """Where a file goes below `sections`: texts keep their suffix, the others become Markdown."""
    safe = safe_name(name)
    suffix = Path(safe).suffix
    return safe if suffix.lower() in SUFFIXES else f"{safe[: -len(suffix)] if suffix else safe}.md"


def is_odd(name: str) -> bool:
    """Whether a file cannot lie under the name that it came with, its kind and its way of composing letters apart."""
    return Path(safe_name(name)).stem != Path(unicodedata.normalize("NFC", name).strip()).stem


def alike(wanted: str) -> Iterator[str]:
    """The path, then others told apart by a number."""
    yield wanted
    suffix = Path(wanted).suffix
    for repeat in count(2):
        yield f"{wanted[: -len(suffix)]}~{repeat}{suffix}"


def parents(path: str) -> list[str]:
    """The folders that a path lies in.

    >>> parents("制度/2025/总则.md")
    ['制度/2025', '制度']
    """
    return [parent.as_posix() for parent in list(PurePosixPath(path).parents)[:-1]]


def is_text(one: Taken) -> bool:
    """Whether a file comes in as the text that it is."""
    return one.name.lower().endswith(SUFFIXES)


def source(one: Taken) -> str:
    """The file that a document of this one names as its source: what was converted, or what its own text says."""
    if not is_text(one):
        return " ".join(one.name.split())
    return source_of(one.reading.text.split("\n", 3)) if one.reading else ""


def holds(there: Cut, text: str) -> bool:
    """Whether a document has this text."""
    return there.document is not None and "\n".join(there.document.lines).rstrip() == text.rstrip()
