"""What the engine asks of the world: small protocols that providers, offline or not, fulfil."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from core.domain import Passage, Say, Token, Usage

Vectors = npt.NDArray[np.float32]
"""Rows are L2-normalised float32 vectors."""


class Embedder(Protocol):
    """Turns text into vectors; safe to call from several threads."""

    @property
    def id(self) -> str:
        """`name:model` as in the settings."""
        ...

    @property
    def space(self) -> str:
        """Model, dimension, endpoint and prefixes in one string: vectors of different spaces never meet."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def query(self, text: str) -> Vectors:
        """Embed a question, shape `(dimension,)`; raises `EmbeddingError`."""
        ...

    def passages(self, texts: Sequence[str], *, background: bool = False) -> Vectors:
        """Embed passages, shape `(len(texts), dimension)`, letting questions pass where `background`.

        Raises `EmbeddingError`.
        """
        ...


class Writer(Protocol):
    """Answers a question from its evidence, citing passage n of it as `[n]`."""

    @property
    def id(self) -> str:
        """`name:model` as in the settings, or `offline`."""
        ...

    @property
    def said(self) -> Say:
        """What the trace says of its writing."""
        ...

    @property
    def reads_vectors(self) -> bool:
        """Whether it compares the question with the passages' vectors, which may first have to be computed."""
        ...

    def write(self, question: str, evidence: Sequence[Passage]) -> Iterator[Token | Usage]:
        """Say the answer piece by piece; a provider's usage comes as it is told."""
        ...


class TokenCounter(Protocol):
    """Counts the tokens a text would be; an estimate for any model but the counter's own."""

    def __call__(self, text: str) -> int:
        """Tokens of `text`."""
        ...
