"""The server itself: starting, stopping, starting again on the same port, and the handles of a test."""

from __future__ import annotations

import socket
import socketserver
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any

from .handler import Handler
from .record import Left, Record
from .repertoire import Repertoire
from .replies import Answer, Embedded, Request
from .rules import Rule
from .vectors import DIMENSION, Limits

HOST = "127.0.0.1"
ACCEPT_EVERY = 0.02
PATIENCE = 10.0
SOON = 5.0
"""Seconds within which a test wants something that would else take far longer; a busy machine needs some."""


class Listener(socketserver.ThreadingTCPServer):
    """The listening socket; it knows its open connections, so that they can be aborted."""

    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], loopback: Loopback) -> None:
        self.loopback = loopback
        self._open: set[socket.socket] = set()
        self._changed = threading.Condition()
        super().__init__(address, Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._changed:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        super().shutdown_request(request)
        with self._changed:
            self._open.discard(request)
            self._changed.notify_all()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that leaves between requests is no error; all else is told."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def abort(self) -> None:
        """Cuts all open connections and waits until their threads are done with them."""
        with self._changed:
            for connection in self._open:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            self._changed.wait_for(lambda: not self._open, PATIENCE)


class Loopback:
    """A model server on this machine that speaks the OpenAI and the Zhipu protocol.

    `with Loopback() as server:` starts it on a free port; `server.url` and `server.zhipu_url` are its base URLs.
    """

    def __init__(self, port: int = 0) -> None:
        self.port = port
        self.record = Record()
        self.repertoire = Repertoire()
        self.on_line: Callable[[str], None] = lambda line: None
        self.stopping = True
        self.forget()

    def forget(self) -> None:
        """Drops all that was received, queued and set, for a server that several tests share."""
        self.record.forget()
        self.repertoire.forget()
        self.rules: tuple[Rule, ...] = ()
        self.models: tuple[str, ...] = ("demo",)
        self.dimension = DIMENSION
        self.limits = Limits()
        self.embed_delay = 0.0
        self.embedder: Callable[[Request], Embedded] = lambda request: None

    # Running

    def start(self) -> Loopback:
        """Starts to serve, again on the port it had before if it had one."""
        self._listener = Listener((HOST, self.port), self)
        self.port = self._listener.server_address[1]
        self.stopping = False
        serve = self._listener.serve_forever
        threading.Thread(target=serve, args=(ACCEPT_EVERY,), name="loopback", daemon=True).start()
        return self

    def stop(self) -> None:
        """Stops at once: streams under way break off. Does nothing where it is stopped already."""
        if self.stopping:
            return
        self.stopping = True
        self._listener.shutdown()
        self._listener.server_close()
        self._listener.abort()

    def __enter__(self) -> Loopback:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}/v1"

    @property
    def zhipu_url(self) -> str:
        return f"http://{HOST}:{self.port}/api/paas/v4"

    # What it answers

    def then(self, *answers: Answer, model: str | None = None, tools: bool | None = None) -> None:
        """Queues answers for the next chat requests; of one model only, or only with or without tools."""
        self.repertoire.then(answers, (model, tools))

    def always(self, answer: Answer, model: str | None = None, tools: bool | None = None) -> None:
        """Sets what is answered when nothing is queued."""
        self.repertoire.always(answer, (model, tools))

    def demand(self, *rules: Rule) -> None:
        """Holds every request to these rules; one that breaks a rule takes no answer from the queue."""
        self.rules = rules

    def embed_limits(self, most_texts: int | None = None, most_characters: int | None = None) -> None:
        """Refuses embedding requests beyond these with status 400."""
        self.limits = Limits(most_texts, most_characters)

    def embed_with(self, embedder: Callable[[Request], Embedded]) -> None:
        """Answers embedding requests so; where the function gives None, with the vectors of this server."""
        self.embedder = embedder

    # What it received

    @property
    def requests(self) -> list[Request]:
        return list(self.record.requests)

    @property
    def chats(self) -> list[Request]:
        return list(self.record.chats)

    @property
    def embeddings(self) -> list[Request]:
        return list(self.record.embeddings)

    @property
    def texts_embedded(self) -> list[str]:
        """The texts whose vectors were sent, in order; a refused or broken request adds none."""
        return [text for request in list(self.record.embedded) for text in request.texts]

    @property
    def max_concurrent(self) -> int:
        return self.record.most_concurrent

    @property
    def left(self) -> list[Left]:
        """Who closed the connection before the end, and when."""
        return list(self.record.left)

    @property
    def abandoned(self) -> int:
        """How many closed the connection before the end."""
        return len(self.record.left)

    @property
    def waiting(self) -> int:
        """How many queued answers nobody has asked for yet."""
        return self.repertoire.waiting


def eventually(condition: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Whether the condition comes true within so many seconds."""
    deadline = time.monotonic() + seconds
    while not (met := condition()) and time.monotonic() < deadline:
        time.sleep(0.005)
    return met
