"""A stop is heard within a second wherever a turn waits, the server is let go, and no thread stays behind."""

from __future__ import annotations

import threading
import time

import pytest

from core.errors import StoppedError
from core.llm import wire
from core.ports import Message
from tests import loopback as lo
from tests.llm.talking import ASKED, SEARCH, after, chat_at, endpoint_of, hear, readers, streamed

WAITS = [
    pytest.param(lo.Silent(), id="silent from the start"),
    pytest.param(lo.Silent(lo.Said("", "想一想")), id="silent after thoughts"),
    pytest.param(lo.Silent(lo.Said("写到")), id="silent after text"),
    pytest.param(lo.Said("很长的答案" * 50, delay=0.05), id="slow"),
    pytest.param(lo.Silent(headers=False), id="silent before the headers"),
]


def nobody_reads() -> bool:
    return not readers()


@pytest.mark.parametrize("answer", WAITS)
def test_a_stop_ends_a_stream_soon_and_the_server_learns_of_it(server, open_chat, answer):
    server.always(answer)
    with pytest.raises(StoppedError):
        hear(open_chat(stopped=lambda: bool(server.chats) and time.monotonic() - server.chats[0].at > 0.2, idle=30))
    assert time.monotonic() - server.chats[0].at < lo.SOON
    assert lo.eventually(lambda: server.abandoned == 1)
    assert lo.eventually(nobody_reads)


def test_a_stop_on_a_connection_that_is_used_again_is_heard_too(server, open_chat):
    server.then(lo.Said("好"), lo.Silent(headers=False))
    chat = open_chat(stopped=lambda: len(server.chats) == 2, idle=30)
    assert hear(chat).text == "好"
    with pytest.raises(StoppedError):
        hear(chat)
    assert lo.eventually(lambda: server.abandoned == 1)
    assert lo.eventually(nobody_reads)


def test_a_stop_before_anything_was_sent_sends_nothing_that_stays(server, open_chat):
    server.always(lo.Silent(headers=False))
    with pytest.raises(StoppedError):
        hear(open_chat(stopped=lambda: True, idle=30))
    assert lo.eventually(nobody_reads)
    assert lo.eventually(lambda: server.abandoned == len(server.chats))


@pytest.mark.parametrize("answer", [WAITS[1], WAITS[3]])
def test_a_reader_who_leaves_early_lets_the_server_go(server, open_chat, answer):
    server.always(answer)
    turn = open_chat(idle=30).stream(ASKED)
    assert next(turn).text
    turn.close()
    assert lo.eventually(lambda: server.abandoned == 1)
    assert lo.eventually(nobody_reads)


def test_a_stop_ends_the_wait_before_a_retry(server, open_chat, monkeypatch):
    monkeypatch.setattr(wire, "FIRST_WAIT", 8.0)
    monkeypatch.setattr(wire, "LONGEST_WAIT", 8.0)
    server.always(lo.Failed(503, ""))
    begun = time.monotonic()
    with pytest.raises(StoppedError):
        hear(open_chat(stopped=after(0.3)))
    assert time.monotonic() - begun < lo.SOON and len(server.chats) == 1


def test_a_stop_ends_the_wait_that_a_server_asked_for(server, open_chat):
    server.always(lo.Failed(429, "", {"Retry-After": "15"}))
    begun = time.monotonic()
    with pytest.raises(StoppedError):
        hear(open_chat(stopped=after(0.3)))
    assert time.monotonic() - begun < lo.SOON


def test_who_is_stopped_already_sends_nothing_more(server, open_chat):
    server.always(lo.Failed(503, ""))
    with pytest.raises(StoppedError):
        hear(open_chat(stopped=lambda: len(server.chats) >= 1))
    time.sleep(0.3)
    assert len(server.chats) == 1


def test_silence_before_the_headers_is_cut_off_too(server, open_chat):
    server.always(lo.Silent(headers=False))
    chat = open_chat(idle=0.2)
    begun = time.monotonic()
    turn = chat._connection.chat({"model": "demo", "messages": []}, patience=0.0)
    with pytest.raises(wire.Failure) as raised:
        next(turn)
    assert raised.value.kind == "silent" and time.monotonic() - begun < lo.SOON
    assert lo.eventually(lambda: server.abandoned == 1)


def test_silence_that_a_comment_breaks_is_silence_all_the_same(server, open_chat):
    server.always(lo.Raw(b": ping\n\n" * 40, delay=0.1))
    chat = open_chat(idle=0.4)
    with pytest.raises(wire.Failure) as raised:
        next(chat._connection.chat({"model": "demo", "messages": []}, patience=0.0))
    assert raised.value.kind == "silent"
    assert lo.eventually(nobody_reads)


def test_a_slow_stream_is_not_silent(server, open_chat):
    server.always(lo.Said("七日内可以", delay=0.25))
    assert hear(open_chat(idle=0.5)).text == "七日内可以"


def test_a_stopped_turn_leaves_the_connection_usable(server, open_chat):
    stop = threading.Event()
    server.then(lo.Silent(lo.Said("写")), lo.Said("好"))
    chat = open_chat(stopped=stop.is_set, idle=30)
    turn = chat.stream(ASKED)
    next(turn)
    stop.set()
    with pytest.raises(StoppedError):
        next(turn)
    stop.clear()
    assert hear(chat).text == "好"


def test_whole_turns_leave_no_thread_and_abandon_no_server(server, chat):
    for _ in range(5):
        hear(chat, tools=[SEARCH])
    assert lo.eventually(nobody_reads) and server.abandoned == 0


def test_streams_that_fail_midway_leave_no_connection_open(server, open_chat):
    chat = open_chat()
    for _ in range(60):  # more than an SDK keeps open at once
        server.then(lo.Raw(lo.case_path("error_object_mid_stream")))
        assert hear(chat).failure == "model.midstream"
    assert hear(chat).text == "根据资料作答[1]。"
    assert lo.eventually(nobody_reads)


def test_the_endpoint_that_hangs_on_a_forced_tool_is_cut_off(server, family):
    server.always(lambda request: lo.Said("好") if "tool_choice" not in request.body else lo.Silent(lo.Said("", "想")))
    server.always(lo.Silent(lo.Said("", "想")), tools=True)
    heard = hear(chat_at(endpoint_of(server, family), idle=0.3), [Message("user", "退货？")], [SEARCH])
    assert (heard.failure, heard.thoughts) == ("model.silent", "想")
    assert all(request.body.get("tool_choice", "auto") == "auto" for request in server.chats)


@pytest.mark.parametrize("ending", [b"data: [DONE]\n\n: bye\n\n", b": bye\n\n"])
def test_a_connection_that_stays_open_after_the_last_word_costs_no_answer(server, open_chat, ending):
    answer = streamed({"content": "七日"}).data.replace(b"data: [DONE]\n\n", ending)
    server.then(lo.Raw(answer, delay=0.3))
    heard = hear(open_chat(idle=0.35))
    assert (heard.text, heard.reply and heard.reply.text) == ("七日", "七日")
