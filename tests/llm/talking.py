"""A turn with a chat model, heard to its end: what was said, and the reply or the error that ended it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.domain import Call, Token
from core.endpoints import Endpoint, Family, Secret
from core.errors import ModelError
from core.llm.chat import ProviderChat
from core.llm.wire import Connection
from core.ports import Message, Reply, Tool, never
from core.settings import Role
from tests import loopback as lo

FAMILIES: tuple[Family, ...] = ("openai", "zhipu")
KEY = "sk-right-0123456789"
ASKED = (Message("system", "只用资料作答。"), Message("user", "退货要几天？"))
SEARCH = Tool("search", "Search the base", {"type": "object", "properties": {"query": {"type": "string"}}})
IDLE = 0.5


@dataclass
class Heard:
    """One turn."""

    tokens: list[Token] = field(default_factory=list)
    reply: Reply | None = None
    error: ModelError | None = None

    @property
    def text(self) -> str:
        return "".join(token.text for token in self.tokens if token.kind == "answer")

    @property
    def thoughts(self) -> str:
        return "".join(token.text for token in self.tokens if token.kind == "reasoning")

    @property
    def calls(self) -> list[tuple[str, dict[str, Any], str]]:
        """Name, arguments and what could not be read of each call."""
        assert self.reply is not None, self.error
        return [(call.tool, dict(call.arguments), call.unread) for call in self.reply.calls]

    @property
    def failure(self) -> str:
        """The code of the error."""
        assert self.error is not None, self.reply
        return self.error.say.code


def endpoint_of(server: lo.Loopback, family: Family, key: str = KEY, **more: Any) -> Endpoint:
    url = server.zhipu_url if family == "zhipu" else server.url
    return Endpoint(family, family, url, Secret(key), **more)


def chat_at(
    endpoint: Endpoint,
    role: Role | None = None,
    stopped: Callable[[], bool] = never,
    idle: float = IDLE,
    model: str = "demo",
) -> ProviderChat:
    return ProviderChat(Connection(endpoint, idle), model, role or Role(), stopped)


def hear(
    chat: ProviderChat,
    messages: Sequence[Message] = ASKED,
    tools: Sequence[Tool] = (),
    most: int | None = None,
) -> Heard:
    heard = Heard()
    turn = chat.stream(messages, tools, most)
    try:
        while True:
            heard.tokens.append(next(turn))
    except StopIteration as ended:
        heard.reply = ended.value
    except ModelError as failed:
        heard.error = failed
    return heard


def after(seconds: float) -> Callable[[], bool]:
    """True from so many seconds on."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end


def readers() -> list[threading.Thread]:
    """The threads that wait for a model."""
    return [thread for thread in threading.enumerate() if thread.name == "model-read"]


def streamed(*deltas: Any, finish: str | None = "stop", **last: Any) -> lo.Raw:
    """A stream of just these deltas; `last` goes beside the choices of the last chunk."""
    head = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "demo"}
    chunks = [{**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    if finish:
        chunks.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}], **last})
    events = [f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n" for chunk in chunks]
    return lo.Raw("".join([*events, "data: [DONE]\n\n"]).encode())


def piece(arguments: Any, **more: Any) -> dict[str, Any]:
    """A delta with a piece of a call; `name` goes into the function, all else beside it."""
    function = {"arguments": arguments, **({"name": more.pop("name")} if "name" in more else {})}
    return {"tool_calls": [{"type": "function", "function": function, **more}]}


def whole(message: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An answer in one piece."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop"}
    return {"id": "c1", "object": "chat.completion", "created": 1, "model": "demo", "choices": [choice], **more}


def called(number: int = 1) -> Call:
    return Call("search", {"query": "退货"}, f"call_{number}")
