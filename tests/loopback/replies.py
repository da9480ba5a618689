"""What a request is, and what may be answered to it: small frozen values."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

ZHIPU_PREFIX = "/api/paas/"


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it arrived: header names in lower case, `at` in monotonic seconds.

    `reasoned` holds the ids of all tool calls that this server has sent together with reasoning.
    """

    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    at: float = 0.0
    reasoned: frozenset[str] = frozenset()

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def messages(self) -> list[dict[str, Any]]:
        return list(self.body.get("messages") or ())

    @property
    def tools(self) -> list[dict[str, Any]]:
        return list(self.body.get("tools") or ())

    @property
    def streamed(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def wants_usage(self) -> bool:
        """Whether the usage was asked for as OpenAI has it, in a chunk of its own."""
        return bool((self.body.get("stream_options") or {}).get("include_usage"))

    @property
    def zhipu(self) -> bool:
        return self.path.startswith(ZHIPU_PREFIX)

    @property
    def key(self) -> str:
        return self.headers.get("authorization", "").removeprefix("Bearer ")

    @property
    def texts(self) -> list[str]:
        """The texts to be embedded."""
        given = self.body.get("input") or ()
        return [given] if isinstance(given, str) else list(given)


@dataclass(frozen=True, slots=True)
class Said:
    """An answer, whole or streamed: reasoning first, then text, then the tool calls (name, arguments as JSON text).

    `finish` left out follows from the calls. `usage` left out is counted, `{}` means that none is sent.
    `first_delay` and `delay` are seconds before the first chunk and between chunks, kept by the clock.
    `pieces` is how many chunks the text (and likewise the reasoning) comes in; left out, one a token.
    `ids` are those of the calls; left out, each call of a server gets its own.
    """

    text: str = ""
    reasoning: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    finish: str = ""
    usage: Mapping[str, Any] | None = None
    first_delay: float = 0.0
    delay: float = 0.0
    pieces: int | None = None
    ids: tuple[str, ...] = ()

    @property
    def finish_reason(self) -> str:
        return self.finish or ("tool_calls" if self.calls else "stop")


@dataclass(frozen=True, slots=True)
class Raw:
    """A recorded stream, byte for byte: an event at a time, or `cut` bytes at a time wherever that falls."""

    source: Path | str | bytes
    delay: float = 0.0
    cut: int | None = None
    content_type: str = "text/event-stream"

    @property
    def data(self) -> bytes:
        return self.source if isinstance(self.source, bytes) else Path(self.source).read_bytes()


@dataclass(frozen=True, slots=True)
class Failed:
    """An answer with an HTTP status of its own; a `body` that is text goes out as it stands."""

    status: int
    body: Mapping[str, Any] | str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Silent:
    """Headers (unless told otherwise), the chunks of `after` without an end, then nothing for `seconds`."""

    after: Said | None = None
    seconds: float = 3600.0
    headers: bool = True


@dataclass(frozen=True, slots=True)
class Dropped:
    """The chunks of `after`, or only the first `chunks` of them, then a connection closed in the middle."""

    after: Said = Said()
    chunks: int | None = None


Reply: TypeAlias = Said | Raw | Failed | Silent | Dropped
Answer: TypeAlias = Reply | Callable[[Request], "Answer"]
Embedded: TypeAlias = Reply | Mapping[str, Any] | None


def settle(answer: Answer, request: Request) -> Reply:
    """The reply that an answer comes down to, for this request."""
    while callable(answer):
        answer = answer(request)
    return answer


def in_turn(*answers: Answer) -> Answer:
    """Gives the answers one after the other, then from the start again."""
    turns, lock = itertools.cycle(answers), threading.Lock()

    def next_one(request: Request) -> Answer:
        with lock:
            return next(turns)

    return next_one


def error(request: Request, status: int, message: str, code: str | None = None) -> Failed:
    """An error in the form of the request's protocol."""
    if request.zhipu:
        return Failed(status, {"error": {"code": code or "1210", "message": message}})
    kind = "invalid_request_error"
    return Failed(status, {"error": {"message": message, "type": kind, "param": None, "code": code}})
