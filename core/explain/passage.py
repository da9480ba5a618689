"""Why (not) this passage: every mode's own explanation, from a retrieval-only run of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.bench import Bench
from core.domain import Ask, Passage
from core.modes import Mode, Why
from core.race import compare


def explain(bench: Bench, entrants: Sequence[tuple[Mode, Ask]], passage: Passage) -> Mapping[str, Why]:
    """Each mode's explanation by mode id."""
    comparison = compare(bench, entrants, retrieval_only=True)
    found = {}
    for (mode, _), run in zip(entrants, comparison.runs, strict=True):
        why = mode.why(bench, run.ask, passage, run)
        found[mode.id] = replace(why, sentence=run.error) if run.error else why
    return found
