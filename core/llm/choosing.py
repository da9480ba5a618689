"""Which text of the evidence answers which part of a question: by words in common and by closeness in meaning.

Pure functions over terms and cosines; what quotes look like is the writer's affair.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from core.llm.embedded import E5_SCALE
from core.llm.naming import HEADED, REFERRED, foreign, kind_of
from core.ports import Scale

FLOOR = 0.3
"""Share of a part's weighted terms that a sentence must hold to count as speaking to it. With the five best
passages for 144 questions on Chinese statutes 9 % are refused, with those of another question 89 %. Once a part
reaches it, half of it is enough for the others, whose subject often stands in a neighbouring clause."""

ENOUGH = 0.5
"""The same for a whole answer where meaning can be asked too: with fewer words in common it must be close."""

MEANING = 0.6
"""Weight of meaning beside words in a part's scores."""

NEARLY = {"words": 0.6, "meaning": 0.5}
"""Share of a part's best score that its further quotes need, by what the scores go by."""

NAMED = 0.3
"""Weight of the codes and articles that a part names beside all else in its scores: the words around a code are mostly
other ones than those of the question. Of 0.3, 0.4 and 0.5 it states most facts on half of the espresso questions."""

SLIGHT = 3
"""Content terms up to which a part says too little to be missed: 该谁付 is asked of all that stands before it."""


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """Something quotable: a sentence or short paragraph of evidence `number`, what it holds, and its passage.

    `says` tells how much it says of each code or article, 0 to 1; empty where the question names none.
    """

    number: int
    text: str
    held: frozenset[str]
    context: frozenset[str]
    says: Mapping[str, float] = field(default_factory=dict)

    def alike(self, other: Unit) -> bool:
        """Whether two units say the same but for a particle or a mark; another number is another fact."""
        return len(self.held ^ other.held) <= 2


