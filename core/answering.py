"""From evidence to an answer: the one way every mode ends, with the same writer and the same words."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from core.bench import Bench
from core.domain import EVIDENCE, Ask, Event, Hit, Passage, Say, Step, StopReason, Token, Usage
from core.errors import EmbeddingError, ModelError, SpendError
from core.knowledge.folding import language_of
from core.ports import Writer, relay

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
        yield Token(NOTHING_FOUND[language_of(ask.question)])
        return
    yield from _write(bench, ask.question, evidence, tokens)


def _write(bench: Bench, question: str, evidence: Sequence[Passage], tokens: int) -> Iterator[Event]:
    """The writer's words as they come, then a step with its time and usage (≈ where no model told one).

    Where a limit of spending leaves no room for the model, the offline writer answers, and the trace says so. Any
    other failure stays in the trace too, before it ends the run.
    """
    writer = bench.writer()
    said: list[Token] = []
    began = time.perf_counter()
    try:
        yield from _written(bench, writer, question, evidence, tokens, said)
    except SpendError as spent:
        seconds = time.perf_counter() - began
        yield _unwritten(writer, seconds, spent, "spend_limit")
        if not said:
            yield from _written(bench, bench.offline_writer(), question, evidence, tokens, said)
    except ModelError as failed:
        yield _unwritten(writer, time.perf_counter() - began, failed)
        raise


def _written(
    bench: Bench, writer: Writer, question: str, evidence: Sequence[Passage], tokens: int, said: list[Token]
) -> Iterator[Event]:
    """One writer's answer and its step; what it says is also added to `said`."""
    times, notice = _vectors_for(bench, evidence) if writer.reads_vectors else ({}, None)
    began = time.perf_counter()

    def noted(token: Token) -> Token | None:
        if not token.text and token.kind != "retracted":
            return None
        said.append(token)
        return token

    reply = yield from relay(writer.write(question, evidence), noted)
    seconds = time.perf_counter() - began
    usage = reply.usage if reply else Usage(prompt=tokens, estimated=True)
    beside = bench.retriever.told_beside()  # where the offline writer had its questions embedded by a provider
    yield Step(
        "write",
        writer.said,
        seconds=seconds,
        times={**times, "writing": seconds},
        usage=usage + beside if beside else usage,
        error=reply.notices[0] if reply and reply.notices else notice,
        sent=reply.sent if reply else {},
    )


def _unwritten(writer: Writer, seconds: float, error: ModelError, stop: StopReason | None = None) -> Step:
    """What the trace keeps of an answer that was not written, or not to its end."""
    times = {"writing": seconds}
    return Step(
        "write",
        writer.said,
        seconds=seconds,
        times=times,
        usage=error.usage,
        error=error.say,
        stop=stop,
        sent=error.sent,
    )


def _vectors_for(bench: Bench, evidence: Sequence[Passage]) -> tuple[dict[str, float], Say | None]:
    """Have the vectors the writer will read: seconds this cost once or had cost when cached, or why there are none."""
    if bench.retriever.vectors is None:
        return {}, bench.missing
    try:
        _, times = bench.retriever.passage_vectors(evidence)
    except EmbeddingError as failed:
        return {}, failed.say
    return times, None


def count_evidence(bench: Bench, evidence: Sequence[Passage]) -> int:
    """How many tokens the evidence would be, by the counter on this machine (≈)."""
    return sum(bench.count(passage.indexed) for passage in evidence)
