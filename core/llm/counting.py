"""How many tokens a text would be, counted on this machine: an estimate, always shown with ≈."""

from __future__ import annotations

from core.errors import EmbeddingError
from core.knowledge.tokeniser import Tokeniser
from core.llm.embedded import EmbeddedE5
from core.ports import TokenCounter


def counter(tokeniser: Tokeniser) -> TokenCounter:
    """Count with the embedding model's tokeniser; where it has no build, by our own terms."""
    try:
        return EmbeddedE5().count
    except EmbeddingError:
        return lambda text: len(tokeniser.tokens(text))
