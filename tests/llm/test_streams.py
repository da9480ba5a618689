"""Recorded streams, through both SDKs: what was said, thought and called, however it was cut."""

from __future__ import annotations

import pytest

from core.domain import Token
from core.llm.chat import ProviderChat
from tests import loopback as lo
from tests.llm.talking import SEARCH, Heard, hear

CUTS = [None, 5]


def replay(server: lo.Loopback, chat: ProviderChat, name: str, cut: int | None = None) -> Heard:
    server.then(lo.Raw(lo.case_path(name), cut=cut))
    return hear(chat, tools=[SEARCH])


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("usage_only_last_chunk", "七日内[1]"),
        ("azure_first_chunk_no_choices_null_delta", "可以退货"),
        ("keepalive_comments", "好"),
        ("think_tag_split", "答：七日[1]。"),
    ],
)
def test_a_stream_gives_just_its_text(server, chat, name, text, cut):
    heard = replay(server, chat, name, cut)
    assert (heard.text, heard.reply.text, heard.reply.calls, heard.reply.full) == (text, text, (), True)


def test_the_usage_of_a_last_chunk_without_choices_is_counted(server, chat):
    usage = replay(server, chat, "usage_only_last_chunk").reply.usage
    assert (usage.prompt, usage.completion, usage.calls, usage.model) == (11, 7, 1, chat.id)
    assert (usage.reasoning, usage.cached) == (None, None)


def test_no_token_is_blank_or_none(server, chat):
    tokens = replay(server, chat, "azure_first_chunk_no_choices_null_delta").tokens
    assert tokens == [Token("可以退货")]


def test_thoughts_in_tags_are_kept_apart_and_not_sent_back(server, chat):
    heard = replay(server, chat, "think_tag_split")
    assert (heard.thoughts, heard.reply.reasoning) == ("先想一想", "")


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("tool_index_missing", [("search", {"query": "退货"}, "")]),
        ("tool_two_calls_all_index0", [("search", {"query": "退货"}, ""), ("open", {"section_id": "s61"}, "")]),
        ("tool_new_id_every_chunk", [("search", {"query": "运费"}, "")]),
        ("tool_args_empty_and_truncated", [("summarize", {}, ""), ("search", {}, '{"query":"保修期')]),
        ("tool_finish_stop_with_calls", [("search", {"query": "退货"}, "")]),
        ("tool_call_as_text_glm_xml", [("search", {"query": "退货运费险"}, "")]),
    ],
)
def test_a_stream_gives_just_its_calls(server, chat, name, calls, cut):
    heard = replay(server, chat, name, cut)
    ids = [call.id for call in heard.reply.calls]
    assert heard.calls == calls and all(ids) and len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    ("name", "ids"),
    [("tool_new_id_every_chunk", ["call_1"]), ("tool_two_calls_all_index0", ["call_a", "call_b"])],
)
def test_a_call_keeps_the_first_id_that_it_had(server, chat, name, ids):
    assert [call.id for call in replay(server, chat, name).reply.calls] == ids


def test_markup_of_a_call_is_never_shown(server, chat):
    heard = replay(server, chat, "tool_call_as_text_glm_xml")
    assert heard.text == heard.reply.text == "我先查一下。"


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("content_filter_midway", "根据第六", "model.filtered_midway"),
        ("sensitive_finish_zhipu", "部分内容", "model.filtered_midway"),
        ("cut_without_finish", "答案写到一", "model.cut"),
        ("error_object_mid_stream", "开始", "model.midstream"),
    ],
)
def test_what_was_said_before_a_stream_broke_is_an_error_not_an_answer(server, chat, name, text, code):
    heard = replay(server, chat, name)
    assert (heard.text, heard.failure, heard.reply) == (text, code, None)
    assert len(server.chats) == 1  # what was said already is never said again


def test_an_error_in_mid_stream_is_told_in_the_servers_words(server, chat):
    assert replay(server, chat, "error_object_mid_stream").error.say.values["reason"] == "rate limited"


def test_the_next_turn_is_unharmed_by_a_filtered_one(server, chat):
    replay(server, chat, "content_filter_midway")
    assert hear(chat).text == "根据资料作答[1]。"


def test_thinking_that_used_up_its_tokens_is_asked_again_without(server, open_chat):
    chat = open_chat(features={"thinking": "zhipu"})
    server.then(lo.Raw(lo.case_path("reasoning_only_length")), lo.Said("七日[1]。", usage={"prompt_tokens": 5}))
    heard = hear(chat)
    assert (heard.text, heard.thoughts) == ("七日[1]。", "用户问退货……需要查第六十一条")
    assert [request.body["thinking"]["type"] for request in server.chats] == ["enabled", "disabled"]
    assert [notice.code for notice in heard.reply.notices] == ["model.rethought"]
    assert (heard.reply.usage.prompt, heard.reply.usage.completion, heard.reply.usage.calls) == (16, 7, 2)


def test_thinking_that_uses_up_its_tokens_twice_is_an_error_with_its_cost(server, open_chat):
    server.always(lo.Raw(lo.case_path("reasoning_only_length")))
    heard = hear(open_chat(features={"thinking": "zhipu"}))
    assert (heard.failure, heard.text, len(server.chats)) == ("model.only_reasoning", "", 2)
    assert (heard.error.usage.prompt, heard.error.usage.completion) == (22, 14)


def test_thinking_that_cannot_be_switched_is_not_asked_again(server, open_chat):
    server.always(lo.Raw(lo.case_path("reasoning_only_length")))
    heard = hear(open_chat(features={"thinking": "no"}))
    assert (heard.failure, len(server.chats)) == ("model.only_reasoning", 1)


def test_a_second_try_that_fails_still_tells_what_the_first_cost(server, open_chat):
    server.then(lo.Raw(lo.case_path("reasoning_only_length")), lo.Failed(401, ""))
    error = hear(open_chat(features={"thinking": "zhipu"})).error
    assert (error.say.code, error.usage.prompt, error.usage.calls) == ("model.key_refused", 11, 2)
