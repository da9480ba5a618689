"""What all parts of Explain draw from: one value, made once a script run."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property

from core.bench import Bench
from core.domain import Citation, Passage
from core.explain.flow import Flow, flow
from core.explain.matrix import Matrix, matrix
from core.explain.recorded import as_recorded
from core.runs import Comparison, Run
from core.words import Words
from pages.parts.sources import citations_of


@dataclass(frozen=True)
class View:
    """A comparison as it is looked at.

    `comparison` is what is shown: the recorded one, or that at an equal budget of `budget` passages. `gold` are the
    passages that should have been found. `same` says whether the open base is still the comparison's own, so that
    more can be told than what was recorded.
    """

    comparison: Comparison
    gold: tuple[Passage, ...]
    words: Words
    bench: Bench
    same: bool
    budget: int | None = None

    @cached_property
    def matrix(self) -> Matrix:
        """Every touched passage and what each mode did with it."""
        return matrix(self.comparison, self.bench.retriever.tokeniser, self.gold)

    @cached_property
    def then(self) -> Bench:
        """The bench as it was when the comparison was recorded, where the base is still the same."""
        return as_recorded(self.bench, self.comparison) if self.same else self.bench

    @property
    def holds(self) -> Hashable:
        """What everything worked out of this view rests on: base, models, settings, vectors, and the budget."""
        settings, vectors = self.bench.settings, self.bench.retriever.vectors
        by = (
            self.bench.info,
            self.bench.space,
            *sorted(settings.roles.items(), key=lambda role: role[0]),
            self.bench.retriever.bm25,
        )
        return (*by, settings.budget_tokens, settings.time_limit, vectors.filled if vectors else None, self.budget)

    def flow(self, run: Run) -> Flow:
        """The ways of all passages of a run; over the same base also the ranks beyond what it lists."""
        return flow(run, self.citations(run), self.gold, self.then.retriever if self.same else None)

    def citations(self, run: Run) -> tuple[Citation, ...]:
        """What a run's answer cites, resolved against its own evidence."""
        return citations_of(run, self.bench.retriever.tokeniser)
