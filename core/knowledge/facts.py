"""What a base says of itself in its `kb.toml`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from typing import Any

from core.errors import BaseError
from core.knowledge.base import Facts
from core.knowledge.splitting import Splitting

SHORTEST, LONGEST = 50, 5_000
"""Bounds of `[splitting] longest`, in characters."""
BOUNDS = {"longest": (SHORTEST, LONGEST), "overlap": (0, LONGEST // 2)}
"""The keys of `[splitting]`, each with its least and greatest value."""

_LINE = re.compile(r"line (\d+)")


def facts_of(text: str, path: str) -> Facts:
    """The facts that the text of a `kb.toml` states; `path` names it in errors. Keys it does not know are left alone.

    Raises BaseError `base.toml.broken` (path, line, reason), `base.toml.unreadable` (path, reason), `base.toml.text`,
    `base.toml.flag` or `base.toml.number` (path, key).
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = _LINE.search(str(error))
        if line is None:
            raise BaseError("base.toml.unreadable", path=path, reason=str(error)) from error
        raise BaseError("base.toml.broken", path=path, line=int(line[1]), reason=str(error)) from error
    except (ValueError, RecursionError) as error:  # a number or a nesting beyond all measure
        raise BaseError("base.toml.unreadable", path=path, reason=str(error)) from error
    plain = [one.name for one in fields(Facts) if one.name != "splitting"]
    known: dict[str, Any] = {name: table[name] for name in plain if name in table}
    for key, value in known.items():
        wanted = bool if key == "fictional" else str
        if not isinstance(value, wanted):
            code = "base.toml.flag" if wanted is bool else "base.toml.text"
            raise BaseError(code, path=path, key=key)
    return Facts(**known, splitting=_splitting(table.get("splitting", {}), path))


def _splitting(table: Any, path: str) -> Splitting:
    """The table `[splitting]`; raises BaseError `base.toml.number` for what is no number within its bounds."""
    usual = Splitting()
    given = table if isinstance(table, dict) else {"longest": table}
    found = {key: given.get(key, getattr(usual, key)) for key in BOUNDS}
    for key, (low, high) in BOUNDS.items():
        if isinstance(found[key], bool) or not isinstance(found[key], int) or not low <= found[key] <= high:
            raise BaseError("base.toml.number", path=path, key=f"splitting.{key}", low=low, high=high)
    return Splitting(found["longest"], min(found["overlap"], found["longest"] // 2))
