"""A knowledge base from its folder: the files as they lie on disk, or as a draft would have them.

What has not changed since a base was loaded before is taken from there, so that an edit cuts one document.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from core.domain import Say
from core.errors import BaseError, reason_of
from core.knowledge.annotations import ANNOTATIONS, Annotations
from core.knowledge.base import Cut, Facts, KnowledgeBase, joined
from core.knowledge.beir import CORPUS, corpus_file, load_beir
from core.knowledge.building import cut_document
from core.knowledge.facts import facts_of
from core.knowledge.formats import read_source
from core.knowledge.links import inside
from core.knowledge.reading import Reading, bytes_of, read
from core.knowledge.splitting import Splitting

SUFFIXES = (".md", ".markdown", ".txt")
"""Files that become documents; others below a base's `sections` are named as unread."""
SECTIONS = "sections"
"""The folder of a base that holds its documents."""
WORDS = "dictionary.txt"
"""The file of a base that extends the segmenter's dictionary."""
FACTS = "kb.toml"
"""The file that says what a base is."""

Overlay = Mapping[str, bytes | None]
"""Files that a draft has otherwise than the disk, by path below the base's folder; `None`: it has it no more."""


@dataclass(frozen=True)
class _Files:
    """The files of a base's folder, a draft's before those on disk."""

    folder: Path
    overlay: Overlay = field(default_factory=dict)

    def has(self, path: str) -> bool:
        if path in self.overlay:
            return self.overlay[path] is not None
        return (self.folder / path).is_file()

    def bytes(self, path: str) -> bytes:
        """Raises `BaseError` for what cannot be read, or is a link that leads out of the folder."""
        drafted = self.overlay.get(path)
        if drafted is not None:
            return drafted
        inside(self.folder / path, self.folder, path)
        return bytes_of(self.folder / path, path)

    def reading(self, path: str) -> Reading:
        return read(self.bytes(path), Path(path).name)


def load_folder(folder: Path, known: KnowledgeBase | None = None, overlay: Overlay | None = None) -> KnowledgeBase:
    """Load a folder with `kb.toml` and `sections/`, or with a BEIR corpus, or both `kb.toml` and a corpus.

    A source file that cannot be read is listed in `unread`, the others come in. No passages is no error. Documents that
    are as they were in `known` are taken from there; `overlay` stands before the disk.
    Raises BaseError `base.toml.broken` (path, line, reason), `base.toml.unreadable` (path, reason),
    `base.toml.text`, `base.toml.flag` or `base.toml.number` (path, key); `base.file.unreadable` or `base.file.outside`
    (file) for a `kb.toml` or a folder `sections` that cannot be read, or is a link that leads out.
    """
    files = _Files(folder, overlay or {})
    facts = _facts(files)
    name = shown(folder.resolve().name)
    unread: list[tuple[str, Say]] = []
    words = _words(files, unread)
    drafted = any(path.startswith(f"{SECTIONS}/") for path in files.overlay)
    if corpus_file(folder) is not None and not (folder / SECTIONS).is_dir() and not drafted:
        return load_beir(folder, name, facts, words, unread)
    notes = _annotations(files, unread)
    before = {cut.file: cut for cut in known.cuts} if known else {}
    cuts: list[Cut] = []
    taken: set[str] = set()
    for path, file, refused in _sources(files, unread):
        cut = Cut(file, unread=refused) if refused else _cut(files, path, file, facts.splitting, notes, before, taken)
        cuts.append(cut)
        if cut.document:
            taken.add(cut.document.id)
    return joined(name, folder, facts, cuts, words, unread, known)


def _cut(
    files: _Files,
    path: str,
    file: str,
    splitting: Splitting,
    notes: Annotations,
    before: Mapping[str, Cut],
    taken: Collection[str],
) -> Cut:
    """The source file at `path`, shown as `file`, cut anew only where something of it has changed."""
    id = file[: -len(Path(file).suffix)]
    try:
        data = files.bytes(path)
        noted = Annotations(notes.of(unicodedata.normalize("NFC", id))).encoded()
        state = blake2b(b"\0".join((data, noted, repr(splitting).encode())), digest_size=16).hexdigest()
        known = before.get(file)
        if known and known.document and known.document.state == state and known.document.id not in taken:
            return known
        return cut_document(id, read(data, Path(file).name), file, splitting, notes, taken, state)
    except BaseError as error:
        return Cut(file, unread=error.say)


def title_of(folder: Path) -> str:
    """What a base calls itself, its name where nothing tells or the file is broken."""
    try:
        return _facts(_Files(folder)).title or shown(folder.name)
    except BaseError:  # opening it tells what is the matter
        return shown(folder.name)


def load_file(path: Path) -> KnowledgeBase:
    """Load one file as a base, whatever its format. Raises BaseError as `read_source` does."""
    cut = cut_document(path.stem, read_source(bytes_of(path, path.name), path.name), path.name)
    title = cut.document.title if cut.document else path.stem
    return joined(shown(path.stem), path, Facts(title=title), [cut])


