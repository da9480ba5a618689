"""What the settings page keeps for everyone on a server: roles, limits, addresses of endpoints, edits to prices.

Never a key: an address that could hold one is refused. What the environment sets wins over what was saved.
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from core.database import Store
from core.endpoints import FEATURES, Endpoint, Family, Secret, clean_url
from core.environment import load
from core.errors import StoreError, UsageError
from core.pricing import Prices
from core.settings import OFFLINE, ROLES, Limits, Role, Settings

log = logging.getLogger(__name__)

VERSION = 1
"""Of the values' shape; a newer one is left alone."""
_NAME = re.compile("[a-z0-9_]{1,40}")
_BUILT_IN = {"zhipu": "ZHIPUAI_BASE_URL", "openai": "OPENAI_BASE_URL"}
"""The endpoints that are always there, each called like its family, with the variable of its address."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where an endpoint is reached: everything of it but its key."""

    url: str
    family: Family = "openai"
    model: str = ""
    features: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Choices:
    """What was saved; a role that is missing was not chosen, and then the planner follows the writer."""

    roles: Mapping[str, Role] = field(default_factory=dict)
    limits: Limits | None = None
    endpoints: Mapping[str, Address] = field(default_factory=dict)
    prices: Prices = field(default_factory=Prices)


class Saved:
    """The saved settings of one data folder."""

    def __init__(self, home: Path) -> None:
        self._store = Store(home)

    def load(self) -> Choices:
        """What was saved; a value that is broken or from a newer version counts as not saved, and is logged."""
        if not self._store.path.is_file():
            return Choices()
        try:
            with self._store.connection("store.unusable") as connection:
                rows = connection.execute("SELECT name, value FROM saved").fetchall()
        except StoreError as refused:
            log.warning("saved settings are not read: %s", refused)
            return Choices()
        found: dict[str, Any] = {}
        for name, text in rows:
            with _ignoring(name):
                found[name] = _READERS[name](_opened(text))
        return Choices(**found)

    def store(self, choices: Choices) -> None:
        """Save in place of what was saved; raises `UsageError` for a value that cannot be, and `StoreError`."""
        limits = {} if choices.limits is None else {"limits": asdict(choices.limits)}
        values: dict[str, Any] = {
            "roles": {name: asdict(role) for name, role in choices.roles.items()},
            "endpoints": {name: asdict(_address(name, asdict(a))) for name, a in choices.endpoints.items()},
            "prices": choices.prices.edits,
            **limits,
        }
        for name, value in values.items():
            _READERS[name](value)
        rows = [(name, json.dumps({"version": VERSION, "value": value})) for name, value in values.items()]
        with self._store.connection("store.unsaved", write=True) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("DELETE FROM saved")
            connection.executemany("INSERT INTO saved VALUES (?,?)", rows)
            connection.execute("COMMIT")


@contextmanager
def _ignoring(name: str) -> Iterator[None]:
    """A saved value that cannot be read is left out, with a line in the log."""
    try:
        yield
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError, UsageError) as broken:
        log.warning("the saved value %r is left out: %r", name, broken)


def _opened(text: str) -> Any:
    kept = json.loads(text)
    if kept["version"] > VERSION:
        raise ValueError(f"version {kept['version']} is newer than {VERSION}")
    return kept["value"]


def _roles(value: Mapping[str, Any]) -> dict[str, Role]:
    return {name: _role(name, Role(**role)) for name, role in value.items()}


def _role(name: str, role: Role) -> Role:
    """Raises `UsageError` where a role cannot be so."""
    if name not in ROLES or not isinstance(role.model, str) or not role.model.strip():
        raise UsageError("store.value", name=name, value=str(role.model))
    _between(f"{name}.temperature", role.temperature, 0, 2)
    _between(f"{name}.most", role.most, 1, 999_999_999, whole=True)
    if not isinstance(role.thinking, bool | None):
        raise UsageError("store.value", name=f"{name}.thinking", value=str(role.thinking))
    return role


