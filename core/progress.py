"""How far a run is, what it thinks and what is to be told of it: read off its events, in codes."""

from __future__ import annotations

from typing import Literal

from core.domain import Say
from core.runs import Run

State = Literal["waiting", "searching", "thinking", "writing", "done", "failed", "stopped", "no_hits"]

_IN_TRACE = frozenset({"agent.context", "agent.calls_left"})
"""What a model was reminded of: told in the trace, nothing for a reader of the answer."""


def state_of(run: Run, clock: float) -> State:
    """What it is doing, or how it ended; `clock` is its seconds so far, 0 while it waits for its turn."""
    if run.stop_reason == "failed" or run.stop_reason == "stopped" or run.stop_reason == "no_hits":
        return run.stop_reason
    if run.stop_reason:
        return "done"
    if not run.answer and len(run.steps) in run.thoughts:
        return "thinking"
    return "writing" if run.answer or run.evidence else "searching" if run.events or clock > 0 else "waiting"


def thought(run: Run) -> str:
    """What was thought before the answer; while nothing is answered, what is being thought before the next step."""
    writing = next((at for at, step in enumerate(run.steps) if step.name == "write"), len(run.steps))
    return run.thoughts.get(writing, "")


def notices(run: Run) -> tuple[Say, ...]:
    """Why a ranking is empty or fell back, each once; what a tool refused stays in the trace.

    What failed the run is told as its error, not again.
    """
    told = [step.error for step in run.steps if step.error and not step.call and step.error != run.error]
    errors = [error for error in told if error.code not in _IN_TRACE]
    return tuple({(error.code, str(error.values)): error for error in errors}.values())
