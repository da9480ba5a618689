"""What decides a passage's place beside words and meaning: filters, exact look-ups, doubts about how it was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.bench import Bench
from core.domain import Passage, Say
from core.knowledge.ids import label_of
from core.modes import Why
from core.retrieval.doubt import FACTOR, LOWERED, doubted
from core.retrieval.ranking import Retriever

_TOLD = 3
"""Passages in front that are told by name."""


def shut_out(bench: Bench, question: str, passage: Passage, failing: Sequence[str], why: Why) -> Why:
    """A mode's explanation of a passage that the filters named in `failing` keep from it; `bench` is limited by them.

    The remedy is to drop these, and tells where the question's words would then rank it.
    """
    filters = bench.retriever.filters
    told = filters.only(*failing).told()
    stands = bench.retriever.limited(filters.without(*failing)).stands(question, passage)
    remedy = Say.of("filter.drop", filters=told, rank=stands[0]) if stands else Say.of("filter.drop_only", filters=told)
    facts = {**why.facts, "filtered": list(failing)}
    return replace(
        why, facts=facts, sentence=Say.of("filter.shut", filters=told), remedy=remedy, settings=(), rank=None
    )


def marks(retriever: Retriever, question: str, passage: Passage) -> tuple[Say, ...]:
    """What a reader should know of a passage's place in every ranking of `retriever`."""
    found = []
    if failing := retriever.filters.failing(passage):
        found.append(Say.of("filter.shut", filters=retriever.filters.only(*failing).told()))
    if retriever.named(question, passage):
        found.append(Say.of("exact.named"))
    elif ahead := _ahead(retriever, question, passage):
        found.append(ahead)
    if (confidence := doubted(passage)) is not None:
        found.append(Say.of("confidence.lowered", confidence=confidence, factor=FACTOR, lowered=LOWERED))
    return tuple(found)


def _ahead(retriever: Retriever, question: str, passage: Passage) -> Say | None:
    """Which passages the question names, so that they stand before one that has a place behind them."""
    first = retriever.placing(question).first
    if first is None or not len(first) or not retriever.stands(question, passage):
        return None
    names = [label_of(retriever.base.passages[at].id) for at in first[:_TOLD]]
    if len(first) <= _TOLD:
        return Say.of("exact.ahead", named=names)
    return Say.of("exact.many", named=names, count=len(first))
