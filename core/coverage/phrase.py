"""What a rule makes of a fact: a question, and what answers it."""

from __future__ import annotations

from dataclasses import dataclass

SHORTEST, LONGEST = 8, 64
"""Characters of a Chinese question, beyond which it says too little or is no everyday question."""
FITS = 2
"""Weight from which a question's form fits its passage well."""


@dataclass(frozen=True, slots=True)
class Phrased:
    """A question and the fact that answers it, in the words of the passage; `weight` tells how well the rule fits."""

    question: str
    fact: str
    weight: int
