"""The nouns of the bench: frozen values, standard library only.

Everything a mode does reaches the outside as an event, `Step` or `Token`; `core.runs` folds events into runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

EVIDENCE = "evidence"
"""Name of the step that hands the evidence to the writer; retrieval-only runs end with it."""

StopReason = Literal[
    "answered",
    "saturated",
    "call_limit",
    "context_limit",
    "time_limit",
    "spend_limit",
    "no_hits",
    "stopped",
    "failed",
]


@dataclass(frozen=True, slots=True)
class Say:
    """Something to tell a person: a code of the catalogue with the values its sentence needs."""

    code: str
    values: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @classmethod
    def of(cls, code: str, **values: Any) -> Say:
        """Build a `Say` from keyword values."""
        return cls(code, values)

    def as_value(self) -> dict[str, Any]:
        """It as JSON has it, and as a value within another `Say`, whose sentence then holds this one."""
        return {"code": self.code, "values": dict(self.values)}


@dataclass(frozen=True, slots=True)
class Passage:
    """The unit that is indexed and cited, e.g. one numbered article.

    `document` is the path of its source file below the base's source folder without suffix, `section` the
    heading path, `title` the passage's own label (`第六十一条`), `text` the literal source text, `order` its
    place in the base (from 0), `page` the source page (from 1), `lines` its first and last source line.
    """

    id: str
    document: str
    section: str
    title: str
    text: str
    order: int
    page: int | None = None
    lines: tuple[int, int] | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def indexed(self) -> str:
        """The one string that keyword index and embedding both see: section title, label, text, none of them twice."""
        told = self.text.startswith(self.title) or self.section.endswith(self.title)
        label = "" if told or self.metadata.get("type") == "row" else self.title  # a row is titled by its own cells
        return "\n".join(part for part in (self.section, label, self.text) if part)


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage in one ranking: `rank` from 1, `score` of that ranking, `scores` of every stage by name."""

    passage: Passage
    rank: int
    score: float
    scores: Mapping[str, float] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them; `None` is unknown. `estimated` marks a local count (≈).

    `reasoning` is part of `completion`, `cached` part of `prompt`; `calls` are calls of chat models. `embedding` counts
    the tokens that an embedding provider was sent. `model` is the chat model's `name:model`; empty where none was
    called, or where several are added together.
    """

    prompt: int | None = None
    completion: int | None = None
    reasoning: int | None = None
    cached: int | None = None
    calls: int = 0
    estimated: bool = False
    embedding: int | None = None
    model: str = ""

    def __add__(self, other: Usage) -> Usage:
        """Add two usages; a field is known if either side knows it."""

        def plus(a: int | None, b: int | None) -> int | None:
            return a if b is None else b if a is None else a + b

        return Usage(
            plus(self.prompt, other.prompt),
            plus(self.completion, other.completion),
            plus(self.reasoning, other.reasoning),
            plus(self.cached, other.cached),
            self.calls + other.calls,
            self.estimated or other.estimated,
            plus(self.embedding, other.embedding),
            self.model if self.model == other.model else "",
        )


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call that a policy asked for; `arguments` as it gave them, before coercion.

    `unread` holds arguments that came as text but are no JSON object, e.g. cut off: such a call is not run.
    """

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict, hash=False)
    id: str = ""
    unread: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing a mode did.

    `hits` is what it ranked, `seen` what it read without ranking (find, open), `kept` the ids it newly took as
    evidence, `output` the text a tool gave back (what a model saw). `reorders` says that `hits` replace the
    ranking so far instead of adding to it. `seconds` is the step's own time; `times` splits it by kind
    (`retrieval`, `embedding`, `planning`, `writing`) and tells one-time work (`once`) and the recorded cost of
    what came from a cache (`cached`), which `seconds` does not hold. `stop` says why retrieval ended. `sent` holds the
    settings of a model call as they were really sent (`model`, `temperature`, `thinking`, `max_tokens`).
    """

    name: str
    detail: Say
    hits: tuple[Hit, ...] = ()
    seen: tuple[Passage, ...] = ()
    kept: tuple[str, ...] = ()
    call: Call | None = None
    output: str = ""
    reorders: bool = False
    seconds: float = 0.0
    times: Mapping[str, float] = field(default_factory=dict, hash=False)
    usage: Usage | None = None
    error: Say | None = None
    stop: StopReason | None = None
    sent: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def touched(self) -> tuple[Passage, ...]:
        """Every passage this step ranked or read, in order."""
        return tuple(hit.passage for hit in self.hits) + self.seen


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text that was said: of the answer, or of the reasoning before it.

    One of kind `retracted` says that what was said as answer until then was reasoning: some models close their thoughts
    without having opened them.
    """

    text: str
    kind: Literal["answer", "reasoning", "retracted"] = "answer"


Event = Step | Token


@dataclass(frozen=True, slots=True)
class Timed:
    """An event with the seconds since its run began."""

    at: float
    event: Event


@dataclass(frozen=True, slots=True)
class Citation:
    """A mark in an answer: its number, the evidence it points at (None when it points nowhere), the words quoted."""

    number: int
    passage: Passage | None
    quote: str
    status: Literal["grounded", "ungrounded", "dangling"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A setting of a mode: the app draws it, the command line takes it as `--set mode.name=value`.

    Numbers have bounds `low` and `high`, texts have `choices`. Its words are the mode's, under `name`.
    """

    name: str
    default: float | str | bool
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """One question as put to a mode: its text, the evidence cut (`None`: the mode's own), parameter values.

    `filters` are conditions by name that a passage must meet to be retrieved at all.
    """

    question: str
    k: int | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict, hash=False)
    filters: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class BaseInfo:
    """What identifies a knowledge base in a record: `version` is a hash of its passages."""

    name: str
    title: str
    version: str
    passages: int
    tokeniser: str
