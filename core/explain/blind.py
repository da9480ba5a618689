"""Blind views of a comparison: letters for modes, and nothing in an answer that would tell one from another."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from string import ascii_uppercase
from typing import Literal

from core.domain import Citation
from core.marks import marks
from core.runs import Comparison, Run

Unfit = Literal["retrieval_only", "failed", "alone"]
"""No answer was written; a mode did not come to its answer; there is only one mode."""


def unfit(comparison: Comparison) -> Unfit | None:
    """Why a comparison cannot be judged blind; `None` where it can."""
    if comparison.settings.get("retrieval_only"):
        return "retrieval_only"
    if not all(run.whole and run.answer for run in comparison.runs):
        return "failed"
    return "alone" if len(comparison.runs) < 2 else None


def lettered(comparison: Comparison, reader: str) -> Mapping[str, Run]:
    """The runs by letter, in an order that is the same whenever this `reader` sees this comparison."""
    runs = list(comparison.runs)
    random.Random(f"{reader}{comparison.id}").shuffle(runs)
    return dict(zip(ascii_uppercase, runs, strict=False))


def renumbered(answer: str, citations: Sequence[Citation]) -> tuple[str, tuple[Citation, ...]]:
    """An answer and its citations with numbers in the order of first appearance, from 1.

    A mark `[6]` says that at least six passages were given, and so which mode it was.
    """
    numbers: dict[int, int] = {}
    out, at = [], 0
    for mark in marks(answer):
        for number in mark.numbers:
            numbers.setdefault(number, len(numbers) + 1)
        out += [answer[at : mark.start], f"[{', '.join(str(numbers[number]) for number in mark.numbers)}]"]
        at = mark.end
    told = [replace(citation, number=numbers[citation.number]) for citation in citations]
    return "".join([*out, answer[at:]]), tuple(sorted(told, key=lambda citation: citation.number))
