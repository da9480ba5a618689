"""Terms: question and passage as the tokeniser sees them, what each term gives, and what nearly met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from core.bench import Bench
from core.domain import Passage, Say
from core.knowledge.folding import fold
from core.knowledge.tokeniser import Term
from core.ports import Vectors
from core.retrieval.formula import Bm25, TermScore
from core.retrieval.ranking import Retriever
from core.retrieval.wording import named, says, telling

CUT = "/"
"""Between the words that a term's characters are cut into."""
NEAREST = 2
"""Near-misses by form that are told of a term."""
ALIKE = 2
"""Near-misses by meaning that are told of a term."""
SHORTEST = 3
"""Letters of a Latin word that is looked for within others."""
FEWEST = 12
"""Words, of question and passage together, below which none can stand out by its cosine."""
CLOSE = 0.45
"""Cosine from which two words are close, once the mean of all words is taken away: single words of E5 all lie within
.86 to .98 of each other. See `OUTSTANDING`."""
OUTSTANDING = 2.5
"""Standard deviations above the term's mean cosine to the other words. Chosen with `CLOSE` by eye on the words of the
bundled base's questions and gold passages: of the pairs above both lines most say the same or the like, while from .36
to .45 half only belong to the same matter; either line alone lets more of those through."""


@dataclass(frozen=True, slots=True)
class Near:
    """What nearly met a term of the question that the passage lacks.

    `glued`: the passage has its characters, cut differently, within `other` (words parted by `/`); `character`: `other`
    shares a single character with it; `meaning`: `other` is close by `cosine`, which need not mean the same.
    """

    how: Literal["glued", "character", "meaning"]
    other: str
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class TermRow:
    """A term of the question: how often it stands in the passage (`tf`), in how many passages (`df`), its weight.

    `contribution` is what it adds to the passage's BM25 score. `note` warns of its weight: it stands nowhere, or in so
    many passages that it tells nothing. `near` is filled only where `tf` is 0.
    """

    term: str
    tf: int
    df: int
    idf: float
    contribution: float
    note: Say | None = None
    near: tuple[Near, ...] = ()


@dataclass(frozen=True, slots=True)
class Terms:
    """Both sides as terms with their spans: `question` in the question, `passage` in the passage's indexed string.

    `score` is the sum of the rows' contributions times `factor`, which is below 1 only for what was read with little
    confidence; `rank` its place among the `matching` passages that share a term. `exact`: the question names the
    passage, which therefore stands in front whatever its score. `length` and `mean_length` are in terms.
    """

    rows: tuple[TermRow, ...]
    question: tuple[Term, ...]
    passage: tuple[Term, ...]
    score: float
    rank: int | None
    matching: int
    length: int
    mean_length: float
    factor: float = 1.0
    exact: bool = False


def terms(retriever: Retriever, question: str, passage: Passage) -> Terms:
    """How the terms of a question meet a passage; near-misses by form, not by meaning."""
    tokeniser, index, bm25 = retriever.tokeniser, retriever.index, retriever.bm25
    asked, own = tokeniser.query(question), tuple(tokeniser.terms(passage.indexed))
    rows = []
    for found in index.explain(asked, passage.order, bm25):
        near = () if found.tf else _near_by_form(retriever, found.term, passage, own)
        note = _note(found, len(index), bm25)
        rows.append(TermRow(found.term, found.tf, found.df, found.idf, found.contribution, note, near))
    total = sum(row.contribution for row in rows)
    factor = retriever.factor(passage, total)
    return Terms(
        tuple(rows),
        tuple(tokeniser.terms(question)),
        own,
        total * factor,
        retriever.rank(question, passage),
        retriever.matching(question),
        len(own),
        index.mean_length,
        factor,
        retriever.named(question, passage),
    )


def _note(found: TermScore, passages: int, bm25: Bm25) -> Say | None:
    """What a reader should know of a term's weight."""
    if not found.df:
        return Say.of("explain.note.absent")
    if bm25.variant == "okapi" and 2 * found.df == passages:
        return Say.of("explain.note.half")
    if 2 * found.df <= passages:
        return None
    if bm25.variant == "okapi":
        return Say.of("explain.note.common_floor", df=found.df, passages=passages, idf=found.idf)
    return Say.of("explain.note.common", df=found.df, passages=passages)


