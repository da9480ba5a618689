"""Strict endpoints: what breaks a rule is refused as real endpoints refuse it."""

from __future__ import annotations

from typing import Any

import openai
import pytest
import zhipuai

from tests import loopback as lo
from tests.loopback.asking import SEARCH, TOOLS, USER, ask, chat

CALL = {"id": "call_9", "type": "function", "function": {"name": "search", "arguments": "{}"}}
CALLED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "call_9", "content": "[]"}
BROKEN = [
    (lo.no_tools, {"tools": TOOLS}, "tools is not supported"),
    (lo.only_auto_choice, {"tool_choice": "auto"}, "only allowed when tools"),
    (lo.only_auto_choice, {"tools": TOOLS, "tool_choice": "required"}, "only supports auto"),
    (lo.no_empty_content, {"messages": [*USER, {**CALLED, "content": ""}, RESULT]}, "messages 参数非法"),
    (lo.no_stream_options, {"stream_options": {"include_usage": True}}, "Unrecognized request argument"),
    (lo.no_system, {"messages": [{"role": "system", "content": "x"}, *USER]}, "System role not supported"),
    (lo.no_temperature, {"temperature": 0.0}, "'temperature' does not support 0.0 with this model"),
    (lo.no_thinking, {"thinking": {"type": "enabled"}}, "unknown field thinking"),
    (lo.key_is("sk-other"), {}, "Incorrect API key provided: sk-right"),
    (lo.calls_answered, {"messages": [*USER, CALLED]}, "did not have response messages: call_9"),
    (lo.calls_answered, {"messages": [*USER, CALLED, *USER, RESULT]}, "did not have response messages"),
    (lo.calls_answered, {"messages": [*USER, RESULT]}, "does not follow its tool call"),
    (lo.calls_answered, {"messages": [*USER, CALLED, RESULT, RESULT]}, "does not follow its tool call"),
]


@pytest.mark.parametrize(("rule", "fields", "message"), BROKEN)
def test_a_strict_endpoint_refuses_what_breaks_a_rule(
    server: lo.Loopback, rule: lo.Rule, fields: dict[str, Any], message: str
) -> None:
    server.always(lo.strict(lo.Said("好"), [rule]))
    status, data = chat(server, **fields)
    assert status == (401 if "key" in message else 400)
    assert message in data


def test_a_strict_endpoint_answers_what_keeps_all_rules(server: lo.Loopback) -> None:
    fitting = {"tools": TOOLS, "tool_choice": "auto", "messages": [*USER, CALLED, RESULT]}
    rules = [lo.reasoning_returned, lo.only_auto_choice, lo.no_empty_content, lo.calls_answered, lo.no_system]
    server.always(lo.strict(lo.Said("好"), [*rules, lo.no_temperature, lo.key_is("sk-right")]))
    assert chat(server, **fitting)[0] == 200


def test_reasoning_sent_with_calls_must_come_back(server: lo.Loopback) -> None:
    server.demand(lo.reasoning_returned)
    server.then(lo.Said("", "想", calls=(SEARCH,), ids=("call_9",)), lo.Said("好"))
    chat(server, tools=TOOLS)
    status, data = chat(server, messages=[*USER, CALLED, RESULT])
    assert (status, "reasoning_content" in data, server.waiting) == (400, True, 1)
    assert chat(server, messages=[*USER, {**CALLED, "reasoning_content": "想"}, RESULT])[0] == 200


def test_both_sdks_see_a_wrong_key(server: lo.Loopback, open_client: openai.OpenAI, zhipu: zhipuai.ZhipuAI) -> None:
    server.demand(lo.key_is("sk-other"))
    with pytest.raises(openai.AuthenticationError, match="sk-right"):
        open_client.models.list()
    with pytest.raises(zhipuai.core.APIAuthenticationError, match=r"id\.secret"):
        ask(zhipu)
