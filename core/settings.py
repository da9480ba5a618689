"""Settings: what holds for a whole comparison. Every default is named here, once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

from core.domain import Parameter
from core.endpoints import Endpoint

ROOT = Path(__file__).resolve().parent.parent
"""The checkout: bundled bases and the default data folder stand in it."""

BUNDLED = ROOT / "knowledge_base"
DEFAULT_BASE = "elevator"
ROLES = ("planner", "planner_cheap", "writer", "judge", "embeddings")
OFFLINE = "offline"

LARGEST_CUT = 100
"""The largest evidence cut that makes sense to ask for."""

Language = Literal["zh", "en"]
Variant = Literal["lucene", "okapi"]
VARIANTS: tuple[Variant, ...] = get_args(Variant)


@dataclass(frozen=True, slots=True)
class Role:
    """What does one part of the work: `model` is `name:model` or `offline`; the rest is sent where it is set.

    `thinking` switches a model's thinking on or off, `most` is the limit of tokens of one reply.
    """

    model: str = OFFLINE
    temperature: float | None = None
    thinking: bool | None = None
    most: int | None = None

    @property
    def offline(self) -> bool:
        """Whether no model is called."""
        return self.model == OFFLINE

    @property
    def endpoint(self) -> str:
        """The name before the first colon: which endpoint is called."""
        return self.model.partition(":")[0].strip()


@dataclass(frozen=True, slots=True)
class Limits:
    """What a user is willing to spend, `None`: no limit; tokens of all kinds, and money in either currency.

    `run` is for one mode on one question, `day` for everything that this data folder's users ask on one day.
    """

    run_tokens: int | None = None
    day_tokens: int | None = None
    run_cny: float | None = None
    day_cny: float | None = None
    run_usd: float | None = None
    day_usd: float | None = None


@dataclass(frozen=True)
class Settings:
    """What holds for a whole comparison, the same for every mode in it.

    `roles` maps a role to what does it, `endpoints` a name to where it is reached; `concurrent` is how many
    comparisons run at once on one server; `variant`, `k1` and `b` are BM25's; `budget_tokens` is the agent's context,
    `time_limit` its seconds; `exact` puts in front what a question names exactly; `idle` is how many seconds a model
    may be silent.
    """

    home: Path
    home_moved: bool = False
    language: Language = "zh"
    private: bool = False
    concurrent: int = 4
    base: str = DEFAULT_BASE
    roles: Mapping[str, Role] = field(default_factory=lambda: dict.fromkeys(ROLES, Role()))
    endpoints: Mapping[str, Endpoint] = field(default_factory=dict)
    limits: Limits = Limits()
    idle: float = 60.0
    variant: Variant = "lucene"
    k1: float = 1.5
    b: float = 0.75
    exact: bool = True
    budget_tokens: int = 128_000
    time_limit: float = 120.0

    @property
    def cache(self) -> Path:
        """Where what can be made anew is kept: vectors, segmentation, the embedding model's graph."""
        return self.home / "cache"

    def named(self, role: str) -> tuple[Endpoint | None, str]:
        """The endpoint and the model that a role names; no endpoint, or an empty model, where it names none."""
        chosen = self.roles[role]
        endpoint = self.endpoints.get(chosen.endpoint)
        model = chosen.model.partition(":")[2].strip()
        return endpoint, model or (endpoint.default(role) if endpoint else "")

    @cached_property
    def recorded(self) -> dict[str, Any]:
        """The part that shapes an answer, as records and exports keep it; never a key."""
        recorded: dict[str, Any] = {}
        for name in ("planner", "writer", "embeddings"):
            role = self.roles[name]
            recorded[name] = role.model
            more = {"temperature": role.temperature, "thinking": role.thinking, "max_tokens": role.most}
            recorded |= {f"{name}_{key}": value for key, value in more.items() if value is not None}
        bm25 = {"variant": self.variant, "k1": self.k1, "b": self.b}
        agent = {"budget_tokens": self.budget_tokens, "time_limit": self.time_limit}
        return {**recorded, **bm25, "exact": self.exact, **agent}


BM25 = {
    parameter.name: parameter
    for parameter in (
        Parameter("variant", Settings.variant, choices=VARIANTS),
        Parameter("k1", Settings.k1, 0.0, 10.0),
        Parameter("b", Settings.b, 0.0, 1.0),
    )
}
"""BM25's settings by name, with what each may be."""
