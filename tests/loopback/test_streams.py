"""What both SDKs see of an answer: its order, its pace, its tool calls and its usage."""

from __future__ import annotations

import json
import time
from typing import Any

import openai
import pytest
import zhipuai

from tests import loopback as lo
from tests.loopback.asking import SEARCH, TOOLS, USER, ask, chat, post, said_in


def test_both_sdks_get_reasoning_before_text_as_it_was_sent(server: lo.Loopback, client: Any) -> None:
    server.always(lo.Said("七日内[1]。", "先想想", pieces=2))
    deltas = [chunk.choices[0].delta for chunk in ask(client)]
    thought = [piece for delta in deltas if (piece := getattr(delta, "reasoning_content", None))]
    assert thought == ["先想", "想"]
    assert [delta.content for delta in deltas if delta.content] == ["七日内[", "1]。"]
    assert (deltas[0].role, deltas[0].content) == ("assistant", None)


def test_chunks_arrive_when_they_are_sent_and_not_at_the_end(server: lo.Loopback, client: Any) -> None:
    server.always(lo.Said("一二三四五", first_delay=0.2, delay=0.1))
    begun = time.monotonic()
    at = [time.monotonic() - begun for chunk in ask(client) if chunk.choices[0].delta.content]
    assert len(at) == 5
    assert at[0] >= 0.19
    assert at[-1] >= 0.59
    assert at[-1] - at[0] > 0.25


def test_calls_come_in_pieces_to_openai_and_whole_to_zhipu(
    server: lo.Loopback, open_client: openai.OpenAI, zhipu: zhipuai.ZhipuAI
) -> None:
    server.always(lo.Said("先查", calls=(SEARCH, ("open", "{}"))))
    for client, pieces in ((open_client, 7), (zhipu, 2)):
        chunks = [chunk for chunk in ask(client, tools=TOOLS) if chunk.choices[0].delta.tool_calls]
        parts = [chunk.choices[0].delta.tool_calls[0] for chunk in chunks]
        arguments = {index: "".join(p.function.arguments for p in parts if p.index == index) for index in (0, 1)}
        assert len(parts) == pieces
        assert arguments == {0: SEARCH[1], 1: "{}"}
        assert len({part.id for part in parts if part.id}) == 2


def test_usage_is_sent_as_each_protocol_has_it(
    server: lo.Loopback, open_client: openai.OpenAI, zhipu: zhipuai.ZhipuAI
) -> None:
    server.always(lo.Said("七日内[1]。", "先想想"))
    *_, finish, last = ask(open_client, stream_options={"include_usage": True})
    assert (finish.usage, last.choices, last.usage.completion_tokens) == (None, [], 10)
    *_, last = ask(zhipu)
    assert (last.choices[0].finish_reason, last.usage.completion_tokens_details.reasoning_tokens) == ("stop", 3)
    assert said_in(ask(open_client))[2] is None
    assert last.usage.prompt_tokens == lo.prompt_tokens({"messages": USER}) == 7


def test_usage_can_be_given_or_withheld(server: lo.Loopback, zhipu: zhipuai.ZhipuAI) -> None:
    given = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    server.then(lo.Said("七", usage=given), lo.Said("七", usage={}))
    assert said_in(ask(zhipu))[2].total_tokens == 18
    assert said_in(ask(zhipu))[2] is None


def test_without_a_stream_the_answer_is_one_document(server: lo.Loopback, client: Any) -> None:
    server.always(lo.Said("", "想", calls=(SEARCH,)))
    choice = ask(client, stream=False, tools=TOOLS).choices[0]
    assert (choice.finish_reason, choice.message.content) == ("tool_calls", None)
    assert choice.message.tool_calls[0].function.arguments == SEARCH[1]
    assert choice.message.reasoning_content == "想"


@pytest.mark.parametrize("name", lo.case_names())
def test_a_recorded_stream_is_replayed_byte_for_byte(server: lo.Loopback, name: str) -> None:
    path = lo.case_path(name)
    server.then(lo.Raw(path), lo.Raw(path, cut=7), lo.Raw(path, delay=0.01))
    for _ in range(3):
        status, headers, data = post(server, "/v1/chat/completions", {"model": "demo", "stream": True})
        assert (status, headers["Content-Type"], headers["Connection"]) == (200, "text/event-stream", "close")
        assert data == path.read_bytes()


def test_both_sdks_read_a_recorded_stream(server: lo.Loopback, client: Any) -> None:
    server.always(lo.Raw(lo.case_path("sse_usage_only_last_chunk.sse")))
    text, finish, usage = said_in(ask(client))
    assert (text, finish, usage.total_tokens) == ("七日内[1]", "stop", 18)


def test_queued_answers_go_by_model_and_by_tools(server: lo.Loopback) -> None:
    server.then(lo.Said("一"), lo.Said("二"))
    server.then(lo.Said("规划"), model="planner-x", tools=True)
    server.always(lo.Said("完"))
    server.always(lambda request: lo.Said(request.messages[0]["content"][:2]), model="echo")
    asked = [{"model": "planner-x", "tools": TOOLS}, {"model": "planner-x"}, {}, {}, {"model": "echo"}]
    said = [json.loads(chat(server, **fields)[1])["choices"][0]["message"]["content"] for fields in asked]
    assert said == ["规划", "一", "二", "完", "退货"]
    assert server.waiting == 0


def test_a_script_is_played_to_requests_with_tools(server: lo.Loopback) -> None:
    turns = lo.read_script(lo.CASES / "agent_script_repeat_and_bad_calls.json")
    server.then(*turns, tools=True)
    assert (len(turns), turns[3].calls) == (8, (("SearchTool", '{"q":"退货"}'),))
    assert "tool_calls" not in chat(server)[1]
    messages = [json.loads(chat(server, tools=TOOLS)[1])["choices"][0]["message"] for _ in turns]
    assert [bool(message.get("tool_calls")) for message in messages] == [True] * 7 + [False]
