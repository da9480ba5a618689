"""Pairs of passages to look at: near-duplicates, and contradictions (same subject, other number or modality).

Rules, no model: a pair is told with the words both share and what differs, and may be right as it stands, as where two
laws of different places set different periods. Pairs within one work come first; what repeats is told once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from core.coverage.articles import works
from core.coverage.claims import Difference
from core.coverage.comparing import Contrast, Like
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
    like = Like(base, stopped)
    found = sorted(map(_contradiction, like.contrasts()), key=lambda pair: _suspicion(pair, work))
    apart = {_ids(pair) for pair in found}
    again = (pair for pair in _duplicates(base, stopped) if _ids(pair) not in apart)
    contradictions, first_left = _bounded(found)
    duplicates, second_left = _bounded(sorted(again, key=lambda pair: (-pair.likeness, pair.first.order)))
    told = tuple(_with_words(pair, tokeniser) for pair in contradictions)
    return Pairs(told, duplicates, {"contradiction": first_left, "near_duplicate": second_left}, like.compared)


def _contradiction(found: Contrast) -> Pair:
    one, other = found.claims
    quotes = one.text, other.text
    return Pair("contradiction", one.passage, other.passage, found.likeness, quotes, differences=found.differences)


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


def _with_words(pair: Pair, tokeniser: Tokeniser) -> Pair:
    """The pair with the words that both quotes share, longest first."""
    second = set(tokeniser.query(pair.quotes[1]))
    says = content(tokeniser, pair.quotes[0])
    words = [word for word in tokeniser.query(pair.quotes[0]) if word in second and len(word) > 1 and _in(word, says)]
    whole = [word for word in words if not any(word != other and word in other for other in words)]
    return replace(pair, shared=tuple(sorted(whole, key=lambda word: -len(word))[:_SHOWN]))


def _in(word: str, says: frozenset[str]) -> bool:
    return any(word[at : at + 2] in says for at in range(len(word) - 1)) or any(word.startswith(term) for term in says)
