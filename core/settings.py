"""Settings from the environment and the secrets file; every default is named here, once."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from core.endpoints import FEATURES, OPENAI_URL, ZHIPU_URL, Endpoint, Family, Secret, clean_url
from core.errors import UsageError

ROOT = Path(__file__).resolve().parent.parent
"""The checkout: bundled bases and the default data folder stand in it."""

BUNDLED = ROOT / "knowledge_base"
DEFAULT_BASE = "elevator"
ROLES = ("planner", "planner_cheap", "writer", "judge", "embeddings")
OFFLINE = "offline"

Language = Literal["zh", "en"]


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
        return self.model.partition(":")[0]


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
    `time_limit` its seconds; `idle` is how many seconds a model may be silent.
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
    variant: Literal["lucene", "okapi"] = "lucene"
    k1: float = 1.5
    b: float = 0.75
    budget_tokens: int = 128_000
    time_limit: float = 120.0

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
        return {**recorded, **bm25, "budget_tokens": self.budget_tokens, "time_limit": self.time_limit}


def load(environment: Mapping[str, str] | None = None, secrets: Mapping[str, str] | None = None) -> Settings:
    """Read the settings; the environment wins over the secrets file.

    Raises `UsageError` for a value that cannot be.
    """
    given = {**(secrets or {}), **(os.environ if environment is None else environment)}
    home, moved = _home(given)
    return Settings(
        home=home,
        home_moved=moved,
        language=_language(given.get("WORKBENCH_LANG", "zh")),
        private=given.get("WORKBENCH_PRIVATE", "").strip() in {"1", "true", "yes"},
        concurrent=_count(given, "WORKBENCH_CONCURRENT", 4),
        base=given.get("WORKBENCH_KB", "").strip() or DEFAULT_BASE,
        roles=_roles(given),
        endpoints=_endpoints(given),
        limits=_limits(given),
        idle=_number(given, "WORKBENCH_IDLE_TIMEOUT", 60.0, 0.1, 3_600.0),
        variant=_variant(given.get("WORKBENCH_BM25", "")),
        k1=_number(given, "WORKBENCH_BM25_K1", 1.5, 0.0, 10.0),
        b=_number(given, "WORKBENCH_BM25_B", 0.75, 0.0, 1.0),
        budget_tokens=_count(given, "WORKBENCH_CONTEXT", 128_000),
        time_limit=_number(given, "WORKBENCH_TIME_LIMIT", 120.0, 0.1, 86_400.0),
    )


def _home(given: Mapping[str, str]) -> tuple[Path, bool]:
    """The data folder, and whether it had to move because the checkout cannot be written."""
    if chosen := given.get("WORKBENCH_HOME", "").strip():
        return Path(os.path.expanduser(chosen)), False
    inside = ROOT / ".workbench"
    if os.access(inside if inside.exists() else ROOT, os.W_OK):
        return inside, False
    cache = given.get("XDG_CACHE_HOME", "").strip() or os.path.expanduser("~/.cache")
    folder = Path(tempfile.gettempdir() if cache.startswith("~") else cache)  # a user without a home
    return folder / "rag-workbench", True


def _language(value: str) -> Language:
    match value.strip().lower()[:2]:
        case "zh" | "":
            return "zh"
        case "en":
            return "en"
    raise UsageError("settings.language", value=value)


def _variant(value: str) -> Literal["lucene", "okapi"]:
    match value.strip().lower():
        case "" | "lucene":
            return "lucene"
        case "okapi":
            return "okapi"
    raise UsageError("parameter.choice", name="WORKBENCH_BM25", choices=["lucene", "okapi"], value=value)


def _number(given: Mapping[str, str], name: str, default: float, low: float, high: float) -> float:
    value = given.get(name, "").strip()
    try:
        number = float(value) if value else default
    except ValueError:
        number = float("nan")
    if not low <= number <= high:
        raise UsageError("parameter.range", name=name, low=low, high=high, value=value)
    return number


def _count(given: Mapping[str, str], name: str, default: int) -> int:
    value = given.get(name, "").strip()
    if not value:
        return default
    if not value.isdecimal() or len(value) > 9 or int(value) < 1:
        raise UsageError("settings.count", name=name, value=value)
    return int(value)


def _roles(given: Mapping[str, str]) -> dict[str, Role]:
    """What does each role; the planner follows the writer where unset."""
    roles = {role: _role(given, f"WORKBENCH_{role.upper()}") for role in ROLES}
    if not given.get("WORKBENCH_PLANNER", "").strip():
        own = roles["planner"]
        roles["planner"] = replace(own, model=roles["writer"].model)
    return roles


def _role(given: Mapping[str, str], name: str) -> Role:
    temperature, most = given.get(f"{name}_TEMPERATURE", "").strip(), given.get(f"{name}_MAX_TOKENS", "").strip()
    return Role(
        given.get(name, "").strip() or OFFLINE,
        _number(given, f"{name}_TEMPERATURE", 0.0, 0.0, 2.0) if temperature else None,
        _switch(given, f"{name}_THINKING"),
        _count(given, f"{name}_MAX_TOKENS", 1) if most else None,
    )


def _switch(given: Mapping[str, str], name: str) -> bool | None:
    value = given.get(name, "").strip().lower()
    if value not in ("", "on", "off"):
        raise UsageError("parameter.choice", name=name, choices=["on", "off"], value=value)
    return {"on": True, "off": False}.get(value)


def _limits(given: Mapping[str, str]) -> Limits:
    """`WORKBENCH_LIMIT_RUN_TOKENS`, `…_DAY_CNY` and so on; unset is no limit."""
    found: dict[str, Any] = {}
    for limit in fields(Limits):
        name = f"WORKBENCH_LIMIT_{limit.name.upper()}"
        if given.get(name, "").strip():
            tokens = limit.name.endswith("tokens")
            found[limit.name] = _count(given, name, 1) if tokens else _number(given, name, 0.0, 0.0, 1e9)
    return Limits(**found)


_OWN = re.compile(r"WORKBENCH_ENDPOINT_([A-Z0-9_]+?)_URL")


def _endpoints(given: Mapping[str, str]) -> dict[str, Endpoint]:
    """The two that are always there, and the user's own (`WORKBENCH_ENDPOINT_<NAME>_URL` and `_KEY`)."""
    found = {
        "zhipu": _endpoint(given, "zhipu", "zhipu", ("ZHIPUAI_BASE_URL", ZHIPU_URL), "ZHIPUAI_API_KEY"),
        "openai": _endpoint(given, "openai", "openai", ("OPENAI_BASE_URL", OPENAI_URL), "OPENAI_API_KEY"),
    }
    for variable in given:
        if own := _OWN.fullmatch(variable):
            name = own[1].lower()
            prefix = f"WORKBENCH_ENDPOINT_{own[1]}"
            family = f"{prefix}_FAMILY"
            zhipu = given.get(family, "").strip() and _one_of(given, family, ("zhipu", "openai")) == "zhipu"
            found[name] = _endpoint(given, name, "zhipu" if zhipu else "openai", (f"{prefix}_URL", ""), f"{prefix}_KEY")
    return found


