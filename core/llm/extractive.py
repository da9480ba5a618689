"""The offline writer: it quotes the sentences of the evidence that answer each part of the question.

No model takes part. What it adds of its own (a lead, what was not found) are the templates below: an answer is
content in the language of the question, so they stand here and not in the catalogue. Everything between quotation
marks is literal source text up to line breaks; `core.citations` takes no mark out of such a quote.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, groupby

from core.domain import Passage, Token
from core.knowledge.sentences import HAN, LONG, aspects, columns, content, holding, sentences, window
from core.knowledge.tokeniser import Tokeniser

TEMPLATES = {
    "zh": {
        "lead": "以下为原文摘录，未经模型改写。",
        "above": "除上文所引外，没有更多原文。",
        "first": "排在最前的段落：",
        "missing": "没有找到与{parts}有关的原文。",
        "refusal": "找到的段落没有回答这个问题。",
        "nearest": "没有找到与问题用词直接对应的原文。检索到的最接近的段落（未经模型改写）：",
    },
    "en": {
        "lead": "These are literal extracts; no model rewrote them.",
        "above": "Nothing beyond the quotes above.",
        "first": "The passage ranked first says:",
        "missing": "Nothing was found in the passages about {parts}.",
        "refusal": "The passages found do not answer this question.",
        "nearest": "Nothing was found in the words of the question. The nearest passages (no model rewrote them):",
    },
}

Similarity = Callable[[str, Sequence[str]], Sequence[float]]
"""Cosines of one part of the question to each of some sentences."""

CLOSE = 0.9
"""Cosine from which a sentence counts as on the matter though it shares no word. multilingual-e5-small, question
to article, 60 questions on Chinese statutes: half of the right articles lie above it, 6 % of others in the statute."""

FLOOR = 0.3
"""Share of a part's weighted terms that a sentence must hold to count as speaking to it. With the five best
passages for 144 questions on Chinese statutes 9 % are refused, with those of another question 89 %. Once a part
reaches it, half of it is enough for the others, whose subject often stands in a neighbouring clause."""

ASPECTS, QUOTES, CANDIDATES = 5, 8, 12
"""At most so many parts of a question, quotes in all, and sentences a part that similarity is asked about."""

SHORT = 180
"""Columns (Han count two) up to which a paragraph is quoted whole."""

_BREAK = re.compile(r"\s*[\n\r\u2028\u2029\x0b\x0c\x85]\s*")
_PAIRS = ("“”", "「」", "『』")
_QUOTE_MARKS = re.compile("[“”「」『』]")
_PLAIN = str.maketrans(dict(zip("[]【】［］`", "()()()'", strict=True)) | dict.fromkeys("*_~$<>#|\\", " "))


@dataclass(frozen=True, slots=True, eq=False)
class _Unit:
    """Something quotable: a sentence or short paragraph of evidence `number`, what it holds, and its passage."""

    number: int
    text: str
    held: frozenset[str]
    context: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Matter:
    """What an answer is made of: the question's terms with their weights, and every unit of the evidence."""

    terms: frozenset[str]
    weights: dict[str, float]
    units: list[_Unit]

    @classmethod
    def of(cls, terms: frozenset[str], units: list[_Unit]) -> _Matter:
        """Weigh each term by how it tells the units apart: log(1 + N / df), most where none has it."""
        counts = Counter(term for unit in units for term in terms & unit.held)
        return cls(terms, {term: math.log(1 + len(units) / (counts[term] or 0.5)) for term in terms}, units)

    def share(self, terms: frozenset[str], held: frozenset[str]) -> float:
        """The weighted share of `terms` that `held` has, 0 to 1."""
        total = sum(self.weights.get(term, 1.0) for term in terms)
        return sum(self.weights.get(term, 1.0) for term in terms & held) / total if total else 0.0

    def score(self, terms: frozenset[str], unit: _Unit) -> float:
        """Words in common, a little for the passage around and its rank; half for what only repeats the question."""
        share = self.share(terms, unit.held)
        score = 0.7 * share + 0.2 * self.share(terms, unit.context) + 0.1 * share / unit.number
        return score / 2 if unit.held <= terms else score

    def best(self, units: Iterable[_Unit]) -> list[_Unit]:
        """The unit with the best score for the whole question, in a list that is empty where there is none."""
        return sorted(units, key=lambda unit: -self.score(self.terms, unit))[:1]


