"""What all parts of Explain draw from: one value, made once a script run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from core.bench import Bench
from core.domain import Citation, Passage
from core.explain.matrix import Matrix, matrix
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

    def citations(self, run: Run) -> tuple[Citation, ...]:
        """What a run's answer cites, resolved against its own evidence."""
        return citations_of(run, self.bench.retriever.tokeniser)
