"""Reach: which passages the questions of a set bring up, in every mode, and how far each of them comes.

A passage counts as reached where at least one question had it given to the writer of at least one mode. The counts are
those of the evidence matrix (`core.explain.matrix`), added up over the questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.bench import Bench
from core.coverage.sought import Sought, sought, worst_first
from core.coverage.sweep import RANKED, How, sweep, unheard
from core.domain import Passage, Say
from core.explain.failures import UNANSWERABLE
from core.explain.matrix import Cell, matrix
from core.knowledge.base import KnowledgeBase
from core.knowledge.questions import Question
from core.modes import choose
from core.ports import Progress, never
from core.runs import Comparison


@dataclass(frozen=True, slots=True)
class Counts:
    """For how many questions one mode ranked a passage, read it (find, open), gave it to the writer, cited it."""

    retrieved: int = 0
    read: int = 0
    given: int = 0
    cited: int = 0

    def __add__(self, other: Counts) -> Counts:
        """Both together."""
        return Counts(
            self.retrieved + other.retrieved, self.read + other.read, self.given + other.given, self.cited + other.cited
        )


@dataclass(frozen=True, slots=True)
class Barren:
    """A question for which these modes found nothing to give to the writer."""

    id: str
    question: str
    modes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PassageRow:
    """A passage of the map: its counts by mode."""

    passage: Passage
    counts: Mapping[str, Counts] = field(hash=False)

    @property
    def together(self) -> Counts:
        """The counts of all modes added up."""
        return sum(self.counts.values(), Counts())

    @property
    def reached(self) -> bool:
        """Whether any mode gave it to its writer for any question."""
        return self.together.given > 0


@dataclass(frozen=True, slots=True)
class SectionRow:
    """A section of the map, its passages in order."""

    section: str
    passages: tuple[PassageRow, ...]

    @property
    def reached(self) -> int:
        """How many of its passages are reached."""
        return sum(row.reached for row in self.passages)


@dataclass(frozen=True, slots=True)
class Reach:
    """What the questions reached: a value that can be kept and shown again over the base of this `version`.

    `asked` of `total` questions were asked, fewer where it was stopped; `answers` tells whether answers were written,
    without which nothing is cited, `k` how many passages each mode gave (`None`: as many as it gives by itself).
    `counts` holds the touched passages by mode and id, `failures` how many runs of a mode failed and why the first
    did, `refused` the questions that cannot be asked.

    `sought` are the questions with gold. Of the others, those that are said to have no answer are `unanswerable`,
    `astray` those that name gold which the base does not hold; of the `unjudged` it is not known what they should find.
    """

    version: str
    modes: tuple[str, ...]
    total: int
    asked: int
    answers: bool
    counts: Mapping[str, Mapping[str, Counts]] = field(default_factory=dict, hash=False)
    barren: tuple[Barren, ...] = ()
    failures: Mapping[str, tuple[int, Say]] = field(default_factory=dict, hash=False)
    refused: tuple[tuple[str, Say], ...] = ()
    k: int | None = None
    sought: tuple[Sought, ...] = ()
    unjudged: tuple[str, ...] = ()
    unanswerable: tuple[str, ...] = ()
    astray: tuple[str, ...] = ()

    @property
    def missed(self) -> tuple[Sought, ...]:
        """The questions of whose gold some mode did not give all to its writer, the worst first."""
        return worst_first(self.sought)

    def complete(self, mode: str) -> int:
        """For how many questions with gold a mode gave all of it to its writer."""
        return sum(all(each.state == "given" for each in one.stood[mode]) for one in self.sought)

    def rows(self, base: KnowledgeBase) -> tuple[SectionRow, ...]:
        """The map: every section and passage of the base in order, also where nothing reached it."""
        return tuple(
            SectionRow(section, tuple(self._row(passage) for passage in passages))
            for section, passages in base.sections.items()
        )

    def _row(self, passage: Passage) -> PassageRow:
        return PassageRow(passage, {mode: self.counts.get(mode, {}).get(passage.id, Counts()) for mode in self.modes})

    def unreached(self, base: KnowledgeBase) -> tuple[Passage, ...]:
        """The passages that no question had given to a writer, in order."""
        return tuple(passage for passage in base.passages if not self._row(passage).reached)

    def unretrieved(self, base: KnowledgeBase) -> tuple[Passage, ...]:
        """Those of them that no mode so much as ranked or read."""
        rows = (self._row(passage) for passage in base.passages)
        return tuple(row.passage for row in rows if row.together == Counts())

    @property
    def empty(self) -> tuple[Barren, ...]:
        """The questions for which no mode had any evidence."""
        return tuple(barren for barren in self.barren if set(barren.modes) == set(self.modes))


def reach(
    bench: Bench,
    questions: Sequence[Question],
    how: How = RANKED,
    progress: Progress = unheard,
    stopped: Callable[[], bool] = never,
) -> Reach:
    """Ask the questions of every mode in turn and count; what was asked until it was stopped.

    Nothing is kept of the runs but counts. Raises `UsageError` for an unknown mode.
    """
    tally = _Tally(tuple(mode.id for mode in choose(how.modes)))
    for at, outcome in sweep(bench, [question.question for question in questions], how, progress, stopped):
        tally.asked += 1
        if isinstance(outcome, Say):
            tally.refused.append((questions[at].id, outcome))
        else:
            tally.add(questions[at], outcome, bench)
    return Reach(
        bench.base.version,
        tally.modes,
        len(questions),
        tally.asked,
        how.answers,
        tally.counts,
        tuple(tally.barren),
        tally.failures,
        tuple(tally.refused),
        how.k,
        tuple(tally.sought),
        tuple(tally.unjudged),
        tuple(tally.unanswerable),
        tuple(tally.astray),
    )


class _Tally:
    """Counts while the questions are asked."""

    def __init__(self, modes: tuple[str, ...]) -> None:
        self.modes = modes
        self.asked = 0
        self.counts: dict[str, dict[str, Counts]] = {mode: {} for mode in modes}
        self.barren: list[Barren] = []
        self.failures: dict[str, tuple[int, Say]] = {}
        self.refused: list[tuple[str, Say]] = []
        self.sought: list[Sought] = []
        self.unjudged: list[str] = []
        self.unanswerable: list[str] = []
        self.astray: list[str] = []

    def add(self, question: Question, comparison: Comparison, bench: Bench) -> None:
        """Count what one question touched."""
        found = matrix(comparison, bench.retriever.tokeniser)
        for row in found.rows:
            for mode, cell in zip(found.modes, row.cells, strict=True):
                if cell.touched:
                    known = self.counts[mode]
                    known[row.passage.id] = known.get(row.passage.id, Counts()) + _counted(cell)
        for run in comparison.runs:
            if run.error:
                count, first = self.failures.get(run.mode, (0, run.error))
                self.failures[run.mode] = (count + 1, first)
        if without := tuple(_without(comparison)):
            self.barren.append(Barren(question.id, question.question, without))
        if gold := sought(question, comparison, bench.base):
            self.sought.append(gold)
        elif question.gold:
            self.astray.append(question.id)
        else:
            (self.unanswerable if question.kind == UNANSWERABLE else self.unjudged).append(question.id)


def _counted(cell: Cell) -> Counts:
    return Counts(cell.ranked is not None, bool(cell.read), cell.given is not None, cell.cited is not None)


def _without(comparison: Comparison) -> Iterator[str]:
    """The modes that came to an end and gave nothing to the writer."""
    return (run.mode for run in comparison.runs if not run.evidence and not run.error)