def _near_by_form(retriever: Retriever, term: str, passage: Passage, own: Sequence[Term]) -> tuple[Near, ...]:
    if not says(retriever.tokeniser, term):
        return ()
    glued = [Near("glued", other) for other in _glued(term, passage.indexed, own)]
    held = "\n".join(near.other for near in glued)
    sharing = [Near("character", other) for other in _sharing(retriever, term, own) if other not in held]
    return tuple([*glued, *sharing][:NEAREST])


def _glued(term: str, text: str, own: Sequence[Term]) -> list[str]:
    """The words, parted by `CUT`, within or across which the passage has the term's characters."""
    if term.isascii() and (len(term) < SHORTEST or not term.isalpha()):
        return []
    folded, offsets = fold(text)
    found: dict[str, None] = {}
    at = folded.find(term)
    while at >= 0 and len(found) < NEAREST:
        end = at + len(term)
        start, stop = (at, end) if offsets is None else (offsets[at], offsets[end - 1] + 1)
        pieces = [piece for piece in own if piece.start < stop and piece.end > start]
        found[CUT.join(piece.text for piece in pieces if not _within(piece, pieces))] = None
        at = folded.find(term, end)
    return [words for words in found if words]


def _within(piece: Term, pieces: Sequence[Term]) -> bool:
    """Whether another piece holds this one, as search mode's longer words do."""
    return any(o.start <= piece.start and piece.end <= o.end and len(o.text) > len(piece.text) for o in pieces)


def _sharing(retriever: Retriever, term: str, own: Sequence[Term]) -> list[str]:
    """Words of the passage that share a telling character with the term: most in common first, then the rarest."""
    others = [word for word in dict.fromkeys(each.text for each in own) if says(retriever.tokeniser, word)]
    spread = telling(retriever, set(term) & set("".join(others)))

    def rarity(word: str) -> tuple[int, int, int]:
        common = spread.keys() & set(word)
        return -len(common), min(spread[c] for c in common), len(word)

    return sorted((word for word in others if spread.keys() & set(word)), key=rarity)


def by_meaning(bench: Bench, found: Terms) -> Terms:
    """The same with near-misses by meaning added, from the embedder of this machine; raises `EmbeddingError`."""
    tokeniser = bench.retriever.tokeniser
    own = [word for word in dict.fromkeys(term.text for term in found.passage) if says(tokeniser, word)]
    asked = [row.term for row in found.rows if named(tokeniser, row.term)]
    missing = {row.term for row in found.rows if not row.tf and row.term in asked}
    words = list(dict.fromkeys([*own, *asked]))
    if not missing or not own or len(words) < FEWEST:
        return found
    closest = _closest(words, bench.word_vectors(words), set(own), missing)
    return replace(found, rows=tuple(_with(row, closest.get(row.term, ())) for row in found.rows))


def _with(row: TermRow, closest: Sequence[Near]) -> TermRow:
    held = "\n".join(near.other for near in row.near)
    return replace(row, near=(*row.near, *(near for near in closest if near.other not in held)))


def _closest(words: Sequence[str], vectors: Vectors, own: set[str], missing: set[str]) -> dict[str, list[Near]]:
    """For each missing term the passage's words that stand out as close to it, closest first."""
    inside = np.array([word in own for word in words])
    centred = vectors - vectors.mean(axis=0)
    centred /= np.linalg.norm(centred, axis=1, keepdims=True)
    found: dict[str, list[Near]] = {}
    for at in (at for at, word in enumerate(words) if word in missing):
        cosines = vectors @ vectors[at]
        others = np.delete(cosines, at)
        outstanding = (cosines - others.mean()) / (others.std() or 1.0) >= OUTSTANDING
        close = inside & outstanding & (centred @ centred[at] >= CLOSE)
        close[at] = False
        order = sorted(np.flatnonzero(close).tolist(), key=lambda other: -float(cosines[other]))
        found[words[at]] = [Near("meaning", words[other], float(cosines[other])) for other in order[:ALIKE]]
    return found
