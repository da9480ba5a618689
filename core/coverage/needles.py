"""Needle tests: for each passage a question that it alone answers, and where every mode ranks the passage for it.

A question is taken from the question set where its author wrote one (its only gold is the passage, kind `needle`
first), else made: by a model where one is given, or by rule from the passage's own numbers, periods and parties.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal, TypeVar

from core.bench import Bench
from core.coverage.claims import terms
from core.coverage.hard_facts import states
from core.coverage.likeness import alike
from core.coverage.phrase import FITS, Phrased
from core.coverage.phrasing import factual, phrased
from core.coverage.sweep import ANSWERED, How, sweep, unheard
from core.domain import Passage, Say
from core.knowledge.base import KnowledgeBase
from core.knowledge.folding import fold
from core.knowledge.questions import Question
from core.knowledge.sheet_rows import body_of
from core.ports import Progress, never
from core.runs import Comparison

T = TypeVar("T")

Source = Literal["written", "template", "model"]

NEEDLE = "needle"
"""The kind of questions that an author wrote for one passage each."""
USUAL = 40
"""Needles tested where nobody says how many: some 120 questions of three modes, about a minute on two cores."""


@dataclass(frozen=True, slots=True)
class Needle:
    """A question for one passage, the facts that an answer must state, and how each mode did.

    `ranks` is the passage's place in the mode's ranked list (its evidence, then its other hits; `None`: not in it),
    `given` whether the writer got it, `stated` whether the answer states every fact (`None`: no answer was written, or
    no fact is known).
    """

    passage_id: str
    question: str
    facts: tuple[str, ...]
    source: Source
    ranks: Mapping[str, int | None] = field(default_factory=dict, hash=False)
    given: Mapping[str, bool] = field(default_factory=dict, hash=False)
    stated: Mapping[str, bool | None] = field(default_factory=dict, hash=False)

    @property
    def fact(self) -> str:
        """The facts in one line."""
        return " · ".join(self.facts)

    @property
    def lost(self) -> tuple[str, ...]:
        """The modes whose writer did not get the passage."""
        return tuple(mode for mode, given in self.given.items() if not given)


@dataclass(frozen=True, slots=True)
class Needles:
    """The needles of a base in the order of their passages.

    `without` are the passages in which no fact was found, `unasked` those whose facts no rule could make a question of
    or only one that another passage answers too; `left` tells how many more have one and were not drawn, `notices` how
    the questions came about.
    """

    needles: tuple[Needle, ...] = ()
    without: tuple[str, ...] = ()
    left: int = 0
    notices: tuple[Say, ...] = ()
    unasked: tuple[str, ...] = ()

    @property
    def lost(self) -> tuple[Needle, ...]:
        """Those whose passage some mode did not give to its writer."""
        return tuple(needle for needle in self.needles if needle.lost)


def needles(base: KnowledgeBase, questions: Sequence[Question], most: int | None = USUAL) -> Needles:
    """The needles of a base, at most `most` (`None`: all): written ones first, the rest by rule and drawn evenly.

    Questions whose form fits the passage well are drawn before the others; passages with a copy that states the same
    fact, or of which the same would be asked, are not asked for.
    """
    asked = written(base, questions)
    kept = evenly(tuple(asked.values()), most)
    made = _alone(base, [(passage, phrased(passage)) for passage in base.passages if passage.id not in asked])
    made_well, others = (
        [
            needle_of(passage, phrase, "template")
            for passage, phrase in made
            if phrase and (phrase.weight >= FITS) is well
        ]
        for well in (True, False)
    )
    found = [*made_well, *others]
    room = len(found) if most is None else most - len(kept)
    drawn = evenly(made_well, room)
    drawn += evenly(others, room - len(drawn))
    without, unasked = parted(passage for passage, phrase in made if phrase is None)
    left = len(asked) + len(found) - len(kept) - len(drawn)
    return Needles(in_order(base, kept + drawn), without, left, unasked=unasked)


def _alone(base: KnowledgeBase, made: Sequence[tuple[Passage, Phrased | None]]) -> list[tuple[Passage, Phrased | None]]:
    """The same without the questions that another passage answers as well.

    That is a copy which states the same fact, or a passage of which the same would be asked.
    """
    copies = copied(base)
    asked = Counter(fold(phrase.question)[0] for _, phrase in made if phrase)
    return [
        (
            passage,
            phrase
            if phrase and asked[fold(phrase.question)[0]] == 1 and not _elsewhere(base, copies, passage, phrase)
            else None,
        )
        for passage, phrase in made
    ]


def _elsewhere(base: KnowledgeBase, copies: Mapping[str, set[str]], passage: Passage, phrase: Phrased) -> bool:
    """Whether a copy of the passage states the fact too."""
    return any(states(base.passage(id).text, phrase.fact) for id in copies.get(passage.id, ()))


def copied(base: KnowledgeBase) -> dict[str, set[str]]:
    """The ids of the passages whose text stands, the same or nearly, in others, each with those others."""
    texts = [body_of(passage) for passage in base.passages]
    same: dict[str, list[int]] = {}
    for at, text in enumerate(texts):
        same.setdefault("".join(fold(text)[0].split()), []).append(at)
    pairs = {(first, second) for group in same.values() for first, second in pairwise(group)}
    pairs |= {(first, second) for first, second, _ in alike(texts)}
    found: dict[str, set[str]] = {}
    for first, second in pairs:
        one, other = base.passages[first].id, base.passages[second].id
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return found


def parted(passages: Iterable[Passage]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Ids of passages that are not asked for: those in which no fact is known, and those in which one is."""
    found: tuple[list[str], list[str]] = [], []
    for passage in passages:
        found[factual(passage) or phrased(passage) is not None].append(passage.id)
    return tuple(found[0]), tuple(found[1])


