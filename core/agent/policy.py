"""What a policy is: from the state of the search to the next tool calls."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from core.agent.ledger import Ledger
from core.domain import Call, Hit, Passage, Say, Token, Usage
from core.ports import Message


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool gave back: `output` is the text a model sees, the rest is for people and for rules.

    `by_query` has each rewrite's own ranking, before they were merged into `hits`; `compresses` marks a `summarize`:
    everything older leaves the context; `refused` says that nothing was run.
    """

    detail: Say
    output: str
    hits: tuple[Hit, ...] = ()
    seen: tuple[Passage, ...] = ()
    by_query: Mapping[str, tuple[Hit, ...]] = field(default_factory=dict)
    kept: tuple[str, ...] = ()
    times: Mapping[str, float] = field(default_factory=dict)
    usage: Usage | None = None
    error: Say | None = None
    compresses: bool = False
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Exchange:
    """A tool call with its result."""

    call: Call
    result: Result


@dataclass(frozen=True, slots=True)
class Round:
    """One turn of a search: what the policy said with its calls (`None`: nothing), and each call with its result."""

    exchanges: tuple[Exchange, ...]
    said: Message | None = None


@dataclass(frozen=True, slots=True)
class State:
    """What a policy may look at: the question, what was done, what is known, how many calls are left.

    `rounds` are the turns still in the context; `context` is tokens of `budget` in use, `warned` that 90 % are;
    `closing` asks only to judge what was found: no call will be run.
    """

    question: str
    rounds: tuple[Round, ...]
    ledger: Ledger
    calls_left: int
    context: int = 0
    budget: int = 128_000
    warned: bool = False
    closing: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """What a policy decided: passages to keep as evidence, best first, then calls; no calls ends the search.

    `keep` names what it judged relevant, `judged` says that it has judged although it keeps nothing; `why` says in a
    code how. `said` is a model's own message, with `usage` and the settings `sent`; `notice` is something that a reader
    should know of it.
    """

    calls: tuple[Call, ...] = ()
    keep: tuple[str, ...] = ()
    judged: bool = False
    why: Say | None = None
    said: Message | None = None
    usage: Usage | None = None
    sent: Mapping[str, Any] = field(default_factory=dict)
    notice: Say | None = None


class Policy(Protocol):
    """Chooses the next tool calls. It may speak (reasoning tokens) while it decides."""

    def plan(self, state: State) -> Generator[Token, None, Turn]:
        """Decide the next turn from `state`; raises `ModelError` or `StoppedError`."""
        ...
