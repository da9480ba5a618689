"""The shelf: finds a knowledge base by name or path and loads it, with its question sets."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from core.domain import Say
from core.errors import BaseError, UsageError
from core.knowledge.base import Builder, Facts, KnowledgeBase
from core.knowledge.beir import corpus_file, load_beir, read_beir_questions
from core.knowledge.questions import QuestionSet, read_questions
from core.knowledge.reading import read, read_file

SUFFIXES = (".md", ".markdown", ".txt")
"""Files that become documents; others below a base's `sections` are named as unread."""

_LINE = re.compile(r"line (\d+)")


class Shelf:
    """Where bases live: `<home>/kb/<name>` first (imported and edited ones), then the bundled folder."""

    def __init__(self, bundled: Path, home: Path | None = None) -> None:
        self._places = [bundled] if home is None else [home / "kb", bundled]

    def names(self) -> list[str]:
        """The names that `load` knows, in alphabetical order."""
        return sorted(self._folders())

    def _folders(self) -> dict[str, Path]:
        found: dict[str, Path] = {}
        for place in self._places:
            for folder in _listed(place) if os.path.isdir(place) else ():
                if os.path.isdir(folder) and not folder.name.startswith(".") and _is_base(folder):
                    found.setdefault(folder.name, folder)
        return found

    def load(self, name_or_path: str) -> KnowledgeBase:
        """Load a base by its name, or by a path: a folder with `kb.toml`, a BEIR folder, or one text file.

        A name never leaves the shelf: only what holds a separator, or a file's suffix, is a path.
        Raises UsageError `base.unknown`, `base.none_here` (a folder without a base); BaseError where files are broken.
        """
        folders = self._folders()
        if folder := folders.get(name_or_path):
            return load_folder(folder)
        path = _path(name_or_path)
        if path is None:
            raise UsageError("base.unknown", name=name_or_path, known=sorted(folders))
        if path.is_file():
            return load_file(path)
        if not _is_base(path):
            raise UsageError("base.none_here", path=str(path))
        return load_folder(path)


def _path(text: str) -> Path | None:
    """`text` as a path that exists and that was meant as one."""
    if not any(separator in text for separator in ("/", "\\")) and not text.lower().endswith(SUFFIXES):
        return None
    try:
        path = Path(text).expanduser()
        return path if path.exists() else None
    except (OSError, ValueError, RuntimeError):  # too long, a NUL in it, no such home: then it is no path
        return None


def _is_base(folder: Path) -> bool:
    return os.path.isfile(folder / "kb.toml") or corpus_file(folder) is not None


def load_folder(folder: Path) -> KnowledgeBase:
    """Load a folder with `kb.toml` and `sections/`, or with a BEIR corpus, or both `kb.toml` and a corpus.

    A source file that cannot be read is listed in `unread`, the others come in. No passages is no error.
    Raises BaseError `base.toml.broken` (path, line, reason), `base.toml.unreadable` (path, reason),
    `base.toml.text` or `base.toml.flag` (path, key).
    """
    facts = _facts(folder / "kb.toml")
    name = _shown(folder.resolve().name)
    builder = Builder()
    words = _words(folder / "dictionary.txt", builder)
    source = folder / "sections"
    if corpus_file(folder) is not None and not source.is_dir():
        return load_beir(folder, name, facts, words, builder.unread)
    if source.is_dir():
        add_folder(builder, source)
    return builder.build(name, folder, facts, words)


def load_file(path: Path) -> KnowledgeBase:
    """Load one text file as a base. Raises BaseError as `read_file` does, and `base.file.unsupported`."""
    if path.suffix.lower() not in SUFFIXES:
        raise BaseError("base.file.unsupported", file=path.name, known=list(SUFFIXES))
    builder = Builder()
    builder.add(path.stem, read_file(path), path.name)
    title = next((document.title for document in builder.documents.values()), path.stem)
    return builder.build(_shown(path.stem), path, Facts(title=title))


def add_folder(builder: Builder, source: Path) -> None:
    """Add every text file below `source`, in the natural order of their paths (2 before 10)."""
    inside = source.resolve()
    for path in sorted(_files(builder, source), key=lambda path: _natural(path.as_posix())):
        file = _named(path, source)
        try:
            if not path.resolve().is_relative_to(inside):
                raise BaseError("base.file.outside", file=file)
            if not path.is_file():  # a pipe or a device would be waited for
                raise BaseError("base.file.unsupported", file=file, known=list(SUFFIXES))
            if path.suffix.lower() not in SUFFIXES:
                raise BaseError("base.file.unsupported", file=file, known=list(SUFFIXES))
            builder.add(file[: -len(path.suffix)], read_file(path), file)
        except BaseError as error:
            builder.unread.append((file, error.say))
        except (OSError, RuntimeError) as error:  # a link that leads to itself
            builder.unread.append((file, Say.of("base.file.unreadable", file=file, reason=str(error))))


