"""How well a ranking found its gold: the measures of the reports, by their standard definitions.

Recall@k is the share of gold passages among the first k of a mode's ranked list (its evidence in order, then its
remaining hits). Evidence recall is the share of gold among the passages given to the writer.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.domain import Passage
from core.runs import Run


def recall(passages: Sequence[Passage], gold: Collection[str]) -> float:
    """Share of `gold` ids among `passages`; raises `ValueError` without gold, for which it is not defined."""
    if not gold:
        raise ValueError("recall needs at least one gold passage")
    return len({passage.id for passage in passages} & set(gold)) / len(set(gold))


def recall_at(run: Run, gold: Collection[str], k: int) -> float:
    """Recall@k of a run's ranked list."""
    return recall(run.ranking[:k], gold)


def evidence_recall(run: Run, gold: Collection[str]) -> float:
    """Share of the gold that reached the writer."""
    return recall(run.evidence, gold)
