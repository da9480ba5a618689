"""A knowledge base as a frozen value: its documents and its passages."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType

from core.domain import BaseInfo, Passage, Say
from core.errors import UsageError
from core.knowledge.folding import count_han
from core.knowledge.ids import near
from core.knowledge.splitting import Splitting

JOINT = " › "
"""Between the headings of a section path."""

_SEVERAL = 10
"""Ids told of passages that share a title."""


@dataclass(frozen=True, slots=True)
class Document:
    """One source file: its lines as shown (line 1 first), and the encoding it was read as.

    `file` is its path below the base's folder, empty where it has none of its own; `state` changes with all that its
    passages are made from.
    """

    id: str
    title: str
    lines: tuple[str, ...]
    encoding: str = "utf-8"
    file: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """What `kb.toml` says of a base; `language` is an ISO code, `zh` or `en`, empty where nobody said."""

    title: str = ""
    language: str = ""
    description: str = ""
    licence: str = ""
    fictional: bool = False
    splitting: Splitting = Splitting()


@dataclass(frozen=True, slots=True)
class Cut:
    """One source file as it came in: its document with the passages cut from it, numbered from 0, or why there is none.

    `disabled` passages stand in the file but are not searched; their order is -1.
    """

    file: str
    document: Document | None = None
    passages: tuple[Passage, ...] = ()
    disabled: tuple[Passage, ...] = ()
    unread: Say | None = None
    warnings: tuple[Say, ...] = ()


@dataclass(frozen=True, eq=False)
class KnowledgeBase:
    """Documents and the passages cut from them, in order; compared by identity, recognised by `version`.

    `words` extend the segmenter's dictionary. `unread` names the files that did not come in, and why; `warnings`
    those a person should look at: read by guess, or cleaned of characters. `cuts` are its source files as they came in,
    where it has such; `disabled` passages are shown to their author only.
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
    cuts: tuple[Cut, ...] = field(default=(), repr=False)
    disabled: tuple[Passage, ...] = ()
    splitting: Splitting = Splitting()

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

    def like(self, name: str) -> list[str]:
        """Up to three ids that a name which is no id may mean: of passages with that title, else ids like it."""
        titled = [passage.id for passage in self.passages if passage.title == name.strip()]
        return titled[:3] or near(name, list(self._by_id))

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


def assemble(
    name: str,
    path: Path,
    facts: Facts,
    passages: Iterable[Passage],
    documents: Mapping[str, Document],
    words: Iterable[str] = (),
    unread: Iterable[tuple[str, Say]] = (),
    warnings: Iterable[tuple[str, Say]] = (),
    cuts: Iterable[Cut] = (),
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
        cuts=(came := tuple(cuts)),
        disabled=tuple(passage for cut in came for passage in cut.disabled),
        splitting=facts.splitting,
    )


def joined(
    name: str,
    path: Path,
    facts: Facts,
    cuts: Sequence[Cut],
    words: Iterable[str] = (),
    unread: Iterable[tuple[str, Say]] = (),
    known: KnowledgeBase | None = None,
) -> KnowledgeBase:
    """The base of all source files, in their order; `unread` is what else did not come in.

    Passages that stand where they stood in `known` are taken from there.
    """
    passages: list[Passage] = []
    stood = _places(known) if known else {}
    for cut in cuts:
        first = len(passages)
        if known and stood.get(id(cut)) == first:
            passages.extend(known.passages[first : first + len(cut.passages)])
        else:
            passages.extend(cut.passages if not first else (replace(p, order=first + p.order) for p in cut.passages))
    documents = {cut.document.id: cut.document for cut in cuts if cut.document}
    lost = [*unread, *((cut.file, cut.unread) for cut in cuts if cut.unread)]
    warnings = [(cut.file, say) for cut in cuts for say in cut.warnings]
    return assemble(name, path, facts, passages, documents, words, lost, warnings, cuts)


def _places(base: KnowledgeBase) -> dict[int, int]:
    """Where the first passage of each cut stands, by the cut's identity."""
    lengths = accumulate((len(cut.passages) for cut in base.cuts), initial=0)
    return {id(cut): first for cut, first in zip(base.cuts, lengths, strict=False)}


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
    return "en" if sample and count_han(sample) < len(sample) / 20 else "zh"
