"""Writing: results to standard output, everything said about them to standard error."""

from __future__ import annotations

import json
import sys
from typing import Any


def show(text: str = "") -> None:
    """A line of a result."""
    print(text)


def show_json(document: Any) -> None:
    """One JSON document, the only thing on standard output; NaN never stands in it."""
    print(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False))


def complain(text: str) -> None:
    """A line about what went wrong or is worth knowing."""
    print(text, file=sys.stderr)
