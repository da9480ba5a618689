"""Replies in forms that servers really use: odd calls, thoughts in other places, usage elsewhere or nowhere."""

from __future__ import annotations

import json

import pytest

from core.domain import Call
from core.ports import Message
from tests import loopback as lo
from tests.llm.talking import ASKED, SEARCH, called, hear, piece, streamed, whole

QUERY = '{"query":"退货"}'
FOUND = ("search", {"query": "退货"}, "")


@pytest.mark.parametrize(
    "deltas",
    [
        pytest.param([piece(QUERY, index=0, id="a", name="search")], id="whole"),
        pytest.param(
            [piece(part, index=0, id="a", name="search") for part in ('{"que', 'ry":"退', '货"}')],
            id="name and id in every chunk",
        ),
        pytest.param([piece(part, name="search") for part in ('{"que', 'ry":"退货"}')], id="name only, in every chunk"),
        pytest.param([piece({"query": "退货"}, index=0, id="a", name="search")], id="an object"),
        pytest.param([piece(json.dumps(QUERY), index=0, id="a", name="search")], id="encoded twice"),
        pytest.param([piece(None, index=0, id="a", name="search"), piece(QUERY, index=0)], id="null first"),
        pytest.param(
            [{"content": f'<tool_call>{{"name":"search","arguments":{QUERY}}}</tool_call>'}], id="JSON in text"
        ),
        pytest.param(
            [{"content": "<tool_call>search<arg_key>query</arg_key><arg_value>退货</arg_value></tool_call>"}],
            id="XML in text",
        ),
    ],
)
def test_one_call_in_any_form_is_one_call(server, chat, deltas):
    server.then(streamed(*deltas, finish="tool_calls"))
    heard = hear(chat, tools=[SEARCH])
    assert (heard.calls, heard.text) == ([FOUND], "")


def test_two_whole_calls_without_index_or_id_are_two(server, chat):
    server.then(streamed(piece(QUERY, name="search"), piece('{"query":"换货"}', name="search")))
    assert hear(chat, tools=[SEARCH]).calls == [FOUND, ("search", {"query": "换货"}, "")]


def test_two_calls_that_share_an_id_get_one_each(server, chat):
    server.then(streamed(piece(QUERY, index=0, id="a", name="search"), piece(QUERY, index=1, id="a", name="search")))
    first, second = hear(chat, tools=[SEARCH]).reply.calls
    assert first.id == "a" and second.id not in ("", "a")


def test_calls_whose_pieces_alternate_keep_their_own(server, chat):
    first, second = [piece("", index=i, id=f"c{i}", name="search") for i in (0, 1)]
    rest = [piece(part, index=i) for part in ('{"query":', '"退货"}') for i in (0, 1)]
    server.then(streamed(first, second, *rest, finish="tool_calls"))
    assert hear(chat, tools=[SEARCH]).calls == [FOUND, FOUND]


@pytest.mark.parametrize("arguments", ['["退货"]', "退货", '{"query":', "null", "7"])
def test_arguments_that_are_no_object_are_unread_and_never_run_as_blank(server, chat, arguments):
    server.then(streamed(piece(arguments, index=0, id="a", name="search")))
    assert hear(chat, tools=[SEARCH]).calls == [("search", {}, arguments)]


@pytest.mark.parametrize(
    "written",
    [
        "<tool_call>search\n<arg_key>query</arg_key>\n<arg_va",
        '<tool_call>{"name":"search","argum',
        "<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>退货运",
        "<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>退货</arg_value>",
        "<tool_call>",
        "<tool_call></tool_call>",
    ],
)
def test_a_call_that_is_cut_off_in_the_text_is_unread_and_never_shown(server, chat, written):
    server.then(streamed({"content": "先查。"}, {"content": written}, finish="length"))
    heard = hear(chat, tools=[SEARCH])
    assert (heard.text, heard.reply.text) == ("先查。", "先查。")
    assert not any(arguments or not unread for _, arguments, unread in heard.calls)


@pytest.mark.parametrize(
    ("deltas", "thoughts", "text"),
    [
        ([{"reasoning_content": "想"}, {"content": "答"}], "想", "答"),
        ([{"reasoning": "想"}, {"content": "答"}], "想", "答"),
        ([{"reasoning": None, "reasoning_content": "想"}, {"content": "答"}], "想", "答"),
        ([{"reasoning": "想", "reasoning_content": ""}, {"content": "答"}], "想", "答"),
        ([{"content": "<think>想"}, {"content": "到一半"}], "想到一半", ""),
        ([{"content": "<think>想</think>\n\n答"}], "想", "答"),
        ([{"content": "<think>一</think>甲<think>二</think>乙"}], "一二", "甲乙"),
        ([{"content": "3 < 5，a<b"}, {"content": "<"}], "", "3 < 5，a<b<"),
        ([{"content": "<thin"}, {"content": "g> 是标签"}], "", "<thing> 是标签"),
    ],
)
def test_thoughts_are_told_from_text(server, chat, deltas, thoughts, text):
    server.then(streamed(*deltas))
    heard = hear(chat)
    assert (heard.thoughts, heard.text, heard.reply.text) == (thoughts, text, text)


