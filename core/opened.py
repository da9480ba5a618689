"""A base opened: loaded from its folder, indexed, with its vectors; what is slow to make, and shared by everyone."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from core.authoring.history import History
from core.domain import Say
from core.errors import EmbeddingError, StoreError
from core.knowledge.base import KnowledgeBase
from core.knowledge.shelf import Shelf
from core.knowledge.tokeniser import Tokeniser
from core.llm.embedded import EmbeddedE5
from core.ports import Embedder, Progress
from core.retrieval.bm25 import KeywordIndex
from core.retrieval.segments import index_of
from core.retrieval.vector_cache import VectorCache, text_hash
from core.retrieval.vectors import VectorSpace
from core.retrieval.word_vectors import WordVectors
from core.settings import BUNDLED, Settings

log = logging.getLogger(__name__)

HELD = 4
"""Tokenisers and vector caches kept for the bases opened last; a tokeniser's dictionary takes over 100 MB."""


@dataclass(frozen=True)
class Opened:
    """A base with its indexes, and its vectors in every space that was asked for; safe to share between sessions.

    `texts` are what its passages are indexed by.
    """

    base: KnowledgeBase
    tokeniser: Tokeniser
    index: KeywordIndex
    texts: tuple[str, ...]
    folder: Path
    _spaces: dict[str, VectorSpace] = field(default_factory=dict)
    _before: dict[str, VectorSpace] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def vectors(self, embedder: Embedder) -> VectorSpace:
        """The vectors of its passages in the embedder's space."""
        with self._lock:
            if embedder.space not in self._spaces:
                self._spaces[embedder.space] = VectorSpace(
                    self.texts,
                    embedder.space,
                    vector_cache(self.folder),
                    embedder.dimension,
                    embedder.longest,
                    self._before.pop(embedder.space, None),
                )
            return self._spaces[embedder.space]

    def revised(self, base: KnowledgeBase, settings: Settings) -> Opened:
        """`base`, which is this one with changes: only what is new in it is segmented, and looked up as a vector."""
        with self._lock:
            spaces = dict(self._spaces)
        return replace(index(settings, base, before=self), _before=spaces)


def shelf(settings: Settings) -> Shelf:
    """The bases of this data folder and the bundled ones."""
    return Shelf(BUNDLED, settings.home)


def load(settings: Settings, name_or_path: str, known: KnowledgeBase | None = None) -> KnowledgeBase:
    """Load a base, after a save that died in the middle was undone and edits made outside the app are in its history.

    What has not changed since it was loaded as `known` is taken from there. Raises `UsageError`, `BaseError`.
    """
    place = shelf(settings).where(name_or_path)
    if place.is_dir():
        try:
            History(place).notice_outside()
        except StoreError as unwritable:
            log.warning("the history of %s cannot be brought up to date: %s", place, unwritable)
    return shelf(settings).load(name_or_path, known)


def index(
    settings: Settings, base: KnowledgeBase, progress: Progress | None = None, before: Opened | None = None
) -> Opened:
    """The indexes of a loaded base; passages that stand in `before` too have the texts they had there."""
    folder = settings.cache
    tokeniser = _tokeniser(base.words, folder)
    tokeniser.warm()
    key = f"{base.name}-{text_hash(str(base.path)).hex()[:8]}"
    known = {id(p): text for p, text in zip(before.base.passages, before.texts, strict=True)} if before else {}
    texts = tuple(known.get(id(passage)) or passage.indexed for passage in base.passages)
    return Opened(base, tokeniser, index_of(texts, tokeniser, folder, progress, key=key), texts, folder)


@lru_cache(maxsize=HELD)
def _tokeniser(words: tuple[str, ...], folder: Path) -> Tokeniser:
    return Tokeniser(words, folder)


@lru_cache(maxsize=HELD)
def vector_cache(folder: Path) -> VectorCache:
    """The vectors that are kept in a folder."""
    return VectorCache(folder / "vectors.sqlite")


@lru_cache(maxsize=HELD)
def word_vectors(folder: Path) -> WordVectors:
    """The vectors of words that are kept in a folder."""
    return WordVectors(vector_cache(folder))


def word_embedder(folder: Path) -> Embedder:
    """The embedder of this machine; raises `EmbeddingError` where there is none."""
    embedder, missing = offline_embedder(folder)
    if embedder is None:
        raise EmbeddingError(missing.code if missing else "embeddings.unavailable")
    return embedder


_made: list[tuple[EmbeddedE5 | None, Say | None]] = []
_making = threading.Lock()


def offline_embedder(folder: Path) -> tuple[EmbeddedE5 | None, Say | None]:
    """The embedder of this machine, or why there is none: one a process, since its model takes half a gigabyte.

    What is made of the model is kept in the `folder` of whoever asks first.
    """
    with _making:
        if not _made:
            try:
                _made.append((EmbeddedE5(folder), None))
            except EmbeddingError as missing:
                _made.append((None, missing.say))
        return _made[0]


def warm(folder: Path) -> None:
    """Load the embedder of this machine, which the first question would else wait for."""
    embedder, _ = offline_embedder(folder)
    try:
        if embedder is not None:
            embedder.warm()
    except EmbeddingError as failed:  # who asks for a vector is told
        log.warning("the embedder cannot be loaded: %s", failed)
