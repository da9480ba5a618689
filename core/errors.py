"""The errors a user can meet, each with a `Say` that tells what happened and what to do next.

WorkbenchError
├── UsageError            asked wrongly: unknown mode, base, passage, question set; exit code 2
├── BaseError             a knowledge base cannot be read
│   └── ConflictError     what would be changed is no longer what it was: someone else saved meanwhile
├── ModelError            a chat or embedding provider failed
│   ├── EmbeddingError    no vectors could be had; rankings fall back to BM25 order
│   ├── SpendError        a limit that the user set is reached; a run ends with what it has
│   ├── TooLongError      the prompt is longer than the model's context: it can be shortened and sent again
│   └── ToolsError        the endpoint does not call tools
├── StoppedError          the reader stopped the run
└── StoreError            the data folder cannot be read or written
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.domain import Say, Usage


class WorkbenchError(Exception):
    """Root of the tree. `say` holds the code and values; `str()` shows both for logs."""

    def __init__(self, code: str, **values: Any) -> None:
        self.say = Say(code, values)
        super().__init__(f"{code} {values}" if values else code)


class UsageError(WorkbenchError):
    """The request names something that does not exist or cannot be."""


class BaseError(WorkbenchError):
    """A knowledge base is there but cannot be read."""


class ConflictError(BaseError):
    """What would be changed is no longer what it was when the editor opened it.

    `found` holds the files that differ as they are now, by path below the base's folder; `None`: it is there no more.
    """

    def __init__(self, code: str, *, found: Mapping[str, bytes | None] | None = None, **values: Any) -> None:
        super().__init__(code, **values)
        self.found: Mapping[str, bytes | None] = found or {}


class ModelError(WorkbenchError):
    """A chat or embedding provider failed.

    `usage` is what the failed call cost, where the provider told it; `sent` the settings as they were sent.
    """

    def __init__(
        self, code: str, *, usage: Usage | None = None, sent: Mapping[str, Any] | None = None, **values: Any
    ) -> None:
        super().__init__(code, **values)
        self.usage = usage
        self.sent: Mapping[str, Any] = sent or {}


class EmbeddingError(ModelError):
    """No vectors could be computed."""


class SpendError(ModelError):
    """A limit of tokens or money that the user set is reached."""


class TooLongError(ModelError):
    """The prompt is longer than the model's context."""


class ToolsError(ModelError):
    """The endpoint does not call tools."""


class StoppedError(WorkbenchError):
    """The reader stopped the run; what has come so far stays."""

    def __init__(self) -> None:
        super().__init__("stop.stopped")


class StoreError(WorkbenchError):
    """The data folder cannot be read or written."""


def reason_of(refused: Exception) -> str:
    """The words of the system, or of a library, for why it refused: what errors tell as their `reason`."""
    return (refused.strerror if isinstance(refused, OSError) else None) or str(refused)
