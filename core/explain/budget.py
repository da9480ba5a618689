"""Equal evidence budget: a comparison seen with the first k passages of each mode's evidence."""

from __future__ import annotations

from dataclasses import replace

from core.answering import count_evidence
from core.asking import check_cut
from core.bench import Bench
from core.domain import EVIDENCE, Say, Step, Timed
from core.errors import UsageError
from core.explain.recorded import as_recorded, ranked_by_meaning, same_vectors, wants_vectors
from core.modes import registry
from core.race import compare
from core.runs import Comparison, Run


def at_budget(bench: Bench, comparison: Comparison, k: int) -> Comparison:
    """The same question with the same settings, retrieval only, every mode cut at `k`; nothing is paid for.

    A run that called no model before its evidence is run anew at `k` (its candidate pool grows with it); one that did,
    that was stopped or failed, or was not ranked by the vectors in force, keeps its trace, its evidence cut at `k`.
    The base must be the comparison's own. It keeps its id and time. Raises `UsageError`.
    """
    if (bench.info.version, bench.info.tokeniser) != (comparison.base.version, comparison.base.tokeniser):
        raise UsageError("budget.base", base=comparison.base.title)
    check_cut(k)
    asks = {run.mode: replace(run.ask, k=k) for run in comparison.runs}
    then, same = as_recorded(bench, comparison), same_vectors(bench, comparison)
    entrants = [(registry()[run.mode], asks[run.mode]) for run in comparison.runs if _anew(then, run, same)]
    again = compare(then, entrants, retrieval_only=True).runs if entrants else ()
    done = {run.mode: run for run in again}
    runs = tuple(done.get(run.mode) or _first(bench, run, k) for run in comparison.runs)
    return replace(comparison, settings={**comparison.settings, "retrieval_only": True}, runs=runs)


def _anew(then: Bench, run: Run, same: bool) -> bool:
    """Whether a run can be made again as it was, for nothing, on the bench as it was `then`, with its vectors."""
    if run.mode not in registry() or not run.whole or run.paid:
        return False
    if not wants_vectors(run) or not run.hits:
        return True
    embedder = then.retriever.embedder
    return same and (embedder.free and ranked_by_meaning(run) if embedder else not ranked_by_meaning(run))


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
