"""What was in force when a comparison was recorded: the bench it is explained on."""

from __future__ import annotations

from core.bench import NO_VECTORS, SPACE, Bench
from core.domain import Step
from core.modes import registry
from core.runs import Comparison, Run

_UNTOLD = "untold"
"""The space of a record whose vectors came from a model that is not in force, and that does not name it."""


def as_recorded(bench: Bench, comparison: Comparison) -> Bench:
    """The bench as a comparison was made on it: its BM25 and limits, and its vectors where they are those in force."""
    return bench.as_recorded({**comparison.settings, SPACE: _space(bench, comparison)})


def same_vectors(bench: Bench, comparison: Comparison) -> bool:
    """Whether the vectors in force are those that ranked a comparison; also where then as now there are none."""
    return _space(bench, comparison) == bench.space


def ranked_by_meaning(run: Run) -> bool:
    """Whether cosines took part in a run."""
    return any(map(by_cosine, run.steps))


def by_cosine(step: Step) -> bool:
    """Whether cosines took part in a step's ranking."""
    return any("cosine" in hit.scores for hit in step.hits)


def wants_vectors(run: Run) -> bool:
    """Whether a run is of a mode that ranks by vectors where there are some."""
    mode = registry().get(run.mode)
    return mode is not None and "vectors" in mode.needs


def _space(bench: Bench, comparison: Comparison) -> str:
    """Which vectors ranked; of a record that does not tell, by the cosines of its hits and the model it names."""
    if any(map(ranked_by_meaning, comparison.runs)):
        if SPACE in comparison.settings:
            return str(comparison.settings[SPACE])
        same = comparison.settings.get("embeddings") == bench.settings.roles["embeddings"].model
        return bench.space if same and bench.space != NO_VECTORS else _UNTOLD
    blind = any(run.hits and wants_vectors(run) for run in comparison.runs)
    return NO_VECTORS if blind else str(comparison.settings.get(SPACE, bench.space))
