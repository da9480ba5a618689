"""The loop every policy runs in: it plans, tools answer, the ledger keeps; each limit ends it with its reason."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace

from core.agent.ledger import Ledger
from core.agent.policy import Exchange, Policy, Result, State, Turn
from core.agent.tools import Toolbox
from core.domain import Call, Event, Say, Step, StopReason, Usage


@dataclass(frozen=True, slots=True)
class Limits:
    """What ends a search: tool calls, tokens of context, seconds, tokens spent on planning (`None`: no limit)."""

    calls: int = 15
    context: int = 128_000
    seconds: float = 120.0
    tokens: int | None = None
    dry_rounds: int = 2


JUDGED = frozenset({"call_limit", "saturated"})
"""Limits after which the policy still has time to judge its last round."""

WARN_AT = 0.9
"""Share of the context from which the policy is warned; at 1.0 a `summarize` is forced."""


@dataclass
class Loop:
    """One search by one policy. `run` yields its events and returns why it ended."""

    policy: Policy
    toolbox: Toolbox
    ledger: Ledger
    limits: Limits = field(default_factory=Limits)
    clock: Callable[[], float] = time.perf_counter

    def run(self, question: str) -> Generator[Event, None, StopReason]:
        """Search until the policy is content or a limit ends it."""
        self._began = self.clock()
        self._question = question
        self._rounds: list[tuple[Exchange, ...]] = []
        self._used = self._dry = self._context = 0
        self._spent = Usage()
        while True:
            if reason := self._limit_reached():
                if reason in JUDGED:
                    yield from self._plan(closing=True)
                return reason
            turn = yield from self._plan()
            if not turn.calls:
                return "answered"
            yield from self._answer(turn.calls)
            if self._context >= self.limits.context:
                yield self._compress()
                if self._context >= self.limits.context:
                    return "context_limit"

    def _limit_reached(self) -> StopReason | None:
        spent = (self._spent.prompt or 0) + (self._spent.completion or 0)
        if self._used >= self.limits.calls:
            return "call_limit"
        if self._dry >= self.limits.dry_rounds:
            return "saturated"
        if self.clock() - self._began >= self.limits.seconds:
            return "time_limit"
        if self.limits.tokens is not None and spent >= self.limits.tokens:
            return "spend_limit"
        return None

    def _state(self) -> State:
        return State(
            self._question,
            tuple(self._rounds),
            self.ledger,
            max(0, self.limits.calls - self._used),
            self._context,
            self.limits.context,
            self._context >= WARN_AT * self.limits.context,
        )

    def _plan(self, closing: bool = False) -> Generator[Event, None, Turn]:
        """Let the policy decide; what it keeps becomes a step of its own."""
        began = self.clock()
        turn = yield from self.policy.plan(replace(self._state(), closing=closing))
        seconds = self.clock() - began
        if turn.usage:
            self._spent = self._spent + turn.usage
        kept = self.ledger.keep(turn.keep)
        if turn.keep or turn.why or turn.usage:
            yield Step(
                "judge",
                turn.why or Say.of("step.judge", kept=len(kept)),
                kept=kept,
                seconds=seconds,
                times={"planning": seconds},
                usage=turn.usage,
            )
        return turn

    def _answer(self, calls: tuple[Call, ...]) -> Generator[Event, None, None]:
        """Answer every call of a turn, in order; those past the limit are refused, none is left unanswered."""
        exchanges = []
        new = 0
        for call in calls:
            began = self.clock()
            result = self.toolbox.run(call) if self._used < self.limits.calls else self.toolbox.over_limit(call)
            self._used += 1
            new += self.ledger.touch(result.hits, result.seen)
            kept = self.ledger.keep(result.kept)
            exchanges.append(Exchange(call, result))
            yield _step(call, result, kept, self.clock() - began)
        self._rounds.append(tuple(exchanges))
        self._dry = 0 if new else self._dry + 1
        if any(exchange.result.compresses for exchange in exchanges):
            self._rounds = [tuple(e for e in exchanges if e.result.compresses)]
        self._context = self.toolbox.size(self._question, self._rounds)

    def _compress(self) -> Step:
        """What the loop does when the context is full: keep the kept passages whole, drop the rest.

        It stands in the place of the last round, whose rankings a rule-based policy has yet to judge.
        """
        began = self.clock()
        last = self._rounds[-1]
        call = Call("summarize", {"keep": [p.id for p in self.ledger.kept], "notes": ""}, id=last[-1].call.id)
        rankings = {query: hits for exchange in last for query, hits in exchange.result.by_query.items()}
        result = replace(self.toolbox.run(call), by_query=rankings)
        self._rounds = [(Exchange(call, result),)]
        self._context = self.toolbox.size(self._question, self._rounds)
        return _step(call, result, (), self.clock() - began)


def _step(call: Call, result: Result, kept: tuple[str, ...], seconds: float) -> Step:
    own = seconds - result.times.get("once", 0.0)
    return Step(
        call.tool,
        result.detail,
        hits=result.hits,
        seen=result.seen,
        kept=kept,
        call=call,
        output=result.output,
        seconds=max(own, 0.0),
        times=result.times,
        error=result.error,
    )
