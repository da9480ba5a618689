"""The evidence ledger: what an agent has touched, and what of it was kept as evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from core.domain import Hit, Passage


class Ledger:
    """Passages by id in the order they were first kept, which is the order of the evidence.

    Keeping happens a step at a time and best first, so insertion order is "by the step that first kept a
    passage, then by rank there".
    """

    def __init__(self, limit: int = 20) -> None:
        self.limit = limit
        self._hits: dict[str, Hit] = {}
        self._passages: dict[str, Passage] = {}
        self._kept: dict[str, None] = {}

    def touch(self, hits: Iterable[Hit], seen: Iterable[Passage]) -> int:
        """Note what a step ranked or read; how many of it no earlier step had touched."""
        before = len(self._passages)
        for hit in hits:
            self._hits.setdefault(hit.passage.id, hit)
            self._passages.setdefault(hit.passage.id, hit.passage)
        for passage in seen:
            self._passages.setdefault(passage.id, passage)
        return len(self._passages) - before

    def keep(self, references: Iterable[str]) -> tuple[str, ...]:
        """Keep touched passages as evidence, best first, up to the limit; the ids newly kept."""
        fresh = []
        for reference in references:
            if reference in self._passages and reference not in self._kept and len(self._kept) < self.limit:
                self._kept[reference] = None
                fresh.append(reference)
        return tuple(fresh)

    def knows(self, reference: str) -> bool:
        """Whether a step has touched the passage."""
        return reference in self._passages

    @property
    def touched(self) -> Mapping[str, Passage]:
        """Every passage a step has ranked or read, by id."""
        return MappingProxyType(self._passages)

    @property
    def kept(self) -> tuple[Passage, ...]:
        """What was kept, in evidence order."""
        return tuple(self._passages[reference] for reference in self._kept)

    def evidence(self, k: int, judged: bool = False) -> tuple[Hit, ...]:
        """The first `k` kept passages as ranked evidence.

        A policy that was cut off before it `judged` anything still leaves its writer something to answer from: the
        best-ranked passages found.
        """
        kept = self.kept
        if not kept and not judged:
            kept = tuple(hit.passage for hit in sorted(self._hits.values(), key=lambda hit: hit.rank))
        return tuple(self._ranked(passage, rank) for rank, passage in enumerate(kept[: min(k, self.limit)], 1))

    def _ranked(self, passage: Passage, rank: int) -> Hit:
        found = self._hits.get(passage.id)
        return Hit(passage, rank, found.score if found else 0.0, found.scores if found else {})
