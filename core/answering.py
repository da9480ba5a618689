"""From evidence to an answer: the one way every mode ends, with the same writer and the same words."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from core.bench import Bench
from core.domain import EVIDENCE, Ask, Event, Hit, Passage, Say, Step, StopReason, Token, Usage
from core.errors import EmbeddingError
from core.knowledge.folding import has_han

NOTHING_FOUND = {
    "zh": "知识库里没有找到与这个问题有关的段落，所以没有作答。",
    "en": "Nothing in the knowledge base was found for this question, so it is not answered.",
}
"""The answer without evidence, in the question's language; no model is called for it."""


def answer(bench: Bench, ask: Ask, hits: Sequence[Hit], stop: StopReason | None = None) -> Iterator[Event]:
    """Hand over the evidence (a step that retrieval-only runs end with), then say the answer."""
    evidence = tuple(hit.passage for hit in hits)
    tokens = count_evidence(bench, evidence)
    detail = Say.of("step.evidence", passages=len(evidence), tokens=tokens)
    if not evidence and stop in (None, "answered", "saturated"):
        stop = "no_hits"
    yield Step(EVIDENCE, detail, hits=tuple(hits), stop=stop or "answered")
    if not evidence:
        yield Token(NOTHING_FOUND["zh" if has_han(ask.question) else "en"])
        return
    yield from _write(bench, ask.question, evidence, tokens)


def _write(bench: Bench, question: str, evidence: Sequence[Passage], tokens: int) -> Iterator[Event]:
    """The writer's words as they come, then a step with its time and usage (≈ where none was told)."""
    writer = bench.writer()
    times, notice = _vectors_for(bench, evidence) if writer.reads_vectors else ({}, None)
    began = time.perf_counter()
    usage: Usage | None = None
    for said in writer.write(question, evidence):
        if isinstance(said, Token):
            yield said
        else:
            usage = said
    seconds = time.perf_counter() - began
    usage = usage or Usage(prompt=tokens, estimated=True)
    yield Step("write", writer.said, seconds=seconds, times={**times, "writing": seconds}, usage=usage, error=notice)


def _vectors_for(bench: Bench, evidence: Sequence[Passage]) -> tuple[dict[str, float], Say | None]:
    """Have the vectors the writer will read: seconds this cost once or had cost when cached, or why there are none."""
    if bench.retriever.vectors is None:
        return {}, bench.models.missing
    try:
        _, times = bench.retriever.passage_vectors(evidence)
    except EmbeddingError as failed:
        return {}, failed.say
    return times, None


def count_evidence(bench: Bench, evidence: Sequence[Passage]) -> int:
    """How many tokens the evidence would be, by the counter on this machine (≈)."""
    return sum(bench.models.count(passage.indexed) for passage in evidence)
