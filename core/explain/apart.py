"""What decides a passage's place beside words and meaning: filters, exact look-ups, doubts about how it was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.bench import Bench
from core.domain import Passage, Say
from core.modes import Why
from core.retrieval.doubt import FACTOR, LOWERED, doubted
from core.retrieval.ranking import Retriever


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
    if (confidence := doubted(passage)) is not None:
        found.append(Say.of("confidence.lowered", confidence=confidence, factor=FACTOR, lowered=LOWERED))
    return tuple(found)
