"""Native code under way, which the end of the process waits for.

A thread that comes back from C++ into an interpreter that has ended takes the whole process down with an abort: threads
of the app, which nobody waits for, are often just then in onnxruntime or the tokeniser.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from core.errors import EmbeddingError

_PATIENCE = 10.0
"""Seconds that the end waits: loading takes one or two, a batch of passages less."""


class Native:
    """Lets native code begin until it is closed, and closes once none is under way."""

    def __init__(self) -> None:
        self._turn = threading.Condition()
        self._under_way = 0
        self._closed = False

    @contextmanager
    def running(self) -> Iterator[None]:
        """Native code runs within; raises `EmbeddingError` where the process is ending."""
        with self._turn:
            if self._closed:
                raise EmbeddingError("embeddings.broken", reason="the process is ending")
            self._under_way += 1
        try:
            yield
        finally:
            with self._turn:
                self._under_way -= 1
                self._turn.notify_all()

    def close(self) -> None:
        """Let nothing begin any more, and wait for what runs."""
        with self._turn:
            self._closed = True
            self._turn.wait_for(lambda: not self._under_way, _PATIENCE)


NATIVE = Native()
atexit.register(NATIVE.close)
