"""All modes of a comparison in one table, with ratios to the first.

An element of our own, since a table of Markdown is wider than a phone: on a narrow screen each figure's name stands
above its values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from core.knowledge.tokeniser import Tokeniser
from core.modes import registry
from core.pricing import Cost, cost
from core.runs import Comparison, Run
from core.words import Words
from pages.parts.element import element
from pages.parts.literal import shown
from pages.parts.numbers import DASH, money, ratio, seconds, tokens
from pages.parts.sources import COLOURS, citations_of

TIMES = ("retrieval", "embedding", "planning", "writing")
_TABLE = element("figures", __file__)


@dataclass(frozen=True, slots=True)
class Row:
    """A figure of every mode: its name, each mode's value as text, and each one's ratio to the first (may be empty)."""

    label: str
    cells: Sequence[str]
    ratios: Sequence[str] = ()
    code: bool = False

    @property
    def tells(self) -> bool:
        """Whether it says something of any mode."""
        return bool(set(self.cells) - {DASH, "0"})


def draw(comparison: Comparison, words: Words, tokeniser: Tokeniser) -> None:
    """One row a figure, one column a mode."""
    title = words("ui.table.title")
    st.subheader(title, anchor=False)
    parts = [_found(comparison, words, tokeniser), _times(comparison, words), _usage(comparison, words)]
    rows = [
        _values(row, at == 0 and number > 0)
        for number, part in enumerate(parts)
        for at, row in enumerate(row for row in part if row.tells)
    ]
    _TABLE(key="figures", data={"title": title, "modes": modes(comparison, words), "rows": rows})
    st.caption(words("ui.table.ratios"))


def modes(comparison: Comparison, words: Words) -> list[dict[str, str]]:
    """The modes of a comparison as an element of our own draws them: name, icon, colour of their place."""
    return [
        {
            "name": shown(words.mode(run.mode)),
            "icon": registry()[run.mode].icon if run.mode in registry() else "help",
            "colour": colour,
        }
        for run, colour in zip(comparison.runs, COLOURS, strict=False)
    ]


def _values(row: Row, opens: bool) -> dict[str, Any]:
    ratios = row.ratios or [""] * len(row.cells)
    cells = [{"text": shown(text), "ratio": times} for text, times in zip(row.cells, ratios, strict=True)]
    return {"label": row.label, "cells": cells, "code": row.code, "part": opens}


def _row(comparison: Comparison, label: str, cell: Callable[[Run], str], *, code: bool = False) -> Row:
    return Row(label, [cell(run) for run in comparison.runs], code=code)


def _counted(
    comparison: Comparison, label: str, value: Callable[[Run], float | None], show: Callable[[float], str]
) -> Row:
    """A figure of each run with its ratio to the first run's."""
    values = [value(run) for run in comparison.runs]
    return Row(label, [DASH if number is None else show(number) for number in values], _ratios(values))


def _ratios(values: Sequence[float | None]) -> list[str]:
    return ["" if at == 0 else ratio(number, values[0]) for at, number in enumerate(values)]


def _ended(run: Run) -> str:
    """The code of how a run ended."""
    unasked = run.stop_reason == "answered" and not run.answer
    return "ui.answer.retrieval_only" if unasked else f"stop.{run.stop_reason}"


def _found(comparison: Comparison, words: Words, tokeniser: Tokeniser) -> list[Row]:
    counts = {run.mode: cited(run, tokeniser) for run in comparison.runs}
    whole = "{:,.0f}".format
    return [
        _row(comparison, words("ui.table.state"), lambda run: words(_ended(run))),
        _counted(comparison, words("ui.table.given"), lambda run: len(run.evidence), whole),
        _counted(comparison, words("ui.table.cited"), lambda run: counts[run.mode], whole),
    ]


def cited(run: Run, tokeniser: Tokeniser) -> int | None:
    """Passages cited; unknown where nothing was answered."""
    if not run.answer:
        return None
    return len({c.passage.id for c in citations_of(run, tokeniser) if c.passage})


def _times(comparison: Comparison, words: Words) -> list[Row]:
    rows = [_counted(comparison, words(f"ui.table.{kind}"), partial(_time, kind), seconds) for kind in TIMES]
    first = words("ui.table.first_token")
    rows.append(_counted(comparison, first, begun, seconds))
    rows.append(_counted(comparison, words("ui.table.total"), own, seconds))
    rows += [
        _counted(comparison, words(f"ui.table.{kind}"), partial(_time, kind), seconds) for kind in ("once", "cached")
    ]
    return rows


def _time(kind: str, run: Run) -> float | None:
    return run.times.get(kind)


def own(run: Run) -> float:
    """Seconds of the answer: what passed on the clock without one-time work."""
    return max(0.0, run.seconds - run.times.get("once", 0.0))


def begun(run: Run) -> float | None:
    """Seconds until the first piece of the answer, on the same clock: all one-time work is done by then."""
    first = run.first_token_seconds
    return None if first is None else max(0.0, first - run.times.get("once", 0.0))


def _usage(comparison: Comparison, words: Words) -> list[Row]:
    def counted(name: str) -> Row:
        values = [getattr(run.usage, name) for run in comparison.runs]
        local = name != "embedding"  # only a provider counts those
        cells = [
            tokens(value, run.usage.estimated and local) for value, run in zip(values, comparison.runs, strict=True)
        ]
        return Row(words(f"ui.table.tokens_{name}"), cells, _ratios(values))

    return [
        *(counted(name) for name in ("prompt", "completion", "reasoning", "cached", "embedding")),
        _row(comparison, words("ui.table.calls"), lambda run: f"{run.usage.calls:,}"),
        _cost(comparison, words),
        _row(
            comparison,
            words("ui.table.fingerprint"),
            lambda run: run.fingerprint if run.evidence else DASH,
            code=True,
        ),
    ]


def _cost(comparison: Comparison, words: Words) -> Row:
    """What each run cost; a ratio only between amounts of one and the same currency."""
    costs = [cost(run, comparison.prices) for run in comparison.runs]
    cells = [priced(found, words) for found in costs]
    currencies = {currency for found in costs for currency in found.amounts or ()}
    values = [sum(found.amounts.values()) if found.amounts and len(currencies) == 1 else None for found in costs]
    return Row(words("ui.table.cost"), cells, _ratios(values))


def priced(found: Cost, words: Words) -> str:
    """A cost in words: free where no model was called, else its amounts, or that its model has no price."""
    if found.offline:
        return words("ui.table.free")
    unknown = words("ui.table.unpriced") if found.unpriced else DASH
    return money(found.amounts) if found.amounts else unknown
