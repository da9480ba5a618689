"""What was embedded once already: by one run for itself, and for explanations by anyone."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from core.domain import Say, Usage
from core.ports import Embedder, Embedding, Vectors

ASKED = 256
"""Questions whose vectors are remembered for explanations."""


@dataclass(slots=True)
class RunMemory:
    """What one run has embedded, read and been told: vectors of texts, positions of passages, costs, a failure."""

    asked: dict[str, Vectors] = field(default_factory=dict)
    credited: set[int] = field(default_factory=set)
    beside: Usage | None = None
    failed: Say | None = None


def usage_of(asked: Embedding) -> Usage | None:
    """What a provider counted for embedding a question; `None` where none did."""
    return None if asked.tokens is None else Usage(embedding=asked.tokens)


def remembered(embedder: Embedder, query: str) -> Embedding:
    """The vector of a question, embedded anew only where this space was not asked for it lately."""
    return _embedded(_Asked(embedder, query))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question to an embedder; the same where space and text are."""

    embedder: Embedder = field(compare=False)
    query: str
    space: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "space", self.embedder.space)


@lru_cache(maxsize=ASKED)
def _embedded(asked: _Asked) -> Embedding:
    return asked.embedder.query(asked.query)
