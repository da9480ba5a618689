"""Keyword retrieval: question → BM25 → top k → writer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from core.answering import answer
from core.bench import Bench
from core.domain import Ask, Event, Parameter, Passage, Say, Step
from core.modes import Mode, Why
from core.retrieval.standing import standing
from core.retrieval.wording import hint, wording
from core.runs import Run
from core.settings import LARGEST_CUT

LISTED = 20
"""Hits shown in the trace, so that a reader sees what the cut left out."""


def run(bench: Bench, ask: Ask) -> Iterator[Event]:
    """Rank by BM25 and hand the first k to the writer."""
    k = int(MODE.value(ask, "k"))
    ranking = bench.retriever.keyword(ask.question, max(LISTED, k))
    detail = Say.of("step.keyword", hits=len(ranking.hits), passages=bench.retriever.reach)
    yield Step("search", detail, ranking.hits, seconds=ranking.seconds, times=ranking.times, error=ranking.notice)
    yield from answer(bench, ask, ranking.hits[:k])


def explain(bench: Bench, question: str, passage: Passage) -> dict[str, Any]:
    """The BM25 side of a passage: its rank among all matches, and each query term's part of its score.

    `literal` is told where no term of the question is in the index, and a literal search ranks it; `exact` where the
    question names the passage, so that it stands in front; `factor` where the sum of the terms' parts was multiplied,
    since the passage was read with little confidence.
    """
    retriever = bench.retriever
    terms = retriever.tokeniser.query(question)
    scores = retriever.index.explain(terms, passage.order, retriever.bm25)
    rank, score, literal = retriever.stands(question, passage) or (None, 0.0, False)
    factor = retriever.factor(passage, score)
    return {
        "rank": rank,
        "score": score,
        "terms": [
            {"term": s.term, "tf": s.tf, "df": s.df, "idf": s.idf, "contribution": s.contribution}
            for s in scores
            if s.tf
        ],
        "missing_terms": [score.term for score in scores if not score.tf],
        **({"literal": True} if literal else {}),
        **({"exact": True} if rank and retriever.named(question, passage) else {}),
        **({"factor": factor} if factor != 1 else {}),
    }


def why(bench: Bench, ask: Ask, passage: Passage, run: Run) -> Why:
    """Where BM25 ranked the passage, what each term gave it, and whether the cut let it through."""
    found = explain(bench, ask.question, passage)
    given = run.gave(passage.id)
    k = int(MODE.value(ask, "k"))
    code = "given" if given else "unmatched" if found["rank"] is None else "cut"
    sentence = Say.of(f"bm25.{code}", rank=found["rank"], k=k)
    why = Why({**found, "given": given}, sentence, rank=found["rank"])
    if given:
        return why
    remedy = _remedy(bench, ask, passage, found["rank"], k)
    return replace(why, remedy=remedy, settings=("k",) if remedy.code == "bm25.remedy_k" else ())


def _remedy(bench: Bench, ask: Ask, passage: Passage, rank: int | None, k: int) -> Say:
    """The cut that lets it through; where none can, one of its words and what it is by meaning."""
    widest = MODE.most("k")
    if rank and rank <= widest:
        return Say.of("bm25.remedy_k", k=rank)
    found = hint(wording(bench.retriever, ask.question, passage, k), standing(bench.retriever, ask.question), passage)
    if not rank:
        return found
    return Say.of("bm25.remedy_beyond", most=widest, hint=found.as_value())


MODE = Mode(
    id="bm25",
    order=1,
    icon="match_word",
    run=run,
    why=why,
    parameters=(Parameter("k", 5, 1, LARGEST_CUT),),
    words={
        "zh": {
            "name": "BM25",
            "about": "按关键词打分（BM25），取前几段交给作答。只认字面，不认同义词。",
            "k": "交给作答的段落数",
            "bm25.given": "排第 {rank}，已交给作答",
            "bm25.cut": "排第 {rank}，只取前 {k} 段，所以没有交给作答",
            "bm25.unmatched": "问题里没有一个词出现在这一段，所以看不到它",
            "bm25.remedy_k": "把交给作答的段落数改为 {k}，就够得着它",
            "bm25.remedy_beyond": "交给作答的段落数最多 {most}，也够不着它。{hint}",
        },
        "en": {
            "name": "BM25",
            "about": "Scores passages by shared keywords and gives the first few to the writer. Literal words only.",
            "k": "Passages given to the writer",
            "bm25.given": "ranks it {rank}; it was given to the writer",
            "bm25.cut": "ranks it {rank}; only the first {k:is|are} given to the writer, so it was cut",
            "bm25.unmatched": "finds no word of the question in this passage, so it cannot see it",
            "bm25.remedy_k": "Give the writer {k:passage|passages} and this is one of them",
            "bm25.remedy_beyond": "Even the largest cut, {most}, does not reach it. {hint}",
        },
    },
)
