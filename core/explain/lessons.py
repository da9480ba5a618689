"""Lessons: questions of a base's own with what should be found for them, and how predictions of that went."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.bench import Bench
from core.domain import Passage, Say
from core.explain.gold import gold_of
from core.explain.passage import why_of
from core.knowledge.base import KnowledgeBase
from core.knowledge.questions import Question
from core.modes import spoken
from core.runs import Comparison, Run


@dataclass(frozen=True, slots=True)
class Lesson:
    """A question with what should be found for it.

    `place` counts from 1; `alike` is the place of an earlier lesson on the same kind of question, where there is one.
    """

    name: str
    place: int
    question: Question
    gold: tuple[Passage, ...]
    alike: int | None = None


def lessons(base: KnowledgeBase, examples: Mapping[str, Question]) -> Mapping[str, Lesson]:
    """The lessons of a base by name, from its questions by tag (`demo:name`): those with gold that the base holds."""
    found: dict[str, Lesson] = {}
    first: dict[str, int] = {}
    for tag, question in examples.items():
        if gold := gold_of(base, question.question):
            place, name = len(found) + 1, tag.partition(":")[2]
            found[name] = Lesson(name, place, question, gold, first.get(question.kind))
            first.setdefault(question.kind, place)
    return found


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run did with the gold, and whether it was predicted to give any of it to the writer."""

    run: Run
    gold: tuple[Passage, ...]
    guessed: bool

    @property
    def given(self) -> int:
        """How many gold passages the writer got."""
        return sum(self.run.gave(passage.id) for passage in self.gold)

    @property
    def place(self) -> int | None:
        """The first place that gold has among the passages given, from 1; `None` where none was."""
        wanted = {passage.id for passage in self.gold}
        return next((place for place, given in enumerate(self.run.evidence, 1) if given.id in wanted), None)

    @property
    def right(self) -> bool | None:
        """Whether the prediction came true; `None` for a run that did not come to its end."""
        return self.guessed == (self.given > 0) if self.run.whole else None


def outcomes(comparison: Comparison, gold: Sequence[Passage], guessed: Collection[str]) -> tuple[Outcome, ...]:
    """The outcome of each run, in the comparison's order; `guessed` are the modes predicted to give gold."""
    return tuple(Outcome(run, tuple(gold), run.mode in guessed) for run in comparison.runs)


def score(told: Iterable[Outcome]) -> tuple[int, int]:
    """How many predictions came true, of how many that could be told."""
    found = [outcome.right for outcome in told if outcome.right is not None]
    return sum(found), len(found)


def happened(bench: Bench, told: Sequence[Outcome]) -> Say:
    """Who gave gold to the writer and in which place, and how far from it the others were, in one sentence.

    Runs that did not come to their end are left out.
    """
    whole = [outcome for outcome in told if outcome.right is not None]
    found = [_found(outcome).as_value() for outcome in whole if outcome.given]
    missed = [_missed(bench, outcome).as_value() for outcome in whole if not outcome.given]
    if not missed:
        return Say.of("lesson.happened.all", found=found)
    if not found:
        return Say.of("lesson.happened.none", missed=missed)
    return Say.of("lesson.happened.some", found=found, missed=missed)


def _found(outcome: Outcome) -> Say:
    return Say.of("lesson.happened.found", mode=spoken(outcome.run.mode), place=outcome.place)


def _missed(bench: Bench, outcome: Outcome) -> Say:
    """A mode that gave no gold: the best rank of any of it, also beyond what the run lists."""
    mode = spoken(outcome.run.mode)
    ranks = [why_of(bench, outcome.run, passage).rank for passage in outcome.gold]
    best = min((rank for rank in ranks if rank is not None), default=None)
    if best is None:
        return Say.of("lesson.happened.unranked", mode=mode)
    return Say.of("lesson.happened.missed", mode=mode, rank=best, given=len(outcome.run.evidence))
