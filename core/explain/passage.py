"""Why (not) this passage: what its words and its meaning gave it, and every mode's own explanation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.bench import Bench
from core.domain import Ask, Passage, Say
from core.errors import EmbeddingError
from core.explain.apart import marks, shut_out
from core.explain.meaning import CANDIDATES, Meaning, meaning
from core.explain.missed import keyword_miss
from core.explain.recorded import as_recorded
from core.explain.terms import Terms, by_meaning, terms
from core.modes import Mode, Why, by_rank, registry
from core.race import compare
from core.runs import Comparison, Run


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why each run found or missed a passage, by mode id; `meaning` is `None` where there is none, for `unknown`.

    `unlike` says why the terms have no near-misses by meaning, where none could be looked for; `missed` why keywords
    did not bring it to a writer who did not get it, where they did not. `marks` tell what beside words and meaning
    decides its place: the question's filters, that it is named exactly, that it was read with little confidence. What
    the filters shut out has its terms and meaning as they would be without them.
    """

    passage: Passage
    terms: Terms
    meaning: Meaning | None
    unknown: Say | None
    modes: Mapping[str, Why]
    unlike: Say | None = None
    missed: Say | None = None
    marks: tuple[Say, ...] = ()


def explain(bench: Bench, entrants: Sequence[tuple[Mode, Ask]], passage: Passage) -> Explanation:
    """The explanation of a passage from a retrieval-only run of each mode."""
    return explanation(bench, compare(bench, entrants, retrieval_only=True), passage)


def why_of(bench: Bench, run: Run, passage: Passage) -> Why:
    """A mode's own explanation of its run, made on a bench like this.

    For a run that failed or was stopped before it handed evidence over that is why: nothing else can be said. Nor of a
    passage that the question's filters shut out, whatever the mode.
    """
    mode, cut_short = registry().get(run.mode), (run.error or run.stopped) and not run.handed
    limited = bench.limited(run.ask.filters)
    if mode and not cut_short:
        why = mode.why(limited, run.ask, passage, run)
        failing = limited.retriever.filters.failing(passage)
        return shut_out(limited, run.ask.question, passage, failing, why) if failing else why
    why = by_rank(bench, run.ask, passage, run)
    return replace(why, sentence=run.error or Say.of("explain.stopped")) if cut_short else why


def explanation(bench: Bench, comparison: Comparison, passage: Passage) -> Explanation:
    """Everything that explains a passage to a reader of a comparison, which must be of the bench's own base.

    Nothing is run anew, and what was in force when the comparison was made holds, not what is now. Raises `UsageError`
    for a passage that the base does not have.
    """
    own, question = bench.base.passage(passage.id), comparison.question
    bench = as_recorded(bench, comparison)
    limited = bench.limited(comparison.filters)
    shut = bool(limited.retriever.filters.failing(own))
    modes = {run.mode: why_of(bench, run, own) for run in comparison.runs}
    pool = max((why.pool for why in modes.values() if why.pool), default=CANDIDATES)
    retriever = bench.retriever if shut else limited.retriever
    found, unlike = terms(retriever, question, own), None
    try:
        found = by_meaning(bench, found)
    except EmbeddingError as missing:
        unlike = missing.say
    try:
        near, unknown = meaning(retriever, question, own, pool), None
    except EmbeddingError as missing:
        near, unknown = None, bench.missing or missing.say
    missed = None if shut else keyword_miss(limited, comparison, own, found)
    return Explanation(own, found, near, unknown, modes, unlike, missed, marks(limited.retriever, question, own))
