"""A policy that does what it is told, and a search by it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator
from dataclasses import dataclass

from core.agent.ledger import Ledger
from core.agent.loop import Limits, Loop
from core.agent.policy import Exchange, State, Turn
from core.agent.tools import Toolbox
from core.bench import Bench
from core.domain import Call, Step, StopReason, Token


class Scripted:
    """Plays its turns one by one, then is content; remembers every state it was shown."""

    def __init__(self, *turns: Turn) -> None:
        self.turns = list(turns)
        self.states: list[State] = []

    def plan(self, state: State) -> Generator[Token, None, Turn]:
        yield from ()
        self.states.append(state)
        return self.turns.pop(0) if self.turns else Turn()


@dataclass
class Outcome:
    """What a search left: its steps, why it ended, the ledger, and the states that the policy saw."""

    steps: list[Step]
    reason: StopReason
    ledger: Ledger
    states: list[State]

    @property
    def evidence(self) -> list[str]:
        return [hit.passage.id for hit in self.ledger.evidence(20)]

    @property
    def last(self) -> Exchange:
        return self.states[-1].rounds[-1].exchanges[-1]


def turn(*calls: tuple[str, dict[str, object]], keep: tuple[str, ...] = ()) -> Turn:
    """A turn that makes calls of (tool, arguments)."""
    return Turn(tuple(Call(tool, arguments, f"call_{n}") for n, (tool, arguments) in enumerate(calls, 1)), keep)


def search(*queries: str, **more: object) -> tuple[str, dict[str, object]]:
    """A call of the search tool."""
    return "search", {"queries": list(queries), **more}


def play(bench: Bench, policy: Scripted, clock: Callable[[], float] | None = None, **limits: int) -> Outcome:
    """Let `policy` search the base of `bench` by keywords, under `limits`."""
    ledger = Ledger()
    toolbox = Toolbox(bench.retriever, ledger, bench.count, "bm25")
    ticks = itertools.count()
    loop = Loop(policy, toolbox, ledger, Limits(**limits), clock or (lambda: next(ticks) / 1000)).run("退货要多久？")
    steps = []
    while True:
        try:
            event = next(loop)
        except StopIteration as ended:
            return Outcome(steps, ended.value, ledger, policy.states)
        steps.append(event)
