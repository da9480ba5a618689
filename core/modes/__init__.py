"""The modes: one file each, found by looking. Adding a file here is all it takes to add a mode.

A mode file defines `MODE`, a `Mode`. It brings its own words in both languages, its parameters and what it needs;
the app, the command line, the evaluation, *why* and the contract tests take them from there.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from core.bench import Bench
from core.domain import Ask, Event, Parameter, Passage, Say
from core.errors import UsageError
from core.runs import Run

Need = Literal["model", "vectors"]


MOST_MODES = 4
"""Modes in one comparison: there are four places, each with its colour."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A query that a mode put in one of its steps (from 1), and the rank it gave the passage; `None`: none."""

    step: int
    query: str
    rank: int | None


@dataclass(frozen=True, slots=True)
class Why:
    """Why a mode found or missed a passage: one sentence in a code of the mode's words, and what it rests on.

    `facts` are the mode's own figures, told in documents as they are and read by no code. What code reads is typed:
    `rank` is the passage's place in the mode's whole last ranking, also beyond what the run lists (`None`: it has none,
    or the mode cannot tell), `pool` how many candidates the mode chooses from (`None`: it has no such choice),
    `queries` what it asked, where it asks several.

    `remedy` says what would have brought the passage to the writer, where that is known and it was not given. Of its
    values those that `settings` names are what to set: parameters of the mode, `k` the evidence cut of any mode.
    """

    facts: Mapping[str, Any]
    sentence: Say
    remedy: Say | None = None
    settings: tuple[str, ...] = ()
    rank: int | None = None
    pool: int | None = None
    queries: tuple[Asked, ...] = ()


def by_rank(bench: Bench, ask: Ask, passage: Passage, run: Run) -> Why:
    """What can be said of a passage in any mode: its rank among the hits, and whether the writer got it."""
    rank, given = run.rank_of(passage.id), run.gave(passage.id)
    code = "given" if given else "cut" if rank else "unranked"
    return Why({"rank": rank, "given": given}, Say.of(f"why.{code}", rank=rank), rank=rank)


@dataclass(frozen=True, slots=True)
class Mode:
    """One way from question to answer.

    `run` speaks only in events. `why` explains one passage, given the mode's own run on the question (retrieval
    only is enough). `words` maps a language to the mode's texts: `name`, `about`, one for each parameter, and one
    for each `Say` code it coins (`<mode id>.<word>`). `icon` is a Material symbol.
    """

    id: str
    order: int
    words: Mapping[str, Mapping[str, str]]
    run: Callable[[Bench, Ask], Iterator[Event]]
    why: Callable[[Bench, Ask, Passage, Run], Why] = by_rank
    parameters: tuple[Parameter, ...] = ()
    needs: frozenset[Need] = field(default_factory=frozenset)
    icon: str = "manage_search"

    def value(self, ask: Ask, name: str) -> Any:
        """A parameter's value in force for `ask`: `k` is the evidence cut of every mode."""
        if name == "k" and ask.k is not None:
            return ask.k
        return ask.parameters.get(name, self.parameter(name).default)

    def parameter(self, name: str) -> Parameter:
        """The parameter of this name; raises `KeyError` where the mode has none."""
        found = next((parameter for parameter in self.parameters if parameter.name == name), None)
        if found is None:
            raise KeyError(name)
        return found

    def most(self, name: str) -> int:
        """The largest value of a whole-number parameter; raises `KeyError` for one that has no bound."""
        high = self.parameter(name).high
        if high is None:
            raise KeyError(name)
        return int(high)


def spoken(mode: str) -> Mapping[str, Any] | str:
    """The name of a mode as a value within a `Say`; the id of one that is gone."""
    return Say.of(f"mode.{mode}.name").as_value() if mode in registry() else mode


@cache
def registry() -> Mapping[str, Mode]:
    """All modes by id, in their order."""
    found = [importlib.import_module(f"{__name__}.{module.name}").MODE for module in pkgutil.iter_modules(__path__)]
    return {mode.id: mode for mode in sorted(found, key=lambda mode: (mode.order, mode.id))}


def choose(ids: Sequence[str] | None = None) -> tuple[Mode, ...]:
    """The modes named, in the order given, or the first three; raises `UsageError` for an unknown one."""
    modes = registry()
    if not ids:
        return tuple(modes.values())[:3]
    for name in ids:
        if name not in modes:
            raise UsageError("mode.unknown", mode=name, known=list(modes))
    return tuple(modes[name] for name in dict.fromkeys(ids))
