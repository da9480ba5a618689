"""Keyword retrieval with vector rerank: question → BM25 top 20 → cosine of embeddings → top k → writer."""

from __future__ import annotations

from collections.abc import Iterator

from core.answering import answer
from core.bench import Bench
from core.domain import Ask, Event, Parameter, Passage, Say, Step
from core.modes import Mode, Why
from core.runs import Run

POOL_PER_PASSAGE = 4
"""The candidate pool grows with the cut, so that a larger evidence budget means a wider choice too."""


def pool(ask: Ask) -> int:
    """How many BM25 hits are candidates: the setting, or four times the cut where that is more."""
    return max(int(MODE.value(ask, "candidates")), POOL_PER_PASSAGE * int(MODE.value(ask, "k")))


def run(bench: Bench, ask: Ask) -> Iterator[Event]:
    """Rank by BM25, reorder the candidates by meaning, hand the first k to the writer."""
    candidates = pool(ask)
    first = bench.retriever.keyword(ask.question, candidates)
    detail = Say.of("step.keyword", hits=len(first.hits), passages=len(bench.base.passages))
    yield Step("search", detail, first.hits, seconds=first.seconds, times=first.times, error=first.notice)
    second = bench.retriever.meaning(ask.question, first.hits, candidates)
    if second.hits:
        detail = Say.of("step.rerank" if second.by_meaning else "embeddings.kept", candidates=len(second.hits))
        yield Step(
            "rerank",
            detail,
            second.hits,
            reorders=True,
            seconds=second.seconds,
            times=second.times,
            usage=second.usage,
            error=second.notice,
        )
    yield from answer(bench, ask, second.hits[: int(MODE.value(ask, "k"))])


def why(bench: Bench, ask: Ask, passage: Passage, run: Run) -> Why:
    """Its BM25 rank, whether that made it a candidate, its cosine and its rank among the candidates."""
    retriever = bench.retriever
    terms = retriever.tokeniser.query(ask.question)
    hit = next((hit for hit in run.hits if hit.passage.id == passage.id), None)
    first = retriever.index.rank(terms, passage.order, retriever.bm25)
    if first is None and hit:
        first = int(hit.scores["bm25_rank"])
    given = run.gave(passage.id)
    facts = {
        "bm25_rank": first,
        "candidate": hit is not None,
        "cosine": hit.scores.get("cosine") if hit else None,
        "rank": hit.rank if hit else None,
        "given": given,
    }
    code = "given" if given else "cut" if hit else "unmatched" if first is None else "outside"
    values = {"rank": facts["rank"], "bm25_rank": first, "pool": pool(ask), "k": MODE.value(ask, "k")}
    return Why(facts, Say(f"rerank.{code}", values))


MODE = Mode(
    id="rerank",
    order=2,
    icon="swap_vert",
    run=run,
    why=why,
    needs=frozenset({"vectors"}),
    parameters=(Parameter("k", 5, 1, 50), Parameter("candidates", 20, 1, 200)),
    words={
        "zh": {
            "name": "BM25 + 重排",
            "about": "先用 BM25 取候选，再按语义相近程度（向量余弦）重排，取前几段交给作答。",
            "k": "交给作答的段落数",
            "candidates": "重排的候选数",
            "rerank.given": "BM25 排第 {bm25_rank}，重排到第 {rank}，已交给作答",
            "rerank.cut": "BM25 排第 {bm25_rank}，重排到第 {rank}，只取前 {k} 段，所以没有交给作答",
            "rerank.outside": "BM25 排第 {bm25_rank}，未进入 {pool} 个候选，所以重排看不到它",
            "rerank.unmatched": "问题里没有一个词出现在这一段，BM25 没有把它选为候选，所以重排看不到它",
        },
        "en": {
            "name": "BM25 + rerank",
            "about": "Takes BM25's candidates, reorders them by meaning (cosine of vectors), gives the first few.",
            "k": "Passages given to the writer",
            "candidates": "Candidates to rerank",
            "rerank.given": "BM25 ranks it {bm25_rank}, rerank moves it to {rank}; it was given to the writer",
            "rerank.cut": "BM25 ranks it {bm25_rank}, rerank {rank}; only the first {k} are given, so it was cut",
            "rerank.outside": "BM25 ranks it {bm25_rank}, outside the {pool} candidates, so rerank cannot see it",
            "rerank.unmatched": "No word of the question occurs in it, so it was no candidate and rerank cannot see it",
        },
    },
)
