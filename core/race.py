"""The runner: one worker a mode, their events merged through a queue with a heartbeat.

It knows no mode. Workers get plain arguments; each writes only the events of its own mode, and tells the reader
through the queue, so a snapshot (`run`, `comparison`) has all that was said, also after the reader has left
(`close`). Then every worker ends at its next event, and one that waits for a model within a tenth of a second. A
mode's exception becomes that run's error while the others go on.
"""

from __future__ import annotations

import logging
import queue
import re
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from core.bench import Bench
from core.domain import EVIDENCE, Ask, Event, Say, Step, Timed
from core.endpoints import masked
from core.errors import StoppedError, UsageError, WorkbenchError
from core.modes import Mode
from core.runs import Comparison, Run

log = logging.getLogger(__name__)

HEARTBEAT = 0.2
"""Seconds between two ticks when nothing happens, so that a page can notice Stop."""
TICK = 0.05
"""Seconds over which events are gathered before the reader hears of them: 20 redraws a second."""
PARTING = 1.0
"""Seconds that workers are given to end when their reader leaves."""
LONGEST_QUESTION = 2_000
"""Characters of a question; longer ones are refused with words, not cut."""

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class _Ended:
    """A worker's last word."""

    at: float
    error: Say | None = None
    stopped: bool = False


def check_question(question: str) -> str:
    """The question, trimmed, undecodable bytes shown as U+FFFD; raises `UsageError` when it is blank or too long."""
    question = _SURROGATE.sub("\ufffd", question).strip()
    if not question:
        raise UsageError("question.blank")
    if len(question) > LONGEST_QUESTION:
        raise UsageError("question.long", length=len(question), most=LONGEST_QUESTION)
    return question


class Race:
    """Several modes on one question, at once or one after the other; iterate it, and always close it.

    Iterating yields the ids of the modes that changed since the last tick (none on a heartbeat) until all ended.
    """

    def __init__(
        self,
        bench: Bench,
        entrants: Sequence[tuple[Mode, Ask]],
        *,
        retrieval_only: bool = False,
        one_by_one: bool = False,
    ) -> None:
        question = check_question(entrants[0][1].question)
        self._bench = bench
        self._entrants = [(mode, replace(ask, question=question)) for mode, ask in entrants]
        self._retrieval_only = retrieval_only
        self._one_by_one = one_by_one
        self._queue: queue.Queue[tuple[str, bool]] = queue.Queue()
        self._stop = threading.Event()
        self._closed: float | None = None
        self._id = uuid.uuid4().hex[:12]
        self._created = datetime.now(UTC).isoformat(timespec="seconds")
        self._began: dict[str, float] = {}
        self._events: dict[str, list[Timed]] = {mode.id: [] for mode, _ in self._entrants}
        self._ended: dict[str, _Ended] = {}
        self._heard: set[str] = set()
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Start the workers; in one-by-one races one worker runs all modes in turn."""
        lanes = [self._entrants] if self._one_by_one else [[entrant] for entrant in self._entrants]
        for lane in lanes:
            thread = threading.Thread(target=self._work, args=(lane,), daemon=True, name=f"race-{self._id}")
            self._threads.append(thread)
            thread.start()

    def __iter__(self) -> Iterator[frozenset[str]]:
        """Tick until every mode has ended."""
        if not self._threads:
            self.start()
        while len(self._heard) < len(self._entrants):
            yield self._tick()

    def _tick(self) -> frozenset[str]:
        """Gather what the workers said, for at most one redraw's time."""
        changed: set[str] = set()
        wait = HEARTBEAT
        until = time.perf_counter() + TICK
        while True:
            try:
                mode, last = self._queue.get(timeout=wait)
            except queue.Empty:
                return frozenset(changed)
            changed.add(mode)
            if last:
                self._heard.add(mode)
            if len(self._heard) == len(self._entrants):
                return frozenset(changed)
            wait = max(0.0, until - time.perf_counter())

    def close(self) -> None:
        """Tell every worker to stop at its next event; runs still going count as stopped."""
        if self._closed is None:
            self._closed = time.perf_counter()
        self._stop.set()

    def join(self, seconds: float) -> None:
        """Wait for workers that are ending, so that what a model had said is paid for before the process ends."""
        until = time.perf_counter() + seconds
        for thread in self._threads:
            thread.join(max(0.0, until - time.perf_counter()))

    def run(self, mode: str) -> Run:
        """The run of one mode so far."""
        ask = next(ask for entrant, ask in self._entrants if entrant.id == mode)
        ended = self._ended.get(mode)
        events = tuple(self._events[mode])
        if ended:
            return Run(mode, ask, self._bench.info, events, ended.at, ended.stopped, ended.error)
        if self._stop.is_set():
            return Run(mode, ask, self._bench.info, events, self.clock(mode), stopped=True)
        return Run(mode, ask, self._bench.info, events)

    def clock(self, mode: str) -> float:
        """Seconds a mode has been running, 0 while it waits for its turn."""
        ended = self._ended.get(mode)
        if ended:
            return ended.at
        until = time.perf_counter() if self._closed is None else self._closed
        return max(0.0, until - self._began[mode]) if mode in self._began else 0.0

    @property
    def comparison(self) -> Comparison:
        """All runs so far, as one value that can be drawn or kept at any time."""
        settings: dict[str, Any] = {
            **self._bench.recorded,
            "retrieval_only": self._retrieval_only,
            "one_by_one": self._one_by_one,
        }
        if filters := self._entrants[0][1].filters:
            settings["filters"] = dict(filters)
        runs = tuple(self.run(mode.id) for mode, _ in self._entrants)
        question = self._entrants[0][1].question
        return Comparison(self._id, question, self._created, self._bench.info, settings, runs)

    def _work(self, lane: Sequence[tuple[Mode, Ask]]) -> None:
        for mode, ask in lane:
            began = time.perf_counter()
            error: Say | None = None
            stopped = self._stop.is_set()
            try:
                if not stopped:
                    self._began[mode.id] = began
                    stopped = self._drive(mode, ask, began)
            except StoppedError:
                stopped = True
            except WorkbenchError as failed:
                error = failed.say
            except BaseException as crashed:  # a worker that died without a word would leave the reader waiting
                log.exception("mode %s crashed", mode.id)
                error = Say.of("run.crashed", kind=type(crashed).__name__, reason=masked(str(crashed))[:300])
            self._ended[mode.id] = _Ended(time.perf_counter() - began, error, stopped)
            self._queue.put((mode.id, True))

    def _drive(self, mode: Mode, ask: Ask, began: float) -> bool:
        """Note a mode's events until it ends, or the evidence stands in a retrieval-only race; true if cut short."""
        own = self._bench.limited(ask.filters).for_run(self._stop.is_set)
        events: Iterator[Event] = mode.run(own, ask)
        with closing(events):  # type: ignore[type-var]  # modes are generators
            for event in events:
                if self._stop.is_set():
                    return True
                self._events[mode.id].append(Timed(time.perf_counter() - began, event))
                self._queue.put((mode.id, False))
                if self._retrieval_only and isinstance(event, Step) and event.name == EVIDENCE:
                    return False
        return False


def compare(bench: Bench, entrants: Sequence[tuple[Mode, Ask]], **how: bool) -> Comparison:
    """Run a race to its end and return the comparison."""
    race = Race(bench, entrants, **how)
    try:
        for _ in race:
            pass
    finally:
        race.close()
        race.join(PARTING)
    return race.comparison
