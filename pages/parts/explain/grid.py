"""A table of figures that reads on a phone too: there each row is a card, every value behind the name of its column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pages.parts.element import element
from pages.parts.literal import shown

_TABLE = element("grid", __file__)


@dataclass(frozen=True, slots=True)
class Line:
    """A row: its cells as text, the first of them its name; `share` from 0 to 1 is drawn as a bar; `sum` closes it."""

    cells: Sequence[str]
    share: float | None = None
    sum: bool = False


def draw(key: str, title: str, head: Sequence[str], align: str, lines: Sequence[Line]) -> None:
    """The table; `align` has l or r a column. All texts are set as text, so that none of them acts."""
    _TABLE(key=key, data={"title": title, "head": list(head), "align": align, "lines": [_values(e) for e in lines]})


def _values(line: Line) -> dict[str, Any]:
    return {"cells": [shown(text) for text in line.cells], "share": line.share, "sum": line.sum}
