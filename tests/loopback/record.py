"""All that a server has received and sent, safe to read while requests come in."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from .replies import Request, Said


@dataclass(frozen=True, slots=True)
class Left:
    """A client that went away before its answer was complete; `at` in monotonic seconds."""

    request: Request
    at: float


class Record:
    """The requests by kind, the texts embedded, who left early, how many were served at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self.forget()

    def forget(self) -> None:
        """Starts anew; numbers of calls go on."""
        with self._lock:
            self.requests: list[Request] = []
            self.chats: list[Request] = []
            self.embeddings: list[Request] = []
            self.embedded: list[Request] = []
            self.left: list[Left] = []
            self.reasoned: frozenset[str] = frozenset()
            self.concurrent = self.most_concurrent = 0

    @contextmanager
    def receiving(self, request: Request, kind: str) -> Iterator[None]:
        """Notes the request, and that it is being served meanwhile."""
        with self._lock:
            self.requests.append(request)
            if kind in ("chats", "embeddings"):
                getattr(self, kind).append(request)
            self.concurrent += 1
            self.most_concurrent = max(self.most_concurrent, self.concurrent)
        try:
            yield
        finally:
            with self._lock:
                self.concurrent = max(0, self.concurrent - 1)

    @contextmanager
    def embedding(self, request: Request) -> Iterator[None]:
        """Counts the request's texts as embedded, unless its client is gone before it has them."""
        with self._lock:
            self.embedded.append(request)
        try:
            yield
        except ConnectionError:
            with self._lock:
                self.embedded = [kept for kept in self.embedded if kept is not request]
            raise

    def leave(self, request: Request) -> None:
        """Notes a client that went away early."""
        with self._lock:
            self.left.append(Left(request, time.monotonic()))

    def ids_for(self, said: Said) -> tuple[str, ...]:
        """The ids of its calls: its own or new ones; remembers whether reasoning went with them."""
        with self._lock:
            ids = said.ids or tuple(f"call_{next(self._numbers)}" for _ in said.calls)
            if said.reasoning:
                self.reasoned |= frozenset(ids)
        return ids