def written(base: KnowledgeBase, questions: Sequence[Question]) -> dict[str, Needle]:
    """For each passage the question whose only gold it is: one of kind `needle`, else one that names a fact.

    Of several the one that says it least in the passage's own words, since people ask in theirs.
    """
    fit = [question for question in questions if len(question.gold) == 1 and base.has(question.gold[0])]
    fit = [question for question in fit if question.facts or question.kind == NEEDLE]
    found: dict[str, Needle] = {}
    for question in sorted(fit, key=lambda question: (question.kind != NEEDLE, _borrowed(base, question))):
        id = question.gold[0]
        found.setdefault(id, Needle(id, question.question, question.facts, "written"))
    return found


def _borrowed(base: KnowledgeBase, question: Question) -> float:
    """Share of a question's words that stand in its passage."""
    asked = set(terms(fold(question.question)[0]))
    return len(asked & set(terms(fold(base.passage(question.gold[0]).indexed)[0]))) / max(1, len(asked))


def needle_of(passage: Passage, found: Phrased, source: Source) -> Needle:
    """The needle of a passage for which a question was made."""
    return Needle(passage.id, found.question, (found.fact,), source)


def evenly(items: Sequence[T], most: int | None) -> list[T]:
    """At most `most` of the items (`None`: all), at even distances."""
    if most is None or len(items) <= most:
        return list(items)
    return [items[at * len(items) // most] for at in range(max(0, most))]


def in_order(base: KnowledgeBase, found: Sequence[Needle]) -> tuple[Needle, ...]:
    """Needles in the order of their passages."""
    return tuple(sorted(found, key=lambda needle: base.passage(needle.passage_id).order))


def tried(
    bench: Bench,
    found: Needles,
    how: How = ANSWERED,
    progress: Progress = unheard,
    stopped: Callable[[], bool] = never,
) -> Needles:
    """The needles with the rank of each mode and whether its answer states the fact; those asked until it was stopped.

    Raises `UsageError` for an unknown mode.
    """
    asked: list[Needle] = []
    refused = list(found.notices)
    for at, outcome in sweep(bench, [needle.question for needle in found.needles], how, progress, stopped):
        if isinstance(outcome, Say):
            refused.append(outcome)
        else:
            asked.append(_outcome(found.needles[at], outcome))
    return replace(found, needles=tuple(asked), notices=tuple(refused))


def _outcome(needle: Needle, comparison: Comparison) -> Needle:
    ranks: dict[str, int | None] = {}
    given: dict[str, bool] = {}
    stated: dict[str, bool | None] = {}
    for run in comparison.runs:
        places = (place for place, passage in enumerate(run.ranking, 1) if passage.id == needle.passage_id)
        ranks[run.mode] = next(places, None)
        given[run.mode] = run.gave(needle.passage_id)
        known = bool(run.answer and needle.facts)
        stated[run.mode] = all(states(run.answer, fact) for fact in needle.facts) if known else None
    return replace(needle, ranks=ranks, given=given, stated=stated)
