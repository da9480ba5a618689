"""Which socket a thread speaks over, so that another thread can end its wait, also before the server has answered.

Both SDKs stand on a client that tells, by its `trace` extension, which connections it opens; it does not tell which of
them it uses again, so each is watched as it is written to.
"""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable
from typing import Any

log = logging.getLogger(__name__)


class Line:
    """One thread's use of connections, from `Lines.take` to `close`."""

    def __init__(self) -> None:
        self.cut = False
        self.over: Any = None
        """The connection that was written to last, `None` before any was."""


class Lines:
    """The connections of one client and who uses them; safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines: dict[int, Line] = {}

    def take(self) -> Line:
        """The line of the calling thread, for all that it sends until it gives it up."""
        with self._lock:
            line = self._lines[threading.get_ident()] = Line()
        return line

    def give_up(self, line: Line) -> None:
        """End the calling thread's use; nothing shuts its connections any more, which others may use by then."""
        with self._lock:
            line.over = None
            self._lines.pop(threading.get_ident(), None)

    def shut(self, line: Line) -> None:
        """End what its thread waits for; one that has not sent anything yet fails as soon as it does."""
        with self._lock:
            line.cut = True
            connection = line.over.get_extra_info("socket") if line.over else None
            try:
                if connection is not None:
                    connection.shutdown(socket.SHUT_RDWR)
            except OSError as gone:
                log.debug("the connection was gone already: %s", gone)

    def hook(self, request: Any) -> None:
        """For the client's hooks: watch the connection that a request opens."""
        request.extensions["trace"] = self._opened

    def _opened(self, event: str, info: dict[str, Any]) -> None:
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            connection = info["return_value"]
            connection.write = self._watched(connection, connection.write)

    def _watched(self, connection: Any, write: Callable[..., None]) -> Callable[..., None]:
        def noted(*given: Any, **more: Any) -> None:
            with self._lock:
                line = self._lines.get(threading.get_ident())
                for other in self._lines.values():
                    other.over = None if other.over is connection else other.over
                if line is not None:
                    line.over = connection
            if line is not None and line.cut:
                raise ConnectionAbortedError("its reader has left")
            write(*given, **more)

        return noted
