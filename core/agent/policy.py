"""What a policy is: from the state of the search to the next tool calls."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from core.agent.ledger import Ledger
from core.domain import Call, Hit, Passage, Say, Token, Usage


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool gave back: `output` is the text a model sees, the rest is for people and for rules.

    `by_query` has each rewrite's own ranking, before they were merged into `hits`; `compresses` marks a `summarize`:
    everything older leaves the context.
    """

    detail: Say
    output: str
    hits: tuple[Hit, ...] = ()
    seen: tuple[Passage, ...] = ()
    by_query: Mapping[str, tuple[Hit, ...]] = field(default_factory=dict)
    kept: tuple[str, ...] = ()
    times: Mapping[str, float] = field(default_factory=dict)
    error: Say | None = None
    compresses: bool = False


@dataclass(frozen=True, slots=True)
class Exchange:
    """A tool call with its result."""

    call: Call
    result: Result


@dataclass(frozen=True, slots=True)
class State:
    """What a policy may look at: the question, what was done, what is known, how many calls are left.

    `rounds` holds one tuple of exchanges each; `context` is tokens of `budget` in use, `warned` that 90 % are;
    `closing` asks only to judge what the last round found: no call will be run.
    """

    question: str
    rounds: tuple[tuple[Exchange, ...], ...]
    ledger: Ledger
    calls_left: int
    context: int = 0
    budget: int = 128_000
    warned: bool = False
    closing: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """What a policy decided: passages to keep as evidence, best first, then calls; no calls ends the search.

    `keep` names what it judged relevant; `why` says in a code how it judged.
    """

    calls: tuple[Call, ...] = ()
    keep: tuple[str, ...] = ()
    why: Say | None = None
    usage: Usage | None = None


class Policy(Protocol):
    """Chooses the next tool calls. It may speak (reasoning tokens) while it decides."""

    @property
    def id(self) -> str:
        """Name for the trace and the settings."""
        ...

    def plan(self, state: State) -> Generator[Token, None, Turn]:
        """Decide the next turn from `state`."""
        ...
