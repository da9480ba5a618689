"""What the engine asks of the world: small protocols that providers, offline or not, fulfil."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from core.domain import Call, Passage, Say, Token, Usage

R = TypeVar("R")

Vectors = npt.NDArray[np.float32]
"""Rows are L2-normalised float32 vectors."""


Progress = Callable[[int, int], None]
"""Hears of slow work how much is done, of how much."""


def never() -> bool:
    """What is asked whether to stop, where nobody can."""
    return False


@dataclass(frozen=True, slots=True)
class Scale:
    """How to read the cosines of one embedder, whose bases spread over different ranges.

    The last four are the extractive writer's: from `close` on a passage is on the matter of a question though they
    share few words; it speaks to a part of a question where it stands `apart` above the mean of the evidence; closeness
    counts from that mean, or from `under` the best, and fully at `spread` above it. The first two are the rule-based
    agent's: a hit may stand `near` below its query's best; one found by meaning alone must reach `least`.
    """

    near: float
    least: float
    close: float
    apart: float
    under: float
    spread: float


@dataclass(frozen=True, slots=True)
class Embedding:
    """Vectors with what they cost: `tokens` that a provider was sent (`None`: unknown, or nothing was sent).

    `split` is how many texts were too long and were embedded in pieces.
    """

    vectors: Vectors
    tokens: int | None = None
    split: int = 0


class Embedder(Protocol):
    """Turns text into vectors; safe to call from several threads."""

    @property
    def id(self) -> str:
        """`name:model` as in the settings."""
        ...

    @property
    def space(self) -> str:
        """Model, dimension, endpoint and prefixes in one string: vectors of different spaces never meet."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    @property
    def batch(self) -> int:
        """Texts in one call of `passages`: what is kept together, and what a stop or a crash can lose."""
        ...

    @property
    def longest(self) -> int:
        """Characters beyond which a text is split into pieces; 0 where none is."""
        ...

    @property
    def free(self) -> bool:
        """Whether it costs nothing, so that a whole base may be embedded unasked."""
        ...

    @property
    def scale(self) -> Scale:
        """How to read its cosines."""
        ...

    def query(self, text: str) -> Embedding:
        """Embed a question, vectors of shape `(dimension,)`; raises `EmbeddingError`."""
        ...

    def passages(self, texts: Sequence[str], *, background: bool = False) -> Embedding:
        """Embed passages, vectors of shape `(len(texts), dimension)`, letting questions pass where `background`.

        A text that has no vector (a blank one) gets zeros. Raises `EmbeddingError`.
        """
        ...


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation with a chat model; a `tool` message `answers` the call of that id."""

    role: Literal["system", "user", "assistant", "tool"]
    text: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    answers: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as a chat model is told of it; `parameters` is a JSON Schema."""

    name: str
    about: str
    parameters: Mapping[str, Any] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Reply:
    """All that a chat model said in one turn.

    `full` says that it stopped because it had spoken its fill, not because a limit of tokens cut it. `sent` holds the
    settings as they were really sent, `notices` what had to be done differently from what was asked.
    """

    text: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    full: bool = True
    usage: Usage = Usage(calls=1)
    sent: Mapping[str, Any] = field(default_factory=dict, hash=False)
    notices: tuple[Say, ...] = ()


class Chat(Protocol):
    """A chat model at its endpoint, as one run uses it."""

    @property
    def id(self) -> str:
        """`name:model` as in the settings."""
        ...

    def stream(
        self, messages: Sequence[Message], tools: Sequence[Tool] = (), most: int | None = None
    ) -> Generator[Token, None, Reply]:
        """Say what the model says, piece by piece, and return the whole; `most` limits the reply's tokens.

        An empty token tells that it goes on though nothing is to be seen.

        Raises `ModelError` (`TooLongError` where the prompt can be shortened, `ToolsError` where tools are not
        supported), also after pieces were said: then what was said is not whole. Raises `StoppedError`.
        """
        ...


def relay(stream: Generator[Token, None, R], passed: Callable[[Token], Token | None]) -> Generator[Token, None, R]:
    """Pass on what `stream` says, each token as `passed` gives it back, if it does, and return what it returns."""
    while True:
        try:
            token = next(stream)
        except StopIteration as over:
            returned: R = over.value
            return returned
        if (given := passed(token)) is not None:
            yield given


class Writer(Protocol):
    """Answers a question from its evidence, citing passage n of it as `[n]`."""

    @property
    def said(self) -> Say:
        """What the trace says of its writing."""
        ...

    @property
    def reads_vectors(self) -> bool:
        """Whether it compares the question with the passages' vectors, which may first have to be computed."""
        ...

    def write(self, question: str, evidence: Sequence[Passage]) -> Generator[Token, None, Reply | None]:
        """Say the answer piece by piece; the model's reply comes back, `None` where no model took part.

        Raises `ModelError`.
        """
        ...


class Bill(Protocol):
    """One call that is about to be made, with what was set aside for it."""

    @property
    def most(self) -> int | None:
        """Tokens that the reply may have, `None` where nothing limits it."""
        ...

    def pay(self, usage: Usage | None, guess: int = 0) -> None:
        """Count what the call cost in place of what was set aside; `guess` tokens where the provider told none."""
        ...


class Purse(Protocol):
    """What one run may still spend; safe to share between threads."""

    def bill(self, model: str, prompt: int, most: int | None = None) -> Bill:
        """Set aside a call of `model` (`name:model`) with about `prompt` tokens and a reply of at most `most`.

        Raises `SpendError` where a limit leaves no room for it.
        """
        ...


class TokenCounter(Protocol):
    """Counts the tokens a text would be; an estimate for any model but the counter's own."""

    def __call__(self, text: str) -> int:
        """Tokens of `text`."""
        ...
