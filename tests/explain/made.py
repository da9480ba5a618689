"""Runs made by hand, for what no bundled question brings about."""

from __future__ import annotations

from core.domain import EVIDENCE, Ask, BaseInfo, Call, Event, Hit, Passage, Say, Step, Timed, Token
from core.runs import Comparison, Run

BASE = BaseInfo("b", "库", "0123", 300, "t")


def passage(number: int, section: str = "一") -> Passage:
    """A passage in the place `number` of its base."""
    return Passage(f"a#{number}", "a", section, f"第{number}条", f"第{number}条 原文。", number)


def hits(*numbers: int, **scores: float) -> tuple[Hit, ...]:
    """A ranking of passages, each with these scores."""
    return tuple(Hit(passage(number), rank, 1.0 / rank, scores) for rank, number in enumerate(numbers, 1))


def search(*numbers: int, name: str = "search", seen: tuple[int, ...] = (), code: str = "step.search") -> Step:
    """A tool call that ranked `numbers` and read `seen`."""
    return Step(name, Say.of(code), hits(*numbers), tuple(passage(number) for number in seen), call=Call(name))


def judge(*numbers: int) -> Step:
    """A decision that kept passages."""
    return Step("judge", Say.of("step.judge", kept=len(numbers)), kept=tuple(f"a#{number}" for number in numbers))


def evidence(*numbers: int) -> Step:
    """What the writer got."""
    return Step(EVIDENCE, Say.of("step.evidence", passages=len(numbers), tokens=1), hits(*numbers), stop="answered")


def run(*events: Event | str, mode: str = "m", ended: bool = True, **more: object) -> Run:
    """A run of these events, one a second; a text is a piece of its answer."""
    timed = tuple(
        Timed(float(at), Token(event) if isinstance(event, str) else event) for at, event in enumerate(events, 1)
    )
    return Run(mode, Ask("问"), BASE, timed, len(events) + 0.5 if ended else None, **more)


def comparison(*runs: Run, **settings: object) -> Comparison:
    """A comparison of these runs."""
    return Comparison("c1", "问", "2026-01-01T00:00:00+00:00", BASE, settings, runs)