@dataclass(frozen=True, slots=True)
class Matter:
    """What an answer is made of: the question's terms with their weights, and every unit of the evidence.

    `named` are the keys of the codes and articles that the question names.
    """

    terms: frozenset[str]
    weights: Mapping[str, float]
    units: Sequence[Unit]
    named: frozenset[str] = frozenset()

    @classmethod
    def of(cls, terms: frozenset[str], units: Sequence[Unit], named: frozenset[str] = frozenset()) -> Matter:
        """Weigh each term and each code by how it tells the units apart: log(1 + N / df), most where none has it."""
        counts = Counter(term for unit in units for term in terms & unit.held)
        counts.update(key for unit in units for key in named.intersection(unit.says))
        weights = {term: math.log(1 + len(units) / (counts[term] or 0.5)) for term in terms | named}
        return cls(terms, weights, units, named)

    def spoken(self, named: frozenset[str], unit: Unit) -> float:
        """The weighted share of the codes and articles in `named` that a unit speaks of, 0 to 1."""
        total = math.fsum(self.weights[key] for key in named)
        return math.fsum(self.weights[key] * unit.says.get(key, 0.0) for key in named) / total if total else 0.0

    def lacks(self, named: frozenset[str]) -> bool:
        """Whether the evidence speaks of others of a series that is asked for, and not of the one that is named."""
        said = {key for unit in self.units for key in unit.says}
        return any(kind_of(key) in set(map(kind_of, said)) for key in named - said)

    def speaking(self, named: frozenset[str]) -> list[Unit]:
        """The units that may speak to a part which names these codes and articles.

        Left out are those that belong elsewhere, as does what names none in a passage of others, those that only refer
        to a passage that is there, and those that name the machine and not the error: of a code and not of the rarest.
        """
        headed = {key for key in named if any(unit.says.get(key) == HEADED for unit in self.units)}
        said = [key for key in named if any(key in unit.says for unit in self.units)]
        rarest = max(said, key=lambda key: (self.weights[key], key), default="")
        around: dict[int, set[str]] = {}
        for unit in self.units if named else ():
            around.setdefault(unit.number, set()).update(unit.says)
        return [
            unit
            for unit in self.units
            if self.belongs(unit, named)
            and (named.intersection(unit.says) or not foreign(around.get(unit.number, ()), named))
            and not any(unit.says.get(key) == REFERRED for key in headed)
            and (rarest in unit.says or not named.intersection(unit.says))
        ]

    def belongs(self, unit: Unit, named: frozenset[str] = frozenset()) -> bool:
        """Whether a unit does not speak of other codes of the series that the question, or `named`, asks for."""
        return not (unit.says and (foreign(unit.says, self.named) or foreign(unit.says, named)))

    def share(self, terms: frozenset[str], held: frozenset[str]) -> float:
        """The weighted share of `terms` that `held` has, 0 to 1."""
        total = math.fsum(self.weights.get(term, 1.0) for term in terms)  # a plain sum hangs on the order of the set
        return math.fsum(self.weights.get(term, 1.0) for term in terms & held) / total if total else 0.0

    def score(self, terms: frozenset[str], unit: Unit) -> float:
        """Words in common, a little for the passage around and its rank; half for what only repeats the question."""
        share = self.share(terms, unit.held)
        score = 0.7 * share + 0.2 * self.share(terms, unit.context) + 0.1 * share / unit.number
        return score / 2 if unit.held <= terms else score

    def best(self, units: Iterable[Unit]) -> list[Unit]:
        """The unit with the best score for the whole question, in a list that is empty where there is none."""
        return sorted(units, key=lambda unit: -self.score(self.terms, unit) - self.spoken(self.named, unit))[:1]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the question: its words, its content terms, what the other parts hold, its cosines by evidence number.

    Without vectors there are no cosines. `named` are the codes and articles that this part names.
    """

    text: str
    terms: frozenset[str]
    others: frozenset[str] = frozenset()
    cosines: Mapping[int, float] = field(default_factory=dict)
    scale: Scale = E5_SCALE
    named: frozenset[str] = frozenset()

    @property
    def near(self) -> bool:
        """Whether some passage speaks to it by its meaning."""
        if not self.cosines:
            return False
        best = max(self.cosines.values())
        return best >= self.scale.close or best - fmean(self.cosines.values()) >= self.scale.apart

    @property
    def bar(self) -> float:
        """The share of its best score that further quotes need."""
        return NEARLY["meaning" if self.cosines else "words"]

    def scores(self, matter: Matter, least: float) -> dict[Unit, float]:
        """The units that may be quoted for it, with their scores above 0: by words, and by meaning where it is known.

        What repeats the question's other parts retells it and yields to what adds; what repeats this part may well be
        its answer. What speaks of a code that the part names counts whatever its other words; what only refers to a
        passage that is there yields to it, and where nothing speaks of a code, nothing answers.
        """
        if matter.lacks(self.named):
            return {}
        units = matter.speaking(self.named)
        spoken = {unit: matter.spoken(self.named, unit) for unit in units} if self.named else {}
        if max(spoken.values(), default=0.0) < FLOOR:
            return self._worded(matter, units, least)
        worded = self._worded(matter, units, 0.0)
        blend = {unit: (1 - NAMED) * worded.get(unit, 0.0) + NAMED * share for unit, share in spoken.items()}
        return {unit: score for unit, score in blend.items() if score > 0}

    def _worded(self, matter: Matter, units: Sequence[Unit], least: float) -> dict[Unit, float]:
        """The scores by words, and by meaning where it is known, of what has at least the share `least` in common."""
        shares = {unit: matter.share(self.terms, unit.held) for unit in units}
        if not self.cosines:
            return {unit: matter.score(self.terms, unit) for unit, share in shares.items() if share >= least}
        if max(shares.values(), default=0.0) < least and not self.near:
            return {}
        closeness = self._closeness()
        mixed = {
            unit: (1 - MEANING) * matter.score(self.terms, unit) + MEANING * closeness.get(unit.number, 0.0)
            for unit in units
        }
        return {unit: score * self._news(unit) for unit, score in mixed.items() if score > 0}

    def _closeness(self) -> dict[int, float]:
        """Cosines as 0 to 1, from the mean of the evidence."""
        values = self.cosines.values()
        start = min(fmean(values), max(values) - self.scale.under)
        return {number: min(1.0, max(0.0, (c - start) / self.scale.spread)) for number, c in self.cosines.items()}

    def _news(self, unit: Unit) -> float:
        """How much of a unit the other parts do not say already, 0 to 1."""
        return 1 - len(unit.held & self.others) / len(unit.held)

    def told(self, matter: Matter) -> bool:
        """Whether the evidence really speaks to it, so that it need not be named as missing."""
        return not matter.lacks(self.named) and (
            self.near
            or any(
                matter.share(self.terms, unit.held) >= FLOOR or matter.spoken(self.named, unit) >= FLOOR
                for unit in matter.units
            )
        )


@dataclass(frozen=True, slots=True)
class Choice:
    """Headings in the order of the question, each the parts that share it and the units quoted; parts not answered."""

    headings: tuple[tuple[tuple[Part, ...], tuple[Unit, ...]], ...]
    missing: tuple[Part, ...]


def choose(parts: Sequence[Part], matter: Matter, quotes: int, room: int) -> Choice:
    """Give each part at most `room` units, `quotes` in all, none twice: every part its best before any its second.

    A part whose best text is quoted for another shares that heading; a slight one that nothing speaks to shares its
    neighbour's.
    """
    least = FLOOR / 2 if len(parts) > 1 else FLOOR
    scores = [part.scores(matter, least) for part in parts]
    bars = [part.bar * max(found.values(), default=0.0) for part, found in zip(parts, scores, strict=True)]
    own = _dealt(scores, bars, quotes, room)
    joined: dict[int, list[int]] = {at: [at] for at, units in enumerate(own) if units}
    missing = []
    for at, part in enumerate(parts):
        if own[at]:
            continue
        told = part.told(matter)
        holder = _holder(at, scores[at] if told else {}, own)
        if holder is not None and (told or len(part.terms) <= SLIGHT):
            joined[holder].append(at)
        else:
            missing.append(part)
    headings = tuple(
        (tuple(parts[at] for at in sorted(joined[first])), tuple(sorted(own[first], key=lambda unit: unit.number)))
        for first in sorted(joined, key=lambda at: min(joined[at]))
    )
    return Choice(headings, tuple(missing))


def _dealt(scores: Sequence[Mapping[Unit, float]], bars: Sequence[float], quotes: int, room: int) -> list[list[Unit]]:
    """The units of each part above its bar, dealt in rounds; in a round the part with the highest score picks first."""
    bids = sorted(
        ((score, at, unit) for at, found in enumerate(scores) for unit, score in found.items()),
        key=lambda bid: -bid[0],
    )
    own: list[list[Unit]] = [[] for _ in scores]
    taken: list[Unit] = []
    for turn in range(room):
        for score, at, unit in bids:
            if len(own[at]) == turn and len(taken) < quotes and score >= bars[at]:
                if not any(unit.alike(other) for other in taken):
                    own[at].append(unit)
                    taken.append(unit)
    return own


def _holder(at: int, found: Mapping[Unit, float], own: Sequence[Sequence[Unit]]) -> int | None:
    """The part that has what speaks best to part `at`, else the nearest one with a quote, of two the one before."""
    held = [(found.get(unit, 0.0), -place) for place, units in enumerate(own) for unit in units if found.get(unit)]
    if held:
        return -max(held)[1]
    return min((p for p, units in enumerate(own) if units), key=lambda p: (abs(p - at), p > at), default=None)
