"""The errors a user can meet, each with a `Say` that tells what happened and what to do next.

WorkbenchError
├── UsageError            asked wrongly: unknown mode, base, passage, question set; exit code 2
├── BaseError             a knowledge base cannot be read
├── ModelError            a chat or embedding provider failed
│   └── EmbeddingError    no vectors could be had; rankings fall back to BM25 order
└── StoreError            the data folder cannot be read or written
"""

from __future__ import annotations

from typing import Any

from core.domain import Say


class WorkbenchError(Exception):
    """Root of the tree. `say` holds the code and values; `str()` shows both for logs."""

    def __init__(self, code: str, **values: Any) -> None:
        self.say = Say(code, values)
        super().__init__(f"{code} {values}" if values else code)


class UsageError(WorkbenchError):
    """The request names something that does not exist or cannot be."""


class BaseError(WorkbenchError):
    """A knowledge base is there but cannot be read."""


class ModelError(WorkbenchError):
    """A chat or embedding provider failed."""


class EmbeddingError(ModelError):
    """No vectors could be computed."""


class StoreError(WorkbenchError):
    """The data folder cannot be read or written."""
