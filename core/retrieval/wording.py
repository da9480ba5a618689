"""Wording: which words say something, and which word of a passage would bring it up if the question had it too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.domain import Passage, Say
from core.knowledge.folding import has_han
from core.knowledge.sentences import content
from core.knowledge.tokeniser import Tokeniser
from core.retrieval.bm25 import KeywordIndex
from core.retrieval.memo import Memo
from core.retrieval.ranking import Retriever
from core.retrieval.standing import Standing

COMMON = 3
"""One passage in this many: where more have a character in a word, it tells nothing."""
_SAYS: Memo[bool] = Memo(20_000)
_SPREADS: Memo[int] = Memo(4_000)
_RANKS: Memo[int | None] = Memo(500)

TRIED = 8
"""Words of a passage that are tried in the question."""


@dataclass(frozen=True, slots=True)
class Wording:
    """A word of a passage that the question lacks, the question with it, and the passage's rank by BM25 then."""

    word: str
    question: str
    rank: int


def says(tokeniser: Tokeniser, term: str) -> bool:
    """Whether a term says something: no function word or character, no number of an article or amount."""
    return _SAYS.of(tokeniser, term, lambda: not any(map(str.isdigit, term)) and bool(content(tokeniser, term)))


def named(tokeniser: Tokeniser, term: str) -> bool:
    """Whether a term may have others of like meaning: it says something, or is a word of two characters or more."""
    return says(tokeniser, term) or (len(term) > 1 and not any(map(str.isdigit, term)))


def telling(retriever: Retriever, characters: Iterable[str]) -> dict[str, int]:
    """The Chinese characters by which words are alike, each with how many passages have it within a word.

    Not those that are function words, nor those that more than one passage in `COMMON` has: by what stands everywhere
    every word would be alike.
    """
    spread = {c: _spread(retriever.index, c) for c in characters if has_han(c) and says(retriever.tokeniser, c)}
    most = max(1, len(retriever.index) // COMMON)
    return {character: passages for character, passages in spread.items() if passages <= most}


def _spread(index: KeywordIndex, character: str) -> int:
    return _SPREADS.of(index, character, lambda: index.matching(term for term in index.vocabulary if character in term))


def wording(retriever: Retriever, question: str, passage: Passage, enough: int) -> Wording | None:
    """The passage's word that, put into the question, brings it up to rank `enough`, else as far up as any.

    Words that share a telling character with the question come first, since they mostly say the same, then those that
    weigh most. `None` where no word that the question lacks brings the passage further up than it is.
    """
    now = retriever.stands(question, passage)
    best: Wording | None = None
    for word in _own_words(retriever, question, passage)[:TRIED]:
        asked = f"{question} {word}".strip()
        rank = _rank(retriever, asked, passage)
        if rank is not None and (now is None or rank < now[0]) and (best is None or rank < best.rank):
            best = Wording(word, asked, rank)
        if best and best.rank <= enough:
            break
    return best


def _rank(retriever: Retriever, asked: str, passage: Passage) -> int | None:
    """Every mode of a comparison tries the same words."""
    terms = tuple(retriever.tokeniser.query(asked))
    known = (asked, terms, passage.order, retriever.bm25, retriever.exact, retriever.filters)
    return _RANKS.of(retriever.index, known, lambda: retriever.rank(asked, passage))


def _own_words(retriever: Retriever, question: str, passage: Passage) -> list[str]:
    tokeniser = retriever.tokeniser
    asked = tokeniser.query(question)
    own = [term for term in tokeniser.query(passage.indexed) if term not in set(asked) and says(tokeniser, term)]
    own = [term for term in own if len(term) > 1] or own
    weights = {s.term: s.contribution for s in retriever.index.explain(own, passage.order, retriever.bm25)}
    missing = set(asked) - set(tokeniser.tokens(passage.indexed))
    shared = telling(retriever, set("".join(missing)) & set("".join(own))).keys()
    return sorted(own, key=lambda term: (not shared & set(term), -weights[term]))


def hint(found: Wording | None, standing: Standing, passage: Passage) -> Say:
    """What would help a question that misses a passage: one of its words, and where it stands by meaning."""
    by_meaning = standing.overall(passage.order)
    values: dict[str, object] = {}
    parts: list[str] = []
    if found:
        parts.append("word")
        values |= {"word": found.word, "rank": found.rank, "question": found.question}
    if by_meaning:
        parts.append("meaning")
        values |= {"place": by_meaning[0], "vectors": by_meaning[1]}
    return Say(f"explain.remedy.{'_'.join(parts) or 'nothing'}", values)
