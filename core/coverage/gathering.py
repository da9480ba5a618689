"""Reach gathered question by question: what is known after each, and which questions brought a passage up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.bench import Bench
from core.coverage.reach import Counts, Reach, reach
from core.coverage.sweep import RANKED, How
from core.knowledge.questions import Question
from core.modes import choose
from core.ports import never

Touched = Mapping[str, Mapping[str, Counts]]
"""What one question touched: counts by mode and passage id."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """The reach of the `questions` asked so far, and what each of them touched, in the same order."""

    reach: Reach
    questions: tuple[Question, ...] = ()
    touched: tuple[Touched, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether every question of the set was asked."""
        return self.reach.asked == self.reach.total

    @property
    def given(self) -> int:
        """How many passages were given to a writer."""
        return len({id for counts in self.reach.counts.values() for id, each in counts.items() if each.given})

    def of(self, passage: str) -> tuple[tuple[Question, Mapping[str, Counts]], ...]:
        """The questions that touched a passage, each with its counts by mode."""
        found = ((q, _by_mode(touched, passage)) for q, touched in zip(self.questions, self.touched, strict=True))
        return tuple((question, counts) for question, counts in found if counts)


def _by_mode(touched: Touched, passage: str) -> Mapping[str, Counts]:
    return {mode: counts[passage] for mode, counts in touched.items() if passage in counts}


def gathered(
    bench: Bench, questions: Sequence[Question], how: How = RANKED, stopped: Callable[[], bool] = never
) -> Iterator[Gathered]:
    """Ask the questions one by one; what is known before the first and after each, until it was stopped.

    Raises `UsageError` for an unknown mode.
    """
    modes = tuple(mode.id for mode in choose(how.modes))
    known = Gathered(Reach(bench.base.version, modes, len(questions), 0, how.answers, k=how.k))
    yield known
    for question in questions:
        one = reach(bench, [question], how, stopped=stopped)
        if not one.asked:
            return
        known = Gathered(_added(known.reach, one), (*known.questions, question), (*known.touched, one.counts))
        yield known


def _added(known: Reach, one: Reach) -> Reach:
    """What is known with the outcome of one more question."""
    failures = dict(known.failures)
    for mode, (count, why) in one.failures.items():
        before, first = failures.get(mode, (0, why))
        failures[mode] = (before + count, first)
    return replace(
        known,
        asked=known.asked + one.asked,
        counts={mode: summed((known.counts.get(mode, {}), one.counts.get(mode, {}))) for mode in known.modes},
        barren=known.barren + one.barren,
        failures=failures,
        refused=known.refused + one.refused,
        sought=known.sought + one.sought,
        unjudged=known.unjudged + one.unjudged,
        unanswerable=known.unanswerable + one.unanswerable,
        astray=known.astray + one.astray,
    )


def summed(counts: Iterable[Mapping[str, Counts]]) -> Mapping[str, Counts]:
    """The counts of several questions under one mode, added up by passage."""
    found: dict[str, Counts] = {}
    for each in counts:
        for id, more in each.items():
            found[id] = found.get(id, Counts()) + more
    return found
