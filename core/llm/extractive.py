"""The offline writer: it quotes the sentences of the evidence that answer each part of the question.

No model takes part. What it adds of its own (a lead, what was not found) are the templates below: an answer is
content in the language of the question, so they stand here and not in the catalogue. Everything between quotation
marks is literal source text up to line breaks; `core.marks` takes no mark out of such a quote.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from core.domain import Passage, Say, Token
from core.errors import EmbeddingError
from core.knowledge.folding import language_of
from core.knowledge.sentences import LONG, aspects, columns, content, holding, window
from core.knowledge.tokeniser import Tokeniser
from core.llm.choosing import ENOUGH, FLOOR, Choice, Matter, Part, Unit, choose
from core.llm.embedded import E5_SCALE
from core.llm.naming import certain, headed, kept, kind_of, named, says
from core.llm.quoting import BREAK, joint, label, quotable, quoted
from core.ports import Scale

log = logging.getLogger(__name__)

TEMPLATES = {
    "zh": {
        "lead": "以下为原文摘录，未经模型改写。",
        "first": "排在最前的段落：",
        "missing": "原文中没有与{parts}用词对应的句子。",
        "refusal": "找到的段落没有回答这个问题。",
        "nearest": "没有找到与问题用词对应的句子，",
        "by_meaning": "意思上最接近的原文是（未经模型改写）：",
        "by_words": "只有个别词相同的原文是（未经模型改写）：",
    },
    "en": {
        "lead": "These are literal extracts; no model rewrote them.",
        "first": "The passage ranked first says:",
        "missing": "No sentence of the passages is worded like {parts}.",
        "refusal": "The passages found do not answer this question.",
        "nearest": "No passage has a sentence in the words of the question; ",
        "by_meaning": "the nearest in meaning says (literal extract):",
        "by_words": "only a word or so is in common with this (literal extract):",
    },
}

Similarity = Callable[[str, Sequence[Passage]], Sequence[float]]
"""Cosines of a question, or of a part of it, to each of some passages; raises `EmbeddingError`."""

ASPECTS, QUOTES, CANDIDATES = 6, 9, 20
"""At most so many parts of a question, quotes in all, and passages (the first) that similarity is asked about."""

SHOWN = 2
"""Passages shown as nearest where nothing answers."""


class ExtractiveWriter:
    """Writes an answer out of literal quotes; safe to share between threads.

    `similarity` is asked at most once for the question and once for each part of it, about at most `CANDIDATES`
    passages; `scale` says how to read its cosines. Without it only words count.
    """

    said = Say.of("step.write_offline")

    def __init__(self, tokeniser: Tokeniser, similarity: Similarity | None = None, scale: Scale = E5_SCALE) -> None:
        self._similarity = similarity
        self._scale = scale
        self._content: Callable[[str], frozenset[str]] = lru_cache(1024)(lambda text: content(tokeniser, text))
        self._held: Callable[[str], frozenset[str]] = lru_cache(4096)(lambda text: holding(tokeniser, text))

    @property
    def reads_vectors(self) -> bool:
        """Whether closeness in meaning takes part."""
        return self._similarity is not None

    def write(self, question: str, evidence: Sequence[Passage]) -> Generator[Token, None, None]:
        """Say the answer as tokens; see `extract`."""
        yield from (Token(piece) for piece in self.extract(question, evidence))

    def extract(self, question: str, evidence: Sequence[Passage]) -> Iterator[str]:
        """Say the answer piece by piece; `evidence[n - 1]` is quoted as `“…”[n]`."""
        words = TEMPLATES[language_of(question)]
        matter = self._matter(question, evidence)
        meaning = _Meaning(self._similarity, evidence) if matter.terms else _Meaning(None, evidence)
        choice = self._choice(question, matter, meaning)
        if not choice.headings:
            yield from self._refusal(question, matter, meaning, words)
            return
        yield words["lead"]
        chosen = [unit for _, units in choice.headings for unit in units]
        yield from self._first(matter, chosen, words)
        alone = len(choice.headings) == 1 and not choice.missing
        for parts, units in choice.headings:
            yield "\n\n" + ("" if alone else f"**{' / '.join(label(part.text) for part in parts)}**\n")
            yield from self._quotes(units, matter)
        if choice.missing:
            unworded = " / ".join(f"“{label(part.text)}”" for part in choice.missing)
            yield "\n\n" + words["missing"].format(parts=unworded)

    def _matter(self, question: str, evidence: Sequence[Passage]) -> Matter:
        names = named(question)
        units = self._units(evidence, bool(names))
        held = frozenset(key for unit in units for key in unit.says)
        return Matter.of(self._content(question), units, kept(names, certain(question), held))

    def aspects(self, question: str) -> list[str]:
        """The parts of a question that are answered one by one."""
        return aspects(question, self._content, ASPECTS)

    def _choice(self, question: str, matter: Matter, meaning: _Meaning) -> Choice:
        """What is quoted for each part; no heading where nothing answers.

        A question that only its meaning as a whole connects with the evidence is answered as one.
        """
        held = self._held(question)
        parts = [
            part
            for text in self.aspects(question)
            for part in self._parts(text, held - self._held(text), matter, meaning)
        ]
        units = [unit for unit in matter.units if matter.belongs(unit)]
        best = max((matter.share(part.terms, unit.held) for part in parts for unit in units), default=0.0)
        by_words = best >= (ENOUGH if any(part.cosines for part in parts) else FLOOR)
        by_words = by_words or any(
            matter.spoken(part.named, unit) >= FLOOR for part in parts if not matter.lacks(part.named) for unit in units
        )
        if not by_words and max(meaning.of(question).values(), default=0.0) < self._scale.close:
            return Choice((), ())
        choice = choose(parts, matter, QUOTES, 3 if len(parts) == 1 else 2)
        if choice.headings or by_words:
            return choice
        return choose(self._parts(question, frozenset(), matter, meaning)[:1], matter, QUOTES, 3)

    def _parts(self, text: str, others: frozenset[str], matter: Matter, meaning: _Meaning) -> list[Part]:
        """The part of a question as one; each of several codes or articles of one series as a part of its own."""
        names = {key: label for key, label in named(text).items() if key in matter.named}
        series = Counter(map(kind_of, names))
        several = [key for key in names if series[kind_of(key)] > 1][:ASPECTS]
        rest = frozenset(names).difference(several)
        part = Part(text, self._content(text), others, meaning.of(text), self._scale, rest)
        return [replace(part, text=names[key], named=rest | {key}) for key in several] or [part]

    def _units(self, evidence: Sequence[Passage], naming: bool) -> list[Unit]:
        """All that can be quoted; what it says of codes and articles where the question is `naming` any."""
        units = []
        for number, passage in enumerate(evidence, 1):
            texts = quotable(passage)
            held = [self._held(text) for text in texts]
            context = self._held(f"{passage.section}\n{passage.title}").union(*held)
            heads = headed(passage) if naming else {}
            units += [
                Unit(number, text, own, context, says(text, heads) if naming else {})
                for text, own in zip(texts, held, strict=True)
                if own
            ]
        return units

    def _quotes(self, units: Iterable[Unit], matter: Matter) -> Iterator[str]:
        """Each unit as a literal quote with its mark; one too long is cut to the clauses that matter."""
        for at, unit in enumerate(units):
            text = BREAK.sub(joint, unit.text)
            if columns(text) > LONG:
                part = window(text, lambda clause: len(self._held(clause) & matter.terms))
                text = "…" * (not text.startswith(part)) + part + "…" * (not text.endswith(part))
            yield f"{' ' if at else ''}{quoted(text)}[{unit.number}]"

    def _first(self, matter: Matter, written: Sequence[Unit], words: dict[str, str]) -> Iterator[str]:
        """The passage ranked first, before the parts, where no part of the question chose it."""
        if len(written) < QUOTES and all(unit.number > 1 for unit in written):
            own = (unit for unit in matter.speaking(matter.named) if unit.number == 1)
            first = matter.best(unit for unit in own if matter.terms & unit.context)
            if first and not any(first[0].alike(other) for other in written):
                yield f"\n\n{words['first']}\n"
                yield from self._quotes(first, matter)

    def _refusal(self, question: str, matter: Matter, meaning: _Meaning, words: dict[str, str]) -> Iterator[str]:
        """Say that no sentence is worded like it, and show the text nearest in meaning, which may well answer.

        Without meaning show what has a word in common with it, or say that nothing answers.
        """
        cosines = meaning.of(question)
        if cosines:
            numbers = sorted(cosines, key=lambda number: -cosines[number])[:SHOWN]
            shown = [unit for n in numbers for unit in matter.best(u for u in matter.units if u.number == n)]
        else:
            near = [unit for unit in matter.units if matter.terms & unit.context]
            shown = matter.best(unit for unit in near if unit.number == 1)
            shown += matter.best(unit for unit in near if unit.number > 1)
        yield f"{words['nearest']}{words['by_meaning' if cosines else 'by_words']}\n\n" if shown else words["refusal"]
        yield from self._quotes(shown, matter)


class _Meaning:
    """The cosines of some texts to the evidence, each asked once; none without vectors or once they failed."""

    def __init__(self, similarity: Similarity | None, evidence: Sequence[Passage]) -> None:
        self._similarity = similarity if evidence else None
        self._evidence = evidence[:CANDIDATES]
        self._known: dict[str, dict[int, float]] = {}

    def of(self, text: str) -> dict[int, float]:
        """Cosine by evidence number."""
        if text not in self._known:
            self._known[text] = dict(enumerate(self._ask(text), 1))
        return self._known[text]

    def _ask(self, text: str) -> Sequence[float]:
        if self._similarity is None:
            return ()
        try:
            return self._similarity(text, self._evidence)
        except EmbeddingError as failed:
            log.info("the writer goes by words alone: %s", failed)
            self._similarity = None
            self._known = dict.fromkeys(self._known, {})
            return ()
