"""Agentic retrieval: question → loop of search / find / open / summarize → evidence → writer."""

from __future__ import annotations

from collections.abc import Iterator

from core.agent.function_calling import SHOW, FunctionCalling
from core.agent.ledger import Ledger
from core.agent.loop import Limits, Loop
from core.agent.policy import Policy
from core.agent.rules import RulesPolicy
from core.agent.tools import Show, Toolbox
from core.answering import answer
from core.bench import Bench
from core.domain import Ask, Event, Parameter, Passage, Say, Step
from core.modes import Mode, Why
from core.runs import Run


def run(bench: Bench, ask: Ask) -> Iterator[Event]:
    """Let the policy search in rounds, then hand what it kept to the writer."""
    ledger = Ledger(int(MODE.value(ask, "evidence")))
    way, pool = MODE.value(ask, "ranking"), int(MODE.value(ask, "candidates"))
    settings = bench.settings
    policy: Policy = RulesPolicy(bench.retriever)
    show = Show()
    if not settings.roles["planner"].offline:
        policy, show = FunctionCalling(bench.chat("planner"), bench.base, policy), SHOW
    toolbox = Toolbox(bench.retriever, ledger, bench.count, way, pool, show)
    limits = Limits(int(MODE.value(ask, "calls")), settings.budget_tokens, settings.time_limit)
    loop = Loop(policy, toolbox, ledger, limits)
    reason = yield from loop.run(ask.question)
    yield from answer(bench, ask, ledger.evidence(ask.k or ledger.limit, loop.judged), stop=reason)


def why(bench: Bench, ask: Ask, passage: Passage, run: Run) -> Why:
    """For each query of each step the rank it gave the passage; when it was read and kept, and whether given."""
    steps = [(n, query, rank) for n, step in enumerate(run.steps, 1) for query, rank in _ranks(step, passage)]
    read = [number for number, step in enumerate(run.steps, 1) if passage in step.seen]
    kept = next((number for number, step in enumerate(run.steps, 1) if passage.id in step.kept), None)
    given = run.gave(passage.id)
    ranked = sorted((rank, number, query) for number, query, rank in steps if rank)
    rank, step, query = ranked[0] if ranked else (None, read[0] if read else None, None)
    code = ("given" if kept else "stands_in") if given else "cut" if kept else "unkept" if step else "unfound"
    how = "" if rank or code in ("unfound", "cut") else "_read"
    facts = {
        "steps": [{"step": n, "query": asked, "rank": found} for n, asked, found in steps],
        "read": read,
        "kept": kept,
        "given": given,
    }
    values = {"queries": len(steps), "step": step, "query": query, "rank": rank, "kept": kept, "k": ask.k}
    return Why(facts, Say(f"agentic.{code}{how}", values))


def _ranks(step: Step, passage: Passage) -> Iterator[tuple[str, int | None]]:
    """Each query of a step that ranked passages, with the rank it gave this one."""
    hit = next((hit for hit in step.hits if hit.passage.id == passage.id), None)
    if step.name == "find" and step.hits:
        yield str(step.detail.values.get("pattern", "")), hit.rank if hit else None
    elif step.name == "search":
        for number, query in enumerate(step.detail.values.get("queries", ()), 1):
            rank = hit.scores.get(f"query_{number}") if hit else None
            yield query, int(rank) if rank else None


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
            "agentic.given_read": "第 {step} 步读到它，第 {kept} 步留作证据，已交给作答",
            "agentic.stands_in": "第 {step} 步的“{query}”把它排到第 {rank}；检索中断时还没有判断，按名次交给作答",
            "agentic.stands_in_read": "第 {step} 步读到它；检索中断时还没有判断，已交给作答",
            "agentic.unkept_read": "第 {step} 步读到它，但没有判断为有关",
            "agentic.cut": "第 {kept} 步留作证据，但只取前 {k} 段，所以没有交给作答",
            "agentic.unkept": "第 {step} 步的“{query}”把它排到第 {rank}，但没有判断为有关",
            "agentic.unfound": "{queries} 个检索词都没有找到它",
        },
        "en": {
            "name": "Agentic",
            "about": "Searches, finds, opens and compresses in rounds, keeps what it judges relevant, then answers.",
            "calls": "Limit of tool calls",
            "evidence": "Limit of evidence passages",
            "candidates": "Candidates of each search",
            "ranking": "Ranking its search uses",
            "agentic.given": "Step {step}, “{query}”, ranked it {rank}; step {kept} kept it and the writer got it",
            "agentic.given_read": "Step {step} read it, step {kept} kept it and the writer got it",
            "agentic.stands_in": "Step {step}, “{query}”, ranked it {rank}; not judged, it was given by rank",
            "agentic.stands_in_read": "Step {step} read it; the search was cut off before judging, so it was given",
            "agentic.unkept_read": "Step {step} read it, but it was not judged relevant",
            "agentic.cut": "Step {kept} kept it, but only the first {k} are given, so it was cut",
            "agentic.unkept": "Step {step}, “{query}”, ranked it {rank}, but it was not judged relevant",
            "agentic.unfound": "None of the {queries} queries found it",
        },
    },
)
