"""What is sent to an endpoint, and what is found out about it from what it refuses."""

from __future__ import annotations

import pytest

from core.errors import ToolsError
from core.llm.chat import ProviderChat
from core.llm.wire import Connection
from core.ports import Message
from core.settings import Role
from tests import loopback as lo
from tests.llm.talking import ASKED, IDLE, SEARCH, called, chat_at, endpoint_of, hear

BEFORE = Message("assistant", reasoning="想", calls=(called(),))
TURNS = (*ASKED, BEFORE, Message("tool", "找到", answers="call_1"))
SWITCHES = {
    "zhipu": {"thinking": {"type": "enabled"}},
    "qwen": {"enable_thinking": True, "chat_template_kwargs": {"enable_thinking": True}},
    "effort": {"reasoning_effort": "medium"},
}


def limit_is_completion(request: lo.Request) -> lo.Failed | None:
    words = "Unsupported parameter: 'max_tokens' is not supported, use 'max_completion_tokens' instead."
    return lo.error(request, 400, words) if "max_tokens" in request.body else None


def no_reasoning(request: lo.Request) -> lo.Failed | None:
    holds = any("reasoning_content" in message for message in request.messages)
    return lo.error(request, 400, "unknown field: reasoning_content") if holds else None


def no_effort(request: lo.Request) -> lo.Failed | None:
    return lo.error(request, 400, "reasoning_effort is unknown") if "reasoning_effort" in request.body else None


def silently_no_tools(request: lo.Request) -> lo.Failed | None:
    return lo.error(request, 400, "参数错误") if request.tools else None


LESSONS = [
    pytest.param(lo.no_system, "system", "auto", id="system"),
    pytest.param(lo.no_temperature, "temperature", None, id="temperature"),
    pytest.param(limit_is_completion, "limit", None, id="limit"),
    pytest.param(no_reasoning, "echo", "auto", id="echo"),
    pytest.param(lo.no_thinking, "thinking", "zhipu", id="thinking"),
]


@pytest.mark.parametrize(("rule", "feature", "configured"), LESSONS)
def test_what_is_refused_is_left_out_told_once_and_remembered(server, family, rule, feature, configured):
    if configured == "zhipu" and family == "openai":
        pytest.skip("its thinking is configured, so nothing is to be found out")
    connection = Connection(endpoint_of(server, family), IDLE)
    server.demand(rule)
    for requests, told in ((2, [f"model.learned.{feature}"]), (3, [])):
        chat = ProviderChat(connection, "demo", Role(temperature=0.5, most=99))
        heard = hear(chat, TURNS, [SEARCH])
        assert (heard.text, len(server.chats)) == ("根据资料作答[1]。", requests)
        assert [notice.code for notice in heard.reply.notices] == told


def test_the_usage_is_no_longer_asked_for_where_that_is_refused(server):
    connection = Connection(endpoint_of(server, "openai"), IDLE)
    server.demand(lo.no_stream_options)
    heard = [hear(ProviderChat(connection, "demo", Role())) for _ in range(2)]
    assert [len(h.reply.notices) for h in heard] == [1, 0] and len(server.chats) == 3
    assert heard[1].reply.usage.prompt is None


def test_what_is_found_out_about_one_model_is_not_believed_of_another(server, family):
    connection = Connection(endpoint_of(server, family), IDLE)
    server.then(lo.strict(lo.Said("一"), [lo.no_temperature]))
    hear(ProviderChat(connection, "demo", Role(temperature=0.5)))
    hear(ProviderChat(connection, "other", Role(temperature=0.5)))
    assert ["temperature" in request.body for request in server.chats] == [True, False, True]


def test_several_refusals_are_learned_one_after_the_other(server, chat):
    server.demand(lo.no_system, lo.no_thinking, lo.no_stream_options)
    heard = hear(chat)
    assert heard.text == "根据资料作答[1]。" and 2 <= len(server.chats) <= 4
    assert len(heard.reply.notices) == len(server.chats) - 1


def test_instructions_open_the_question_where_there_is_no_role_for_them(server, open_chat):
    hear(open_chat(features={"system": "no"}))
    assert server.chats[0].messages == [{"role": "user", "content": f"{ASKED[0].text}\n\n{ASKED[1].text}"}]


@pytest.mark.parametrize(
    ("features", "rule"),
    [
        ({"system": "yes"}, lo.no_system),
        ({"thinking": "zhipu"}, lo.no_thinking),
        ({"thinking": "effort"}, no_effort),
        ({"echo": "yes"}, no_reasoning),
    ],
)
def test_what_is_configured_is_not_second_guessed(server, open_chat, features, rule):
    server.demand(rule)
    heard = hear(open_chat(Role(thinking=True), features=features), TURNS)
    assert (heard.failure, len(server.chats)) == ("model.refused", 1)


def test_a_refusal_of_something_else_teaches_nothing(server, chat):
    server.always(lambda request: lo.error(request, 400, "seed must be positive"))
    assert (hear(chat).failure, len(server.chats)) == ("model.refused", 1)


