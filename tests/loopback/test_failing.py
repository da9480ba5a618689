"""What goes wrong on purpose: failures, silence, dropped connections, wrong paths and bodies."""

from __future__ import annotations

import http.client
import json

import openai
import pytest
import zhipuai

from tests import loopback as lo
from tests.loopback.asking import ask, chat, post


def test_failures_keep_status_headers_and_body(server: lo.Loopback, open_client: openai.OpenAI) -> None:
    server.then(*lo.read_failures(lo.CASES / "http_errors.json"))
    with pytest.raises(openai.RateLimitError) as raised:
        ask(open_client)
    assert raised.value.response.headers["retry-after"] == "2"
    assert raised.value.body["code"] == "1302"
    assert [chat(server)[0] for _ in range(3)] == [429, 400, 400]


def test_a_proxy_answers_with_a_page(server: lo.Loopback, zhipu: zhipuai.ZhipuAI) -> None:
    server.always(lo.Failed(502, "<html>Bad gateway</html>", content_type="text/html"))
    with pytest.raises(zhipuai.core.APIStatusError) as raised:
        ask(zhipu)
    assert raised.value.response.text == "<html>Bad gateway</html>"


def test_silence_after_some_chunks_lasts_until_the_client_gives_up(server: lo.Loopback) -> None:
    server.always(lo.Silent(lo.Said("", "想一想")))
    with openai.OpenAI(api_key="k", base_url=server.url, max_retries=0, timeout=0.5) as client:
        stream = ask(client)
        assert [next(stream).choices[0].delta.reasoning_content for _ in range(3)] == ["想", "一", "想"]
        with pytest.raises(Exception, match="timed out"):
            next(stream)
    assert lo.eventually(lambda: server.abandoned == 1)


def test_silence_can_come_before_the_headers_and_end_by_itself(server: lo.Loopback) -> None:
    server.always(lo.Silent(seconds=0.1, headers=False))
    with pytest.raises(http.client.RemoteDisconnected):
        chat(server, stream=True)
    assert server.abandoned == 0


@pytest.mark.parametrize("stream", [True, False])
def test_a_dropped_connection_is_seen_as_incomplete(server: lo.Loopback, stream: bool) -> None:
    server.always(lo.Dropped(lo.Said("写到一半"), chunks=2))
    with pytest.raises(http.client.IncompleteRead) as raised:
        chat(server, stream=stream)
    assert b'finish_reason": "' not in raised.value.partial


@pytest.mark.parametrize(
    "path",
    ["/v1/v1/chat/completions", "/v1/chat/completions/chat/completions", "/chat/completions", "/v1//embeddings", "/"],
)
def test_a_wrong_path_is_not_found(server: lo.Loopback, path: str) -> None:
    status, headers, data = post(server, path, {"model": "demo"})
    assert (status, headers["Content-Type"]) == (404, "application/json")
    assert path in json.loads(data)["error"]["message"]
    assert (len(server.requests), server.chats) == (1, [])


def test_a_body_that_is_no_object_is_refused(server: lo.Loopback) -> None:
    assert [post(server, "/v1/chat/completions", body)[0] for body in (b"", b"{", [1])] == [400] * 3
