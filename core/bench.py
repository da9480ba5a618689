"""The bench: one knowledge base with its rankings, the models in force, the settings; what every mode gets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from core.domain import BaseInfo, Say
from core.errors import EmbeddingError, UsageError
from core.knowledge.base import KnowledgeBase
from core.knowledge.shelf import Shelf
from core.knowledge.tokeniser import Tokeniser
from core.llm.embedded import EmbeddedE5
from core.llm.extractive import ExtractiveWriter
from core.ports import TokenCounter, Writer
from core.retrieval.bm25 import Bm25
from core.retrieval.ranking import Retriever
from core.retrieval.segments import index_of
from core.retrieval.vectors import VectorCache, VectorSpace, text_hash
from core.settings import BUNDLED, OFFLINE, ROLES, Settings


@dataclass(frozen=True, slots=True)
class Models:
    """The models in force; where this machine has no embedder, `missing` says why.

    `writer` makes a writer that may read the vectors of the rankings it is given.
    """

    writer: Callable[[Retriever], Writer]
    count: TokenCounter
    missing: Say | None = None


@dataclass(frozen=True, slots=True)
class Bench:
    """What a mode gets: the base's rankings, the models, the settings."""

    retriever: Retriever
    models: Models
    settings: Settings

    @property
    def base(self) -> KnowledgeBase:
        """The knowledge base in use."""
        return self.retriever.base

    @property
    def info(self) -> BaseInfo:
        """What identifies base and tokeniser in a record."""
        return self.base.info(self.retriever.tokeniser.fingerprint)

    def for_run(self) -> Bench:
        """The bench as one run uses it: what it embeds for itself stays its own."""
        return replace(self, retriever=self.retriever.for_run())

    def writer(self) -> Writer:
        """The writer in force."""
        return self.models.writer(self.retriever)

    def fill(self) -> Iterator[tuple[int, int]]:
        """Embed the passages that lack a vector, a few at a time: (done, total)."""
        if self.retriever.vectors is not None:
            yield from self.retriever.vectors.fill()


def shelf(settings: Settings) -> Shelf:
    """The bases of this data folder and the bundled ones."""
    return Shelf(BUNDLED, settings.home)


def open_bench(
    settings: Settings, base: str | None = None, progress: Callable[[int, int], None] | None = None
) -> Bench:
    """Open a base by name or path with its indexes; `progress` hears of passages segmented, (done, total).

    Raises `UsageError` or `BaseError` when there is no such base or it cannot be read.
    """
    for role in ("writer", *ROLES):  # the writer first: an unset planner follows it
        value = settings.roles[role]
        if value != OFFLINE:
            raise UsageError("settings.role", name=f"WORKBENCH_{role.upper()}", value=value)
    return prepare(settings, shelf(settings).load(base or settings.base), progress)


def prepare(settings: Settings, base: KnowledgeBase, progress: Callable[[int, int], None] | None = None) -> Bench:
    """Index a loaded base and put the models beside it."""
    folder = settings.home / "cache"
    tokeniser = _tokeniser(base.words, folder)
    tokeniser.warm()
    index = index_of(
        base.passages, tokeniser, folder, progress, key=f"{base.name}-{text_hash(str(base.path)).hex()[:8]}"
    )
    embedder, missing = _embedder()
    texts = [passage.indexed for passage in base.passages]
    vectors = VectorSpace(texts, embedder, _vector_cache(folder)) if embedder else None
    bm25 = Bm25(settings.variant, settings.k1, settings.b)
    retriever = Retriever(base, tokeniser, index, vectors, bm25)
    models = Models(_extractive, embedder.count if embedder else lambda text: len(tokeniser.tokens(text)), missing)
    return Bench(retriever, models, settings)


def _extractive(retriever: Retriever) -> Writer:
    return ExtractiveWriter(retriever.tokeniser, retriever.closeness if retriever.vectors else None)


@cache
def _tokeniser(words: tuple[str, ...], folder: Path) -> Tokeniser:
    return Tokeniser(words, folder)


@cache
def _vector_cache(folder: Path) -> VectorCache:
    return VectorCache(folder / "vectors.sqlite")


@cache
def _embedder() -> tuple[EmbeddedE5 | None, Say | None]:
    try:
        return EmbeddedE5(), None
    except EmbeddingError as missing:
        return None, missing.say
