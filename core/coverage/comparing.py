"""Claims on like subjects, held against each other: which passages say something different of the same thing."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from core.coverage.anchors import anchored
from core.coverage.claims import Claim, Difference, claims, differences, plain, said, terms
from core.coverage.headings import subject
from core.domain import Passage
from core.knowledge.base import KnowledgeBase
from core.knowledge.folding import fold
from core.knowledge.sheet_rows import body_of

_KEYS, _RARE = 6, 40
"""Of each claim its rarest terms find others; a term in more claims than that finds none."""
_SHARED = 2
"""Keys that two claims must share to be compared."""
_ON_SUBJECT = 0.5
"""Weighted share of terms from which two claims are on the same subject."""
_LEAST = 6
"""Terms that two claims must share to be on the same subject."""
_BRIEF, _WHOLLY = 2, 0.75
"""Terms that brief claims must share at least, and their share: they say little else."""
_ANCHORED, _FEW = 0.35, 2
"""The share and the number of terms where article or heading tell already that the subject is one."""
_DOUBTFUL, _SAME_CASE = 0.15, 0.5
"""Likeness below which two claims only share their form; and that of what stands before two fines of one case."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two claims, the earlier passage's first, how alike they are (from 0 to 1), and what they say differently."""

    claims: tuple[Claim, Claim]
    likeness: float
    differences: tuple[Difference, ...]


class Like:
    """Claims on like subjects, held against each other; `compared` counts the pairs of passages that had any."""

    def __init__(self, base: KnowledgeBase, stopped: Callable[[], bool]) -> None:
        self._of = {passage.id: tuple(claims(passage)) for passage in base.passages}
        self._claims = [claim for passage in base.passages for claim in self._of[passage.id]]
        self._counts = Counter(term for claim in self._claims for term in claim.terms)
        self._weight = {term: math.log(1 + len(self._claims) / count) for term, count in self._counts.items()}
        self._base, self._stopped = base, stopped
        self._seen: set[tuple[str, str]] = set()
        self._plain: dict[str, str] = {}

    @property
    def compared(self) -> int:
        """How many pairs of passages had claims on a like subject."""
        return len(self._seen)

    def contrasts(self) -> Iterator[Contrast]:
        """The most alike claims of two passages that differ in a number or a modality."""
        best: dict[tuple[str, str], Contrast] = {}
        for one, other, anchor in self._pairs():
            if (own := self._on_subject(one, other, anchor)) is None:
                continue
            ids = one.passage.id, other.passage.id
            self._seen.add(ids)
            if self._said_by(one, other.passage) or self._said_by(other, one.passage):
                continue
            if different := differences(one, other, bool(anchor)):
                found = self._contrast(one, other, own, different)
                if found.likeness > max(_DOUBTFUL, best[ids].likeness if ids in best else 0.0):
                    best[ids] = found
        yield from best.values()

    def _said_by(self, claim: Claim, passage: Passage) -> bool:
        """Whether a passage makes the very same claim, be it elsewhere: two rows of one table differ by nature."""
        known = self._plain.get(passage.id)
        if known is None:
            known = self._plain[passage.id] = plain(fold(body_of(passage))[0])
        return said(claim, known)

    def _pairs(self) -> Iterator[tuple[Claim, Claim, str | None]]:
        """Claims that share rare words, then those of passages that share an article or a heading, which is told.

        The heading is empty where it is an article alone, `None` where the passages share neither.
        """
        for first, second in _candidates(self._claims, self._counts, self._stopped):
            yield self._claims[first], self._claims[second], None
        for before, after in anchored(self._base):
            if self._stopped():
                return
            for one, other in product(self._of[before.id], self._of[after.id]):
                heading = fold(subject(before))[0]
                yield one, other, heading if heading == fold(subject(after))[0] else ""

    def _on_subject(self, one: Claim, other: Claim, anchor: str | None) -> float | None:
        """How alike two claims are; `None` where they are not on one subject."""
        heading = frozenset(terms(anchor or ""))
        own = _weighted(one.terms | heading, other.terms | heading, self._weight)
        common = len((one.terms & other.terms) | heading)
        if heading and all(len(self._of[claim.passage.id]) == 1 for claim in (one, other)):
            return max(own, _ANCHORED)  # all that stands below the heading
        if anchor is not None and own >= _ANCHORED and common >= _FEW:
            return own
        enough = common >= _LEAST or (common >= _BRIEF and own >= _WHOLLY)
        return own if own >= _ON_SUBJECT and enough else None

    def _contrast(self, one: Claim, other: Claim, own: float, different: tuple[Difference, ...]) -> Contrast:
        context = _context(one, other, self._weight)
        leaning = one.leans and other.leans
        likeness = own * ((context if context >= _SAME_CASE else 0.0) if leaning else (1 + context) / 2)
        return Contrast((one, other), likeness, different)


def _candidates(
    made: Sequence[Claim], counts: Mapping[str, int], stopped: Callable[[], bool]
) -> Iterator[tuple[int, int]]:
    """Claims of different passages that share some of their rarest terms."""
    keys: dict[str, list[int]] = {}
    for at, claim in enumerate(made):
        shared = sorted((term for term in claim.terms if 1 < counts[term] <= _RARE), key=lambda t: (counts[t], t))
        for term in shared[:_KEYS]:
            keys.setdefault(term, []).append(at)
    common: Counter[tuple[int, int]] = Counter()
    for positions in keys.values():
        if stopped():
            return
        common.update(pair for pair in combinations(positions, 2) if made[pair[0]].passage is not made[pair[1]].passage)
    yield from (pair for pair, count in common.items() if count >= _SHARED)


def _weighted(one: frozenset[str], other: frozenset[str], weight: Mapping[str, float]) -> float:
    """Jaccard of terms, each counting by how rare it is in the base."""
    common = sum(weight.get(term, 1.0) for term in one & other)
    return common / sum(weight.get(term, 1.0) for term in one | other) if common else 0.0


def _context(one: Claim, other: Claim, weight: Mapping[str, float]) -> float:
    """How alike the passages are beside the two claims: a scale of fines is on the subject named before it."""
    rest, others = one.beside, other.beside
    return _weighted(rest, others, weight) if rest and others else 1.0