def stamp(path: Path) -> str:
    """What changes when any file does that a base at `path` is made from; a file that goes meanwhile is left out."""
    beside = (FACTS, WORDS, ANNOTATIONS, *CORPUS)
    files = [path] if path.is_file() else [path / name for name in beside]
    for parent, _, names in os.walk(path / SECTIONS):
        files += [Path(parent, name) for name in sorted(names)]
    digest = blake2b(digest_size=16)
    for file in files:
        try:
            found = file.stat()
        except OSError:
            continue
        digest.update(f"{file}\0{found.st_mtime_ns}\0{found.st_size}\0".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _sources(files: _Files, unread: list[tuple[str, Say]]) -> list[tuple[str, str, Say | None]]:
    """The documents' files: path below the base's folder, name shown, and why it cannot come in where that is known.

    In the natural order of names (2 before 10).
    """
    source = files.folder / SECTIONS
    inside(source, files.folder, SECTIONS)
    found: dict[str, tuple[str, Say | None]] = {}
    for path in _below(source, unread) if source.is_dir() else ():
        file = _named(path, source)
        found[f"{SECTIONS}/{path.relative_to(source).as_posix()}"] = (file, _refusal(path, source, file))
    for drafted, data in files.overlay.items():
        if drafted.startswith(f"{SECTIONS}/") and drafted.lower().endswith(SUFFIXES):
            found.pop(drafted, None)
            if data is not None:
                found[drafted] = (drafted.removeprefix(f"{SECTIONS}/"), None)
    return sorted(((path, *told) for path, told in found.items()), key=lambda source: natural(source[1]))


def _refusal(path: Path, source: Path, file: str) -> Say | None:
    """Why what lies there is no text file below `source`, `None` where it is one."""
    try:
        inside(path, source, file)
        if not path.is_file() or path.suffix.lower() not in SUFFIXES:  # a pipe or a device would be waited for
            return Say.of("base.file.unsupported", file=file, known=list(SUFFIXES))
    except BaseError as refused:
        return refused.say
    except OSError as error:
        return Say.of("base.file.unreadable", file=file, reason=reason_of(error))
    return None


def _below(source: Path, unread: list[tuple[str, Say]]) -> Iterator[Path]:
    """The files below a folder but hidden ones; folders in it that cannot be entered, or that are links, are told."""

    def refused(error: OSError) -> None:
        if Path(error.filename) == source:
            raise BaseError("base.file.unreadable", file=source.name, reason=reason_of(error)) from error
        file = _named(Path(error.filename), source)
        unread.append((file, Say.of("base.file.unreadable", file=file, reason=reason_of(error))))

    for parent, folders, names in os.walk(source, onerror=refused):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for link in (path for name in folders if (path := Path(parent, name)).is_symlink()):
            file = _named(link, source)
            unread.append((file, Say.of("base.file.outside", file=file)))
        yield from (Path(parent, name) for name in names if not name.startswith("."))


def _named(path: Path, source: Path) -> str:
    """The path below `source` as text, also where the file system holds its name in another encoding (GBK)."""
    name = path.relative_to(source).as_posix()
    if not any("\ud800" <= character <= "\udfff" for character in name):
        return name
    try:
        return read(os.fsencode(name), path.suffix).text
    except BaseError:  # a name in no encoding we know: shown with its odd bytes replaced
        return os.fsencode(name).decode("utf-8", errors="replace")


def shown(name: str) -> str:
    """A folder's name as text, also where its bytes are in another encoding."""
    return os.fsencode(name).decode("utf-8", errors="replace")


def natural(path: str) -> list[tuple[int, int, str]]:
    """A key to sort paths by as people do: 2 before 10."""
    parts = re.split(r"([0-9]+)", path)
    return [(0, int(part), part) if part.isascii() and part.isdigit() else (1, 0, part) for part in parts]


def _facts(files: _Files) -> Facts:
    """The facts of a base's folder; none where it has no `kb.toml`."""
    return facts_of(files.reading(FACTS).text, str(files.folder / FACTS)) if files.has(FACTS) else Facts()


def _words(files: _Files, unread: list[tuple[str, Say]]) -> tuple[str, ...]:
    """The extra dictionary words of a base: one a line, what follows a space (jieba's frequency and tag) left out."""
    lines = _told(files, WORDS, unread).split("\n")
    return tuple(dict.fromkeys(parts[0] for line in lines if (parts := line.split()) and not parts[0].startswith("#")))


def _annotations(files: _Files, unread: list[tuple[str, Say]]) -> Annotations:
    """What `passages.jsonl` tells; nothing where it is damaged, which is told."""
    try:
        return Annotations.decoded(_told(files, ANNOTATIONS, unread))
    except BaseError as error:
        unread.append((ANNOTATIONS, error.say))
        return Annotations()


def _told(files: _Files, path: str, unread: list[tuple[str, Say]]) -> str:
    """The text of a file beside the documents; empty where there is none, or it cannot be read, which is told."""
    if not files.has(path):
        return ""
    try:
        return files.reading(path).text
    except BaseError as error:
        unread.append((path, error.say))
        return ""
