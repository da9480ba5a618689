"""JSON as strangers write it: bounded, finite, and text that can be written down again."""

from __future__ import annotations

import json
import math
from typing import Any

DEEPEST = 32
"""Levels of nesting; nothing that is asked of a tool, or told of an error, needs more."""


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
