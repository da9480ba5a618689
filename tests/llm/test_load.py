"""One connection under load: right texts at once, and nothing that grows."""

from __future__ import annotations

import gc
import threading
from concurrent.futures import ThreadPoolExecutor

from core.llm.chat import ProviderChat
from core.llm.wire import Connection
from core.ports import Message
from core.settings import Role
from tests import loopback as lo
from tests.llm.talking import Heard, endpoint_of, hear, readers

THREADS, STREAMS = 3, 5


def echo(request: lo.Request) -> lo.Said:
    return lo.Said(request.messages[0]["content"] * 5, delay=0.002)


def test_streams_at_once_over_one_connection_do_not_mix(server, family):
    server.always(echo)
    connection = Connection(endpoint_of(server, family), 5)

    def ask(number: int) -> list[Heard]:
        chat = ProviderChat(connection, "demo", Role())
        return [hear(chat, [Message("user", f"第{number}问之{turn}。")]) for turn in range(STREAMS)]

    with ThreadPoolExecutor(THREADS) as pool:
        told = list(pool.map(ask, range(THREADS)))
    assert [[heard.text for heard in turns] for turns in told] == [
        [f"第{number}问之{turn}。" * 5 for turn in range(STREAMS)] for number in range(THREADS)
    ]
    assert server.max_concurrent == THREADS


def test_a_stop_of_one_stream_breaks_none_of_the_others(server, family):
    server.always(echo)
    server.always(lo.Silent(lo.Said("想")), model="silent")
    connection = Connection(endpoint_of(server, family), 5)
    texts: list[str] = []

    def ask() -> None:
        chat = ProviderChat(connection, "demo", Role())
        texts.extend(hear(chat, [Message("user", f"问{turn}。")]).text for turn in range(10))

    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask)
        for _ in range(10):
            turn = ProviderChat(connection, "silent", Role()).stream([Message("user", "问")])
            next(turn)
            turn.close()
        asked.result()
    assert texts == [f"问{turn}。" * 5 for turn in range(10)]


def test_many_short_streams_leave_nothing_behind(server, family):
    connection = Connection(endpoint_of(server, family), 5)
    server.always(lo.Said("好"))
    hear(ProviderChat(connection, "demo", Role()))
    gc.collect()
    threads, things = threading.active_count(), len(gc.get_objects())
    for _ in range(100):
        assert hear(ProviderChat(connection, "demo", Role())).text == "好"
    server.record.forget()
    gc.collect()
    assert lo.eventually(lambda: not readers())
    assert threading.active_count() <= threads + 1
    assert len(gc.get_objects()) - things < 100 * 10
