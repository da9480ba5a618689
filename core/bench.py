"""The bench: one knowledge base with its rankings, the models in force, the settings; what every mode gets.

What is slow to make and holds no secret (`Opened`: the indexes and vectors of a base) can be shared by everyone;
a `Bench` puts one session's models and settings beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.domain import BaseInfo, Say
from core.errors import EmbeddingError
from core.knowledge.base import KnowledgeBase
from core.llm.extractive import ExtractiveWriter
from core.llm.model_writer import ModelWriter
from core.models import Models
from core.opened import Opened, index, load, offline_embedder, word_embedder, word_vectors
from core.ports import Chat, Embedder, Progress, Purse, TokenCounter, Vectors, Writer, never
from core.retrieval.filters import Filters
from core.retrieval.formula import Bm25
from core.retrieval.ranking import Retriever
from core.retrieval.vector_cache import text_hash
from core.retrieval.wording import named
from core.saved import Saved
from core.settings import BM25, Role, Settings
from core.spending import RunPurse, Spending

SPACE = "vector_space"
"""The name under which a record keeps which vectors ranked, as a hash of their space: that may name an address."""
NO_VECTORS = "none"


@dataclass(frozen=True, slots=True)
class Bench:
    """What a mode gets: the base's rankings, the models, the settings.

    `prices` are those of the models in force, as records keep them; `missing` says why there is no embedder. `stopped`
    and `purse` are the run's own.
    """

    retriever: Retriever
    models: Models
    settings: Settings
    count: TokenCounter
    prices: dict[str, Any]
    missing: Say | None = None
    stopped: Callable[[], bool] = never
    purse: Purse | None = None

    @property
    def base(self) -> KnowledgeBase:
        """The knowledge base in use."""
        return self.retriever.base

    @property
    def info(self) -> BaseInfo:
        """What identifies base and tokeniser in a record."""
        return self.base.info(self.retriever.tokeniser.fingerprint)

    @property
    def recorded(self) -> dict[str, Any]:
        """What of the settings shapes a comparison, as its record keeps it; never a key."""
        prices = {"prices": self.prices} if self.prices else {}
        return {**self.settings.recorded, SPACE: self.space, **prices}

    @property
    def space(self) -> str:
        """Which vectors rank: equal where they can be compared, `NO_VECTORS` where there are none."""
        embedder = self.retriever.embedder
        return text_hash(embedder.space).hex()[:12] if embedder else NO_VECTORS

    def for_run(self, stopped: Callable[[], bool] = never) -> Bench:
        """The bench as one run uses it: what it embeds for itself stays its own, and it has its own purse."""
        purse = RunPurse(self.settings.limits, self.prices, Spending(self.settings.home))
        embedder = self.retriever.embedder
        if embedder is not None and not embedder.free:
            embedder = self.models.embedder(stopped, purse)
        retriever = self.retriever.for_run(embedder, stopped)
        return replace(self, retriever=retriever, stopped=stopped, purse=purse)

    def limited(self, filters: Mapping[str, Any]) -> Bench:
        """The bench as a question with these filters sees it; raises `UsageError` for filters that cannot be."""
        return replace(self, retriever=self.retriever.limited(Filters.of(filters))) if filters else self

    def as_recorded(self, recorded: Mapping[str, Any]) -> Bench:
        """The bench with what was in force when a comparison was recorded (its `settings`), whatever is now.

        BM25's settings and the agent's limits; no chat model; of vectors those in force only where the record's were of
        the same space, else none. What the record does not tell stays as it is.
        """
        now = self.settings
        names = (*BM25, "budget_tokens", "time_limit")
        kept = {name: recorded.get(name, getattr(now, name)) for name in names}
        roles = {name: role if name == "embeddings" else Role() for name, role in now.roles.items()}
        exact = bool(recorded.get("exact", False))  # before there were exact look-ups no record told of them
        settings = replace(now, roles=roles, exact=exact, **kept)
        retriever = self.retriever.ranking_by(Bm25(settings.variant, settings.k1, settings.b), exact)
        if recorded.get(SPACE, self.space) == self.space:
            return replace(self, retriever=retriever, settings=settings)
        why = Say.of("explain.meaning.without" if recorded[SPACE] == NO_VECTORS else "explain.meaning.other")
        return replace(self, retriever=retriever.without_vectors(why), settings=settings, missing=why)

    def chat(self, role: str) -> Chat:
        """The chat model of a role that is not offline, bound to this run."""
        return self.models.chat(role, self.stopped, self.purse)

    def writer(self) -> Writer:
        """The writer in force."""
        return self.offline_writer() if self.settings.roles["writer"].offline else ModelWriter(self.chat("writer"))

    def offline_writer(self) -> Writer:
        """The writer that needs no model and costs nothing."""
        retriever = self.retriever
        scale = retriever.scale
        if retriever.vectors is None or scale is None:
            return ExtractiveWriter(retriever.tokeniser)
        return ExtractiveWriter(retriever.tokeniser, retriever.closeness, scale)

    def word_vectors(self, words: Sequence[str]) -> Vectors:
        """Vectors of words, shape `(n, dimension)`, by the embedder of this machine whatever the base's own is.

        They are kept as those of passages are. Raises `EmbeddingError`.
        """
        return word_vectors(self.settings.cache).of(words, word_embedder(self.settings.cache))

    def fill_words(self) -> Iterator[tuple[int, int]]:
        """Embed the words of a base that has few, so that explaining need not wait: (done, total).

        Raises `EmbeddingError`.
        """
        vocabulary = self.retriever.index.vocabulary
        if len(vocabulary) <= FEW_WORDS:
            words = [word for word in vocabulary if named(self.retriever.tokeniser, word)]
            yield from word_vectors(self.settings.cache).fill(words, word_embedder(self.settings.cache))

    def fill(self, stopped: Callable[[], bool] = never) -> Iterator[tuple[int, int]]:
        """Embed the passages that lack a vector, a batch at a time: (done, total); raises `EmbeddingError`."""
        if self.retriever.vectors is not None and self.retriever.embedder is not None:
            yield from self.retriever.vectors.fill(self.retriever.embedder, stopped)


FEW_WORDS = 5_000
"""Words of a base up to which all are embedded beforehand: two minutes of one core, behind the questions."""


def open_bench(settings: Settings, base: str | None = None, progress: Progress | None = None) -> Bench:
    """Open a base by name or path with its indexes; `progress` hears of passages segmented, (done, total).

    Raises `UsageError` or `BaseError` when there is no such base or it cannot be read, or a role names no model.
    """
    Models(settings)  # what was asked wrongly is told before anything slow begins
    return prepare(settings, load(settings, settings.base if base is None else base), progress)


def prepare(settings: Settings, base: KnowledgeBase, progress: Progress | None = None) -> Bench:
    """Index a loaded base and put the models beside it."""
    return assemble(settings, index(settings, base, progress))


def assemble(settings: Settings, opened: Opened) -> Bench:
    """A bench on an opened base with the models of these settings; raises `UsageError`."""
    models = Models(settings)
    models.warm()
    embedder, missing = _embedder(settings, models)
    vectors = opened.vectors(embedder) if embedder else None
    bm25 = Bm25(settings.variant, settings.k1, settings.b)
    retriever = Retriever(opened.base, opened.tokeniser, opened.index, vectors, embedder, bm25, settings.exact)
    offline, _ = offline_embedder(settings.cache)
    count = offline.count if offline else lambda text: len(opened.tokeniser.tokens(text))
    prices = Saved(settings.home).load().prices.recorded(settings)
    return Bench(retriever, models, settings, count, prices, missing)


def _embedder(settings: Settings, models: Models) -> tuple[Embedder | None, Say | None]:
    """The embedder in force, or why there is none."""
    if settings.roles["embeddings"].offline:
        return offline_embedder(settings.cache)
    try:
        return models.embedder(), None
    except EmbeddingError as refused:
        return None, refused.say
