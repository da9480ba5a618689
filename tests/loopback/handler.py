"""One connection: reads a request, finds its route, sees that the rules are kept, and has the reply delivered."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any

from .delivery import Delivery
from .replies import Dropped, Request, Said, Silent, error, settle
from .rules import refusal
from .vectors import embeddings

if TYPE_CHECKING:
    from .server import Listener, Loopback

ROUTES = {
    ("POST", "chat/completions"): "chats",
    ("POST", "embeddings"): "embeddings",
    ("GET", "models"): "models",
}
_ROUTE_WORDS = {"chat", "completions", "embeddings", "models"}


def route_of(method: str, path: str) -> str:
    """The route of a path, empty for none: a prefix is a must, and none of its parts may stand twice."""
    for (known_method, ending), route in ROUTES.items():
        place = path.partition("?")[0]
        if method != known_method or not place.endswith("/" + ending):
            continue
        parts = place.removesuffix("/" + ending).split("/")[1:]
        doubled = len(set(parts)) < len(parts) or _ROUTE_WORDS.intersection(parts)
        return route if parts and all(parts) and not doubled else ""
    return ""


class Handler(BaseHTTPRequestHandler):
    """Serves the requests of one connection, one after the other."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Listener

    def do_GET(self) -> None:
        self._serve({})

    def do_POST(self) -> None:
        self._serve(self._read())

    def log_message(self, format: str, *arguments: Any) -> None:
        self.loopback.on_line(format % arguments)

    @property
    def loopback(self) -> Loopback:
        return self.server.loopback

    def _read(self) -> dict[str, Any] | None:
        """The body as an object; None where it is none."""
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            body = json.loads(data)
        except ValueError:
            return None
        return body if isinstance(body, dict) else None

    def _serve(self, body: dict[str, Any] | None) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        record = self.loopback.record
        request = Request(self.path, headers, body or {}, time.monotonic(), record.reasoned)
        route = route_of(self.command, self.path)
        try:
            with record.receiving(request, route):
                self._answer(request, route, readable=body is not None)
        except ConnectionError:
            self.close_connection = True
            if not self.loopback.stopping:
                record.leave(request)

    def _answer(self, request: Request, route: str, *, readable: bool) -> None:
        delivery = Delivery(self, request)
        if not route:
            delivery.send(error(request, 404, f"no such path: {self.command} {request.path}"), ())
        elif not readable:
            delivery.send(error(request, 400, "the body is not a JSON object"), ())
        elif (failed := refusal(request, self.loopback.rules)) is not None:
            delivery.send(failed, ())
        elif route == "chats":
            self._chat(delivery, request)
        elif route == "embeddings":
            self._embed(delivery, request)
        else:
            models = [{"id": name, "object": "model", "owned_by": "loopback"} for name in self.loopback.models]
            delivery.json({"object": "list", "data": models})

    def _chat(self, delivery: Delivery, request: Request) -> None:
        reply = settle(self.loopback.repertoire.next(request), request)
        said = reply.after if isinstance(reply, Silent | Dropped) else reply
        delivery.send(reply, self.loopback.record.ids_for(said) if isinstance(said, Said) else ())

    def _embed(self, delivery: Delivery, request: Request) -> None:
        loopback = self.loopback
        delivery.pause(loopback.embed_delay)
        given = loopback.limits.refusal(request) or loopback.embedder(request)
        if given is not None and not isinstance(given, Mapping):
            delivery.send(given, ())
            return
        answer = embeddings(request, loopback.dimension) if given is None else given
        with loopback.record.embedding(request):
            delivery.json(answer)