class ExtractiveWriter:
    """Writes an answer out of literal quotes; safe to share between threads.

    `similarity` is asked at most once for each part of the question, about at most `CANDIDATES` sentences, and
    `close` is the cosine that counts as on the matter in its space; without it only words count.
    """

    id = "offline"

    def __init__(self, tokeniser: Tokeniser, similarity: Similarity | None = None, close: float = CLOSE) -> None:
        self._similarity = similarity
        self._close = close
        self._content: Callable[[str], frozenset[str]] = lru_cache(1024)(lambda text: content(tokeniser, text))
        self._held: Callable[[str], frozenset[str]] = lru_cache(4096)(lambda text: holding(tokeniser, text))

    def write(self, question: str, evidence: Sequence[Passage]) -> Iterator[Token]:
        """Say the answer as tokens; see `extract`."""
        yield from (Token(piece) for piece in self.extract(question, evidence))

    def extract(self, question: str, evidence: Sequence[Passage]) -> Iterator[str]:
        """Say the answer piece by piece; `evidence[n - 1]` is quoted as `“…”[n]`."""
        words = TEMPLATES["zh" if HAN.search(question) else "en"]
        matter = _Matter.of(self._content(question), self._units(evidence))
        aspects = self.aspects(question)
        speaking = self._speaking(aspects, matter)
        own = [max(found, key=found.__getitem__, default=None) for found in speaking]
        written: list[_Unit] = []
        missing = []
        for at, aspect in enumerate(aspects):
            room = min(3 if len(aspects) == 1 else 2, QUOTES - len(written) - (len(aspects) - at - 1))
            later = [unit for unit in own[at + 1 :] if unit is not own[at]]
            found = self._refined(aspect, matter, speaking[at])
            chosen = _chosen({unit: score for unit, score in found.items() if unit not in later}, written, room)
            if not chosen and not self._told(aspect, matter, found):
                missing.append(aspect)
                continue
            if not written:
                yield words["lead"]
            yield "\n\n" + (f"**{_label(aspect)}**\n" if len(aspects) > 1 else "")
            yield from self._quotes(chosen, matter) if chosen else [words["above"]]
            written += chosen
        yield from self._rest(matter, written, missing, words) if written else self._refusal(matter, words)

    def aspects(self, question: str) -> list[str]:
        """The parts of a question that are answered one by one."""
        return aspects(question, self._content, ASPECTS)

    def _units(self, evidence: Sequence[Passage]) -> list[_Unit]:
        units = []
        for number, passage in enumerate(evidence, 1):
            texts = _quotable(passage)
            held = [self._held(text) for text in texts]
            context = self._held(f"{passage.section}\n{passage.title}").union(*held)
            units += [_Unit(number, text, own, context) for text, own in zip(texts, held, strict=True) if own]
        return units

    def _speaking(self, aspects: Sequence[str], matter: _Matter) -> list[dict[_Unit, float]]:
        """For each part of the question, the units that hold enough of its terms, with their scores."""
        terms = [self._content(aspect) for aspect in aspects]
        shares = [{unit: matter.share(part, unit.held) for unit in matter.units} for part in terms]
        if all(share < FLOOR for found in shares for share in found.values()):
            return [{} for _ in aspects]
        least = FLOOR / 2 if len(aspects) > 1 else FLOOR
        return [
            {unit: matter.score(part, unit) for unit, share in found.items() if share >= least}
            for part, found in zip(terms, shares, strict=True)
        ]

    def _refined(self, aspect: str, matter: _Matter, found: dict[_Unit, float]) -> dict[_Unit, float]:
        """The units that speak to a part by words or by meaning, with their scores; by words alone as they were."""
        if self._similarity is None or not matter.units:
            return found
        scores = {unit: matter.score(self._content(aspect), unit) for unit in matter.units}
        near = sorted(scores, key=lambda unit: -scores[unit])[:CANDIDATES]
        cosines = dict(zip(near, self._similarity(aspect, [unit.text for unit in near]), strict=True))
        low, high = min(cosines.values()), max(cosines.values())
        return {
            unit: scores[unit] / 2 + (cosine - low) / (2 * (high - low) or 1)
            for unit, cosine in cosines.items()
            if unit in found or cosine >= self._close
        }

    def _told(self, aspect: str, matter: _Matter, found: Iterable[_Unit]) -> bool:
        """Whether units that are quoted already, or will be, really speak to a part that has no quote of its own."""
        return any(matter.share(self._content(aspect), unit.held) >= FLOOR for unit in found)

    def _quotes(self, units: Iterable[_Unit], matter: _Matter) -> Iterator[str]:
        """Each unit as a literal quote with its mark; one too long is cut to the clauses that matter."""
        for at, unit in enumerate(units):
            text = _BREAK.sub(_joint, unit.text)
            if columns(text) > LONG:
                part = window(text, lambda clause: len(self._held(clause) & matter.terms))
                text = "…" * (not text.startswith(part)) + part + "…" * (not text.endswith(part))
            yield f"{' ' if at else ''}{_quoted(text)}[{unit.number}]"

    def _rest(
        self, matter: _Matter, written: Sequence[_Unit], missing: Sequence[str], words: dict[str, str]
    ) -> Iterator[str]:
        """After the parts: the passage ranked first where no part chose it, and what nothing speaks to."""
        if len(written) < QUOTES and all(unit.number > 1 for unit in written):
            first = matter.best(unit for unit in matter.units if unit.number == 1 and matter.terms & unit.context)
            if first and not any(_alike(first[0], other) for other in written):
                yield f"\n\n{words['first']}\n"
                yield from self._quotes(first, matter)
        if missing:
            parts = " / ".join(f"“{_label(part)}”" for part in missing)
            yield "\n\n" + words["missing"].format(parts=parts)

    def _refusal(self, matter: _Matter, words: dict[str, str]) -> Iterator[str]:
        """Say that nothing answers; show the first and the nearest text where they have a word in common with it."""
        near = [unit for unit in matter.units if matter.terms & unit.context]
        first = matter.best(unit for unit in near if unit.number == 1)
        shown = first + matter.best(unit for unit in near if unit.number > 1)
        yield f"{words['nearest']}\n\n" if shown else words["refusal"]
        yield from self._quotes(shown, matter)


