"""Try-outs: the same comparison with something changed, nothing saved, so that ranks can be seen to move."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import get_args

from core.asking import LARGEST_CUT, checked
from core.bench import Bench
from core.domain import EVIDENCE, Ask, Step
from core.errors import UsageError
from core.explain.passage import why_of
from core.knowledge.base import KnowledgeBase
from core.knowledge.folding import fold
from core.knowledge.sentences import HAN
from core.knowledge.tokeniser import Tokeniser
from core.modes import Mode, registry
from core.race import check_question, compare
from core.retrieval.bm25 import Bm25, KeywordIndex, Variant
from core.retrieval.literal import folded_texts
from core.retrieval.ranking import Retriever
from core.runs import Comparison, Run
from core.settings import ROLES, Role

LONGEST_WORD = 20
"""Characters of a word that is added to the dictionary; the longest of jieba's own has 16."""
MOST_WORDS = 20
"""Words added at once."""
STEEPEST = 10.0
"""The largest k1, as in the settings."""
KEPT = 3
"""Dictionaries and indexes kept for the try-outs made last; each takes tens of megabytes."""


@dataclass(frozen=True, slots=True)
class Change:
    """What to change; `None` and empty leave it as it is. `words` are added to the dictionary."""

    question: str | None = None
    words: tuple[str, ...] = ()
    variant: Variant | None = None
    k1: float | None = None
    b: float | None = None
    candidates: int | None = None
    k: int | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """A passage's place in one mode before and after; `given` says whether the writer got it."""

    mode: str
    before: int | None
    after: int | None
    given_before: bool
    given_after: bool


@dataclass(frozen=True, slots=True)
class Tryout:
    """The comparison, retrieval only, as it would be; `bench` is what it was made with, `left` modes not tried.

    A mode is left out where trying it would call a model that costs money. `original` is the bench as it was.
    """

    bench: Bench
    comparison: Comparison
    left: tuple[str, ...]
    original: Bench


def try_out(bench: Bench, runs: Sequence[Run], change: Change) -> Tryout:
    """Run the modes of these runs anew with a change; raises `UsageError` for one that makes no sense.

    No chat model is ever called, and no embedder that costs money. A candidate or evidence cut is changed in the modes
    that have one; `k` also where the run was asked with a cut.
    """
    tried = _changed(bench, change)
    entrants = []
    left = []
    for run in runs:
        mode = registry().get(run.mode)
        if mode is None or _costs(run) or _wants(mode, tried):
            left.append(run.mode)
        else:
            entrants.append((mode, _asked(mode, run.ask, change)))
    if not entrants:
        raise UsageError("tryout.nothing")
    return Tryout(tried, compare(tried, entrants, retrieval_only=True), tuple(left), bench)


def moves(runs: Sequence[Run], tried: Tryout, passage: str) -> tuple[Move, ...]:
    """How the passage with this id moves in each mode that was tried."""
    before = {run.mode: run for run in runs}
    found = []
    for after in tried.comparison.runs:
        run = before[after.mode]
        places = _place(tried.original, run, passage), _place(tried.bench, after, passage)
        found.append(Move(after.mode, *places, run.gave(passage), after.gave(passage)))
    return tuple(found)


def _place(bench: Bench, run: Run, passage: str) -> int | None:
    """Its rank in the run's list; beyond what that lists the true one, where the mode can tell it."""
    if (rank := run.rank_of(passage)) is not None or run.error:
        return rank
    told: int | None = why_of(bench, run, bench.base.passage(passage)).facts.get("rank")
    return told


def _costs(run: Run) -> bool:
    """Whether a model or an embedder was paid for before the evidence stood."""
    used = [step.usage for step in _until_evidence(run) if step.usage]
    return any(usage.calls or usage.embedding is not None for usage in used)


def _until_evidence(run: Run) -> Iterator[Step]:
    for step in run.steps:
        if step.name == EVIDENCE:
            return
        yield step


