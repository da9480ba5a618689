"""Rank flow: how a passage moves from one ranking of a run to the next, and where a cut ended its way."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.citations import cited
from core.domain import EVIDENCE, Citation, Hit, Passage, Say, Step
from core.explain.findings import finding
from core.retrieval.filters import Filters
from core.retrieval.ranking import Retriever
from core.runs import Run


@dataclass(frozen=True, slots=True)
class Stage:
    """One place in which passages have a rank: a ranking step, what the writer got, what the answer cites.

    `ranked` is how many passages stood in it; `passes` how many of them the next stage could take, so that the
    cut lies below that rank; `None` where nothing is cut by rank (the last stage, or an agent that chose freely).
    `gathers` says that it is what searches that add to one another have found: places in it are no ranks of one
    ranking, so nothing rises from it, and what does not go on was not kept.
    """

    say: Say
    ranked: int
    passes: int | None
    gathers: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A passage's place in each stage, from 1; `None` where it had none. In the stage `cited` the place is its number.

    A gold passage beyond what a stage listed has its true rank there, where the base can still tell it.
    """

    passage: Passage
    gold: bool
    places: tuple[int | None, ...]

    @property
    def lost(self) -> int | None:
        """Index of the stage after which it was gone; `None` for one that reached the last, -1 for one never ranked."""
        last = max((at for at, place in enumerate(self.places) if place is not None), default=-1)
        return None if self.places and last == len(self.places) - 1 else last


@dataclass(frozen=True, slots=True)
class Flow:
    """The ways of all passages of a run, gold first, then by their best place; `finding` says what stands out."""

    mode: str
    stages: tuple[Stage, ...]
    lines: tuple[Line, ...]
    finding: Say


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A stage on its way: its words, and the place of every passage in it by id.

    `free`: what follows chose freely. `gathers`: as in `Stage`.
    """

    say: Say
    places: Mapping[str, int]
    free: bool = False
    gathers: bool = False


def flow(run: Run, citations: Sequence[Citation], gold: Sequence[Passage], retriever: Retriever | None) -> Flow:
    """The flow of a run; `retriever` (of the very base of the run) tells ranks beyond what the trace lists.

    Steps that each rank anew are stages of their own; searches that add to one another are one stage, what was found,
    and what was kept of it is another where not all of that was given. The evidence is a stage once it stood, what is
    cited once there is an answer.
    """
    ranked = _rankings(run)
    given = [_given(run)] if any(step.name == EVIDENCE for step in run.steps) else []
    columns = [*ranked, *given, *([_cited(citations)] if run.answer else [])]
    cuts = [_cut(column, after) for column, after in zip(columns, columns[1:], strict=False)]
    stages = tuple(
        Stage(column.say, len(column.places), cut, column.gathers)
        for column, cut in zip(columns, [*cuts, None], strict=False)
    )
    lines = _lines(run, columns, gold, _beyond(run, gold, retriever))
    return Flow(run.mode, stages, lines, finding(stages, lines, len(ranked)))


def _adding(run: Run) -> bool:
    """Whether the searches of a run add to one another, so that their ranks do not follow from each other."""
    ranking = [step for step in run.steps if step.hits and step.name != EVIDENCE]
    called = any(step.call for step in run.steps)
    return called or (len(ranking) > 1 and not any(step.reorders for step in ranking))


def _rankings(run: Run) -> list[_Ranked]:
    """The rankings before the evidence, in order; what was only read stands behind what was ranked."""
    if _adding(run):
        read = (passage.id for step in run.steps for passage in step.seen)
        ids = dict.fromkeys([*_places(run.hits), *read])
        places = {id: place for place, id in enumerate(ids, 1)}
        found = _Ranked(Say.of("stage.found"), places, free=True, gathers=True)
        kept = dict.fromkeys(id for step in run.steps for id in step.kept)
        whole = len(kept) <= len(run.evidence)
        return [found, *([] if whole else [_Ranked(Say.of("stage.kept"), {id: n for n, id in enumerate(kept, 1)})])]
    steps = [(n, step) for n, step in enumerate(run.steps, 1) if step.hits and step.name != EVIDENCE]
    return [_Ranked(_said(number, step), _places(step.hits)) for number, step in steps]


def _places(hits: Sequence[Hit]) -> dict[str, int]:
    return {hit.passage.id: place for place, hit in enumerate(hits, 1)}


def _said(number: int, step: Step) -> Say:
    """What a ranking goes by."""
    if "cosine" in _scores(step):
        return Say.of("stage.meaning")
    return Say.of("stage.keyword") if _by_keywords(step) else Say.of("stage.ranking", step=number)


def _scores(step: Step) -> set[str]:
    return {name for hit in step.hits for name in hit.scores}


def _by_keywords(step: Step) -> bool:
    """Whether a step ranks by BM25, seen from its scores."""
    names = _scores(step)
    return "bm25" in names and "cosine" not in names and not step.reorders


def _given(run: Run) -> _Ranked:
    return _Ranked(Say.of("stage.given"), {p.id: n for n, p in enumerate(run.evidence, 1)}, free=True)


def _cited(citations: Sequence[Citation]) -> _Ranked:
    return _Ranked(Say.of("stage.cited"), cited(citations))


def _cut(column: _Ranked, after: _Ranked) -> int | None:
    """How many passed, where the next stage took the first of this one, in whatever order."""
    if column.free:
        return None
    passed = sorted(column.places[id] for id in after.places if id in column.places)
    by_rank = len(passed) == len(after.places) and passed == list(range(1, len(passed) + 1))
    return len(passed) if passed and by_rank else None


def _beyond(run: Run, gold: Sequence[Passage], retriever: Retriever | None) -> Mapping[str, int]:
    """The BM25 rank of gold, where the first ranking is by BM25 and the base still gives it the same scores."""
    first = next((step for step in run.steps if step.hits and step.name != EVIDENCE), None)
    if retriever is None or first is None or _adding(run) or not _by_keywords(first):
        return {}
    own, base, question = retriever.limited(Filters.of(run.ask.filters)), retriever.base, run.ask.question
    again = own.keyword(question, len(first.hits)).hits
    if [hit.passage.id for hit in again] != [hit.passage.id for hit in first.hits]:
        return {}
    if not all(
        math.isclose(a.score, b.score, rel_tol=1e-6, abs_tol=1e-9) for a, b in zip(again, first.hits, strict=True)
    ):
        return {}
    held = [base.passage(passage.id) for passage in gold if base.has(passage.id)]
    ranks = {passage.id: own.rank(question, passage) for passage in held}
    return {id: rank for id, rank in ranks.items() if rank is not None}


def _lines(
    run: Run, columns: Sequence[_Ranked], gold: Sequence[Passage], beyond: Mapping[str, int]
) -> tuple[Line, ...]:
    wanted = dict.fromkeys(passage.id for passage in gold)
    known = {passage.id: passage for passage in gold} | dict(run.touched)
    shown = dict.fromkeys([*wanted, *(id for column in columns for id in column.places)])
    lines = [
        Line(known[id], id in wanted, tuple(column.places.get(id) for column in columns)) for id in shown if id in known
    ]
    whole = [
        replace(line, places=(beyond.get(line.passage.id), *line.places[1:]))
        if line.gold and line.places and line.places[0] is None
        else line
        for line in lines
    ]
    return tuple(sorted(whole, key=lambda line: (not line.gold, _best(line))))


def _best(line: Line) -> float:
    return min((place for place in line.places if place is not None), default=math.inf)
