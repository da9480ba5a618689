"""Keyword retrieval with vector rerank: question → BM25 top 20 → cosine of embeddings → top k → writer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from core.answering import answer
from core.bench import Bench
from core.domain import Ask, Event, Parameter, Passage, Say, Step
from core.modes import Mode, Why
from core.retrieval.standing import Standing, standing
from core.retrieval.wording import hint, wording
from core.runs import Run
from core.settings import LARGEST_CUT

POOL_PER_PASSAGE = 4
"""The candidate pool grows with the cut, so that a larger evidence budget means a wider choice too."""


def pool(ask: Ask) -> int:
    """How many BM25 hits are candidates: the setting, or four times the cut where that is more."""
    return max(int(MODE.value(ask, "candidates")), POOL_PER_PASSAGE * int(MODE.value(ask, "k")))


def run(bench: Bench, ask: Ask) -> Iterator[Event]:
    """Rank by BM25, reorder the candidates by meaning, hand the first k to the writer."""
    candidates = pool(ask)
    first = bench.retriever.keyword(ask.question, candidates)
    detail = Say.of("step.keyword", hits=len(first.hits), passages=bench.retriever.reach)
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
    hit = next((hit for hit in run.hits if hit.passage.id == passage.id), None)
    stands = retriever.stands(ask.question, passage)
    first = stands[0] if stands else None
    given = run.gave(passage.id)
    wide = pool(ask)
    facts: dict[str, Any] = {
        "bm25_rank": first,
        "pool": wide,
        "candidate": hit is not None,
        "cosine": hit.scores.get("cosine") if hit else None,
        "rank": hit.rank if hit else None,
        "given": given,
    }
    code = "given" if given else "cut" if hit else "unmatched" if first is None else "outside"
    sentence = Say.of(f"rerank.{code}", rank=facts["rank"], bm25_rank=first, pool=wide, k=MODE.value(ask, "k"))
    found = Why(facts, sentence, rank=facts["rank"], pool=wide)
    if given:
        return found
    ranked = standing(retriever, ask.question, run.hits)
    by_setting = _by_setting(ask, ranked, passage)
    remedy, settings = by_setting or (_by_words(bench, ask, passage, ranked, first), ())
    return replace(found, remedy=remedy, settings=settings)


def _by_setting(ask: Ask, ranked: Standing, passage: Passage) -> tuple[Say, tuple[str, ...]] | None:
    """The smallest settings that bring it to the writer, and which those are; `None` where none are known to."""
    now, wanted = int(MODE.value(ask, "k")), int(MODE.value(ask, "candidates"))
    first = ranked.keyword(passage.order)
    most_k, most = MODE.most("k"), MODE.most("candidates")
    if first is None:
        return None
    for k in range(now, max(now, most_k) + 1):
        wide = max(wanted, POOL_PER_PASSAGE * k)
        if first > max(wide, most):
            continue
        candidates = max(wide, first)
        rank = ranked.place(passage.order, candidates)
        if rank is None or rank > k:
            continue
        values = {"candidates": first, "k": k, "rank": rank, "pool": _counted(candidates, ranked)}
        if first <= pool(ask):
            return Say("rerank.remedy_k", values), ("k",)
        if wide >= first:
            return Say("rerank.remedy_outside_k", {**values, "needed": first}), ("k",)
        if k == now:
            return Say("rerank.remedy_candidates", values), ("candidates",)
        return Say("rerank.remedy_both", values), ("candidates", "k")
    return None


def _counted(candidates: int, ranked: Standing) -> Mapping[str, Any]:
    """A number of candidates as it is told: never more than there are passages in the base."""
    code = "rerank.all" if candidates >= ranked.passages else "rerank.some"
    return Say.of(code, count=min(candidates, ranked.passages)).as_value()


def _by_words(bench: Bench, ask: Ask, passage: Passage, ranked: Standing, first: int | None) -> Say:
    """What is known where no setting is: what it lacks as a candidate, one of its words, its place by meaning."""
    now = pool(ask)
    found = hint(wording(bench.retriever, ask.question, passage, now), ranked, passage)
    most = max(MODE.most("candidates"), POOL_PER_PASSAGE * MODE.most("k"))
    wide = max(first or 0, now)
    rank = ranked.place(passage.order, wide)
    if first is None or (rank is None and first <= now):
        return found
    code = "beyond" if first > most else "none" if rank else "unsure"
    values = {
        "bm25_rank": first,
        "most": most,
        "pool": _counted(wide, ranked),
        "rank": rank,
        "hint": found.as_value(),
    }
    return Say(f"rerank.remedy_{code}", values)


MODE = Mode(
    id="rerank",
    order=2,
    icon="swap_vert",
    run=run,
    why=why,
    needs=frozenset({"vectors"}),
    parameters=(Parameter("k", 5, 1, LARGEST_CUT), Parameter("candidates", 20, 1, 200)),
    words={
        "zh": {
            "name": "BM25 + 重排",
            "about": "先用 BM25 取候选，再按语义相近程度（向量余弦）重排，取前几段交给作答。",
            "k": "交给作答的段落数",
            "candidates": "重排的候选数（至少是交给作答的四倍）",
            "rerank.given": "BM25 排第 {bm25_rank}，重排到第 {rank}，已交给作答",
            "rerank.cut": "BM25 排第 {bm25_rank}，重排到第 {rank}，只取前 {k} 段，所以没有交给作答",
            "rerank.outside": "BM25 排第 {bm25_rank}，未进入 {pool} 个候选，所以重排看不到它",
            "rerank.unmatched": "问题里没有一个词出现在这一段，BM25 没有把它选为候选，所以重排看不到它",
            "rerank.some": " {count} 个",
            "rerank.all": "为全部 {count} 段",
            "rerank.remedy_k": "取前 {k} 段（候选{pool}），它重排到第 {rank}，就会交给作答",
            "rerank.remedy_outside_k": "取前 {k} 段：候选随之增多（候选{pool}，有 {needed} 个它才在其中），"
            "它重排到第 {rank}，就会交给作答",
            "rerank.remedy_candidates": "把候选数改为 {candidates}，它就是候选，重排到第 {rank}，会交给作答",
            "rerank.remedy_both": "候选数要到 {candidates}；那时它也只排第 {rank}。要交给作答，还得取前 {k} 段",
            "rerank.remedy_none": "候选{pool}，它按语义排第 {rank}；段落数加大，候选也变多，仍够不着。{hint}",
            "rerank.remedy_unsure": "候选数改为 {bm25_rank}，它就是候选；有的候选余弦未知，说不出它会排第几。{hint}",
            "rerank.remedy_beyond": "候选数最多 {most}，够不着 BM25 的第 {bm25_rank}。{hint}",
        },
        "en": {
            "name": "BM25 + rerank",
            "about": "Takes BM25's candidates, reorders them by meaning (cosine of vectors), gives the first few.",
            "k": "Passages given to the writer",
            "candidates": "Candidates to rerank (four times the cut at least)",
            "rerank.given": "BM25 ranks it {bm25_rank}, rerank moves it to {rank}; it was given to the writer",
            "rerank.cut": "BM25 ranks it {bm25_rank}, rerank {rank}; only the first {k} are given, so it was cut",
            "rerank.outside": "BM25 ranks it {bm25_rank}, outside the {pool} candidates, so rerank cannot see it",
            "rerank.unmatched": "No word of the question occurs in it, so it was no candidate and rerank cannot see it",
            "rerank.some": "{count:candidate|candidates}",
            "rerank.all": "all {count:passage|passages} as candidates",
            "rerank.remedy_k": "Give the writer {k:passage|passages} ({pool}): reranked {rank}, it is given",
            "rerank.remedy_outside_k": "Give the writer {k:passage|passages}: the candidates grow with it ({pool}; "
            "it is one from {needed} on), it is reranked {rank} and given",
            "rerank.remedy_candidates": "With {candidates} candidates it is one of them; reranked {rank}, it is given",
            "rerank.remedy_both": "It takes {candidates} candidates, and even then it ranks {rank}. To be given "
            "it needs a cut of {k} as well",
            "rerank.remedy_none": "With {pool} it is {rank} by meaning; a larger cut brings more of them, so that "
            "none lets it in. {hint}",
            "rerank.remedy_unsure": "{bm25_rank} candidates would include it; some lack a known cosine. {hint}",
            "rerank.remedy_beyond": "At most {most} candidates can be taken, and BM25 ranks it {bm25_rank}. {hint}",
        },
    },
)
