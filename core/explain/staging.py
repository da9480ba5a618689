"""A failure staged for a lesson: a fact is taken out of real answers, and the ordinary rules look at what is left.

The offline writer quotes whole sentences, so that hardly any question shows by itself what an answer leaves out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.citations import cite
from core.domain import Passage, Token
from core.explain.failures import Kind, failures
from core.explain.gold import gold_of
from core.knowledge.base import KnowledgeBase
from core.knowledge.quantities import COUNTED, quantities
from core.knowledge.questions import Question
from core.knowledge.shelf import questions
from core.knowledge.tokeniser import Tokeniser
from core.runs import Comparison, Run

STAGED: Kind = "misstated"
"""The class that can be staged."""
BLANK = "……"
"""What stands in the place of the fact."""


@dataclass(frozen=True, slots=True)
class Staged:
    """A comparison in whose answers `fact` was replaced by `BLANK`; nothing else of it was changed."""

    fact: str
    comparison: Comparison


def candidates(base: KnowledgeBase) -> tuple[Question, ...]:
    """Questions with a fact that stands word for word in their gold, those with a figure among few first."""
    found = []
    for question in questions(base).questions:
        texts = [passage.text for passage in gold_of(base, question.question)]
        if facts := [fact for fact in question.facts if any(fact in text for text in texts)]:
            found.append(((not any(map(_counts, facts)), len(question.facts)), question))
    return tuple(question for _, question in sorted(found, key=lambda pair: pair[0]))


def stage(comparison: Comparison, question: Question, gold: Sequence[Passage], tokeniser: Tokeniser) -> Staged | None:
    """Take the first fact away whose loss the rules find, figures before words; `None` where there is none."""
    for fact in sorted(question.facts, key=lambda fact: not _counts(fact)):
        runs = tuple(_without(run, fact) for run in comparison.runs)
        pairs = zip(comparison.runs, runs, strict=True)
        if any(
            not _shows(whole, question, gold, tokeniser) and _shows(cut, question, gold, tokeniser)
            for whole, cut in pairs
        ):
            return Staged(fact, replace(comparison, runs=runs))
    return None


def _counts(fact: str) -> bool:
    return bool(quantities(fact, COUNTED))


def _shows(run: Run, question: Question, gold: Sequence[Passage], tokeniser: Tokeniser) -> bool:
    citations = cite(run.answer, run.evidence, tokeniser)
    return any(failure.kind == STAGED for failure in failures(run, question, gold, citations))


def _without(run: Run, fact: str) -> Run:
    """The run with the fact replaced wherever its answer has it; its answer is then one piece."""
    if fact not in run.answer:
        return run
    tokens = {at: timed.event for at, timed in enumerate(run.events) if isinstance(timed.event, Token)}
    said = [at for at, token in tokens.items() if token.kind == "answer"]
    left = Token(run.answer.replace(fact, BLANK))
    events = tuple(
        replace(timed, event=left) if at == said[-1] else timed
        for at, timed in enumerate(run.events)
        if at not in said[:-1]
    )
    return replace(run, events=events)
