"""Asking many questions of some modes, one after the other: what reach and needle tests share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from core.asking import entrants
from core.bench import Bench
from core.domain import Say
from core.errors import UsageError
from core.ports import Progress, never
from core.race import PARTING, Race
from core.runs import Comparison
from core.settings import Role


def unheard(done: int, total: int) -> None:
    """Progress that nobody hears of."""


@dataclass(frozen=True, slots=True)
class How:
    """How questions are asked: the modes (`None`: the first three), the evidence cut, and whether they answer."""

    modes: tuple[str, ...] | None = None
    k: int | None = None
    answers: bool = False


RANKED, ANSWERED = How(), How(answers=True)
"""The first three modes as far as their evidence, and with their answers."""


def unpaid(bench: Bench) -> Bench:
    """The bench with no chat model in any role, so that a hundred questions cost nothing; embeddings stay."""
    roles = {name: role if name == "embeddings" else Role() for name, role in bench.settings.roles.items()}
    return replace(bench, settings=replace(bench.settings, roles=roles))


def models_of(bench: Bench, *roles: str) -> list[str]:
    """The chat models of some roles (none named: of all), `name:model` each once; empty where none is called."""
    named = roles or tuple(name for name in bench.settings.roles if name != "embeddings")
    chosen = (bench.settings.roles[name] for name in named)
    return list(dict.fromkeys(role.model for role in chosen if not role.offline))


def sweep(
    bench: Bench,
    questions: Sequence[str],
    how: How = RANKED,
    progress: Progress = unheard,
    stopped: Callable[[], bool] = never,
) -> Iterator[tuple[int, Comparison | Say]]:
    """Ask each question of every mode in turn; its position with the comparison, or with why it cannot be asked.

    Ends early where it was stopped, without the question that was under way. Raises `UsageError` for an unknown mode.
    """
    if questions:
        entrants("-", how.modes, how.k, {})
    for at, question in enumerate(questions):
        if stopped():
            return
        try:
            chosen = entrants(question, how.modes, how.k, {})
        except UsageError as refused:
            yield at, refused.say
        else:
            comparison = _asked(Race(bench, chosen, retrieval_only=not how.answers, one_by_one=True), stopped)
            if comparison is None:
                return
            yield at, comparison
        progress(at + 1, len(questions))


def _asked(race: Race, stopped: Callable[[], bool]) -> Comparison | None:
    """The race run to its end; `None` where it was stopped on the way."""
    with closing(race):
        for _ in race:
            if stopped():
                race.close()
                race.join(PARTING)
                return None
    race.join(PARTING)
    return race.comparison