@pytest.mark.parametrize("rule", [lo.no_tools, silently_no_tools])
def test_an_endpoint_without_tools_is_found_out_and_at_once_known_the_next_time(server, family, rule):
    connection = Connection(endpoint_of(server, family), IDLE)
    server.demand(rule)
    chats = [ProviderChat(connection, "demo", Role()) for _ in range(2)]
    assert isinstance(hear(chats[0], tools=[SEARCH]).error, ToolsError)
    asked = len(server.chats)
    assert isinstance(hear(chats[1], tools=[SEARCH]).error, ToolsError)
    assert len(server.chats) == asked
    assert hear(chats[1]).text == "根据资料作答[1]。"


def test_an_endpoint_configured_to_call_no_tools_is_not_asked(server, open_chat):
    chat = open_chat(features={"tools": "no"})
    assert isinstance(hear(chat, tools=[SEARCH]).error, ToolsError)
    assert server.chats == [] and hear(chat).text


def test_a_request_that_is_refused_with_and_without_tools_says_nothing_of_tools(server, chat):
    server.always(lambda request: lo.error(request, 400, "参数错误"))
    assert hear(chat, tools=[SEARCH]).failure == "model.refused"
    server.always(lo.Said("好"))
    assert hear(chat, tools=[SEARCH]).text == "好"


@pytest.mark.parametrize(
    ("asked", "sent", "sampled"),
    [(0.0, 0.01, False), (0.3, 0.3, None), (1.0, 0.99, None), (2.0, 0.99, None)],
)
def test_the_temperature_is_recorded_as_glm_really_gets_it(server, asked, sent, sampled):
    reply = hear(chat_at(endpoint_of(server, "zhipu"), Role(temperature=asked))).reply
    body = server.chats[0].body
    assert (body["temperature"], body.get("do_sample"), reply.sent["temperature"]) == (sent, sampled, sent)


@pytest.mark.parametrize("asked", [0.0, 1.0, 2.0])
def test_other_endpoints_get_the_temperature_as_it_is(server, asked):
    reply = hear(chat_at(endpoint_of(server, "openai"), Role(temperature=asked))).reply
    assert server.chats[0].body["temperature"] == reply.sent["temperature"] == asked
    assert "do_sample" not in server.chats[0].body


@pytest.mark.parametrize(("wanted", "sent"), [(True, "enabled"), (None, "enabled"), (False, "disabled")])
def test_glm_thinks_unless_it_is_switched_off(server, wanted, sent):
    reply = hear(chat_at(endpoint_of(server, "zhipu"), Role(thinking=wanted))).reply
    assert server.chats[0].body["thinking"] == {"type": sent}
    assert reply.sent["thinking"] is (sent == "enabled")


@pytest.mark.parametrize("style", SWITCHES)
def test_thinking_is_switched_in_the_configured_form(server, style):
    endpoint = endpoint_of(server, "openai", features={"thinking": style})
    hear(chat_at(endpoint, Role(thinking=True)))
    assert {name: server.chats[0].body[name] for name in SWITCHES[style]} == SWITCHES[style]


def test_an_unknown_endpoint_gets_no_switch_of_thinking_and_no_other_extra(server):
    hear(chat_at(endpoint_of(server, "openai"), Role(thinking=True)))
    assert set(server.chats[0].body) == {"model", "messages", "stream", "stream_options"}


def test_glm_gets_nothing_that_was_not_meant(server):
    hear(chat_at(endpoint_of(server, "zhipu", features={"thinking": "no"})))
    assert set(server.chats[0].body) == {"model", "messages", "stream"}


def test_the_usage_is_asked_for_only_where_that_is_the_way(server, open_chat, family):
    hear(open_chat())
    hear(open_chat(features={"usage": "no"}))
    asked = [request.body.get("stream_options") for request in server.chats]
    assert asked == [{"include_usage": True} if family == "openai" else None, None]


def test_no_choice_of_tools_is_sent_but_auto_and_only_beside_tools(server, chat):
    server.demand(lo.only_auto_choice)
    assert hear(chat).reply is not None and hear(chat, tools=[SEARCH]).reply is not None
    assert [request.body.get("tool_choice", "auto") for request in server.chats] == ["auto", "auto"]
    assert "tool_choice" not in server.chats[0].body
    tool = server.chats[1].tools[0]["function"]
    assert (tool["name"], tool["description"], tool["parameters"]["type"]) == ("search", "Search the base", "object")


def test_what_a_user_wrote_arrives_as_it_was_written(server, chat):
    text = "data:image/png;base64,AAAA 是什么？\n\t“引号” \\ 🙂 <think>"
    hear(chat, [Message("user", text)])
    assert server.chats[0].messages == [{"role": "user", "content": text}]


def test_the_smaller_limit_of_a_reply_holds(server, open_chat):
    hear(open_chat(Role(most=50)), most=20)
    hear(open_chat(Role(most=50)), most=80)
    hear(open_chat(Role()))
    assert [request.body.get("max_tokens") for request in server.chats] == [20, 50, None]


def test_the_key_goes_to_its_endpoint_and_a_server_without_keys_gets_none_of_ours(server, open_chat):
    hear(open_chat())
    hear(open_chat(key=""))
    assert [request.key for request in server.chats] == ["sk-right-0123456789", "none"]


def test_a_switch_of_thinking_that_cannot_be_sent_is_told(server):
    server.always(lo.Said("好"))
    heard = hear(chat_at(endpoint_of(server, "openai"), Role(thinking=False)))
    assert [notice.code for notice in heard.reply.notices] == ["model.thinking_unsent"]
    assert "thinking" not in heard.reply.sent
