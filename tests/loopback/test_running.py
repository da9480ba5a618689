"""Starting, stopping, recording, and serving by hand."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import openai
import pytest

from tests import loopback as lo
from tests.loopback.asking import USER, ask, chat, said_in


def test_models_are_listed(server: lo.Loopback, open_client: openai.OpenAI) -> None:
    server.models = ("demo", "qwen2.5:7b")
    assert [model.id for model in open_client.models.list()] == ["demo", "qwen2.5:7b"]


def test_it_starts_again_on_the_same_port_after_breaking_off_what_was_under_way(server: lo.Loopback) -> None:
    server.then(lo.Silent(lo.Said("开")))
    port = server.port
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(chat, server, stream=True)
        assert lo.eventually(lambda: len(server.chats) == 1)
        begun = time.monotonic()
        server.stop()
        assert isinstance(waiting.exception(lo.SOON), http.client.IncompleteRead)
    assert time.monotonic() - begun < lo.SOON
    with pytest.raises(ConnectionRefusedError):
        chat(server)
    server.start()
    assert (server.port, chat(server)[0], server.abandoned) == (port, 200, 0)


def test_a_client_that_leaves_is_noted_at_once(server: lo.Loopback, open_client: openai.OpenAI) -> None:
    server.always(lo.Said("很长的答案", delay=5.0))
    stream = ask(open_client)
    next(stream)
    begun = time.monotonic()
    stream.close()
    assert lo.eventually(lambda: server.abandoned == 1)
    assert server.left[0].at - begun < lo.SOON
    assert server.left[0].request.model == "demo"


def test_a_stream_read_to_its_end_is_not_abandoned(server: lo.Loopback, client: Any) -> None:
    for _ in range(20):
        assert said_in(ask(client))[1] == "stop"
    assert server.abandoned == 0


def test_requests_at_once_are_served_at_once(server: lo.Loopback) -> None:
    meeting = threading.Barrier(3, timeout=5)
    server.always(lambda request: lo.Said(str(meeting.wait())))
    with ThreadPoolExecutor(3) as pool:
        assert [status for status, _ in pool.map(lambda _: chat(server), range(3))] == [200] * 3
    assert server.max_concurrent == 3


def test_what_came_is_recorded_and_forgotten(server: lo.Loopback) -> None:
    chat(server, temperature=0.3)
    request = server.chats[0]
    assert (request.path, request.key, request.model) == ("/v1/chat/completions", "sk-right", "demo")
    assert (request.body["temperature"], request.messages) == (0.3, USER)
    assert 0 <= time.monotonic() - request.at < lo.SOON
    server.forget()
    assert server.requests == []


def test_by_hand_it_lists_its_cases_and_serves_one() -> None:
    command, root = [sys.executable, "-m", "tests.loopback"], lo.CASES.parents[1]
    listed = subprocess.run([*command, "--cases"], cwd=root, capture_output=True, encoding="utf-8", check=True)
    assert listed.stdout.split() == lo.case_names()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    serving = [*command, "--port", str(port), "--case", "think_tag_split"]
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "encoding": "utf-8"}
    with subprocess.Popen(serving, cwd=root, **quiet) as process:
        assert f"http://127.0.0.1:{port}/v1" in process.stdout.readline()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("POST", "/v1/chat/completions", "{}")
        assert "想一想" in connection.getresponse().read().decode()
        connection.close()
        process.terminate()
