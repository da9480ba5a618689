"""What is sent to a chat endpoint: one request in the words that this endpoint understands.

What an endpoint supports is configured (`Endpoint.features`) or found out: a refusal that names a parameter takes
that parameter away for this model from then on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.domain import Say
from core.endpoints import Endpoint
from core.llm.failures import Failure
from core.ports import Message, Tool
from core.settings import Role

_THINKING_HOSTS: Mapping[str, str] = {"bigmodel.cn": "zhipu", "z.ai": "zhipu", "dashscope.aliyuncs.com": "qwen"}
"""How the thinking of well-known services is switched; of others it is configured."""


@dataclass
class Dialect:
    """How one model at one endpoint is spoken to. `learned` is shared by all runs that use the endpoint."""

    endpoint: Endpoint
    model: str
    role: Role
    learned: dict[tuple[str, str], str]

    def speaks(self, feature: str) -> str:
        """What holds of a feature: as configured, else as found out, else `auto`."""
        configured = self.endpoint.feature(feature)
        return configured if configured != "auto" else self.learned.get((self.model, feature), "auto")

    def body(
        self, messages: Sequence[Message], tools: Sequence[Tool], most: int | None, thinking: bool | None
    ) -> dict[str, Any]:
        """The request without `stream`."""
        body: dict[str, Any] = {"model": self.model, "messages": self.messages(messages)}
        if tools:
            body["tools"] = [_tool(tool) for tool in tools]
        if self.endpoint.family == "openai" and self.speaks("usage") != "no":
            body["stream_options"] = {"include_usage": True}
        if most is not None:
            body["max_completion_tokens" if self.speaks("limit") == "completion" else "max_tokens"] = most
        return body | self._temperature() | self.thinking(thinking)

    def _temperature(self) -> dict[str, Any]:
        """The temperature as it is really sent: zhipuai takes only what lies between 0 and 1."""
        value = self.role.temperature
        if value is None or self.speaks("temperature") == "no":
            return {}
        if self.endpoint.family != "zhipu":
            return {"temperature": value}
        if value <= 0:
            return {"temperature": 0.01, "do_sample": False}
        return {"temperature": min(value, 0.99)}

    def thinking(self, wanted: bool | None) -> dict[str, Any]:
        """The switch of thinking in this endpoint's form; GLM's is on unless switched off."""
        style = self.thinking_style
        if style == "zhipu":
            on = wanted is not False
            return {"thinking": {"type": "enabled" if on else "disabled"}}
        if wanted is None or style is None:
            return {}
        if style == "qwen":
            return {"enable_thinking": wanted, "chat_template_kwargs": {"enable_thinking": wanted}}
        return {"reasoning_effort": "medium" if wanted else "none"}

    @property
    def unsent(self) -> list[Say]:
        """What is set for the role and cannot be sent, since nobody knows how this endpoint is told of it."""
        if self.role.thinking is None or self.thinking_style is not None:
            return []
        return [Say.of("model.thinking_unsent", endpoint=self.endpoint.name, variable=self.endpoint.name.upper())]

    @property
    def thinking_style(self) -> str | None:
        """How thinking is switched here; `None` where that is not known or not possible."""
        style = self.speaks("thinking")
        if style == "auto":
            host = self.endpoint.host.split(":")[0]
            known = next((s for name, s in _THINKING_HOSTS.items() if host == name or host.endswith(f".{name}")), None)
            style = "zhipu" if self.endpoint.family == "zhipu" else known or "no"
        return None if style == "no" else style

    def messages(self, messages: Sequence[Message]) -> list[dict[str, Any]]:
        """The conversation in wire form; where the role `system` is not known, it opens the first user message."""
        if self.speaks("system") == "no":
            messages = _without_system(messages)
        return [self._message(message) for message in messages]

    def _message(self, message: Message) -> dict[str, Any]:
        wire: dict[str, Any] = {"role": message.role, "content": message.text}
        if message.role == "tool":
            wire["tool_call_id"] = message.answers
        if message.calls:
            wire["content"] = message.text or None  # GLM refuses "" beside tool calls
            wire["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {
                        "name": call.tool,
                        "arguments": call.unread or json.dumps(dict(call.arguments), ensure_ascii=False),
                    },
                }
                for call in message.calls
            ]
        if message.reasoning and message.calls and self.speaks("echo") != "no":
            wire["reasoning_content"] = message.reasoning
        return wire

    def tools_are_refused(self) -> None:
        """Note that the endpoint calls no tools with this model."""
        self.learned[self.model, "tools"] = "no"

    def learn(self, failed: Failure, body: Mapping[str, Any]) -> Say | None:
        """Note what a refusal says about this endpoint, so that the request can be sent again without it.

        Returns what to tell of it; `None` where the refusal is about nothing that can be left out.
        """
        for feature, value, sent, named in _LESSONS:
            if self.speaks(feature) == value or self.endpoint.feature(feature) != "auto":
                continue
            if any(_holds(body, name) for name in sent) and failed.mentions(*named):
                self.learned[self.model, feature] = value
                return Say.of(f"model.learned.{feature}", endpoint=self.endpoint.name, model=self.model)
        return None


_LESSONS: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("usage", "no", ("stream_options",), ("stream_options", "include_usage")),
    ("limit", "completion", ("max_tokens",), ("max_completion_tokens",)),
    ("temperature", "no", ("temperature",), ("temperature",)),
    ("echo", "no", ("reasoning_content",), ("reasoning_content",)),
    (
        "thinking",
        "no",
        ("thinking", "enable_thinking", "reasoning_effort"),
        ("thinking", "reasoning_effort", "chat_template_kwargs"),
    ),
    (
        "system",
        "no",
        ("system",),
        ("system role", "role system", "'system'", '"system"', "role: system", "system message"),
    ),
)
"""A feature, what a refusal teaches of it, the part of the request it is about, and the words that name it."""


def _holds(body: Mapping[str, Any], part: str) -> bool:
    """Whether a request holds a parameter, a message of a role, or a field of a message, of this name."""
    return part in body or any(part in message or message["role"] == part for message in body["messages"])


def _tool(tool: Tool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.about, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": function}


def _without_system(messages: Sequence[Message]) -> list[Message]:
    told = "\n\n".join(message.text for message in messages if message.role == "system")
    rest = [message for message in messages if message.role != "system"]
    if told and rest and rest[0].role == "user":
        return [Message("user", f"{told}\n\n{rest[0].text}"), *rest[1:]]
    return [Message("user", told), *rest] if told else rest


def as_sent(body: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that a request really carried, for the record."""
    thinking = body.get("thinking", {}).get("type") if isinstance(body.get("thinking"), Mapping) else None
    switched = body.get("enable_thinking", None if thinking is None else thinking == "enabled")
    found = {
        "model": body["model"],
        "temperature": body.get("temperature"),
        "thinking": body.get("reasoning_effort", switched),
        "max_tokens": body.get("max_tokens", body.get("max_completion_tokens")),
    }
    return {name: value for name, value in found.items() if value is not None}


_HAN = re.compile("[\u3400-\u9fff]")


def rough(text: str) -> int:
    """About how many tokens a text is for any model: a Han character one, four other characters one."""
    han = len(_HAN.findall(text))
    return han + (len(text) - han + 3) // 4
