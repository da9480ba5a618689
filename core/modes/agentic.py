"""Agentic retrieval: question → loop of search / find / open / summarize → evidence → writer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.agent.ledger import Ledger
from core.agent.loop import Limits, Loop
from core.agent.rules import RulesPolicy
from core.agent.tools import Toolbox
from core.answering import answer
from core.bench import Bench
from core.domain import Ask, Event, Parameter, Passage, Run, Say
from core.modes import Mode, Why, place


def run(bench: Bench, ask: Ask) -> Iterator[Event]:
    """Let the policy search in rounds, then hand what it kept to the writer."""
    ledger = Ledger(int(MODE.value(ask, "evidence")))
    way, pool = MODE.value(ask, "ranking"), int(MODE.value(ask, "candidates"))
    toolbox = Toolbox(bench.retriever, ledger, bench.models.count, way, pool)
    settings = bench.settings
    limits = Limits(int(MODE.value(ask, "calls")), settings.budget_tokens, settings.time_limit)
    reason = yield from Loop(RulesPolicy(bench.retriever), toolbox, ledger, limits).run(ask.question)
    yield from answer(bench, ask, ledger.evidence(ask.k or ledger.limit), stop=reason)


def why(bench: Bench, ask: Ask, passage: Passage, run: Run) -> Why:
    """For each query of each search the rank it gave the passage; when it was read and kept, and whether given."""
    steps = [
        {"step": number, "query": query, "rank": _rank(step.hits, passage, n)}
        for number, step in enumerate(run.steps, 1)
        if step.name == "search" and step.call
        for n, query in enumerate(step.detail.values.get("queries", ()), 1)
    ]
    facts: dict[str, Any] = {
        "steps": steps,
        "read": [n for n, step in enumerate(run.steps, 1) if passage.id in {p.id for p in step.seen}],
        "kept": next((n for n, step in enumerate(run.steps, 1) if passage.id in step.kept), None),
        "given": place(MODE, run, passage)["given"],
    }
    found = [s for s in steps if s["rank"]]
    code = "given" if facts["given"] else "cut" if facts["kept"] else "unkept" if found else "unfound"
    best = min(found, key=lambda s: s["rank"], default={"query": None, "rank": None, "step": None})
    values = {"queries": len(steps), "step": best["step"], "query": best["query"], "rank": best["rank"]}
    return Why(facts, Say(f"agentic.{code}", {**values, "kept": facts["kept"], "k": ask.k}))


def _rank(hits: Any, passage: Passage, query: int) -> int | None:
    for hit in hits:
        if hit.passage.id == passage.id:
            rank = hit.scores.get(f"query_{query}")
            return int(rank) if rank else None
    return None


MODE = Mode(
    id="agentic",
    order=3,
    icon="travel_explore",
    run=run,
    why=why,
    needs=frozenset({"vectors"}),
    parameters=(
        Parameter("calls", 15, 1, 60),
        Parameter("evidence", 20, 1, 50),
        Parameter("candidates", 20, 1, 200),
        Parameter("ranking", "rerank", choices=("rerank", "bm25")),
    ),
    words={
        "zh": {
            "name": "智能体检索",
            "about": "分轮检索、查找、打开、压缩，把判断为有关的段落留作证据，够了或到了上限才作答。",
            "calls": "工具调用上限",
            "evidence": "证据段落上限",
            "candidates": "每次检索的候选数",
            "ranking": "检索所用的排序",
            "agentic.given": "第 {step} 步的“{query}”把它排到第 {rank}，第 {kept} 步留作证据，已交给作答",
            "agentic.cut": "第 {kept} 步留作证据，但只取前 {k} 段，所以没有交给作答",
            "agentic.unkept": "第 {step} 步的“{query}”把它排到第 {rank}，但没有判断为有关",
            "agentic.unfound": "{queries} 个检索词都没有找到它",
        },
        "en": {
            "name": "Agentic",
            "about": "Searches, finds and opens in rounds, keeps what it judges relevant, then answers.",
            "calls": "Limit of tool calls",
            "evidence": "Limit of evidence passages",
            "candidates": "Candidates of each search",
            "ranking": "Ranking its search uses",
            "agentic.given": "Step {step}, “{query}”, ranked it {rank}; step {kept} kept it and the writer got it",
            "agentic.cut": "Step {kept} kept it, but only the first {k} are given, so it was cut",
            "agentic.unkept": "Step {step}, “{query}”, ranked it {rank}, but it was not judged relevant",
            "agentic.unfound": "None of the {queries} queries found it",
        },
    },
)
