"""Settings from the environment and the secrets file; every default is named here, once."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from core.errors import UsageError

ROOT = Path(__file__).resolve().parent.parent
"""The checkout: bundled bases and the default data folder stand in it."""

BUNDLED = ROOT / "knowledge_base"
DEFAULT_BASE = "elevator"
ROLES = ("planner", "planner_cheap", "writer", "judge", "embeddings")
OFFLINE = "offline"

Language = Literal["zh", "en"]


@dataclass(frozen=True)
class Settings:
    """What holds for a whole comparison, the same for every mode in it.

    `roles` maps a role to `name:model` or `offline`; `concurrent` is how many comparisons run at once on one
    server; `variant`, `k1` and `b` are BM25's; `budget_tokens` is the agent's context, `time_limit` its seconds.
    """

    home: Path
    home_moved: bool = False
    language: Language = "zh"
    private: bool = False
    concurrent: int = 4
    base: str = DEFAULT_BASE
    roles: Mapping[str, str] = field(default_factory=lambda: dict.fromkeys(ROLES, OFFLINE))
    variant: Literal["lucene", "okapi"] = "lucene"
    k1: float = 1.5
    b: float = 0.75
    budget_tokens: int = 128_000
    time_limit: float = 120.0

    @cached_property
    def recorded(self) -> dict[str, Any]:
        """The part that shapes an answer, as records and exports keep it; never a key."""
        roles = {role: self.roles[role] for role in ("planner", "writer", "embeddings")}
        bm25 = {"variant": self.variant, "k1": self.k1, "b": self.b}
        return {**roles, **bm25, "budget_tokens": self.budget_tokens, "time_limit": self.time_limit}


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


def _roles(given: Mapping[str, str]) -> dict[str, str]:
    """Each role's `name:model`; the planner follows the writer where unset."""
    roles = {role: given.get(f"WORKBENCH_{role.upper()}", "").strip() for role in ROLES}
    roles["writer"] = roles["writer"] or OFFLINE
    roles["planner"] = roles["planner"] or roles["writer"]
    return {role: value or OFFLINE for role, value in roles.items()}
