"""Settings from the environment and the secrets file, each value checked as it is read."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeVar

from core.endpoints import FEATURES, OPENAI_URL, ZHIPU_URL, Endpoint, Family, Secret, clean_key, clean_url
from core.errors import UsageError
from core.settings import (
    BM25,
    DEFAULT_BASE,
    OFFLINE,
    ROLES,
    ROOT,
    VARIANTS,
    Language,
    Limits,
    Role,
    Settings,
    Variant,
)

Given = Mapping[str, str]
T = TypeVar("T")


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
        concurrent=_count(given, "WORKBENCH_CONCURRENT", Settings.concurrent),
        base=given.get("WORKBENCH_KB", "").strip() or DEFAULT_BASE,
        roles=_roles(given),
        endpoints=_endpoints(given),
        limits=_limits(given),
        idle=_number(given, "WORKBENCH_IDLE_TIMEOUT", Settings.idle, 0.1, 3_600.0),
        variant=_variant(given.get("WORKBENCH_BM25", "")),
        k1=_bm25(given, "k1"),
        b=_bm25(given, "b"),
        exact=_where_set(given, "WORKBENCH_EXACT", lambda name: _one_of(given, name, ("on", "off"))) != "off",
        budget_tokens=_count(given, "WORKBENCH_CONTEXT", Settings.budget_tokens),
        time_limit=_number(given, "WORKBENCH_TIME_LIMIT", Settings.time_limit, 0.1, 86_400.0),
    )


def _home(given: Given) -> tuple[Path, bool]:
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


def _variant(value: str) -> Variant:
    chosen = value.strip().lower() or Settings.variant
    for variant in VARIANTS:
        if variant == chosen:
            return variant
    raise UsageError("parameter.choice", name="WORKBENCH_BM25", choices=list(VARIANTS), value=value)


def _bm25(given: Given, name: str) -> float:
    """A number of BM25's, within its bounds."""
    known = BM25[name]
    low, high = float(known.low or 0), float(known.high or 0)
    return _number(given, f"WORKBENCH_BM25_{name.upper()}", float(known.default), low, high)


def _number(given: Given, name: str, default: float, low: float, high: float) -> float:
    value = given.get(name, "").strip()
    try:
        number = float(value) if value else default
    except ValueError:
        number = float("nan")
    if not low <= number <= high:
        raise UsageError("parameter.range", name=name, low=low, high=high, value=value)
    return number


def _count(given: Given, name: str, default: int) -> int:
    value = given.get(name, "").strip()
    if not value:
        return default
    if not value.isdecimal() or len(value) > 9 or int(value) < 1:
        raise UsageError("settings.count", name=name, value=value)
    return int(value)


def _roles(given: Given) -> dict[str, Role]:
    """What does each role; the planner follows the writer where unset."""
    roles = {role: _role(given, f"WORKBENCH_{role.upper()}") for role in ROLES}
    if not given.get("WORKBENCH_PLANNER", "").strip():
        own = roles["planner"]
        roles["planner"] = replace(own, model=roles["writer"].model)
    return roles


def _role(given: Given, name: str) -> Role:
    return Role(
        given.get(name, "").strip() or OFFLINE,
        _where_set(given, f"{name}_TEMPERATURE", lambda variable: _number(given, variable, 0.0, 0.0, 2.0)),
        _where_set(given, f"{name}_THINKING", lambda variable: _one_of(given, variable, ("on", "off")) == "on"),
        _where_set(given, f"{name}_MAX_TOKENS", lambda variable: _count(given, variable, 1)),
    )


def _where_set(given: Given, name: str, read: Callable[[str], T]) -> T | None:
    """The value of a variable that may be unset."""
    return read(name) if given.get(name, "").strip() else None


def _limits(given: Given) -> Limits:
    """`WORKBENCH_LIMIT_RUN_TOKENS`, `…_DAY_CNY` and so on; unset is no limit."""

    def limit(name: str) -> Any:
        tokens = name.endswith("TOKENS")
        return _where_set(given, name, lambda v: _count(given, v, 1) if tokens else _number(given, v, 0.0, 0.0, 1e9))

    return Limits(**{field.name: limit(f"WORKBENCH_LIMIT_{field.name.upper()}") for field in fields(Limits)})


_OWN = re.compile(r"WORKBENCH_ENDPOINT_([A-Z0-9_]+?)_URL")


_BUILT_IN: Mapping[str, tuple[Family, str, str, str]] = {
    "zhipu": ("zhipu", "ZHIPUAI_BASE_URL", ZHIPU_URL, "ZHIPUAI_API_KEY"),
    "openai": ("openai", "OPENAI_BASE_URL", OPENAI_URL, "OPENAI_API_KEY"),
}
"""The endpoints that are always there: family, variable of the address, the address itself, variable of the key."""


def _endpoints(given: Given) -> dict[str, Endpoint]:
    """The two that are always there, and the user's own (`WORKBENCH_ENDPOINT_<NAME>_URL` and `_KEY`)."""
    own = [match[1].lower() for variable in given if (match := _OWN.fullmatch(variable))]
    return {name: _endpoint(given, name) for name in dict.fromkeys([*_BUILT_IN, *own])}


def _endpoint(given: Given, name: str) -> Endpoint:
    """One endpoint; an address or key that cannot be one is told when it is called, not to those who never call it."""
    prefix = f"WORKBENCH_ENDPOINT_{name.upper()}"
    family, address, known, key = _BUILT_IN.get(name, ("openai", "", "", ""))
    if wanted := _where_set(given, f"{prefix}_FAMILY", lambda variable: _one_of(given, variable, ("zhipu", "openai"))):
        family = "zhipu" if wanted == "zhipu" else "openai"
    url = given.get(f"{prefix}_URL", "").strip() or given.get(address, "").strip() or known
    features = {
        feature: _one_of(given, f"{prefix}_{feature.upper()}", choices)
        for feature, choices in FEATURES.items()
        if given.get(f"{prefix}_{feature.upper()}", "").strip()
    }
    sizes: dict[str, Any] = {
        size: _where_set(given, f"{prefix}_{size.upper()}", lambda variable: _count(given, variable, 1))
        for size in ("batch", "longest", "dimension")
    }
    model = given.get("OPENAI_MODEL", "").strip() if name == "openai" else "glm-4.6" if family == "zhipu" else ""
    try:
        url = clean_url(url, family)
    except UsageError:
        url = url.strip()
    written = given.get(f"{prefix}_KEY", "") or given.get(key, "")
    try:
        secret = clean_key(written)
    except UsageError:
        secret = Secret(written.strip())
    return Endpoint(name, family, url, secret, model, features=features, **sizes)


def _one_of(given: Given, name: str, choices: tuple[str, ...]) -> str:
    value = given.get(name, "").strip().lower()
    if value not in choices:
        raise UsageError("parameter.choice", name=name, choices=list(choices), value=value)
    return value
