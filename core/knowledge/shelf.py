"""The shelf: finds a knowledge base by name or path and loads it, with its question sets."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from core.domain import Say
from core.errors import BaseError, UsageError, reason_of
from core.knowledge.base import KnowledgeBase
from core.knowledge.beir import corpus_file, read_beir_questions
from core.knowledge.formats import formats
from core.knowledge.links import inside
from core.knowledge.loading import load_file, load_folder, title_of
from core.knowledge.questions import QUESTIONS, QuestionSet, is_set, read_questions

_NAMED = 200
"""Characters told of what is no base's name."""


class Shelf:
    """Where bases live: `<home>/kb/<name>` first (imported and edited ones), then the bundled folder."""

    def __init__(self, bundled: Path, home: Path | None = None) -> None:
        self._places = [bundled] if home is None else [home / "kb", bundled]

    def names(self) -> list[str]:
        """The names that `load` knows, in alphabetical order."""
        return sorted(self._folders())

    def titles(self) -> dict[str, str]:
        """What each base calls itself, by name; its name where it cannot be read."""
        return {name: title_of(folder) for name, folder in sorted(self._folders().items())}

    def _folders(self) -> dict[str, Path]:
        found: dict[str, Path] = {}
        for place in self._places:
            for folder in _listed(place) if os.path.isdir(place) else ():
                if os.path.isdir(folder) and not folder.name.startswith(".") and _is_base(folder):
                    found.setdefault(folder.name, folder)
        return found

    def load(self, name_or_path: str, known: KnowledgeBase | None = None) -> KnowledgeBase:
        """Load a base by its name, or by a path: a folder with `kb.toml`, a BEIR folder, or one file.

        What has not changed since it was loaded as `known` is taken from there.

        A name never leaves the shelf: only what holds a separator, or a file's suffix, is a path.
        Raises UsageError `base.unknown`, `base.none_here` (a folder without a base); BaseError where files are broken.
        """
        path = self.where(name_or_path)
        return load_file(path) if path.is_file() else load_folder(path, known)

    def where(self, name_or_path: str) -> Path:
        """The folder or file of a base; raises `UsageError` as `load` does."""
        folders = self._folders()
        if folder := folders.get(name_or_path):
            return folder
        path = _path(name_or_path)
        if path is None:
            raise UsageError("base.unknown", name=name_or_path[:_NAMED], known=sorted(folders))
        if not path.is_file() and not _is_base(path):
            raise UsageError("base.none_here", path=str(path))
        return path


def _path(text: str) -> Path | None:
    """`text` as a path that exists and that was meant as one."""
    if not any(separator in text for separator in ("/", "\\")) and not text.lower().endswith(tuple(formats())):
        return None
    try:
        path = Path(text).expanduser()
        return path if path.exists() else None
    except (OSError, ValueError, RuntimeError):  # too long, a NUL in it, no such home: then it is no path
        return None


def _is_base(folder: Path) -> bool:
    return os.path.isfile(folder / "kb.toml") or corpus_file(folder) is not None


def _listed(folder: Path) -> Iterator[Path]:
    try:
        yield from folder.iterdir()
    except OSError as error:
        raise BaseError("base.file.unreadable", file=str(folder), reason=reason_of(error)) from error


def questions(base: KnowledgeBase) -> QuestionSet:
    """All questions that lie beside a base: its `questions/` folder, and the queries of a BEIR folder.

    A file that cannot be read, and gold that the base does not hold, is told in the set's notices.
    """
    found = QuestionSet()
    folder = base.path / QUESTIONS
    try:
        files = sorted(_listed(folder)) if os.path.isdir(folder) else []
    except BaseError as refused:
        return QuestionSet(notices=((folder.name, refused.say),))
    for path in files:
        if is_set(path.name):
            found += _tried(path, partial(_within, base.path))
    if os.path.isfile(base.path / "queries.jsonl"):
        found += _tried(base.path / "queries.jsonl", lambda path: QuestionSet(read_beir_questions(path.parent)))
    return found + QuestionSet(notices=tuple(_astray(base, found)))


def _within(folder: Path, path: Path) -> QuestionSet:
    """The questions of a file; raises BaseError also where it is a link that leads out of the base's folder."""
    inside(path, folder, path.name)
    return read_questions(path)


def _tried(path: Path, how: Callable[[Path], QuestionSet]) -> QuestionSet:
    try:
        return how(path)
    except BaseError as error:
        return QuestionSet(notices=((path.name, error.say),))


def _astray(base: KnowledgeBase, found: QuestionSet) -> Iterator[tuple[str, Say]]:
    """Notices of gold passages that do not exist."""
    ids = {passage.id for passage in base.passages}
    for question in found.questions:
        for id in question.gold:
            if id not in ids:
                yield question.id, Say.of("questions.gold", question=question.id, id=id)
