"""Agentic retrieval: question → loop of search / find / open / summarize → evidence → writer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
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
from core.modes import Asked, Mode, Why
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


_SAID: Mapping[str, tuple[str, str]] = {
    "given": ("agentic.given", "agentic.given_read"),
    "stands_in": ("agentic.stands_in", "agentic.stands_in_read"),
    "unkept": ("agentic.unkept", "agentic.unkept_read"),
    "because": ("agentic.unkept_because", "agentic.unkept_because_read"),
    "cut": ("agentic.cut", "agentic.cut"),
    "unfound": ("agentic.unfound", "agentic.unfound"),
}
"""What is said of each outcome: where a query ranked the passage, and where it was only read."""


@dataclass(frozen=True, slots=True)
class _Way:
    """How a run came by a passage: what each query ranked it, the steps that read it, the step that kept it."""

    asked: tuple[Asked, ...]
    read: tuple[int, ...]
    kept: int | None

    @classmethod
    def of(cls, run: Run, passage: Passage) -> _Way:
        steps = list(enumerate(run.steps, 1))
        return cls(
            tuple(Asked(number, query, rank) for number, step in steps for query, rank in _ranks(step, passage)),
            tuple(number for number, step in steps if passage in step.seen),
            next((number for number, step in steps if passage.id in step.kept), None),
        )

    @property
    def best(self) -> Asked | None:
        """The query that ranked it highest; what came after it was kept did not bring it."""
        ranked = [each for each in self.asked if each.rank and (self.kept is None or each.step <= self.kept)]
        return min(ranked, key=lambda each: (each.rank, each.step, each.query), default=None)

    @property
    def step(self) -> int | None:
        """The step that found it: by its best query, else by reading."""
        return self.best.step if self.best else next(iter(self.read), None)


def why(bench: Bench, ask: Ask, passage: Passage, run: Run) -> Why:
    """For each query of each step the rank it gave the passage; when it was read and kept, and whether given."""
    way, given = _Way.of(run, passage), run.gave(passage.id)
    reason = _reason(run, passage, way.step) if way.step and not way.kept else None
    facts = {
        "steps": [{"step": each.step, "query": each.query, "rank": each.rank} for each in way.asked],
        "read": list(way.read),
        "kept": way.kept,
        "given": given,
    }
    found = Why(facts, _sentence(way, given, ask.k, reason), queries=way.asked)
    if given:
        return found
    remedy, settings = _by_setting(ask, passage, run, reason) or (_by_words(bench, ask, passage), ())
    return replace(found, remedy=remedy, settings=settings)


def _sentence(way: _Way, given: bool, k: int | None, reason: Mapping[str, Any] | None) -> Say:
    """What became of the passage; `reason` is why the policy did not keep it, where it said so."""
    if given:
        outcome = "given" if way.kept else "stands_in"
    elif way.kept:
        outcome = "cut"
    elif way.step:
        outcome = "because" if reason else "unkept"
    else:
        outcome = "unfound"
    by_query, by_reading = _SAID[outcome]
    best = way.best
    values = {
        "queries": len(way.asked),
        "step": way.step,
        "query": best.query if best else None,
        "rank": best.rank if best else None,
        "kept": way.kept,
        "k": k,
    }
    return Say(by_query if best else by_reading, {**values, "reason": reason} if reason else values)


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
    if not needed or needed > MODE.most("evidence"):
        return None
    if ask.k is None or ask.k >= needed:
        return Say.of("agentic.remedy_evidence", evidence=needed), ("evidence",)
    return Say.of("agentic.remedy_both", evidence=needed, k=needed), ("evidence", "k")


def _by_words(bench: Bench, ask: Ask, passage: Passage) -> Say:
    """Where the bare question ranks it, and which of its words would find it."""
    ranked, wide = standing(bench.retriever, ask.question), int(MODE.value(ask, "candidates"))
    found = hint(wording(bench.retriever, ask.question, passage, wide), ranked, passage)
    stands = bench.retriever.stands(ask.question, passage)
    first, place = stands[0] if stands else None, None if ranked.unknown else ranked.place(passage.order, wide)
    code = "unmatched" if first is None else "outside" if first > wide else "candidate" if place else "matched"
    values = {"bm25_rank": first, "pool": wide, "place": place}
    return Say(f"agentic.remedy_{code}", {**values, "hint": found.as_value()})


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
