"""How an answer looks on the wire: the chunks of a stream, the whole as one document, and the tokens counted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .replies import Request, Said

END = b"data: [DONE]\n\n"
CREATED = 1_760_000_000
ARGUMENT_PIECES = 3

_TOKEN = re.compile(r"[A-Za-z0-9]+|[^\sA-Za-z0-9]")
_PIECE = re.compile(r"\s*(?:[A-Za-z0-9]+|[^\sA-Za-z0-9])|\s+$")


def count_tokens(text: str) -> int:
    """One token a word of ASCII letters and digits, and one for every other character that is not blank."""
    return len(_TOKEN.findall(text))


def prompt_tokens(body: Mapping[str, Any]) -> int:
    """The tokens of all texts in the messages, and of the tools as JSON."""
    tools = json.dumps(body["tools"], ensure_ascii=False) if body.get("tools") else ""
    return sum(count_tokens(text) for text in _texts(body.get("messages") or ())) + count_tokens(tools)


def usage_of(said: Said, request: Request) -> dict[str, Any]:
    """The usage a Said states, or the one counted from the request and what is said."""
    if said.usage is not None:
        return dict(said.usage)
    called = sum(count_tokens(name) + count_tokens(arguments) for name, arguments in said.calls)
    reasoning = count_tokens(said.reasoning)
    prompt, completion = prompt_tokens(request.body), count_tokens(said.text) + reasoning + called
    usage: dict[str, Any] = {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }
    if reasoning:
        usage["completion_tokens_details"] = {"reasoning_tokens": reasoning}
    return usage


def chunks(said: Said, request: Request, ids: Sequence[str]) -> list[bytes]:
    """The stream's events up to the last that says something; none of them ends it."""
    deltas = [*_texts_as_deltas(said), *_calls_as_deltas(said, ids, whole=request.zhipu)] or [{"content": ""}]
    deltas[0] = {"role": "assistant", **deltas[0]}
    return [_event(_chunk(request, [{"index": 0, "delta": delta, "finish_reason": None}])) for delta in deltas]


def ending(said: Said, request: Request) -> list[bytes]:
    """The events that end the stream: the finish reason, the usage as the protocol has it, and the end mark."""
    usage = usage_of(said, request)
    finish = _chunk(request, [{"index": 0, "delta": {}, "finish_reason": said.finish_reason}])
    if usage and request.wants_usage:
        return [_event(finish), _event({**_chunk(request, []), "usage": usage}), END]
    if usage and request.zhipu:
        finish["usage"] = usage
    return [_event(finish), END]


def document(said: Said, request: Request, ids: Sequence[str]) -> dict[str, Any]:
    """The whole answer as one document, for a request that does not stream."""
    message: dict[str, Any] = {"role": "assistant", "content": said.text if said.text or not said.calls else None}
    if said.reasoning:
        message["reasoning_content"] = said.reasoning
    if said.calls:
        message["tool_calls"] = [_call(*call, id_) for call, id_ in zip(said.calls, ids, strict=True)]
    choice = {"index": 0, "message": message, "finish_reason": said.finish_reason}
    usage = usage_of(said, request)
    whole = {**_chunk(request, [choice]), "object": "chat.completion"}
    return {**whole, "usage": usage} if usage else whole


def encoded(value: Mapping[str, Any]) -> bytes:
    """A value as JSON with its characters as they are."""
    return json.dumps(value, ensure_ascii=False).encode()


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _texts(list(value.values()))
    elif isinstance(value, Sequence):
        for item in value:
            yield from _texts(item)


def _cut(text: str, pieces: int | None) -> list[str]:
    if pieces is None:
        return _PIECE.findall(text)
    size = max(1, -(-len(text) // pieces))
    return [text[start : start + size] for start in range(0, len(text), size)]


def _texts_as_deltas(said: Said) -> list[dict[str, Any]]:
    thought: list[dict[str, Any]] = [{"reasoning_content": piece} for piece in _cut(said.reasoning, said.pieces)]
    return thought + [{"content": piece} for piece in _cut(said.text, said.pieces)]


def _calls_as_deltas(said: Said, ids: Sequence[str], *, whole: bool) -> Iterator[dict[str, Any]]:
    """Zhipu sends a call in one chunk; OpenAI names it first and then streams its arguments."""
    for index, ((name, arguments), id_) in enumerate(zip(said.calls, ids, strict=True)):
        yield {"tool_calls": [{"index": index, **_call(name, arguments if whole else "", id_)}]}
        for piece in () if whole else _cut(arguments, ARGUMENT_PIECES):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def _call(name: str, arguments: str, id_: str) -> dict[str, Any]:
    return {"id": id_, "type": "function", "function": {"name": name, "arguments": arguments}}


def _chunk(request: Request, choices: list[dict[str, Any]]) -> dict[str, Any]:
    named = {"id": "chatcmpl-loopback", "created": CREATED, "model": request.model}
    return {**named, "object": "chat.completion.chunk", "choices": choices}


def _event(value: Mapping[str, Any]) -> bytes:
    return b"data: " + encoded(value) + b"\n\n"
