"""A run as the fold of its events and the clock: totals, evidence, ranking are properties, never stored."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import takewhile
from typing import Any

from core.domain import EVIDENCE, Ask, BaseInfo, Hit, Passage, Say, Step, StopReason, Timed, Token, Usage


def _retracts(timed: Timed) -> bool:
    return isinstance(timed.event, Token) and timed.event.kind == "retracted"


def _text(timed: Timed) -> str:
    return timed.event.text if isinstance(timed.event, Token) else ""


@dataclass(frozen=True)
class Run:
    """One mode on one question: the fold of its events and the clock.

    `ended` is seconds since the start, `None` while it is running. `stopped` marks a run ended by its reader.
    """

    mode: str
    ask: Ask
    base: BaseInfo
    events: tuple[Timed, ...] = ()
    ended: float | None = None
    stopped: bool = False
    error: Say | None = None

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The trace: every step in order."""
        return tuple(t.event for t in self.events if isinstance(t.event, Step))

    def _spoken(self) -> Iterator[tuple[int, Timed, bool]]:
        """Each token with the number of steps before it, and whether it turned out to be of the answer."""
        retracted = max((n for n, timed in enumerate(self.events) if _retracts(timed)), default=-1)
        step = 0
        for number, timed in enumerate(self.events):
            if isinstance(timed.event, Step):
                step += 1
            elif timed.event.kind != "retracted":
                yield step, timed, timed.event.kind == "answer" and number > retracted

    def _said(self, answer: bool) -> str:
        return "".join(_text(timed) for _, timed, answers in self._spoken() if answers is answer)

    @cached_property
    def answer(self) -> str:
        """All answer tokens joined."""
        return self._said(answer=True)

    @cached_property
    def reasoning(self) -> str:
        """All reasoning tokens joined."""
        return self._said(answer=False)

    @cached_property
    def thoughts(self) -> Mapping[int, str]:
        """The reasoning said before each step, by its index; under `len(steps)` what no step has followed yet."""
        found: dict[int, list[str]] = {}
        for step, timed, answers in self._spoken():
            if not answers:
                found.setdefault(step, []).append(_text(timed))
        return {at: "".join(pieces) for at, pieces in found.items()}

    @cached_property
    def evidence(self) -> tuple[Passage, ...]:
        """The passages given to the writer, in order; empty until they were."""
        return next((tuple(h.passage for h in s.hits) for s in reversed(self.steps) if s.name == EVIDENCE), ())

    @cached_property
    def hits(self) -> tuple[Hit, ...]:
        """The last ranking before the cut; where steps add to one another, by first step and then rank."""
        found: dict[str, Hit] = {}
        for step in self.steps:
            if step.name != EVIDENCE:
                if step.reorders:
                    found.clear()
                for hit in step.hits:
                    found.setdefault(hit.passage.id, hit)
        return tuple(found.values())

    @cached_property
    def searching(self) -> tuple[Step, ...]:
        """The steps before the evidence was handed over; all of them where it was not."""
        return tuple(takewhile(lambda step: step.name != EVIDENCE, self.steps))

    @property
    def handed(self) -> bool:
        """Whether its search came to its end: the evidence was handed over, be it none."""
        return len(self.searching) < len(self.steps)

    @cached_property
    def paid(self) -> bool:
        """Whether a chat model was called, or a provider embedded a text, before the evidence stood."""
        used = [step.usage for step in self.searching if step.usage]
        return any(usage.calls or usage.embedding is not None for usage in used)

    @cached_property
    def touched(self) -> Mapping[str, Passage]:
        """Every passage that a step ranked or read, by id, in the order in which they first came."""
        return {passage.id: passage for step in self.steps for passage in step.touched}

    @property
    def whole(self) -> bool:
        """Whether it came to its own end: neither running nor stopped nor failed."""
        return self.stop_reason not in (None, "stopped", "failed")

    def rank_of(self, passage: str) -> int | None:
        """The rank of the passage with this id in `hits`, from 1; `None` where no step ranked it."""
        return next((rank for rank, hit in enumerate(self.hits, 1) if hit.passage.id == passage), None)

    def gave(self, passage: str) -> bool:
        """Whether the passage with this id reached the writer."""
        return any(given.id == passage for given in self.evidence)

    @cached_property
    def ranking(self) -> tuple[Passage, ...]:
        """The ranked list of any mode: its evidence in order, then its remaining hits."""
        seen = {p.id: p for p in self.evidence}
        for hit in self.hits:
            seen.setdefault(hit.passage.id, hit.passage)
        return tuple(seen.values())

    @cached_property
    def new(self) -> tuple[int, ...]:
        """For each step, how many passages no earlier step had touched."""
        known: set[str] = set()
        counts = []
        for step in self.steps:
            fresh = {p.id for p in step.touched} - known
            known |= fresh
            counts.append(len(fresh))
        return tuple(counts)

    @cached_property
    def usage(self) -> Usage:
        """All steps' usage together."""
        told = [step.usage for step in self.steps if step.usage]
        return reduce(Usage.__add__, told) if told else Usage()

    @cached_property
    def times(self) -> Mapping[str, float]:
        """Seconds by kind over all steps (`retrieval`, `embedding`, `planning`, `writing`, `once`, `cached`)."""
        total: dict[str, float] = {}
        for step in self.steps:
            for kind, seconds in step.times.items():
                total[kind] = total.get(kind, 0.0) + seconds
        return total

    @property
    def seconds(self) -> float:
        """Seconds from start to end; to the last event while it runs."""
        return self.ended if self.ended is not None else self.events[-1].at if self.events else 0.0

    @cached_property
    def first_token_seconds(self) -> float | None:
        """Seconds until the first piece of the answer, `None` when none came."""
        return next((timed.at for _, timed, answers in self._spoken() if answers and _text(timed)), None)

    @property
    def stop_reason(self) -> StopReason | None:
        """Why the run ended; `None` while it is running."""
        if self.error:
            return "failed"
        if self.stopped:
            return "stopped"
        if self.ended is None:
            return None
        return next((s.stop for s in reversed(self.steps) if s.stop), "answered")

    @property
    def fingerprint(self) -> str:
        """Hash of base, tokeniser, mode, parameters, filters and ordered evidence: equal where the evidence is."""
        parts = (
            self.base.version,
            self.base.tokeniser,
            self.mode,
            self.ask.k,
            dict(self.ask.parameters),
            [p.id for p in self.evidence],
            *([dict(self.ask.filters)] if self.ask.filters else []),
        )
        return hashlib.sha256(
            json.dumps(parts, ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass")
        ).hexdigest()[:12]


@dataclass(frozen=True)
class Comparison:
    """The runs of one question: `created` is an ISO time in UTC, `settings` what was really in force."""

    id: str
    question: str
    created: str
    base: BaseInfo
    settings: Mapping[str, Any]
    runs: tuple[Run, ...]

    @property
    def prices(self) -> Mapping[str, Any]:
        """The prices that held for its models when it was run."""
        found: Mapping[str, Any] = self.settings.get("prices", {})
        return found

    @property
    def filters(self) -> Mapping[str, str]:
        """The conditions that its passages had to meet, the same for every run."""
        return self.runs[0].ask.filters if self.runs else {}

    @property
    def seconds(self) -> float:
        """Wall time: that of the slowest mode, since modes run at once."""
        return max((run.seconds for run in self.runs), default=0.0)

    def only(self, run: Run) -> tuple[Passage, ...]:
        """The passages that this one of its runs alone gave to its writer, in the order given."""
        others = {passage.id for other in self.runs if other is not run for passage in other.evidence}
        return tuple(passage for passage in run.evidence if passage.id not in others)
