"""Where the gold of each question stood in each mode: given to the writer, or lost, and at which point of its way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.explain.matrix import adds_up, first_ranked
from core.knowledge.base import KnowledgeBase
from core.knowledge.questions import Question
from core.runs import Comparison, Run

State = Literal["given", "read", "ranked", "unfound", "failed"]
"""Given to the writer; read but not given; ranked but cut off; not found at all; the run failed and tells nothing."""
LOST: tuple[State, ...] = ("read", "ranked", "unfound")
"""What is held against a mode."""


@dataclass(frozen=True, slots=True)
class Stood:
    """How far a gold passage came in one mode, and its rank, from 1, in the last list that ranked it (`None`: none)."""

    state: State
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class Sought:
    """A question with the gold that the base holds; `stood` tells of each, in the same order, by mode."""

    id: str
    question: str
    gold: tuple[str, ...]
    stood: Mapping[str, tuple[Stood, ...]] = field(hash=False)

    def lost(self, mode: str) -> tuple[str, ...]:
        """The gold that a mode did not give to its writer."""
        return tuple(id for id, each in zip(self.gold, self.stood[mode], strict=True) if each.state in LOST)

    @property
    def missing(self) -> tuple[str, ...]:
        """The modes that did not give all of it."""
        return tuple(mode for mode in self.stood if self.lost(mode))

    @property
    def badness(self) -> tuple[int, float, int]:
        """How badly it went, the larger the worse.

        Modes that gave none of the gold, then the share that was lost, then how often a passage was not even found.
        """
        lost = [len(self.lost(mode)) for mode in self.stood]
        unfound = sum(each.state == "unfound" for row in self.stood.values() for each in row)
        return lost.count(len(self.gold)), sum(lost) / max(1, len(self.gold)), unfound


def sought(question: Question, comparison: Comparison, base: KnowledgeBase) -> Sought | None:
    """Where the gold of a question stood; `None` where the base holds none of it."""
    gold = tuple(id for id in dict.fromkeys(question.gold) if base.has(id))
    if not gold:
        return None
    stood = {run.mode: tuple(_stood(run, id) for id in gold) for run in comparison.runs}
    return Sought(question.id, question.question, gold, stood)


def _stood(run: Run, passage: str) -> Stood:
    """How far one passage came; a rank among all that several searches found is told as that of the first."""
    first = first_ranked(run, passage)
    rank = first[1] if adds_up(run) and first else run.rank_of(passage) or (first[1] if first else None)
    if run.gave(passage):
        return Stood("given", rank)
    if run.error:
        return Stood("failed")
    if any(passage in {seen.id for seen in step.seen} for step in run.searching):
        return Stood("read", rank)
    return Stood("ranked", rank) if rank else Stood("unfound")


def worst_first(found: Iterable[Sought]) -> tuple[Sought, ...]:
    """The questions of whose gold some mode lost any, the worst first, else in their order."""
    return tuple(sorted((each for each in found if each.missing), key=lambda each: each.badness, reverse=True))
