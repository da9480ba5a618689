"""Equal evidence budget: a comparison seen with the first k passages of each mode's evidence."""

from __future__ import annotations

from dataclasses import replace

from core.answering import count_evidence
from core.asking import LARGEST_CUT
from core.bench import Bench
from core.domain import EVIDENCE, Ask, Say, Step, Timed
from core.errors import UsageError
from core.modes import registry
from core.race import compare
from core.retrieval.bm25 import Bm25
from core.runs import Comparison, Run
from core.settings import OFFLINE, Role


def at_budget(bench: Bench, comparison: Comparison, k: int) -> Comparison:
    """The same question with the same settings, retrieval only, every mode cut at `k`; nothing is paid for.

    A run that called no model before its evidence is run anew at `k` (its candidate pool grows with it); one that did,
    that was stopped or failed, or whose vectors are not at hand, keeps its recorded trace, its evidence cut at `k`.
    The base must be the comparison's own. It keeps its id and time. Raises `UsageError`.
    """
    if (bench.info.version, bench.info.tokeniser) != (comparison.base.version, comparison.base.tokeniser):
        raise UsageError("budget.base", base=comparison.base.title)
    if not 1 <= k <= LARGEST_CUT:
        raise UsageError("parameter.range", name="k", low=1, high=LARGEST_CUT, value=k)
    asks = {run.mode: Ask(run.ask.question, k, run.ask.parameters) for run in comparison.runs}
    entrants = [(registry()[run.mode], asks[run.mode]) for run in comparison.runs if _anew(bench, comparison, run)]
    again = compare(_as_recorded(bench, comparison), entrants, retrieval_only=True).runs if entrants else ()
    done = {run.mode: run for run in again}
    runs = tuple(done.get(run.mode) or _first(bench, run, k) for run in comparison.runs)
    return replace(comparison, settings={**comparison.settings, "retrieval_only": True}, runs=runs)


def _anew(bench: Bench, comparison: Comparison, run: Run) -> bool:
    """Whether a run can be made again as it was, for nothing."""
    mode = registry().get(run.mode)
    if mode is None or run.stop_reason in (None, "stopped", "failed") or _called(run):
        return False
    if "vectors" not in mode.needs:
        return True
    embedder = bench.retriever.embedder
    same = comparison.settings.get("embeddings") == bench.settings.roles["embeddings"].model
    return same and embedder is not None and embedder.free


def _called(run: Run) -> bool:
    """Whether a model was called, or a text embedded for money, before the evidence stood."""
    for step in run.steps:
        if step.name == EVIDENCE:
            return False
        if step.usage and (step.usage.calls or step.usage.embedding):
            return True
    return False


def _as_recorded(bench: Bench, comparison: Comparison) -> Bench:
    """The bench with what was in force then: the settings of BM25, the agent's limits; no chat model."""
    told = comparison.settings
    now = bench.settings
    names = ("variant", "k1", "b", "budget_tokens", "time_limit")
    kept = {name: told.get(name, getattr(now, name)) for name in names}
    roles = {name: role if name == "embeddings" else Role(OFFLINE) for name, role in now.roles.items()}
    settings = replace(now, roles=roles, **kept)
    retriever = bench.retriever.for_run()
    retriever.bm25 = Bm25(settings.variant, settings.k1, settings.b)
    return replace(bench, retriever=retriever, settings=settings)


def _first(bench: Bench, run: Run, k: int) -> Run:
    """The recorded run up to its evidence, of which the first `k` are left."""
    events: list[Timed] = []
    for timed in run.events:
        if isinstance(timed.event, Step) and timed.event.name == EVIDENCE:
            events.append(replace(timed, event=_shortened(bench, timed.event, k)))
            break
        events.append(timed)
    else:
        return replace(run, ask=replace(run.ask, k=k))
    return replace(run, ask=replace(run.ask, k=k), events=tuple(events), ended=events[-1].at, stopped=False, error=None)


def _shortened(bench: Bench, step: Step, k: int) -> Step:
    hits = step.hits[:k]
    tokens = count_evidence(bench, [hit.passage for hit in hits])
    return replace(step, hits=hits, detail=Say.of("step.evidence", passages=len(hits), tokens=tokens))
