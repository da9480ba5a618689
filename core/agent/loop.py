"""The loop every policy runs in: it plans, tools answer, the ledger keeps; each limit ends it with its reason."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import closing as closing_of
from dataclasses import dataclass, field, replace

from core.agent.ledger import Ledger
from core.agent.policy import Exchange, Policy, Result, Round, State, Turn
from core.agent.tools import Toolbox
from core.domain import Call, Event, Passage, Say, Step, StopReason, Token, Usage
from core.errors import ModelError, SpendError, TooLongError
from core.ports import relay


@dataclass(frozen=True, slots=True)
class Limits:
    """What ends a search: tool calls, tokens of context, seconds, rounds in a row without a new passage."""

    calls: int = 15
    context: int = 128_000
    seconds: float = 120.0
    dry_rounds: int = 2


JUDGED = frozenset({"call_limit", "saturated"})
"""Limits after which the policy still has time to judge what was found."""

STUCK = 3
"""Rounds in a row that only repeat earlier calls, after which the policy is not heard any more."""
WARN_AT = 0.9
"""Share of the context from which the policy is warned; at 1.0 a `summarize` is forced."""


class _Ended(Exception):
    """A limit was reached while the policy was still deciding."""

    def __init__(self, reason: StopReason) -> None:
        self.reason = reason


@dataclass
class Loop:
    """One search by one policy. `run` yields its events and returns why it ended.

    Where it ends before anything was found or the question was asked, the question itself is searched once.
    `judged` says afterwards whether the policy has judged what was found, though it may have kept nothing.
    """

    policy: Policy
    toolbox: Toolbox
    ledger: Ledger
    limits: Limits = field(default_factory=Limits)
    clock: Callable[[], float] = time.perf_counter
    judged: bool = False

    def run(self, question: str) -> Generator[Event, None, StopReason]:
        """Search until the policy is content or a limit ends it; raises what the policy raises."""
        self._began = self.clock()
        self._question = question
        self._rounds: list[Round] = []
        self._used = self._dry = self._stuck = self._context = 0
        self._asked: set[str] = set()
        self._told: int | None = None
        try:
            reason = yield from self._search()
        except _Ended as ended:
            reason = ended.reason
        if not (self.judged or self.ledger.touched or question in self._asked):
            yield from self._answer(Turn((Call("search", {"queries": [question]}, id="last"),)), still=True)
        return reason

    def _search(self) -> Generator[Event, None, StopReason]:
        while True:
            if reason := self._limit_reached():
                if reason in JUDGED:
                    yield from self._plan(closing=True)
                return reason
            turn = yield from self._plan()
            if not turn.calls:
                return "answered"
            yield from self._answer(turn)
            if self._context >= self.limits.context:
                yield self._compress()
                if self._context >= self.limits.context:
                    return "context_limit"

    def _limit_reached(self) -> StopReason | None:
        if self._used >= self.limits.calls:
            return "call_limit"
        if self._dry >= self.limits.dry_rounds or self._stuck >= STUCK:
            return "saturated"
        return "time_limit" if self._late() else None

    def _late(self) -> bool:
        return self.clock() - self._began >= self.limits.seconds

    def _state(self, closing: bool) -> State:
        return State(
            self._question,
            tuple(self._rounds),
            self.ledger,
            max(0, self.limits.calls - self._used),
            self._context,
            self.limits.context,
            self._context >= WARN_AT * self.limits.context,
            closing,
        )

    def _plan(self, closing: bool = False) -> Generator[Event, None, Turn]:
        """Let the policy decide; what it keeps becomes a step of its own.

        Where its model finds the context too long, the context is compressed and the policy asked once more.
        """
        if self._rounds and self._rounds[-1].said is not None:
            try:
                return (yield from self._decide(closing, shortens=True))
            except TooLongError as full:
                yield replace(self._compress(), error=full.say)
        return (yield from self._decide(closing))

    def _decide(self, closing: bool, shortens: bool = False) -> Generator[Event, None, Turn]:
        """The policy's turn; what fails stays in the trace, but for a context that `shortens` and is tried again."""
        began = self.clock()
        try:
            turn = yield from self._in_time(self.policy.plan(self._state(closing)))
        except _Ended as late:
            yield self._failed(ModelError("stop.time_limit", usage=Usage(calls=1)), began, late.reason)
            raise
        except SpendError as spent:
            yield self._failed(spent, began, "spend_limit")
            raise _Ended("spend_limit") from spent
        except ModelError as failed:
            if not (shortens and isinstance(failed, TooLongError)):
                yield self._failed(failed, began)
            raise
        seconds = self.clock() - began
        if turn.usage and turn.usage.prompt is not None:
            self._told = turn.usage.prompt + (turn.usage.completion or 0)
        kept = self.ledger.keep(turn.keep)
        self.judged = self.judged or turn.judged or bool(kept)
        if turn.keep or turn.why or turn.usage or turn.notice:
            yield Step(
                "judge",
                turn.why or Say.of("step.judge", kept=len(kept)),
                kept=kept,
                seconds=seconds,
                times={"planning": seconds},
                usage=turn.usage,
                error=turn.notice,
                sent=turn.sent,
            )
        return turn

    def _failed(self, error: ModelError, began: float, stop: StopReason | None = None) -> Step:
        """What the trace keeps of a decision that was not made."""
        seconds = self.clock() - began
        return Step(
            "judge",
            Say.of("step.judge_failed"),
            seconds=seconds,
            times={"planning": seconds},
            usage=error.usage,
            error=error.say,
            stop=stop,
            sent=error.sent,
        )

    def _in_time(self, plan: Generator[Token, None, Turn]) -> Generator[Event, None, Turn]:
        """Pass on what the policy says until it has decided, or the time is over."""

        def in_time(said: Token) -> Token | None:
            if self._late():
                raise _Ended("time_limit")
            return said if said.text else None

        with closing_of(plan):
            return (yield from relay(plan, in_time))

    def _answer(self, turn: Turn, still: bool = False) -> Generator[Event, None, None]:
        """Answer every call of a turn, in order; those past the limit are refused, none is left unanswered.

        `still` answers though a limit is reached: what costs nothing but this machine's time.
        """
        exchanges = []
        new = 0
        for call in turn.calls:
            began = self.clock()
            within = still or (self._used < self.limits.calls and not self._late())
            result = self.toolbox.run(call) if within else self.toolbox.over_limit(call)
            self._asked.update(result.by_query)
            self._used += 1
            new += self.ledger.touch(result.hits, result.seen)
            kept = self.ledger.keep(result.kept)
            exchanges.append(Exchange(call, result))
            yield _step(call, result, kept, self.clock() - began)
        ran = any(not exchange.result.refused for exchange in exchanges)
        self._dry = 0 if new else self._dry + ran  # a policy that was told why may yet mend its call
        repeats = all(e.result.error and e.result.error.code == "tool.repeated" for e in exchanges)
        self._stuck = self._stuck + 1 if repeats else 0
        self._note(Round(tuple(exchanges), turn.said))

    def _note(self, last: Round) -> None:
        """Add a round to the context; what stands before a `summarize` leaves it."""
        at = next((n for n, e in reversed(list(enumerate(last.exchanges))) if e.result.compresses), None)
        if at is not None:
            self._rounds, self._told = [replace(last, exchanges=last.exchanges[at:])], None
        else:
            self._rounds.append(last)
        if self._told is None:
            self._context = self.toolbox.size(self._question, (turn.exchanges for turn in self._rounds))
        else:
            self._context = self._told + self.toolbox.size("", [last.exchanges])

    def _compress(self) -> Step:
        """What the loop does when the context is full: what is kept stays whole, else the best found; the rest goes.

        It stands in the place of the last round, whose rankings a rule-based policy has yet to judge.
        """
        began = self.clock()
        last = self._rounds[-1].exchanges
        whole = self.ledger.kept or self._best()
        own = last[-1].call.id if self._rounds[-1].said is None else f"summarize_{self._used}"
        call = Call("summarize", {"keep": [p.id for p in whole], "notes": ""}, id=own)
        rankings = {query: hits for exchange in last for query, hits in exchange.result.by_query.items()}
        result = replace(self.toolbox.run(call), by_query=rankings)
        self._note(Round((Exchange(call, result),)))
        return _step(call, result, (), self.clock() - began)

    def _best(self) -> tuple[Passage, ...]:
        """The best-ranked passages found, as many as fill half of the context: what a policy has yet to judge."""
        room = self.limits.context // 2
        found = []
        for hit in self.ledger.evidence(self.ledger.limit):
            room -= self.toolbox.count(hit.passage.text)
            if room < 0:
                break
            found.append(hit.passage)
        return tuple(found)


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
        usage=result.usage,
        error=result.error,
    )
