"""What real endpoints refuse. A rule looks at a request and gives the error it earns, or None."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from .replies import Answer, Failed, Request, error

Rule: TypeAlias = Callable[[Request], Failed | None]


def strict(answer: Answer, rules: Iterable[Rule]) -> Answer:
    """The answer, given only to a request that breaks none of the rules; otherwise the first rule's error."""
    kept = tuple(rules)
    return lambda request: refusal(request, kept) or answer


def refusal(request: Request, rules: Iterable[Rule]) -> Failed | None:
    """The error of the first rule that the request breaks."""
    return next((failed for rule in rules if (failed := rule(request)) is not None), None)


def reasoning_returned(request: Request) -> Failed | None:
    """Calls that were sent with reasoning come back with it."""
    for message in request.messages:
        if request.reasoned.intersection(_call_ids(message)) and not message.get("reasoning_content"):
            return error(request, 400, "reasoning_content is missing in an assistant message that had it")
    return None


def no_tools(request: Request) -> Failed | None:
    """An endpoint that cannot call tools."""
    return error(request, 400, "tools is not supported by this model") if "tools" in request.body else None


def only_auto_choice(request: Request) -> Failed | None:
    """`tool_choice` is `auto`, and comes only beside tools."""
    if "tool_choice" not in request.body:
        return None
    if not request.tools:
        return error(request, 400, "tool_choice is only allowed when tools are specified")
    if request.body["tool_choice"] != "auto":
        return error(request, 400, "tool_choice only supports auto")
    return None


def no_empty_content(request: Request) -> Failed | None:
    """Zhipu takes no empty text beside tool calls, and says so in its own form on any route."""
    if any(message.get("content") == "" and message.get("tool_calls") for message in request.messages):
        return Failed(400, {"error": {"code": "1214", "message": "messages 参数非法"}})
    return None


def calls_answered(request: Request) -> Failed | None:
    """Each call is answered by one tool message, in order, before anyone else speaks."""
    waiting: list[str] = []
    for message in request.messages:
        if message.get("role") == "tool":
            answered = message.get("tool_call_id")
            if not waiting or waiting.pop(0) != answered:
                return error(request, 400, f"tool message {answered} does not follow its tool call")
        elif waiting:
            break
        else:
            waiting = _call_ids(message)
    if waiting:
        return error(request, 400, f"tool_call_ids did not have response messages: {', '.join(waiting)}")
    return None


def no_stream_options(request: Request) -> Failed | None:
    """An endpoint that does not know `stream_options`."""
    if "stream_options" in request.body:
        return error(request, 400, "Unrecognized request argument supplied: stream_options")
    return None


def no_system(request: Request) -> Failed | None:
    """A model without the system role."""
    if any(message.get("role") == "system" for message in request.messages):
        return error(request, 400, "System role not supported")
    return None


def no_temperature(request: Request) -> Failed | None:
    """A model whose temperature is fixed."""
    if "temperature" not in request.body:
        return None
    value = request.body["temperature"]
    return error(request, 400, f"Unsupported value: 'temperature' does not support {value} with this model")


def no_thinking(request: Request) -> Failed | None:
    """An endpoint that does not know the switch for thinking."""
    return error(request, 400, "unknown field thinking") if "thinking" in request.body else None


def key_is(expected: str) -> Rule:
    """Only this key is let in; a wrong one is echoed in full, as some proxies do, so that it must be masked."""

    def checked(request: Request) -> Failed | None:
        if request.key == expected:
            return None
        return error(request, 401, f"Incorrect API key provided: {request.key}", "invalid_api_key")

    return checked


def _call_ids(message: dict[str, Any]) -> list[str]:
    return [str(call.get("id")) for call in message.get("tool_calls") or ()]
