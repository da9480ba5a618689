"""How a reply goes out over one connection: at its pace, watching for a client that leaves."""

from __future__ import annotations

import re
import select
import socket
import time
from collections.abc import Iterable, Mapping
from http.server import BaseHTTPRequestHandler

from .replies import Dropped, Failed, Raw, Reply, Request, Said, Silent
from .wire import chunks, document, encoded, ending

JSON = "application/json"
STREAM = "text/event-stream"

_AFTER_EVENT = re.compile(rb"(?<=\n\n)|(?<=\r\n\r\n)")


class ClientLeft(ConnectionError):
    """The client closed the connection before its answer was complete."""


class Delivery:
    """Sends one reply to one request."""

    def __init__(self, handler: BaseHTTPRequestHandler, request: Request) -> None:
        self._handler = handler
        self._request = request
        self._begun = time.monotonic()

    def send(self, reply: Reply, ids: tuple[str, ...]) -> None:
        """Sends the reply; `ids` are those of its tool calls.

        Raises:
            ConnectionError: The client left, or the server is being stopped.
        """
        match reply:
            case Said():
                self._said(reply, ids)
            case Raw():
                self._raw(reply)
            case Failed():
                self._failed(reply)
            case Silent():
                self._silent(reply, ids)
            case Dropped():
                self._dropped(reply, ids)

    def json(self, value: Mapping[str, object]) -> None:
        """Sends a document."""
        self.whole(200, encoded(value), JSON)

    def whole(self, status: int, body: bytes, content_type: str, headers: Mapping[str, str] | None = None) -> None:
        """Sends a body of known length."""
        self._head(status, content_type, {**(headers or {}), "Content-Length": str(len(body))})
        self._write(body)

    def pause(self, seconds: float) -> None:
        """Waits, and raises ClientLeft as soon as the other side is gone."""
        self._until(time.monotonic() + seconds)

    def _said(self, said: Said, ids: tuple[str, ...]) -> None:
        events = chunks(said, self._request, ids)
        if not self._request.streamed:
            self._until(self._due(said, len(events) - 1))
            self.json(document(said, self._request, ids))
            return
        self._open_stream()
        self._paced(said, events)
        self._last(b"".join(ending(said, self._request)))

    def _raw(self, raw: Raw) -> None:
        data = raw.data
        parts = _bytewise(data, raw.cut) if raw.cut else [part for part in _AFTER_EVENT.split(data) if part]
        self._open_stream(raw.content_type, {"Connection": "close"})
        for number, part in enumerate(parts or [b""]):
            self._until(self._begun + number * raw.delay)
            (self._chunk if number < len(parts) - 1 else self._last)(part)

    def _failed(self, failed: Failed) -> None:
        body = failed.body.encode() if isinstance(failed.body, str) else encoded(failed.body)
        self.whole(failed.status, body, failed.content_type, failed.headers)

    def _silent(self, silent: Silent, ids: tuple[str, ...]) -> None:
        self._handler.close_connection = True
        if silent.headers:
            self._open_stream(STREAM if self._request.streamed else JSON)
        if silent.after and self._request.streamed:
            self._paced(silent.after, chunks(silent.after, self._request, ids))
        self.pause(silent.seconds)

    def _dropped(self, dropped: Dropped, ids: tuple[str, ...]) -> None:
        """Without a stream, half of the document goes out under the length of the whole."""
        self._handler.close_connection = True
        if self._request.streamed:
            self._open_stream()
            self._paced(dropped.after, chunks(dropped.after, self._request, ids)[: dropped.chunks])
            return
        body = encoded(document(dropped.after, self._request, ids))
        self._head(200, JSON, {"Content-Length": str(len(body))})
        self._write(body[: len(body) // 2])

    def _open_stream(self, content_type: str = STREAM, headers: Mapping[str, str] | None = None) -> None:
        own = {"Transfer-Encoding": "chunked", "Cache-Control": "no-cache"}
        self._head(200, content_type, {**own, **(headers or {})})

    def _head(self, status: int, content_type: str, headers: Mapping[str, str]) -> None:
        self._handler.send_response(status)
        self._handler.send_header("Content-Type", content_type)
        for name, value in headers.items():
            self._handler.send_header(name, value)
        self._handler.end_headers()

    def _paced(self, said: Said, events: Iterable[bytes]) -> None:
        for number, event in enumerate(events):
            self._until(self._due(said, number))
            self._chunk(event)

    def _due(self, said: Said, number: int) -> float:
        """When a chunk is to go out; reckoned from the start, so that no lateness adds up."""
        return self._begun + said.first_delay + number * said.delay

    def _chunk(self, data: bytes) -> None:
        self._write(b"%x\r\n%s\r\n" % (len(data), data))

    def _last(self, data: bytes) -> None:
        """The end goes out in one piece: a client may close as soon as it has read the end mark."""
        body = b"%x\r\n%s\r\n" % (len(data), data) if data else b""
        self._write(body + b"0\r\n\r\n")

    def _write(self, data: bytes) -> None:
        self._handler.wfile.write(data)

    def _until(self, moment: float) -> None:
        connection = self._handler.connection
        while True:
            left = max(0.0, moment - time.monotonic())
            if select.select([connection], [], [], left)[0]:
                if not connection.recv(1, socket.MSG_PEEK):
                    raise ClientLeft
                time.sleep(min(left, 0.01))
            if time.monotonic() >= moment:
                return


def _bytewise(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]
