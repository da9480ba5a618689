"""What endpoints answer when they cannot: told apart in words, tried again where that helps, the key never shown."""

from __future__ import annotations

import logging
import time
import traceback
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from core.endpoints import Endpoint, Secret
from core.errors import ModelError, TooLongError, ToolsError
from core.llm import wire
from core.llm.failures import retry_after
from core.words import Words
from tests import loopback as lo
from tests.llm.talking import IDLE, KEY, SEARCH, chat_at, endpoint_of, hear, streamed, whole

OK = lo.Said("好")
PAGE = "<!DOCTYPE html><html><head><title>502 Bad\n Gateway</title></head></html>"
RATE, BALANCE, FILTERED, TOO_LONG = lo.read_failures(lo.CASES / "http_errors.json")


def told(status: int, message: str = "x", code: str | None = None, **headers: str) -> lo.Failed:
    return lo.Failed(status, {"error": {"message": message, "code": code}}, headers)


HOPELESS = [
    pytest.param(BALANCE, "model.balance", id="1113"),
    pytest.param(FILTERED, "model.filtered", id="1301"),
    pytest.param(TOO_LONG, "model.too_long", id="1261"),
    pytest.param(told(429, "day", "1304"), "model.rate_day", id="1304"),
    pytest.param(told(400, "no such model", "1211"), "model.model_unknown", id="1211"),
    pytest.param(told(401, "令牌已过期或验证不正确", "401"), "model.key_refused", id="401"),
    pytest.param(told(403, "country not supported"), "model.forbidden", id="403"),
    pytest.param(told(402, "Insufficient Balance"), "model.balance", id="402"),
    pytest.param(told(429, "You exceeded your quota", "insufficient_quota"), "model.balance", id="quota"),
    pytest.param(told(429, "账户余额不足"), "model.balance", id="balance in words"),
    pytest.param(told(404, "The model `demo` does not exist"), "model.model_unknown", id="404 model"),
    pytest.param(lo.Failed(404, {"detail": "Not Found"}), "model.url", id="404 path"),
    pytest.param(lo.Failed(405, ""), "model.url", id="405 empty"),
    pytest.param(lo.Failed(301, "", {"Location": "/elsewhere"}), "model.url", id="301"),
    pytest.param(told(403, "Sorry, your account balance is insufficient"), "model.balance", id="403 balance"),
    pytest.param(told(400, "model names are case-sensitive"), "model.refused", id="another sensitive"),
    pytest.param(told(400, "maximum context length is 8192 tokens"), "model.too_long", id="length in words"),
    pytest.param(told(400, "x", "context_length_exceeded"), "model.too_long", id="length in code"),
    pytest.param(told(413, "Payload"), "model.too_long", id="413"),
    pytest.param(told(400, "输入超长"), "model.too_long", id="length in Chinese"),
    pytest.param(told(400, "x", "data_inspection_failed"), "model.filtered", id="filter in code"),
    pytest.param(told(400, "messages 参数非法", "1214"), "model.refused", id="1214"),
    pytest.param(lo.Failed(400, '[{"error":{"code":400,"message":"bad field"}}]'), "model.refused", id="an array"),
    pytest.param(lo.Failed(422, "bad\nfield", content_type="text/plain"), "model.refused", id="plain text"),
    pytest.param(lo.Failed(400, ""), "model.refused", id="nothing"),
    pytest.param(lo.Failed(200, PAGE, content_type="text/html"), "model.html", id="page with 200"),
    pytest.param(lo.Failed(502, PAGE, content_type="text/html"), "model.html", id="page with 502"),
    pytest.param(lo.Failed(403, PAGE), "model.html", id="page called JSON"),
    pytest.param(lo.Failed(200, '{"error":{"message":"bad"}}'), "model.refused", id="error with 200"),
    pytest.param(lo.Failed(200, "[1]"), "model.malformed", id="array with 200"),
    pytest.param(lo.Failed(200, '{"code":500,"msg":"404 NOT_FOUND"}'), "model.refused", id="no choices with 200"),
    pytest.param(lo.Failed(200, "{"), "model.malformed", id="half JSON with 200"),
    pytest.param(lo.Raw(b"data: {oops\n\n"), "model.malformed", id="stream of nonsense"),
    pytest.param(lo.Raw(b"data: 7\n\ndata: [DONE]\n\n"), "model.malformed", id="stream of numbers"),
    pytest.param(lo.Raw(b""), "model.empty", id="empty stream"),
    pytest.param(lo.Raw(b"hello", content_type="text/plain"), "model.empty", id="text for a stream"),
]
PASSING = [
    pytest.param(RATE, "model.rate", id="1302"),
    pytest.param(told(429, "slow down"), "model.rate", id="429"),
    pytest.param(told(429, "Rate limit: too many tokens per minute"), "model.rate", id="tokens a minute"),
    pytest.param(told(500), "model.busy", id="500"),
    pytest.param(told(503, "overloaded"), "model.busy", id="503"),
    pytest.param(lo.Failed(502, ""), "model.busy", id="502 empty"),
    pytest.param(told(529, "overloaded_error"), "model.busy", id="529"),
    pytest.param(told(408), "model.busy", id="408"),
    pytest.param(lo.Silent(headers=False, seconds=0), "model.unreachable", id="closed before an answer"),
    pytest.param(lo.Dropped(chunks=0), "model.unreachable", id="closed before a chunk"),
]


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers that ask for two seconds get a hundredth of them."""
    pause = wire.pause
    monkeypatch.setattr(wire, "pause", lambda seconds, stopped: pause(min(seconds, 0.02), stopped))


@pytest.mark.parametrize(("failed", "code"), HOPELESS)
def test_what_comes_again_is_asked_once_and_told(server, chat, failed, code):
    server.then(failed, OK)
    heard = hear(chat)
    assert (heard.failure, heard.tokens, len(server.chats)) == (code, [], 1)


@pytest.mark.parametrize(("failed", "code"), PASSING)
def test_what_may_pass_is_tried_again(server, chat, failed, code):
    server.then(failed, failed, OK)
    assert (hear(chat).text, len(server.chats)) == ("好", 3)


@pytest.mark.parametrize(("failed", "code"), PASSING)
def test_what_does_not_pass_is_told_after_all_attempts(server, chat, failed, code):
    server.always(failed)
    attempts = wire.REFUSALS if code == "model.unreachable" else wire.ATTEMPTS
    assert (hear(chat).failure, len(server.chats)) == (code, attempts)


@pytest.mark.parametrize(("failed", "code"), [*HOPELESS, *PASSING])
def test_every_failure_has_its_sentence_in_both_languages(server, failed, code):
    server.always(failed)
    error = hear(chat_at(endpoint_of(server, "openai"))).error
    for sentence in (Words("zh").say(error.say), Words("en").say(error.say)):
        assert sentence != code and "{" not in sentence.replace("{oops", "") and "None" not in sentence


def test_an_error_in_the_first_event_of_a_stream_is_tried_again_where_it_may_pass(server, chat):
    server.then(lo.Raw(b'data: {"error":{"code":"1302","message":"rate"}}\n\n'), OK)
    assert (hear(chat).text, len(server.chats)) == ("好", 2)


def test_a_prompt_that_is_too_long_can_be_told_from_other_errors(server, chat):
    server.then(TOO_LONG)
    assert isinstance(hear(chat).error, TooLongError)


@pytest.mark.parametrize("headers", [{"Retry-After": "3600"}, {"retry-after-ms": "3600000"}])
def test_a_server_that_asks_for_more_than_our_patience_is_not_waited_for(server, chat, headers):
    server.then(told(429, "slow", None, **headers), OK)
    begun = time.monotonic()
    assert (hear(chat).failure, len(server.chats)) == ("model.rate", 1)
    assert time.monotonic() - begun < lo.SOON


def test_a_server_is_waited_for_as_long_as_it_asks(server, chat, monkeypatch):
    waits = []
    monkeypatch.setattr(wire, "pause", lambda seconds, stopped: waits.append(seconds))
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=9), usegmt=True)
    asked = [{"Retry-After": "2"}, {"Retry-After": "1.5"}, {"retry-after-ms": "250"}, {"Retry-After": date}]
    server.then(*(told(429, **headers) for headers in asked), OK)
    assert hear(chat).text == "好"
    assert waits[:3] == [2, 1.5, 0.25] and 7 <= waits[3] <= 9


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after-ms": "nan"}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 -0000"}, 0.0),
        ({"retry-after-ms": "oops", "retry-after": "3"}, 3.0),
    ],
)
def test_what_a_server_asks_to_wait_is_read_or_left_aside(headers, seconds):
    assert retry_after(headers) == seconds


def test_nobody_listening_is_told_with_host_and_reason(server, family):
    endpoint = endpoint_of(server, family)
    server.stop()
    heard = hear(chat_at(endpoint))
    assert heard.failure == "model.unreachable"
    assert heard.error.say.values["host"] == endpoint.host and "refused" in heard.error.say.values["reason"]


def test_a_wrong_path_is_told_with_what_the_server_says(server, family):
    endpoint = Endpoint(family, family, f"http://{endpoint_of(server, family).host}/v1/v1", Secret(KEY))
    heard = hear(chat_at(endpoint))
    assert (heard.failure, heard.error.say.values["status"]) == ("model.url", 404)


@pytest.mark.parametrize("typed", ["{}/chat/completions", "{}/", " {}\n", "{}/chat/completions/"])
def test_an_address_in_any_usual_form_is_reached(server, family, typed):
    url = endpoint_of(server, family).url
    assert hear(chat_at(Endpoint(family, family, typed.format(url), Secret(KEY)))).reply is not None


@pytest.mark.parametrize("chunks", [None, 2])
def test_a_connection_that_breaks_after_text_is_cut_and_not_tried_again(server, chat, chunks):
    server.then(lo.Dropped(lo.Said("写到一半"), chunks), OK)
    heard = hear(chat)
    assert (heard.failure, len(server.chats)) == ("model.cut", 1)
    assert heard.text == "写到一半"[:chunks]


def test_a_connection_that_breaks_after_thoughts_is_told_and_not_tried_again(server, chat):
    server.then(lo.Dropped(lo.Said("", "想一想")), OK)
    heard = hear(chat)
    assert (heard.failure, heard.thoughts, len(server.chats)) == ("model.unreachable", "想一想", 1)


def test_a_failed_turn_tells_what_it_cost_where_the_server_said_so(server, chat):
    server.then(streamed({"content": "答"}, finish="sensitive", usage={"prompt_tokens": 9, "completion_tokens": 1}))
    heard = hear(chat)
    assert (heard.error.usage.prompt, heard.error.usage.completion) == (9, 1)
    assert heard.error.sent["model"] == "demo"


@pytest.mark.parametrize("message", [{"content": None}, {"content": ""}, {}])
def test_an_answer_with_nothing_in_it_is_an_empty_reply(server, chat, message):
    server.then(lo.Failed(200, whole(message)))
    assert (hear(chat).reply.text, hear(chat).failure if server.waiting else "") == ("", "")


def test_a_key_that_the_server_echoes_is_shown_nowhere(server, open_chat, caplog):
    caplog.set_level(logging.DEBUG)
    server.demand(lo.key_is("another"))
    error = hear(open_chat()).error
    assert error.say.code == "model.key_refused" and f"…{KEY[-4:]}" in error.say.values["reason"]
    traced = "".join(traceback.format_exception(error))
    for shown in (str(error), repr(error), repr(error.say), traced, Words("zh").say(error.say)):
        assert KEY not in shown
    assert not [record for record in caplog.records if record.name.startswith("core") and KEY in record.getMessage()]


def test_a_key_in_the_midst_of_a_stream_or_page_is_masked(server, open_chat):
    server.then(lo.Raw(f'data: {{"error":{{"message":"bad key {KEY}"}}}}\n\n'.encode()))
    server.then(lo.Failed(502, f"<title>{KEY}</title>", content_type="text/html"))
    chat = open_chat()
    assert not any(KEY in repr(hear(chat).error.say) for _ in range(2))


def test_a_key_at_the_edge_of_what_is_shown_is_masked_too(server, open_chat):
    server.then(told(400, "x" * 290 + KEY))
    reason = hear(open_chat()).error.say.values["reason"]
    assert KEY[:6] not in reason


def test_the_log_of_an_sdk_holds_no_key(server, open_chat, caplog):
    caplog.set_level(logging.DEBUG)
    hear(open_chat())
    assert caplog.records and KEY not in caplog.text


@pytest.mark.parametrize("words", ["tools is not supported by this model", "does not support function calling"])
def test_tools_that_are_refused_by_name_are_a_tools_error(server, chat, words):
    server.always(told(400, words))
    assert isinstance(hear(chat, tools=[SEARCH]).error, ToolsError)


def test_silence_is_cut_off_after_its_limit_and_told(server, open_chat):
    server.then(lo.Silent(lo.Said("", "想")))
    begun = time.monotonic()
    heard = hear(open_chat(idle=IDLE))
    assert (heard.failure, heard.thoughts) == ("model.silent", "想")
    assert heard.error.say.values["reason"] == "0.5" and time.monotonic() - begun < lo.SOON
    assert lo.eventually(lambda: server.abandoned == 1)


def test_any_model_error_is_one_of_the_tree(server, chat):
    server.then(lo.Failed(418, "teapot"))
    assert isinstance(hear(chat).error, ModelError)
