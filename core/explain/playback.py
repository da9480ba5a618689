"""Playback: a kept comparison step by step, each run as it stood at a moment.

Every run keeps the seconds since its own start. Runs that went at once share one clock; those that went one after the
other (`one_by_one`) are laid on one clock by letting each begin when the one before it ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.domain import Say, Step
from core.runs import Comparison, Run


@dataclass(frozen=True, slots=True)
class Moment:
    """The end of one step of one run: seconds since the start, the mode's id, the step's number (from 1), its words.

    A run's last moment is its own end, with the number of its last step (0 where it had none) and why it ended.
    """

    at: float
    mode: str
    step: int
    say: Say


def moments(comparison: Comparison) -> tuple[Moment, ...]:
    """Every step of every run in the order of the clock; the last of a run's moments is its end."""
    found = [moment for run, start in _starts(comparison) for moment in _of(run, start)]
    return tuple(sorted(found, key=lambda moment: moment.at))


def _starts(comparison: Comparison) -> Iterator[tuple[Run, float]]:
    """Each run with the second at which it began."""
    start = 0.0
    for run in comparison.runs:
        yield run, start
        if comparison.settings.get("one_by_one"):
            start += run.seconds


def _of(run: Run, start: float) -> Iterator[Moment]:
    number = 0
    for timed in run.events:
        if isinstance(timed.event, Step):
            number += 1
            yield Moment(timed.at + start, run.mode, number, timed.event.detail)
    if run.ended is not None:
        yield Moment(run.ended + start, run.mode, number, run.error or Say.of(f"stop.{run.stop_reason}"))


def until(comparison: Comparison, at: float) -> Comparison:
    """The comparison as it stood `at` seconds after its start: later events have not happened, later ends neither."""
    return replace(comparison, runs=tuple(_until(run, at, start) for run, start in _starts(comparison)))


def _until(run: Run, at: float, start: float) -> Run:
    if run.ended is not None and run.ended + start <= at:
        return run
    events = tuple(timed for timed in run.events if timed.at + start <= at)
    return replace(run, events=events, ended=None, stopped=False, error=None)
