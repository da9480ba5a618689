"""A model server in a process of its own, so that what is measured shares no interpreter with it."""

from __future__ import annotations

import multiprocessing
import re
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any

from core.environment import load
from core.settings import Settings
from tests.loopback import Loopback, Request, Said

WRITER, PLANNER, EMBEDDINGS = "writer", "planner", "embeddings"
"""Names of the models, so that the server tells what it is asked for."""

_REFERENCE = re.compile(r"^\d+\. \[([^\]]+)\]", re.MULTILINE)


class Served:
    """`with Served() as served:` runs a server; `do` has it do things, `settings` points the engine at it."""

    def __init__(self) -> None:
        spawning = multiprocessing.get_context("spawn")
        self._orders, theirs = spawning.Pipe()
        self._process = spawning.Process(target=_serve, args=(theirs,), daemon=True)

    def __enter__(self) -> Served:
        """Start it and wait until it serves."""
        self._process.start()
        self.port: int = self._orders.recv()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End it."""
        self._orders.send(None)
        self._process.join(10)

    def do(self, work: Callable[..., Any], *given: Any) -> Any:
        """Have `work(server, *given)` done over there: a function of a module, plain values in and out."""
        self._orders.send((work, given))
        return self._orders.recv()

    def variables(self, home: Path | str) -> dict[str, str]:
        """The environment in which models at this server plan and write; passages are embedded offline."""
        return {
            "WORKBENCH_HOME": str(home),
            "OPENAI_BASE_URL": f"http://127.0.0.1:{self.port}/v1",
            "OPENAI_API_KEY": "sk-loopback",
            "ZHIPUAI_BASE_URL": f"http://127.0.0.1:{self.port}/api/paas/v4",
            "ZHIPUAI_API_KEY": "id.loopback",
            "WORKBENCH_WRITER": f"openai:{WRITER}",
            "WORKBENCH_PLANNER": f"openai:{PLANNER}",
        }

    def settings(self, home: Path | str, **more: str) -> Settings:
        """Settings from `variables` and more of them."""
        return load(self.variables(home) | more)


def _serve(orders: Connection) -> None:
    with Loopback() as server:
        orders.send(server.port)
        while (order := orders.recv()) is not None:
            work, given = order
            orders.send(work(server, *given))


def references(request: Request) -> list[str]:
    """The passages that tools have listed to a planner so far, in order, each once."""
    listed = [
        found
        for message in request.messages
        if message["role"] == "tool"
        for found in _REFERENCE.findall(message["content"])
    ]
    return list(dict.fromkeys(listed))


def kept(request: Request, count: int) -> str:
    """What a planner says at its end: the first references that it was shown."""
    return " ".join(f"[{reference}]" for reference in references(request)[:count]) or "NONE"


def turn_of(request: Request) -> int:
    """Which turn of its conversation a planner is asked for, from 0."""
    return sum(message["role"] == "assistant" for message in request.messages)


def paced(said: Said, first: float, rate: float) -> Said:
    """The same at a pace: seconds to its first chunk, then chunks a second."""
    return Said(said.text, said.reasoning, said.calls, first_delay=first, delay=1 / rate, pieces=said.pieces)
