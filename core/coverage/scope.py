"""Needle questions for a part of a base: by rule, or by a model after it was told how much that would send."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.bench import Bench
from core.coverage.invented import invented, prompt
from core.coverage.needles import Needles, evenly, needles, written
from core.coverage.sweep import unheard
from core.domain import Passage
from core.knowledge.base import KnowledgeBase
from core.knowledge.questions import Question
from core.llm.dialect import rough
from core.ports import Progress, never
from core.retrieval.ranking import Retriever

_COUNTED = 200
"""Prompts whose tokens are counted; more are reckoned from these."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which passages get a needle: those of one `document` (empty: of all), at most `most` (`None`: every one)."""

    document: str = ""
    most: int | None = None

    def of(self, base: KnowledgeBase) -> KnowledgeBase:
        """The base with no other passages."""
        return replace(base, passages=base.of_document(self.document)) if self.document else base


def by_rule(base: KnowledgeBase, questions: Sequence[Question], scope: Scope) -> Needles:
    """The needles of the passages in scope: written ones first, the rest by rule."""
    return needles(scope.of(base), questions, scope.most)


def by_model(
    bench: Bench,
    questions: Sequence[Question],
    scope: Scope,
    progress: Progress = unheard,
    stopped: Callable[[], bool] = never,
) -> Needles:
    """The needles of the passages in scope, their questions made by a model. Raises as `invented` does."""
    own = bench.retriever
    parts = (own.tokeniser, own.index, own.vectors, own.embedder, own.bm25, own.exact)
    narrow = replace(bench, retriever=Retriever(scope.of(bench.base), *parts))  # made to be read, nothing is ranked
    return invented(narrow, questions, scope.most, progress, stopped)


def calls(base: KnowledgeBase, questions: Sequence[Question], scope: Scope) -> tuple[int, int]:
    """How often a model would be called, and about how many tokens it would be sent."""
    narrow = scope.of(base)
    asked = written(narrow, questions)
    kept = len(evenly(tuple(asked), scope.most))
    others = [passage for passage in narrow.passages if passage.id not in asked]
    drawn = evenly(others, None if scope.most is None else scope.most - kept)
    return len(drawn), sum(map(_sent, drawn[:_COUNTED])) * len(drawn) // max(1, min(len(drawn), _COUNTED))


def _sent(passage: Passage) -> int:
    return sum(rough(message.text) for message in prompt(passage))