def _limits(value: Mapping[str, Any]) -> Limits:
    limits = Limits(**value)
    for limit in fields(Limits):
        tokens = limit.name.endswith("tokens")
        _between(limit.name, getattr(limits, limit.name), int(tokens), 1e9, whole=tokens)
    return limits


def _between(name: str, value: Any, low: float, high: float, *, whole: bool = False) -> None:
    kinds = int if whole else (int, float)
    if value is not None and (not isinstance(value, kinds) or isinstance(value, bool) or not low <= value <= high):
        raise UsageError("parameter.range", name=name, low=low, high=high, value=str(value))


def _endpoints(value: Mapping[str, Any]) -> dict[str, Address]:
    return {name: _address(name, address) for name, address in value.items()}


def _address(name: str, value: Mapping[str, Any]) -> Address:
    """An address in its one form, which has no room for a key; raises `UsageError`."""
    address = Address(**{**value, "family": name if name in _BUILT_IN else value.get("family", "openai")})
    known = all(choice in FEATURES.get(feature, ()) for feature, choice in address.features.items())
    family = address.family in ("zhipu", "openai")
    if not _NAME.fullmatch(name) or name == OFFLINE or not family or not known or not isinstance(address.model, str):
        raise UsageError("store.value", name="endpoint", value=name)
    return replace(address, url=clean_url(address.url, address.family))


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "roles": _roles,
    "limits": _limits,
    "endpoints": _endpoints,
    "prices": Prices,
}


def in_force(environment: Mapping[str, str] | None = None, secrets: Mapping[str, str] | None = None) -> Settings:
    """The settings of this server: what was saved, under environment and secrets file.

    Raises `UsageError` for a value of those that cannot be.
    """
    given = {**(secrets or {}), **(os.environ if environment is None else environment)}
    settings = load(given)
    return apply(settings, Saved(settings.home).load(), {name for name, value in given.items() if value.strip()})


def apply(settings: Settings, choices: Choices, given: Collection[str]) -> Settings:
    """The settings with what was saved, under the environment's variables `given` (those set to something)."""
    roles = {name: _chosen(name, settings.roles[name], choices.roles.get(name), given) for name in ROLES}
    if "WORKBENCH_PLANNER" not in given and "planner" not in choices.roles:
        roles["planner"] = replace(roles["planner"], model=roles["writer"].model)
    endpoints = dict(settings.endpoints)
    for name, address in choices.endpoints.items():
        endpoints[name] = _moved(name, endpoints.get(name), address, given)
    limits = settings.limits
    if choices.limits is not None:
        free = [limit.name for limit in fields(Limits) if f"WORKBENCH_LIMIT_{limit.name.upper()}" not in given]
        limits = replace(limits, **{name: getattr(choices.limits, name) for name in free})
    return replace(settings, roles=roles, endpoints=endpoints, limits=limits)


def _chosen(name: str, role: Role, saved: Role | None, given: Collection[str]) -> Role:
    if saved is None:
        return role
    variable = f"WORKBENCH_{name.upper()}"
    own = {"model": "", "temperature": "_TEMPERATURE", "thinking": "_THINKING", "most": "_MAX_TOKENS"}
    free = [part for part, ending in own.items() if variable + ending not in given]
    return replace(role, **{part: getattr(saved, part) for part in free})


def _moved(name: str, endpoint: Endpoint | None, address: Address, given: Collection[str]) -> Endpoint:
    """The endpoint at its saved address; a key stays only where the address is the one that it was given for."""
    prefix = f"WORKBENCH_ENDPOINT_{name.upper()}"
    if endpoint is not None and {f"{prefix}_URL", _BUILT_IN.get(name, "")} & set(given):
        return endpoint
    known = endpoint or Endpoint(name, address.family, address.url)
    same = known.url == address.url
    features = {**address.features, **{f: c for f, c in known.features.items() if f"{prefix}_{f.upper()}" in given}}
    model = known.model if name == "openai" and "OPENAI_MODEL" in given else address.model or known.model
    return replace(
        known,
        url=address.url,
        family=address.family,
        model=model,
        features=features,
        key=known.key if same else Secret(""),
        given=known.given and same,
    )
