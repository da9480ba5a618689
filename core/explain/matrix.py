"""The evidence matrix: every passage that any mode touched, and what each mode did with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.citations import cite, cited
from core.domain import EVIDENCE, Passage
from core.knowledge.tokeniser import Tokeniser
from core.runs import Comparison, Run


@dataclass(frozen=True, slots=True)
class Cell:
    """What one mode did with one passage.

    `rank` is its place in the mode's last ranking before the cut, from 1; `ranked` the step (from 1) that first ranked
    it, `read` the steps that read it (find, open), `kept` the step that took it as evidence; `given` its place among
    the passages given to the writer, `cited` its number in the answer. `None` where it did not happen.

    `step_rank` is its rank in the step `ranked`, where several searches add to one another: `rank` then counts the
    passages of all of them, and is no rank of any one.
    """

    rank: int | None = None
    ranked: int | None = None
    read: tuple[int, ...] = ()
    kept: int | None = None
    given: int | None = None
    cited: int | None = None
    step_rank: int | None = None

    @property
    def touched(self) -> bool:
        """Whether the mode ever ranked, read or gave the passage, also where a later ranking left it out."""
        return self.ranked is not None or bool(self.read) or self.given is not None


@dataclass(frozen=True, slots=True)
class Row:
    """A passage with a cell for each run, in the comparison's order."""

    passage: Passage
    gold: bool
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows in the order of the base, so that a section's passages stand together; `modes` are the columns' ids."""

    modes: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def sections(self) -> Mapping[str, tuple[Row, ...]]:
        """The rows by section, in the order of the base."""
        found: dict[str, list[Row]] = {}
        for row in self.rows:
            found.setdefault(row.passage.section, []).append(row)
        return {section: tuple(rows) for section, rows in found.items()}


def matrix(comparison: Comparison, tokeniser: Tokeniser, gold: Sequence[Passage] = ()) -> Matrix:
    """The matrix of a comparison; gold that no mode touched has a row too.

    A base that has changed since does not matter: passages stand as they were recorded, in the order they then had.
    """
    touched = {id: passage for run in comparison.runs for id, passage in run.touched.items()}
    rows = {passage.id: passage for passage in gold} | touched
    wanted = {passage.id for passage in gold}
    columns = [_cells(run, tokeniser) for run in comparison.runs]
    untouched = Cell()
    return Matrix(
        tuple(run.mode for run in comparison.runs),
        tuple(
            Row(passage, passage.id in wanted, tuple(column.get(passage.id, untouched) for column in columns))
            for passage in sorted(rows.values(), key=lambda passage: passage.order)
        ),
    )


def adds_up(run: Run) -> bool:
    """Whether several searches of a run add to one another, so that a place among all they found is no rank."""
    ranking = [step for step in run.searching if step.hits]
    return len(ranking) > 1 and not any(step.reorders for step in ranking)


def first_ranked(run: Run, passage: str) -> tuple[int, int] | None:
    """The step that first ranked the passage with this id, and its rank there, both from 1; `None`: none did."""
    return next(
        (
            (number, hit.rank)
            for number, step in enumerate(run.searching, 1)
            for hit in step.hits
            if hit.passage.id == passage
        ),
        None,
    )


@dataclass(slots=True)
class _Noted:
    """When a run first ranked and kept a passage, and each time that it read it, by id."""

    ranked: dict[str, int] = field(default_factory=dict)
    read: dict[str, list[int]] = field(default_factory=dict)
    kept: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, run: Run) -> _Noted:
        noted = cls()
        for number, step in enumerate(run.steps, 1):
            if step.name != EVIDENCE:
                for hit in step.hits:
                    noted.ranked.setdefault(hit.passage.id, number)
            for id in dict.fromkeys(passage.id for passage in step.seen):
                noted.read.setdefault(id, []).append(number)
            for id in step.kept:
                noted.kept.setdefault(id, number)
        return noted


def _cells(run: Run, tokeniser: Tokeniser) -> dict[str, Cell]:
    """The cell of every passage that a run touched, by id."""
    noted = _Noted.of(run)
    rank = {hit.passage.id: rank for rank, hit in enumerate(run.hits, 1)}
    within = {hit.passage.id: hit.rank for hit in run.hits} if adds_up(run) else {}
    given = {passage.id: place for place, passage in enumerate(run.evidence, 1)}
    numbers = cited(cite(run.answer, run.evidence, tokeniser))
    return {
        id: Cell(
            rank.get(id),
            noted.ranked.get(id),
            tuple(noted.read.get(id, ())),
            noted.kept.get(id),
            given.get(id),
            numbers.get(id),
            within.get(id),
        )
        for id in {*noted.ranked, *noted.read, *given}
    }
