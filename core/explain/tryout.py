"""Try-outs: the same comparison with something changed, nothing saved, so that ranks can be seen to move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.asking import check_cut, checked, checked_value
from core.bench import NO_VECTORS, SPACE, Bench
from core.domain import Ask, Parameter, Say
from core.errors import UsageError
from core.explain.passage import why_of
from core.explain.recorded import as_recorded, by_cosine, same_vectors, wants_vectors
from core.knowledge.folding import fold
from core.knowledge.sentences import HAN
from core.knowledge.tokeniser import Tokeniser
from core.modes import Mode, registry
from core.race import check_question, compare
from core.retrieval.bm25 import KeywordIndex
from core.retrieval.formula import Bm25
from core.retrieval.literal import folded_texts
from core.retrieval.memo import Memo
from core.retrieval.ranking import Retriever
from core.runs import Comparison, Run
from core.settings import BM25, LARGEST_CUT, Variant

LONGEST_WORD = 20
"""Characters of a word that is added to the dictionary; the longest of jieba's own has 16."""
MOST_WORDS = 20
"""Words added at once."""
KEPT = 2
"""Indexes kept of each open base for the words tried last; each is as large as the base's own."""
CUT = "k"
"""The parameter that is the evidence cut of any mode."""

_DERIVED: Memo[tuple[Tokeniser, KeywordIndex]] = Memo(KEPT)


@dataclass(frozen=True, slots=True)
class Change:
    """What to change; `None` and empty leave it as it was recorded. `words` are added to the dictionary.

    `parameters` are values by name, for every mode that has a parameter of that name.
    """

    question: str | None = None
    words: tuple[str, ...] = ()
    variant: Variant | None = None
    k1: float | None = None
    b: float | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict, hash=False)


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
    """The comparison, retrieval only, as it would be with a change; `left` are modes that were not tried.

    A mode is left out where trying it would call a model that costs money. `notice` says that other vectors rank than
    those of the record, so that places move by that too. It holds no index, so many can be kept.
    """

    change: Change
    comparison: Comparison
    left: tuple[str, ...]
    notice: Say | None = None


def try_out(bench: Bench, comparison: Comparison, change: Change) -> Tryout:
    """Run the modes of a comparison anew with a change to what was in force when it was recorded.

    No chat model is ever called, and no embedder that costs money. The base must be the comparison's own. Raises
    `UsageError` for a change that makes no sense, or where no mode is left.
    """
    tried = changed(bench, comparison, change)
    _check_names(comparison.runs, change)
    modes = {run.mode: _triable(run, tried) for run in comparison.runs}
    entrants = [(mode, _asked(mode, run.ask, change)) for run in comparison.runs if (mode := modes[run.mode])]
    if not entrants:
        gone = all(run.mode not in registry() for run in comparison.runs)
        raise UsageError("tryout.gone" if gone else "tryout.nothing")
    left = tuple(name for name, mode in modes.items() if mode is None)
    notice = _notice(bench, comparison, [run for run in comparison.runs if modes[run.mode]])
    return Tryout(change, compare(tried, entrants, retrieval_only=True), left, notice)


def _notice(bench: Bench, comparison: Comparison, tried: Iterable[Run]) -> Say | None:
    """That the runs tried are ranked by other vectors than when they were recorded; `None` where they are not."""
    ranking = [run for run in tried if wants_vectors(run)]
    blind = [step for run in ranking for step in run.steps if step.reorders and not by_cosine(step)]
    same = same_vectors(bench, comparison)
    if bench.space == NO_VECTORS:
        return Say.of("tryout.without") if ranking and not same else None
    return Say.of("tryout.vectors") if ranking and (blind or not same) else None


def moves(bench: Bench, comparison: Comparison, tried: Tryout, passage: str) -> tuple[Move, ...]:
    """How the passage with this id moves in each mode that was tried; what it was tried on is made again if need be."""
    recorded = as_recorded(bench, comparison)
    then = changed(bench, comparison, tried.change)
    before = {run.mode: run for run in comparison.runs}
    found = []
    for after in tried.comparison.runs:
        run = before[after.mode]
        places = _place(recorded, run, passage), _place(then, after, passage)
        found.append(Move(after.mode, *places, run.gave(passage), after.gave(passage)))
    return tuple(found)


