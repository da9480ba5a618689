"""Tool arguments as models really send them: coerced where the meaning is plain, refused in words where not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.errors import UsageError
from core.json_values import read_json


def text(arguments: Mapping[str, Any], *names: str, default: str | None = None) -> str:
    """The first of `names` that is given, as stripped text; numbers count as text.

    Raises `UsageError` when none is given and there is no default.
    """
    for name in names:
        value = arguments.get(name)
        if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip():
            return str(value).strip()
    if default is None:
        raise UsageError("tool.argument.missing", name=names[0])
    return default


def texts(arguments: Mapping[str, Any], *names: str) -> list[str]:
    """The first of `names` that is given, as a list of texts: a list, a JSON list in a string, or one text."""
    for name in names:
        value = _parsed(arguments.get(name))
        items = value if isinstance(value, list | tuple) else [value]
        found = [str(i).strip() for i in items if isinstance(i, str | int | float) and str(i).strip()]
        if found:
            return found
    return []


def whole(arguments: Mapping[str, Any], name: str, default: int, low: int, high: int) -> int:
    """A whole number, also in a string, bounded to `low` … `high`; raises `UsageError` for anything else."""
    value = arguments.get(name)
    if value is None or value == "":
        return default
    try:
        number = int(float(value)) if not isinstance(value, bool) else None
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None:
        raise UsageError("tool.argument.number", name=name, value=str(value))
    return min(max(number, low), high)


def mapping(arguments: Mapping[str, Any], name: str) -> dict[str, Any]:
    """An object, also as JSON in a string; nothing given is an empty one."""
    value = _parsed(arguments.get(name))
    if value in (None, "", []):
        return {}
    if not isinstance(value, dict):
        raise UsageError("tool.argument.object", name=name, value=str(value)[:80])
    return value


def _parsed(value: Any) -> Any:
    """Lists and objects that came as JSON in a string."""
    if isinstance(value, str) and value.strip()[:1] in ("[", "{"):
        try:
            return read_json(value)
        except ValueError:
            return value
    return value
