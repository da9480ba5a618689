"""Agentic retrieval: question → loop of search / find / open / summarize → evidence → writer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

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
from core.retrieval.standing import standing
from core.retrieval.wording import hint, wording
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
    until = kept or len(run.steps)  # what ranked it after it was kept did not bring it
    ranked = sorted((rank, number, query) for number, query, rank in steps if rank and number <= until)
    rank, step, query = ranked[0] if ranked else (None, read[0] if read else None, None)
    code = ("given" if kept else "stands_in") if given else "cut" if kept else "unkept" if step else "unfound"
    how = "" if rank or code in ("unfound", "cut") else "_read"
    facts = {
        "steps": [{"step": n, "query": asked, "rank": found} for n, asked, found in steps],
        "read": read,
        "kept": kept,
        "given": given,
    }
    reason = _reason(run, passage, step) if step and not kept else None
    code += "_because" if reason and code == "unkept" else ""
    values = {"queries": len(steps), "step": step, "query": query, "rank": rank, "kept": kept, "k": ask.k}
    sentence = Say(f"agentic.{code}{how}", {**values, "reason": reason} if reason else values)
    if given:
        return Why(facts, sentence)
    return Why(facts, sentence, *(_by_setting(ask, passage, run, reason) or (_by_words(bench, ask, passage),)))


def _reason(run: Run, passage: Passage, step: int) -> Mapping[str, Any] | None:
    """Why the policy did not keep it, as it said when it judged what that step found; `None` where it did not say."""
    told = (later.detail.values.get("left") for later in run.steps[step:])
    return next((left[passage.id] for left in told if left and passage.id in left), None)


def _by_setting(
    ask: Ask, passage: Passage, run: Run, reason: Mapping[str, Any] | None
) -> tuple[Say, tuple[str, ...]] | None:
    """The cut, or the limit of evidence, that lets it through; neither changes what the policy did before."""
    kept = [id for step in run.steps for id in step.kept]
    if passage.id in kept:
        return Say.of("agentic.remedy_k", k=kept.index(passage.id) + 1), ("k",)
    needed = reason["values"].get("needed") if reason else None
    most = next(parameter.high for parameter in MODE.parameters if parameter.name == "evidence")
    if not needed or needed > (most or 0):
        return None
    if ask.k is None or ask.k >= needed:
        return Say.of("agentic.remedy_evidence", evidence=needed), ("evidence",)
    return Say.of("agentic.remedy_both", evidence=needed, k=needed), ("evidence", "k")


def _by_words(bench: Bench, ask: Ask, passage: Passage) -> Say:
    """Where the bare question ranks it, and which of its words would find it."""
    ranked, wide = standing(bench.retriever, ask.question), int(MODE.value(ask, "candidates"))
    found = hint(wording(bench.retriever, ask.question, passage, wide), ranked, passage)
    first, place = ranked.keyword(passage.order), ranked.place(passage.order, wide)
    code = "unmatched" if first is None else "outside" if first > wide else "candidate" if place else "matched"
    values = {"bm25_rank": first, "pool": wide, "place": place}
    return Say(f"agentic.remedy_{code}", {**values, "hint": {"code": found.code, "values": dict(found.values)}})


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
            "agentic.unkept_because": "第 {step} 步的“{query}”把它排到第 {rank}，没有判断为有关：{reason}",
            "agentic.unkept_because_read": "第 {step} 步读到它，没有判断为有关：{reason}",
            "agentic.unfound": "{queries} 个检索词都没有找到它",
            "agentic.remedy_k": "取前 {k} 段，就够得着它",
            "agentic.remedy_evidence": "把证据段落上限改为 {evidence}，就留得下它",
            "agentic.remedy_both": "把证据段落上限改为 {evidence}，并取前 {k} 段，就够得着它",
            "agentic.remedy_unmatched": "原问题里没有一个词出现在这一段。{hint}",
            "agentic.remedy_outside": "照原问题检索，BM25 排它第 {bm25_rank}，未进入 {pool} 个候选。{hint}",
            "agentic.remedy_candidate": "照原问题检索，BM25 排它第 {bm25_rank}，重排到第 {place}。{hint}",
            "agentic.remedy_matched": "照原问题检索，BM25 排它第 {bm25_rank}。{hint}",
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
            "agentic.unkept_because": "Step {step}, “{query}”, ranked it {rank}; not judged relevant: {reason}",
            "agentic.unkept_because_read": "Step {step} read it; it was not judged relevant: {reason}",
            "agentic.unfound": "None of the {queries} queries found it",
            "agentic.remedy_k": "A cut of {k} lets it through",
            "agentic.remedy_evidence": "With a limit of {evidence} evidence passages it is kept",
            "agentic.remedy_both": "With a limit of {evidence} evidence passages and a cut of {k} it is given",
            "agentic.remedy_unmatched": "No word of the question itself occurs in this passage. {hint}",
            "agentic.remedy_outside": "Asked as it is, the question ranks it {bm25_rank}, outside the {pool}. {hint}",
            "agentic.remedy_candidate": "Asked as it is, the question ranks it {bm25_rank}, by meaning {place}. {hint}",
            "agentic.remedy_matched": "Asked as it is, the question ranks it {bm25_rank} by BM25. {hint}",
        },
    },
)