def _place(bench: Bench, run: Run, passage: str) -> int | None:
    """Its rank in the run's list; beyond what that lists the true one, where the mode can tell it."""
    if (rank := run.rank_of(passage)) is not None or run.error:
        return rank
    return why_of(bench, run, bench.base.passage(passage)).rank


def _triable(run: Run, tried: Bench) -> Mode | None:
    """The mode of a run, where running it again costs nothing; `None` where it does, or the mode is gone."""
    mode = registry().get(run.mode)
    if mode is None or run.paid or "model" in mode.needs or ("vectors" in mode.needs and _pays(tried)):
        return None
    return mode


def _pays(bench: Bench) -> bool:
    """Whether the vectors that the settings ask for cost money."""
    return not bench.settings.roles["embeddings"].offline


def tunable(runs: Iterable[Run]) -> Mapping[str, Mapping[str, Parameter]]:
    """What can be changed of the modes of these runs, by a parameter's name and then by the mode that has it.

    A run that was asked with an evidence cut has that as its `k`.
    """
    found: dict[str, dict[str, Parameter]] = {}
    for run in runs:
        mode = registry().get(run.mode)
        for parameter in mode.parameters if mode else ():
            found.setdefault(parameter.name, {})[run.mode] = parameter
        if run.ask.k is not None:
            found.setdefault(CUT, {})[run.mode] = Parameter(CUT, run.ask.k, 1, LARGEST_CUT)
    return found


def _check_names(runs: Iterable[Run], change: Change) -> None:
    """Raise `UsageError` for a parameter that none of these runs has."""
    known = list(tunable(runs))
    for name in change.parameters:
        if name not in known:
            raise UsageError("parameter.unknown", name=name, known=known)


def _asked(mode: Mode, ask: Ask, change: Change) -> Ask:
    """What the mode was asked, with what is changed of it; a cut that it was asked with is the one to change."""
    question = ask.question if change.question is None else check_question(change.question)
    own = {parameter.name for parameter in mode.parameters}
    given = {name: value for name, value in change.parameters.items() if name in own}
    k = ask.k
    if k is not None and CUT in change.parameters:
        k = check_cut(change.parameters[CUT])
        given.pop(CUT, None)
    parameters = checked(mode, {**ask.parameters, **given}) if given else ask.parameters
    return replace(ask, question=question, k=k, parameters=parameters)


def changed(bench: Bench, comparison: Comparison, change: Change) -> Bench:
    """The bench that a comparison was recorded on, with what is changed of its rankings, and nothing that costs money.

    Its vectors are those in force now, whichever the record's were. Raises `UsageError` for a word or a number that
    makes no sense.
    """
    recorded = bench.as_recorded({**comparison.settings, SPACE: bench.space})
    known = recorded.retriever
    tokeniser, index = _derived(known, _words(change.words))
    embedder, vectors = (None, None) if _pays(recorded) else (known.embedder, known.vectors)
    bm25 = _bm25(known.bm25, change)
    own = Retriever(known.base, tokeniser, index, vectors, embedder, bm25, known.exact).remembering()
    return replace(recorded, retriever=own)


def _bm25(recorded: Bm25, change: Change) -> Bm25:
    """BM25's settings with what is changed; raises `UsageError` for a value out of its bounds."""
    given = {name: getattr(change, name) for name in BM25 if getattr(change, name) is not None}
    return replace(recorded, **{name: checked_value(name, BM25[name], value) for name, value in given.items()})


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


def _derived(known: Retriever, words: tuple[str, ...]) -> tuple[Tokeniser, KeywordIndex]:
    """Tokeniser and index that know `words` too; only passages that hold one of them are cut anew."""
    new = [word for word in words if word not in known.tokeniser.words]
    if not new:
        return known.tokeniser, known.index
    return _DERIVED.of(known.index, tuple(new), lambda: _with_words(known, new))


def _with_words(known: Retriever, new: Sequence[str]) -> tuple[Tokeniser, KeywordIndex]:
    extended = known.tokeniser.extended(new)
    texts = [passage.indexed for passage in known.base.passages]
    holding = [at for at, text in enumerate(folded_texts(texts)) if any(word in text for word in new)]
    return extended, known.index.replaced({at: extended.tokens(texts[at]) for at in holding})