def _wants(mode: Mode, tried: Bench) -> bool:
    """Whether a mode needs what a try-out does not pay for."""
    return "model" in mode.needs or ("vectors" in mode.needs and _pays(tried))


def _pays(bench: Bench) -> bool:
    """Whether the vectors that the settings ask for cost money."""
    return not bench.settings.roles["embeddings"].offline


def _asked(mode: Mode, ask: Ask, change: Change) -> Ask:
    """What the mode was asked, with what is changed of it."""
    known = {parameter.name for parameter in mode.parameters}
    parameters = dict(ask.parameters)
    if change.candidates is not None and "candidates" in known:
        parameters |= checked(mode, {**parameters, "candidates": change.candidates})
    cuts = change.k is not None and ("k" in known or ask.k is not None)
    question = ask.question if change.question is None else check_question(change.question)
    return Ask(question, change.k if cuts else ask.k, parameters)


def _changed(bench: Bench, change: Change) -> Bench:
    """The bench with what is changed of its rankings, and without anything that costs money."""
    if change.k is not None and not 1 <= change.k <= LARGEST_CUT:
        raise UsageError("parameter.range", name="k", low=1, high=LARGEST_CUT, value=change.k)
    retriever = bench.retriever
    bm25 = _bm25(retriever.bm25, change)
    tokeniser, index = _derived(retriever.base, retriever.tokeniser, retriever.index, _words(change.words))
    pays = _pays(bench)
    embedder, vectors = (None, None) if pays else (retriever.embedder, retriever.vectors)
    changed = Retriever(retriever.base, tokeniser, index, vectors, embedder, bm25).remembering()
    roles = {**bench.settings.roles, **{name: Role() for name in ROLES if name != "embeddings"}}
    return replace(bench, retriever=changed, settings=replace(bench.settings, roles=roles))


def _bm25(now: Bm25, change: Change) -> Bm25:
    """BM25's settings with what is changed; raises `UsageError` for a number out of its bounds."""
    for name, value, high in (("k1", change.k1, STEEPEST), ("b", change.b, 1.0)):
        if value is not None and not (math.isfinite(value) and 0 <= value <= high):
            raise UsageError("parameter.range", name=name, low=0, high=high, value=value)
    if change.variant is not None and change.variant not in (known := get_args(Variant)):
        raise UsageError("parameter.choice", name="variant", choices=list(known), value=change.variant)
    return replace(
        now,
        variant=change.variant or now.variant,
        k1=now.k1 if change.k1 is None else change.k1,
        b=now.b if change.b is None else change.b,
    )


def _words(given: Sequence[str]) -> tuple[str, ...]:
    """Words as the dictionary takes them, folded, in order; raises `UsageError` for what is none."""
    if len(given) > MOST_WORDS:
        raise UsageError("tryout.word_many", count=len(given), most=MOST_WORDS)
    found = []
    for each in given:
        word = fold(each.strip())[0]
        if not word:
            raise UsageError("tryout.word_blank")
        if len(word) > LONGEST_WORD:
            raise UsageError("tryout.word_long", length=len(word), most=LONGEST_WORD)
        if not all(map(HAN.fullmatch, word)):
            raise UsageError("tryout.word_han", word=word)
        found.append(word)
    return tuple(sorted(set(found)))


@lru_cache(maxsize=KEPT)
def _derived(
    base: KnowledgeBase, tokeniser: Tokeniser, index: KeywordIndex, words: tuple[str, ...]
) -> tuple[Tokeniser, KeywordIndex]:
    """Tokeniser and index that know `words` too; only passages that hold one of them are cut anew."""
    new = [word for word in words if word not in tokeniser.words]
    if not new:
        return tokeniser, index.beside()
    extended = tokeniser.extended(new)
    texts = [passage.indexed for passage in base.passages]
    holding = [at for at, text in enumerate(folded_texts(texts)) if any(word in text for word in new)]
    return extended, index.replaced({at: extended.tokens(texts[at]) for at in holding})
