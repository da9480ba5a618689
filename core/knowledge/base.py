"""A knowledge base as a frozen value: its documents, its passages, and how a document becomes passages.

Reading (text) -> pieces -> Document + passages -> KnowledgeBase
"""

from __future__ import annotations

import difflib
import hashlib
import re
import unicodedata
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from core.domain import BaseInfo, Passage, Say
from core.errors import UsageError
from core.knowledge.reading import Reading
from core.knowledge.splitting import Piece, split

JOINT = " › "
"""Between the headings of a section path."""

_NUMBERING = re.compile(r"^[0-9]+[-_. ]+(?=\S)")
_HAN = re.compile(r"[\u3400-\u9fff]")
_SEVERAL = 10
"""Ids told of passages that share a title."""
_MANY = 2_000
"""Ids compared one by one for near matches; in a bigger base only those of near documents."""


@dataclass(frozen=True, slots=True)
class Document:
    """One source file: its lines as shown (line 1 first), and the encoding it was read as."""

    id: str
    title: str
    lines: tuple[str, ...]
    encoding: str = "utf-8"


@dataclass(frozen=True, slots=True)
class Facts:
    """What `kb.toml` says of a base; `language` is an ISO code, `zh` or `en`, empty where nobody said."""

    title: str = ""
    language: str = ""
    description: str = ""
    licence: str = ""
    fictional: bool = False


@dataclass(frozen=True, eq=False)
class KnowledgeBase:
    """Documents and the passages cut from them, in order; compared by identity, recognised by `version`.

    `words` extend the segmenter's dictionary. `unread` names the files that did not come in, and why; `warnings`
    those a person should look at: read by guess, or cleaned of characters.
    """

    name: str
    title: str
    language: str
    description: str
    licence: str
    fictional: bool
    words: tuple[str, ...]
    passages: tuple[Passage, ...]
    documents: Mapping[str, Document]
    path: Path
    unread: tuple[tuple[str, Say], ...] = ()
    warnings: tuple[tuple[str, Say], ...] = ()

    @cached_property
    def version(self) -> str:
        """First 12 hex digits of SHA-256 over id, section and indexed string of the passages in order."""
        digest = hashlib.sha256()
        for passage in self.passages:
            digest.update("\x1f".join((passage.id, passage.section, passage.indexed, "\x1e")).encode())
        return digest.hexdigest()[:12]

    @cached_property
    def sections(self) -> Mapping[str, tuple[Passage, ...]]:
        """The passages of each section, sections in order of first appearance."""
        found: dict[str, list[Passage]] = {}
        for passage in self.passages:
            found.setdefault(passage.section, []).append(passage)
        return MappingProxyType({section: tuple(passages) for section, passages in found.items()})

    @cached_property
    def _by_id(self) -> dict[str, Passage]:
        return {passage.id: passage for passage in self.passages}

    def passage(self, id: str) -> Passage:
        """The passage with this id. Raises UsageError `passage.unknown` with the nearest ids, or `passage.unlike`."""
        if found := self._by_id.get(id):
            return found
        like = near(id, list(self._by_id))
        raise UsageError("passage.unknown" if like else "passage.unlike", id=id, near=like)

    def named(self, name: str) -> Passage:
        """The passage with this id, or the only one with this title.

        Raises `UsageError`: `passage.several` with the first ids where several have the title, else as `passage` does.
        """
        called = [] if self.has(name) else [passage for passage in self.passages if passage.title == name]
        if len(called) > 1:
            first = [passage.id for passage in called[:_SEVERAL]]
            raise UsageError("passage.several", title=name, count=len(called), ids=first)
        return called[0] if called else self.passage(name)

    def has(self, id: str) -> bool:
        """Whether there is a passage with this id."""
        return id in self._by_id

    @cached_property
    def _by_document(self) -> dict[str, list[Passage]]:
        found: dict[str, list[Passage]] = {}
        for passage in self.passages:
            found.setdefault(passage.document, []).append(passage)
        return found

    def of_document(self, document: str) -> tuple[Passage, ...]:
        """The passages of one document, in order."""
        return tuple(self._by_document.get(document, ()))

    def document_of(self, passage: Passage) -> Document:
        """The document that a passage of this base comes from."""
        return self.documents[passage.document]

    def info(self, tokeniser_fingerprint: str) -> BaseInfo:
        """What identifies this base in a record."""
        return BaseInfo(self.name, self.title, self.version, len(self.passages), tokeniser_fingerprint)