def _endpoint(given: Mapping[str, str], name: str, family: Family, address: tuple[str, str], key: str) -> Endpoint:
    """One endpoint; an address or key that cannot be one is told when it is called, not to those who never call it."""
    prefix = f"WORKBENCH_ENDPOINT_{name.upper()}"
    url = given.get(address[0], "").strip() or address[1]
    features = {
        feature: _one_of(given, f"{prefix}_{feature.upper()}", choices)
        for feature, choices in FEATURES.items()
        if given.get(f"{prefix}_{feature.upper()}", "").strip()
    }
    sizes: dict[str, Any] = {
        size: _count(given, variable, 1)
        for size, variable in (
            ("batch", f"{prefix}_BATCH"),
            ("longest", f"{prefix}_LONGEST"),
            ("dimension", f"{prefix}_DIMENSION"),
        )
        if given.get(variable, "").strip()
    }
    model = given.get("OPENAI_MODEL", "").strip() if name == "openai" else "glm-4.6" if family == "zhipu" else ""
    try:
        url = clean_url(url, family)
    except UsageError:
        url = url.strip()
    return Endpoint(name, family, url, Secret(given.get(key, "").strip()), model, features=features, **sizes)


def _one_of(given: Mapping[str, str], name: str, choices: tuple[str, ...]) -> str:
    value = given.get(name, "").strip().lower()
    if value not in choices:
        raise UsageError("parameter.choice", name=name, choices=list(choices), value=value)
    return value
