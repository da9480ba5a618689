"""A planner that plays a script, a writer that always says the same, and what both were sent."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from benchmarks.served import PLANNER, WRITER
from tests.loopback import Loopback, Request, Said

ANSWER = "根据资料，先要查明责任，再谈费用由谁承担[1]。" * 16
"""An answer of about 270 tokens."""
THOUGHT = "先把问题拆成几个方面一起检索，看结果够不够，再决定是否打开原文。"

ToolCall: TypeAlias = tuple[str, dict[str, Any]]
Turn: TypeAlias = Sequence[ToolCall] | str
Sent: TypeAlias = tuple[str, list[tuple[str, str]]]


def searching(*queries: str) -> ToolCall:
    """A call of the search tool."""
    return "search", {"queries": list(queries)}


def play(server: Loopback, turns: Sequence[Turn]) -> None:
    """Queue a planner's turns, each calls or its last word; the writer always answers the same."""
    server.forget()
    server.always(Said(ANSWER), model=WRITER)
    server.then(*map(said, turns), model=PLANNER)


def said(turn: Turn) -> Said:
    """A turn as the server says it."""
    if isinstance(turn, str):
        return Said(turn)
    return Said("", THOUGHT, tuple((name, json.dumps(given, ensure_ascii=False)) for name, given in turn))


def sent(server: Loopback) -> list[Sent]:
    """Every chat request so far: its model, and its texts by what they are."""
    return [(request.model, list(_texts(request))) for request in server.chats]


def _texts(request: Request) -> Iterator[tuple[str, str]]:
    """Texts of a request: of tools, of the system, a user, an assistant or a tool."""
    if request.tools:
        yield "tools", json.dumps(request.tools, ensure_ascii=False, separators=(",", ":"))
    for message in request.messages:
        calls = [call["function"] for call in message.get("tool_calls") or ()]
        texts = (message.get("content"), message.get("reasoning_content"), *(str(call) for call in calls))
        yield message["role"], "\n".join(text for text in texts if text)
