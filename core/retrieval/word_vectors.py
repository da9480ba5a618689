"""Vectors of single words: what one thread embeds, the others wait for and then find kept."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from core.ports import Embedder, Vectors
from core.retrieval.vector_cache import VectorCache
from core.retrieval.vectors import VectorSpace


class WordVectors:
    """The words of all bases of a data folder; their vectors are kept as those of passages are, and not held here."""

    def __init__(self, cache: VectorCache) -> None:
        self._cache = cache
        self._turn = threading.Condition()
        self._at_work: set[str] = set()

    def of(self, words: Sequence[str], embedder: Embedder) -> Vectors:
        """Vectors of words, shape `(n, dimension)`, embedding those that lack one; raises `EmbeddingError`."""
        with self._claimed(words):
            return self._space(words, embedder).rows(range(len(words)), embedder).matrix

    def fill(self, words: Sequence[str], embedder: Embedder) -> Iterator[tuple[int, int]]:
        """Embed the words that lack a vector a batch at a time, letting questions go first: (done, total) after each.

        Raises `EmbeddingError`.
        """
        kept = set(self._space(words, embedder).known().tolist())
        lacking = [word for place, word in enumerate(words) if place not in kept]
        done = len(kept)
        for start in range(0, len(lacking), embedder.batch):
            batch = lacking[start : start + embedder.batch]
            with self._claimed(batch):
                for _ in self._space(batch, embedder).fill(embedder):
                    pass
            done += len(batch)
            yield done, len(words)

    @contextmanager
    def _claimed(self, words: Sequence[str]) -> Iterator[None]:
        """These words for this thread alone, once no other is at any of them."""
        wanted = set(words)
        with self._turn:
            self._turn.wait_for(lambda: not self._at_work & wanted)
            self._at_work |= wanted
        try:
            yield
        finally:
            with self._turn:
                self._at_work -= wanted
                self._turn.notify_all()

    def _space(self, words: Sequence[str], embedder: Embedder) -> VectorSpace:
        return VectorSpace(words, embedder.space, self._cache, embedder.dimension, embedder.longest)
