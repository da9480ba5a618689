"""Pairs of passages to look at: near-duplicates, and contradictions (same subject, other number or modality).

Rules, no model: a pair is told with the words both share and what differs, and may be right as it stands, as where two
laws of different places set different periods. Pairs within one work come first; what repeats is told once.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Literal

from core.coverage.anchors import anchored, subject
from core.coverage.articles import works
from core.coverage.claims import Claim, Difference, claims, differences, terms
from core.coverage.likeness import alike
from core.domain import Passage
from core.knowledge.base import KnowledgeBase
from core.knowledge.sentences import content
from core.knowledge.sheet_rows import body_of
from core.knowledge.tokeniser import Tokeniser
from core.ports import never

MOST = 100
"""Pairs of each kind that are told; of the rest only their number."""
_EACH = 3
"""Pairs of the same two documents that are told; the last says how many more there are."""
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
_SHOWN = 6
"""Shared words shown."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two passages to look at, the earlier first; `likeness` from 0 to 1, of the passages or of the two `quotes`.

    `shared` are words both have, the rarest first; `differences` what they say differently (none in a near-duplicate).
    `more` counts further pairs like this one that are not told: of the same two documents, or of the same text.
    """

    kind: Literal["near_duplicate", "contradiction"]
    first: Passage
    second: Passage
    likeness: float
    quotes: tuple[str, str] = ("", "")
    shared: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()
    more: int = 0

    @property
    def documents(self) -> tuple[str, str]:
        """The documents of both."""
        return self.first.document, self.second.document


@dataclass(frozen=True, slots=True)
class Pairs:
    """The pairs of a base, the most suspicious first in each kind; `left` counts those not told, by kind.

    `compared` is how many pairs of passages state something on a like subject, so that numbers and modality were held
    against each other.
    """

    contradictions: tuple[Pair, ...] = ()
    duplicates: tuple[Pair, ...] = ()
    left: Mapping[str, int] | None = None
    compared: int = 0

    @property
    def all(self) -> tuple[Pair, ...]:
        """Contradictions, then near-duplicates."""
        return self.contradictions + self.duplicates


def pairs(base: KnowledgeBase, tokeniser: Tokeniser, stopped: Callable[[], bool] = never) -> Pairs:
    """The pairs of a base; some 15,000 passages take well under a minute. Partial where it was stopped."""
    work = {document: id(found) for document, found in works(base).items()}
    like = _Like(base, stopped)
    found = sorted(like.contradictions(), key=lambda pair: _suspicion(pair, work))
    apart = {_ids(pair) for pair in found}
    again = (pair for pair in _duplicates(base, stopped) if _ids(pair) not in apart)
    contradictions, first_left = _bounded(found)
    duplicates, second_left = _bounded(sorted(again, key=lambda pair: (-pair.likeness, pair.first.order)))
    told = tuple(_with_words(pair, tokeniser) for pair in contradictions)
    return Pairs(told, duplicates, {"contradiction": first_left, "near_duplicate": second_left}, like.compared)


def _ids(pair: Pair) -> tuple[str, str]:
    return pair.first.id, pair.second.id


def _suspicion(pair: Pair, work: Mapping[str, int]) -> tuple[bool, float, int]:
    """Within one work first, where two passages hold at once; then the more alike."""
    first, second = (work.get(document) for document in pair.documents)
    return first != second, -pair.likeness, pair.first.order


def _bounded(found: Iterable[Pair]) -> tuple[tuple[Pair, ...], int]:
    """The first pairs, few of the same two documents; how many are not told at all."""
    told: list[Pair] = []
    of: Counter[tuple[str, str]] = Counter()
    left = 0
    for pair in found:
        of[pair.documents] += 1 + pair.more
        if sum(other.documents == pair.documents for other in told) >= _EACH:
            continue
        if len(told) < MOST:
            told.append(pair)
        else:
            left += 1
    last = {pair.documents: at for at, pair in enumerate(told)}
    kept = Counter(pair.documents for pair in told)
    for documents, at in last.items():
        others = sum(pair.more for pair in told if pair.documents == documents)
        extra = of[documents] - kept[documents] - others
        told[at] = replace(told[at], more=told[at].more + extra)
    return tuple(told), left


def _duplicates(base: KnowledgeBase, stopped: Callable[[], bool]) -> Iterator[Pair]:
    """Near-duplicates: one pair for all passages that repeat the same text."""
    texts = [body_of(passage) for passage in base.passages]
    group = list(range(len(texts)))

    def root(at: int) -> int:
        while group[at] != at:
            group[at] = at = group[group[at]]
        return at

    found = sorted(alike(texts, stopped), key=lambda pair: -pair[2])
    for first, second, _ in found:
        group[root(second)] = root(first)
    sizes = Counter(root(at) for at in range(len(texts)))
    told: set[int] = set()
    for first, second, likeness in found:
        if (of := root(first)) not in told:
            told.add(of)
            one, other = base.passages[first], base.passages[second]
            yield Pair("near_duplicate", one, other, likeness, (body_of(one), body_of(other)), more=sizes[of] - 2)


class _Like:
    """Claims on like subjects, held against each other; `compared` counts the pairs of passages that had any."""

    def __init__(self, base: KnowledgeBase, stopped: Callable[[], bool]) -> None:
        self._of = {passage.id: tuple(claims(passage)) for passage in base.passages}
        self._claims = [claim for passage in base.passages for claim in self._of[passage.id]]
        self._counts = Counter(term for claim in self._claims for term in claim.terms)
        self._weight = {term: math.log(1 + len(self._claims) / count) for term, count in self._counts.items()}
        self._base, self._stopped = base, stopped
        self._seen: set[tuple[str, str]] = set()

    @property
    def compared(self) -> int:
        """How many pairs of passages had claims on a like subject."""
        return len(self._seen)

    def contradictions(self) -> Iterator[Pair]:
        """The most alike claims of two passages that differ in a number or a modality."""
        best: dict[tuple[str, str], Pair] = {}
        for one, other, anchor in self._pairs():
            if (own := self._on_subject(one, other, anchor)) is None:
                continue
            self._seen.add((one.passage.id, other.passage.id))
            if different := differences(one, other, bool(anchor)):
                pair = self._pair(one, other, own, different)
                if pair.likeness > max(_DOUBTFUL, best[_ids(pair)].likeness if _ids(pair) in best else 0.0):
                    best[_ids(pair)] = pair
        yield from best.values()

    def _pairs(self) -> Iterator[tuple[Claim, Claim, str]]:
        """Claims that share rare words, then those of passages that share an article or a heading, which is told."""
        for first, second in _candidates(self._claims, self._counts, self._stopped):
            yield self._claims[first], self._claims[second], ""
        for before, after in anchored(self._base):
            if self._stopped():
                return
            for one, other in product(self._of[before.id], self._of[after.id]):
                yield one, other, subject(before) if subject(before) == subject(after) else " "

    def _on_subject(self, one: Claim, other: Claim, anchor: str) -> float | None:
        """How alike two claims are; `None` where they are not on one subject."""
        heading = frozenset(terms(anchor))
        own = _weighted(one.terms | heading, other.terms | heading, self._weight)
        common = len((one.terms & other.terms) | heading)
        if heading and all(len(self._of[claim.passage.id]) == 1 for claim in (one, other)):
            return max(own, _ANCHORED)  # all that stands below the heading
        if anchor and own >= _ANCHORED and common >= _FEW:
            return own
        enough = common >= _LEAST or (common >= _BRIEF and own >= _WHOLLY)
        return own if own >= _ON_SUBJECT and enough else None

    def _pair(self, one: Claim, other: Claim, own: float, different: tuple[Difference, ...]) -> Pair:
        context = _context(one, other, self._weight)
        leaning = one.leans and other.leans
        likeness = own * ((context if context >= _SAME_CASE else 0.0) if leaning else (1 + context) / 2)
        quotes = (one.text, other.text)
        return Pair("contradiction", one.passage, other.passage, likeness, quotes, differences=different)


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


def _with_words(pair: Pair, tokeniser: Tokeniser) -> Pair:
    """The pair with the words that both quotes share, longest first."""
    second = set(tokeniser.query(pair.quotes[1]))
    says = content(tokeniser, pair.quotes[0])
    words = [word for word in tokeniser.query(pair.quotes[0]) if word in second and len(word) > 1 and _in(word, says)]
    whole = [word for word in words if not any(word != other and word in other for other in words)]
    return replace(pair, shared=tuple(sorted(whole, key=lambda word: -len(word))[:_SHOWN]))


def _in(word: str, says: frozenset[str]) -> bool:
    return any(word[at : at + 2] in says for at in range(len(word) - 1)) or any(word.startswith(term) for term in says)
