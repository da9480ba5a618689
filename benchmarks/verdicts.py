"""How benchmarks print: one table of measures, each with its value, its target and whether it was met."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measure:
    """One line of a table: `value` is to be at most `most` (`None`: any); `shown` is how it reads."""

    name: str
    shown: str
    value: float = math.nan
    most: float | None = None

    @property
    def met(self) -> bool:
        """Whether the target was reached; a value that is no number never reaches one."""
        return self.most is None or self.value <= self.most

    def __str__(self) -> str:
        target = "– |" if self.most is None else f"≤ {self.most:g} | {'met' if self.met else 'MISSED'}"
        return f"| {self.name} | {self.shown} | {target} |"


def show(title: str, measures: Iterable[Measure]) -> None:
    """Print a table."""
    print(f"\n{title}\n\n| measure | value | target | |\n|---|---|---|---|")
    for measure in measures:
        print(measure, flush=True)