def _files(builder: Builder, source: Path) -> Iterator[Path]:
    """The files below a folder but hidden ones; folders that cannot be entered, or that are links, are told."""

    def refused(error: OSError) -> None:
        file = _named(Path(error.filename), source)
        builder.unread.append((file, Say.of("base.file.unreadable", file=file, reason=error.strerror)))

    for parent, folders, files in os.walk(source, onerror=refused):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for link in (path for name in folders if (path := Path(parent, name)).is_symlink()):
            file = _named(link, source)
            builder.unread.append((file, Say.of("base.file.outside", file=file)))
        yield from (Path(parent, name) for name in files if not name.startswith("."))


def _named(path: Path, source: Path) -> str:
    """The path below `source` as text, also where the file system holds its name in another encoding (GBK)."""
    name = path.relative_to(source).as_posix()
    if not any("\ud800" <= character <= "\udfff" for character in name):
        return name
    try:
        return read(os.fsencode(name), path.suffix).text
    except BaseError:  # a name in no encoding we know: shown with its odd bytes replaced
        return os.fsencode(name).decode("utf-8", errors="replace")


def _shown(name: str) -> str:
    """A folder's name as text, also where its bytes are in another encoding."""
    return os.fsencode(name).decode("utf-8", errors="replace")


def _natural(path: str) -> list[tuple[int, int, str]]:
    parts = re.split(r"([0-9]+)", path)
    return [(0, int(part), part) if part.isascii() and part.isdigit() else (1, 0, part) for part in parts]


def _listed(folder: Path) -> Iterator[Path]:
    try:
        yield from folder.iterdir()
    except OSError as error:
        raise BaseError("base.file.unreadable", file=str(folder), reason=error.strerror or str(error)) from error


def _facts(path: Path) -> Facts:
    """The facts of a `kb.toml`; none where there is no such file. Keys it does not know are left alone."""
    if not path.is_file():
        return Facts()
    try:
        table = tomllib.loads(read_file(path).text)
    except tomllib.TOMLDecodeError as error:
        line = _LINE.search(str(error))
        if line is None:
            raise BaseError("base.toml.unreadable", path=str(path), reason=str(error)) from error
        raise BaseError("base.toml.broken", path=str(path), line=int(line[1]), reason=str(error)) from error
    except (ValueError, RecursionError) as error:  # a number or a nesting beyond all measure
        raise BaseError("base.toml.unreadable", path=str(path), reason=str(error)) from error
    known: dict[str, Any] = {field.name: table[field.name] for field in fields(Facts) if field.name in table}
    for key, value in known.items():
        wanted = bool if key == "fictional" else str
        if not isinstance(value, wanted):
            code = "base.toml.flag" if wanted is bool else "base.toml.text"
            raise BaseError(code, path=str(path), key=key)
    return Facts(**known)


def _words(path: Path, builder: Builder) -> tuple[str, ...]:
    """The extra dictionary words of a base: one a line, what follows a space (jieba's frequency and tag) left out."""
    if not path.is_file():
        return ()
    try:
        lines = read_file(path).text.split("\n")
    except BaseError as error:
        builder.unread.append((path.name, error.say))
        return ()
    return tuple(dict.fromkeys(parts[0] for line in lines if (parts := line.split()) and not parts[0].startswith("#")))


def questions(base: KnowledgeBase) -> QuestionSet:
    """All questions that lie beside a base: its `questions/` folder, and the queries of a BEIR folder.

    A file that cannot be read, and gold that the base does not hold, is told in the set's notices.
    """
    found = QuestionSet()
    folder = base.path / "questions"
    try:
        files = sorted(_listed(folder)) if os.path.isdir(folder) else []
    except BaseError as refused:
        return QuestionSet(notices=((folder.name, refused.say),))
    for path in files:
        if path.suffix.lower() in (".csv", ".jsonl"):
            found += _tried(path, read_questions)
    if os.path.isfile(base.path / "queries.jsonl"):
        found += _tried(base.path / "queries.jsonl", lambda path: QuestionSet(read_beir_questions(path.parent)))
    return found + QuestionSet(notices=tuple(_astray(base, found)))


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