def test_thoughts_that_end_without_having_begun_are_no_part_of_the_reply(server, chat):
    server.then(streamed({"content": "先想一想"}, {"content": "</thi"}, {"content": "nk>\n\n七日[1]。"}))
    heard = hear(chat)
    assert (heard.reply.text, heard.reply.reasoning) == ("七日[1]。", "")
    assert [(token.kind, token.text) for token in heard.tokens][-2:] == [("retracted", ""), ("answer", "七日[1]。")]


@pytest.mark.parametrize("told", [{}, {"prompt_tokens": None}, {"prompt_tokens": -1, "completion_tokens": True}])
def test_usage_that_is_not_told_is_unknown_not_nothing(server, chat, told):
    server.then(lo.Said("好", usage=told))
    usage = hear(chat).reply.usage
    assert (usage.prompt, usage.completion, usage.reasoning, usage.cached, usage.calls) == (None,) * 4 + (1,)


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ({"prompt_tokens_details": {"cached_tokens": 4}, "completion_tokens_details": {"reasoning_tokens": 3}}, (3, 4)),
        ({"prompt_cache_hit_tokens": 4, "reasoning_tokens": 3}, (3, 4)),
        ({"prompt_tokens_details": None, "completion_tokens_details": {}, "cached_tokens": 4}, (None, 4)),
    ],
)
def test_usage_is_read_in_every_form(server, chat, told, kept):
    server.then(lo.Said("好", usage={"prompt_tokens": 9, "completion_tokens": 5, **told}))
    usage = hear(chat).reply.usage
    assert (usage.prompt, usage.completion, usage.reasoning, usage.cached) == (9, 5, *kept)


def test_usage_inside_the_choice_is_found(server, chat):
    raw = streamed({"content": "好"}).data.replace(
        b'"finish_reason": "stop"', b'"finish_reason": "stop", "usage": {"prompt_tokens": 9, "completion_tokens": 1}'
    )
    server.then(lo.Raw(raw))
    usage = hear(chat).reply.usage
    assert (usage.prompt, usage.completion) == (9, 1)


def test_an_answer_in_one_piece_is_read_though_a_stream_was_asked_for(server, chat):
    call = {"id": "a", "type": "function", "function": {"name": "search", "arguments": QUERY}}
    message = {"content": "先查", "reasoning_content": "想", "tool_calls": [call]}
    answer = whole(message, usage={"prompt_tokens": 9, "completion_tokens": 2})
    server.then(lo.Failed(200, answer))
    heard = hear(chat, tools=[SEARCH])
    assert (heard.text, heard.thoughts, heard.calls, heard.reply.usage.prompt) == ("先查", "想", [FOUND], 9)


@pytest.mark.parametrize("finish", ["length", "max_tokens", "model_context_window_exceeded"])
def test_a_reply_that_a_limit_cut_is_not_full(server, chat, finish):
    server.then(lo.Said("写到一", finish=finish))
    heard = hear(chat, most=3)
    assert (heard.text, heard.reply.full, server.chats[0].body["max_tokens"]) == ("写到一", False, 3)


def test_calls_go_back_with_their_reasoning_and_without_empty_text(server, chat):
    server.demand(lo.reasoning_returned, lo.no_empty_content, lo.calls_answered, lo.only_auto_choice)
    server.then(lo.Said("", "想一想", calls=(("search", QUERY), ("search", QUERY))), lo.Said("七日[1]。"))
    first = hear(chat, tools=[SEARCH]).reply
    assert first.reasoning == "想一想"
    answers = [Message("tool", "找到", answers=call.id) for call in first.calls]
    turn = Message("assistant", first.text, first.reasoning, first.calls)
    assert hear(chat, [*ASKED, turn, *answers], [SEARCH]).text == "七日[1]。"
    sent = server.chats[1].messages[2]
    assert (sent["content"], sent["reasoning_content"]) == (None, "想一想")


def test_unread_arguments_go_back_as_they_came(server, chat):
    turn = Message("assistant", calls=(Call("search", {}, "a", '{"query":'), called(2)))
    hear(chat, [*ASKED, turn, Message("tool", "?", answers="a"), Message("tool", "!", answers="call_2")], [SEARCH])
    sent = [call["function"]["arguments"] for call in server.chats[0].messages[2]["tool_calls"]]
    assert sent[0] == '{"query":' and json.loads(sent[1]) == {"query": "退货"}
