"""All modes of a comparison in one table, with ratios to the first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from core.knowledge.tokeniser import Tokeniser
from core.pricing import cost
from core.runs import Comparison, Run
from core.words import Words
from pages.parts.literal import inline
from pages.parts.numbers import DASH, money, ratio, seconds, tokens
from pages.parts.sources import COLOURS, citations_of

TIMES = ("retrieval", "embedding", "planning", "writing")


def draw(comparison: Comparison, words: Words, tokeniser: Tokeniser) -> None:
    """One row a figure, one column a mode."""
    st.subheader(words("ui.table.title"), anchor=False)
    names = [
        f":{colour}[{inline(words.mode(run.mode))}]" for run, colour in zip(comparison.runs, COLOURS, strict=False)
    ]
    rows = [*_found(comparison, words, tokeniser), *_times(comparison, words), *_usage(comparison, words)]
    rows = [(label, cells) for label, cells in rows if set(cells) - {DASH, "0"}]  # a row that says nothing of any mode
    lines = [["", *names], [":---", *["---:"] * len(names)], *([label, *cells] for label, cells in rows)]
    with st.container(horizontal=True, wrap=False):  # a narrow screen scrolls the table, not the page
        st.markdown("\n".join(f"| {' | '.join(cells)} |" for cells in lines), width="content")
    st.caption(words("ui.table.ratios"))


Row = tuple[str, list[str]]


def _row(comparison: Comparison, label: str, cell: Callable[[Run], str]) -> Row:
    return label, [cell(run) for run in comparison.runs]


def _counted(
    comparison: Comparison, label: str, value: Callable[[Run], float | None], show: Callable[[float], str]
) -> Row:
    """A figure of each run with its ratio to the first run's."""
    values = [value(run) for run in comparison.runs]
    return label, _compared([DASH if number is None else inline(show(number)) for number in values], values)


def _compared(cells: Sequence[str], values: Sequence[float | None]) -> list[str]:
    """The cells, each with the ratio of its value to the first."""
    ratios = ["" if at == 0 else ratio(number, values[0]) for at, number in enumerate(values)]
    return [f"{cell} :gray[{times}]" if times else cell for cell, times in zip(cells, ratios, strict=True)]


def _found(comparison: Comparison, words: Words, tokeniser: Tokeniser) -> list[Row]:
    counts = {run.mode: _cited(run, tokeniser) for run in comparison.runs}
    whole = "{:,.0f}".format
    return [
        _row(comparison, words("ui.table.state"), lambda run: inline(words(f"stop.{run.stop_reason}"))),
        _counted(comparison, words("ui.table.given"), lambda run: len(run.evidence), whole),
        _counted(comparison, words("ui.table.cited"), lambda run: counts[run.mode], whole),
    ]


def _cited(run: Run, tokeniser: Tokeniser) -> int | None:
    """Passages cited; unknown where nothing was answered."""
    if not run.answer:
        return None
    return len({c.passage.id for c in citations_of(run, tokeniser) if c.passage})


def _times(comparison: Comparison, words: Words) -> list[Row]:
    rows = [_counted(comparison, words(f"ui.table.{kind}"), partial(_time, kind), seconds) for kind in TIMES]
    first = words("ui.table.first_token")
    rows.append(_counted(comparison, first, lambda run: run.first_token_seconds, seconds))
    rows.append(_counted(comparison, words("ui.table.total"), _own, seconds))
    rows += [
        _counted(comparison, words(f"ui.table.{kind}"), partial(_time, kind), seconds) for kind in ("once", "cached")
    ]
    return rows


def _time(kind: str, run: Run) -> float | None:
    return run.times.get(kind)


def _own(run: Run) -> float:
    """The answer's time: what passed on the clock without one-time work."""
    return max(0.0, run.seconds - run.times.get("once", 0.0))


def _usage(comparison: Comparison, words: Words) -> list[Row]:
    def counted(name: str) -> Row:
        values = [getattr(run.usage, name) for run in comparison.runs]
        local = name != "embedding"  # only a provider counts those
        cells = [
            tokens(value, run.usage.estimated and local) for value, run in zip(values, comparison.runs, strict=True)
        ]
        return words(f"ui.table.tokens_{name}"), _compared(cells, values)

    return [
        *(counted(name) for name in ("prompt", "completion", "reasoning", "cached", "embedding")),
        _row(comparison, words("ui.table.calls"), lambda run: f"{run.usage.calls:,}"),
        _cost(comparison, words),
        _row(comparison, words("ui.table.fingerprint"), lambda run: f"`{run.fingerprint}`" if run.evidence else DASH),
    ]


def _cost(comparison: Comparison, words: Words) -> Row:
    """What each run cost; a ratio only between amounts of one and the same currency."""
    costs = [cost(run, comparison.prices) for run in comparison.runs]
    cells = []
    for found in costs:
        unknown = words("ui.table.unpriced") if found.unpriced else DASH
        shown = inline(money(found.amounts)) if found.amounts else unknown
        cells.append(words("ui.table.free") if found.offline else shown)
    currencies = {currency for found in costs for currency in found.amounts or ()}
    values = [sum(found.amounts.values()) if found.amounts and len(currencies) == 1 else None for found in costs]
    return words("ui.table.cost"), _compared(cells, values)
