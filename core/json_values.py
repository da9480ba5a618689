"""JSON as strangers write it: bounded, finite, writable again; and values checked against their declared types."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import is_dataclass
from datetime import datetime
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

DEEPEST = 32
"""Levels of nesting; nothing that is asked of a tool, or told of an error, needs more."""
_YEARS = (2000, 9000)
"""Between which a clock may stand: beyond, a time cannot be told in every zone."""


def read_json(text: str) -> Any:
    """The value of a JSON text, lone surrogates in it replaced.

    Raises `ValueError` for what is no JSON, holds a number that is not finite, or is nested deeper than `DEEPEST`.
    """
    try:
        return _checked(json.loads(text), DEEPEST)
    except RecursionError as deep:
        raise ValueError("nested too deep") from deep


def _checked(value: Any, room: int) -> Any:
    if room < 0:
        raise ValueError("nested too deep")
    if isinstance(value, str):
        return mended(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("a number that is not finite")
    if isinstance(value, dict):
        return {mended(key): _checked(item, room - 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_checked(item, room - 1) for item in value]
    return value


def mended(text: str) -> str:
    """`text` with halves of surrogate pairs joined, and lone ones as U+FFFD."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def checked_time(text: str) -> datetime:
    """A time that was written down with its zone; raises `ValueError` for what is none, or cannot be told elsewhere."""
    at = datetime.fromisoformat(text)
    if at.tzinfo is None or not _YEARS[0] <= at.year <= _YEARS[1]:
        raise ValueError(f"no time: {text}")
    return at


def check(value: Any, wanted: Any, where: str = "") -> None:
    """Raise `TypeError` for a value that is not of the type `wanted`, nor all that it holds of what is declared.

    Knows dataclasses (by their annotations), tuples, lists, mappings, unions, literals of text and plain types. A whole
    number is a float too; true and false are no numbers.
    """
    arguments = get_args(wanted)
    kind = get_origin(wanted) or wanted
    if kind in (Union, UnionType):
        choice = next((each for each in arguments if _fits(value, each)), None)
        if choice is not None:
            return check(value, choice, where)
    if not _fits(value, wanted):
        raise TypeError(f"{where or 'value'} is {type(value).__name__}, not {wanted}")
    _check_parts(value, kind, arguments, where)


def _fits(value: Any, wanted: Any) -> bool:
    """Whether a value is of a type as far as can be seen without looking into it."""
    kind = get_origin(wanted) or wanted
    if kind is Any:
        return True
    if kind in (Union, UnionType):
        return any(_fits(value, choice) for choice in get_args(wanted))
    if kind is Literal:
        return isinstance(value, str) and value in get_args(wanted)
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, kind) and not (kind is int and isinstance(value, bool))


def _check_parts(value: Any, kind: Any, arguments: tuple[Any, ...], where: str) -> None:
    if isinstance(kind, type) and is_dataclass(kind):
        for name, declared in _declared(kind).items():
            check(getattr(value, name), declared, f"{where}.{name}" if where else name)
    elif kind is list and arguments or kind is tuple and arguments[1:] == (...,):
        for item in value:
            check(item, arguments[0], where)
    elif kind is tuple and arguments:
        if len(value) != len(arguments):
            raise TypeError(f"{where} has {len(value)} parts, not {len(arguments)}")
        for item, declared in zip(value, arguments, strict=True):
            check(item, declared, where)
    elif kind is Mapping and arguments:
        for name, item in value.items():
            check(name, arguments[0], where)
            check(item, arguments[1], f"{where}[{name!r}]")


@cache
def _declared(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)