def near(id: str, ids: Sequence[str]) -> list[str]:
    """Up to three ids like `id`: those with its label first, then by likeness.

    >>> near("第二条", ["a#第一条", "a#第二条"])
    ['a#第二条', 'a#第一条']
    """
    same = [known for known in ids if _label(known) == _label(id)][:_MANY]
    pool = ids if len(ids) <= _MANY else _in_near_documents(id, ids)
    likely = difflib.get_close_matches(id, same, n=3, cutoff=0.0) + difflib.get_close_matches(id, pool, n=3, cutoff=0.3)
    return list(dict.fromkeys(likely))[:3]


def _label(id: str) -> str:
    return re.split(r"[#|]", id)[-1].strip()


def _in_near_documents(id: str, ids: Sequence[str]) -> list[str]:
    heads = list(dict.fromkeys(re.split(r"[#|]", known)[0] for known in ids))
    likely = difflib.get_close_matches(re.split(r"[#|]", id)[0], heads[: 10 * _MANY], n=2, cutoff=0.4)
    return [known for known in ids if re.split(r"[#|]", known)[0] in likely]


_METADATA: Mapping[str, Mapping[str, Any]] = {kind: {"type": kind} for kind in ("article", "case", "paragraph")}


class Builder:
    """Collects documents into passages with ids that never repeat."""

    def __init__(self) -> None:
        self.documents: dict[str, Document] = {}
        self.passages: list[Passage] = []
        self.unread: list[tuple[str, Say]] = []
        self.warnings: list[tuple[str, Say]] = []
        self._ids: set[str] = set()

    def add(self, id: str, reading: Reading, file: str) -> None:
        """Cut the text of `file`; `id` is its path below the source folder without suffix, `/` between folders."""
        if not reading.text.strip():
            self.unread.append((file, Say.of("base.file.empty", file=file)))
            return
        if reading.guessed:
            self.warnings.append((file, Say.of("base.file.guessed", file=file, encoding=reading.encoding)))
        if reading.cleaned:
            self.warnings.append((file, Say.of("base.file.cleaned", file=file, count=reading.cleaned)))
        self._cut(unique(unicodedata.normalize("NFC", id), self.documents), reading)

    def _cut(self, id: str, reading: Reading) -> None:
        pieces = split(reading.text)
        top = next((piece.path[0] for piece in pieces if piece.level == 1 and piece.path), "")
        title = top or _NUMBERING.sub("", id.rsplit("/", 1)[-1])
        lines = tuple(reading.text.removesuffix("\n").split("\n"))
        self.documents[id] = Document(id, title, lines, reading.encoding)
        kept = [piece for piece in pieces if piece.kind not in ("heading", "note")]
        for number, piece in enumerate(kept, 1):
            path = piece.path if piece.path and top else (title, *piece.path)
            self._keep(id, number, piece, JOINT.join(path))

    def _keep(self, document: str, number: int, piece: Piece, section: str) -> None:
        id = unique(f"{document}#{piece.label or number}", self._ids)
        self._ids.add(id)
        title = piece.label or (piece.path[-1] if piece.path else "")
        lines = (piece.first, piece.last)
        order = len(self.passages)
        metadata = _METADATA[piece.kind]
        self.passages.append(Passage(id, document, section, title, piece.text, order, lines=lines, metadata=metadata))

    def build(self, name: str, path: Path, facts: Facts, words: Iterable[str] = ()) -> KnowledgeBase:
        """The base of all documents added."""
        return assemble(name, path, facts, self.passages, self.documents, words, self.unread, self.warnings)


def assemble(
    name: str,
    path: Path,
    facts: Facts,
    passages: Iterable[Passage],
    documents: Mapping[str, Document],
    words: Iterable[str] = (),
    unread: Iterable[tuple[str, Say]] = (),
    warnings: Iterable[tuple[str, Say]] = (),
) -> KnowledgeBase:
    """A base from its parts; a title or language nobody gave is taken from the name and the text."""
    kept = tuple(passages)
    return KnowledgeBase(
        name=name,
        title=facts.title or name,
        language=facts.language or _language(kept),
        description=facts.description,
        licence=facts.licence,
        fictional=facts.fictional,
        words=tuple(words),
        passages=kept,
        documents=MappingProxyType(documents) if isinstance(documents, dict) else documents,
        path=path,
        unread=tuple(unread),
        warnings=tuple(warnings),
    )


def unique(wanted: str, taken: Container[str]) -> str:
    """`wanted`, or with `~2`, `~3` … where it is taken.

    >>> unique("a#第一条", {"a#第一条", "a#第一条~2"})
    'a#第一条~3'
    """
    id, repeat = wanted, 1
    while id in taken:
        repeat += 1
        id = f"{wanted}~{repeat}"
    return id


def _language(passages: Sequence[Passage]) -> str:
    sample = "".join(passage.text[:200] for passage in passages[:50])
    return "en" if sample and len(_HAN.findall(sample)) < len(sample) / 20 else "zh"