def _chosen(found: dict[_Unit, float], written: Sequence[_Unit], room: int) -> list[_Unit]:
    """At most `room` units near the best score, unlike each other and all that is written; in order of evidence."""
    chosen: list[_Unit] = []
    least = 0.6 * max(found.values(), default=0.0)
    for unit in sorted(found, key=lambda unit: -found[unit]):
        if found[unit] < least or len(chosen) >= room:
            break
        if not any(_alike(unit, other) for other in (*written, *chosen)):
            chosen.append(unit)
    return sorted(chosen, key=lambda unit: unit.number)


def _alike(one: _Unit, other: _Unit) -> bool:
    """Whether two units say the same but for a particle or a mark; another number is another fact."""
    return len(one.held ^ other.held) <= 2


def _quotable(passage: Passage) -> list[str]:
    """What can be quoted of a passage: short paragraphs whole, else sentences; headings only where nothing else is."""
    text = passage.text
    found: list[str] = []
    headings: list[str] = []
    for _, group in groupby(sentences(text), key=lambda span: text.count("\n", 0, span[0])):
        spans = list(group)
        start, end = spans[0][0], spans[-1][1]
        lead = text[text.rfind("\n", 0, start) + 1 : start].lstrip()
        into = headings if lead.startswith("#") or text[start:end] == passage.title else found
        into += [text[start:end]] if columns(text[start:end]) <= SHORT else [text[a:b] for a, b in spans]
    return found or headings


def _joint(line_break: re.Match[str]) -> str:
    """What joins two lines: nothing between Han characters, else a space."""
    around = line_break.string[line_break.start() - 1 : line_break.start()], line_break.string[line_break.end() :][:1]
    return "" if all(HAN.match(character) for character in around) else " "


def _quoted(text: str) -> str:
    """`text` between quotation marks that nothing inside it can close, so that no source forges a mark."""
    for pair in _PAIRS:
        depths = list(accumulate((c == pair[0]) - (c == pair[1]) for c in text))
        if not depths or (min(depths) >= 0 and depths[-1] == 0):
            return f"{pair[0]}{text}{pair[1]}"
    return f"“…{max(_QUOTE_MARKS.split(text), key=len).strip()}…”"


def _label(aspect: str) -> str:
    """A part of the question for display: one line, at most 40 characters, nothing that reads as a mark or markup."""
    plain = " ".join(aspect.translate(_PLAIN).split())
    return plain if len(plain) <= 40 else f"{plain[:39]}…"
