"""What models cost: the table of prices, the user's edits to it, and the cost of a run, derived from its steps.

The shipped rows stand in `prices.toml`, each with its source and date. A cost is never stored: a record keeps the rows
of its models, and the cost is computed from them and from each step's usage.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from numbers import Real
from pathlib import Path
from typing import Any, Literal, get_args

from core.domain import Step, Usage
from core.endpoints import Endpoint
from core.errors import UsageError
from core.runs import Run
from core.settings import ROLES, Settings

Currency = Literal["CNY", "USD"]
CURRENCIES: tuple[Currency, ...] = get_args(Currency)
EMBEDDINGS = "embeddings"
"""Key of a record's prices under which the embedding model's `name:model` stands; those keys hold a colon."""
_MILLION = 1_000_000
_DEAREST = 1_000_000.0
"""Per million tokens; more is a slip of the pen."""
_TEXTS = ("source", "dated", "note")


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs at a host, per million tokens; `upto`: the prompt's tokens up to which the row holds.

    A blank `host` is any host. `cached` is for the part of a prompt that came from the provider's cache, `None`: as any
    input. `source` is an address, `dated` an ISO day.
    """

    host: str
    model: str
    currency: Currency
    input: float
    output: float
    cached: float | None = None
    upto: int | None = None
    source: str = ""
    dated: str = ""
    note: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What the rows of one model at one host have in common."""
        return self.host, self.model

    def amount(self, prompt: int, completion: int, cached: int = 0) -> float:
        """Cost of a call in the row's currency.

        >>> Price("", "m", "CNY", input=3, output=14, cached=0.6).amount(10_000, 1_000, cached=4_000)
        0.0344
        """
        hit = min(max(cached, 0), prompt)
        hit_price = self.input if self.cached is None else self.cached
        return ((prompt - hit) * self.input + hit * hit_price + completion * self.output) / _MILLION


def checked(row: Mapping[str, Any]) -> Price:
    """The price that a row of plain values means; raises `UsageError` for one that cannot be."""
    model = row.get("model")
    if not isinstance(model, str) or not model.strip():
        raise UsageError("price.model", value=model)
    currency = row.get("currency")
    if currency not in CURRENCIES:
        raise UsageError("price.currency", model=model, choices=list(CURRENCIES), value=currency)
    cached = row.get("cached")
    return Price(
        _text(row, "host").lower().removesuffix(":443"),
        model.strip().lower(),
        currency,
        _number(model, "input", row.get("input")),
        _number(model, "output", row.get("output")),
        None if cached is None else _number(model, "cached", cached),
        _length(model, row.get("upto")),
        *(_text(row, name) for name in _TEXTS),
    )


def _real(value: Any) -> float:
    """A number as a float; NaN for what is none, or too large to be one."""
    try:
        return float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    except OverflowError:
        return math.nan


def _number(model: str, name: str, value: Any) -> float:
    number = _real(value)
    if not 0 <= number <= _DEAREST:
        raise UsageError("price.number", model=model, name=name, high=_DEAREST, value=str(value))
    return number


def _length(model: str, value: Any) -> int | None:
    if value is None:
        return None
    number = _real(value)
    if not 1 <= number < math.inf or number % 1:
        raise UsageError("price.upto", model=model, value=str(value))
    return int(number)


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if value is not None and not isinstance(value, str):
        raise UsageError("price.text", name=name, value=str(value))
    return (value or "").strip()


Rows = tuple[Price, ...]
Table = dict[tuple[str, str], Rows]


def _grouped(prices: Iterable[Price]) -> Table:
    """Rows by host and model, shortest prompts first; raises `UsageError` where two say different things."""
    table: Table = {}
    for price in prices:
        table[price.key] = (*table.get(price.key, ()), price)
    for key, rows in table.items():
        if len({row.upto for row in rows}) < len(rows) or len({row.currency for row in rows}) > 1:
            raise UsageError("price.twice", model=rows[0].model, host=rows[0].host)
        table[key] = tuple(sorted(rows, key=lambda row: math.inf if row.upto is None else row.upto))
    return table


@cache
def _shipped() -> Table:
    text = Path(__file__).with_name("prices.toml").read_text(encoding="utf-8")
    rows = []
    for source in tomllib.loads(text)["source"]:
        for row in source["rows"]:
            notes = "; ".join(note for note in (row.get("note"), source.get("note")) if note)
            rows.append(checked({**source, **row, "source": source["url"], "note": notes}))
    return _grouped(rows)


class Prices:
    """The table in force: the shipped rows, with the user's in place of those of the same host and model.

    `edits` are plain values: rows as of `Price`, or `{"host", "model", "removed": true}` for a model that is to have no
    price. Raises `UsageError` for an edit that cannot be.
    """

    def __init__(self, edits: Iterable[Mapping[str, Any]] = ()) -> None:
        kept: list[Price] = []
        self._edits: Table = {}
        for edit in edits:
            if edit.get("removed") is True:
                self._edits[checked({**edit, "currency": "CNY", "input": 0, "output": 0}).key] = ()
            else:
                kept.append(checked(edit))
        self._edits |= _grouped(kept)

    @property
    def rows(self) -> Rows:
        """Every row in force, by host and model."""
        table = {**_shipped(), **self._edits}
        return tuple(row for key in sorted(table) for row in table[key])

    @property
    def edits(self) -> list[dict[str, Any]]:
        """The user's edits as plain values."""
        removed = [{"host": host, "model": model, "removed": True} for (host, model), r in self._edits.items() if not r]
        return removed + [_plain(row) for rows in self._edits.values() for row in rows]

    @classmethod
    def edited(cls, rows: Iterable[Mapping[str, Any]]) -> Prices:
        """The table that a user left behind: what differs from the shipped rows or is missing becomes an edit.

        Raises `UsageError` for a row that cannot be.
        """
        table = _grouped(checked(row) for row in rows)
        changed = [_plain(row) for key, found in table.items() if found != _shipped().get(key) for row in found]
        gone = [{"host": host, "model": model, "removed": True} for host, model in _shipped().keys() - table.keys()]
        return cls([*gone, *changed])

    def of(self, endpoint: Endpoint, model: str) -> Rows:
        """The rows of a model at an endpoint, shortest prompts first; empty where it has no price."""
        host, name = endpoint.host.removesuffix(":443"), model.strip().lower()
        for key in ((host, name), (host.rpartition(":")[0], name), ("", name)):
            if key in self._edits:
                return self._edits[key]
        return _shipped().get((host, name), ())

    def recorded(self, settings: Settings) -> dict[str, Any]:
        """The rows of every model that a role names, by `name:model`, as plain values for a record.

        Under `embeddings` stands the `name:model` of that role.
        """
        found: dict[str, Any] = {}
        for role in ROLES:
            endpoint, model = settings.named(role)
            if endpoint is None or not model:
                continue
            identifier = f"{endpoint.name}:{model}"
            found[identifier] = [_plain(row) for row in self.of(endpoint, model)]
            if role == EMBEDDINGS:
                found[EMBEDDINGS] = identifier
        return found


def _plain(price: Price) -> dict[str, Any]:
    return {name: value for name, value in asdict(price).items() if value not in (None, "") or name == "host"}


def rows_of(recorded: Mapping[str, Any], model: str) -> Rows:
    """The rows that a record, perhaps one that was tampered with, keeps of a model; empty where it has no price."""
    kept = recorded.get(model)
    if not isinstance(kept, list) or not all(isinstance(row, Mapping) for row in kept):
        return ()
    try:
        return next(iter(_grouped(checked(row) for row in kept).values()), ())
    except UsageError:
        return ()


def fitting(rows: Sequence[Price], prompt: int) -> Price | None:
    """The row that holds for a prompt of so many tokens."""
    return next((row for row in rows if row.upto is None or prompt <= row.upto), None)


@dataclass(frozen=True, slots=True)
class Cost:
    """What something cost: `amounts` by currency, `None` where that is not known; `unpriced` are models without price.

    `offline` says that no model was called at all.
    """

    amounts: Mapping[Currency, float] | None = None
    unpriced: tuple[str, ...] = ()
    offline: bool = False


def cost(run: Run, recorded: Mapping[str, Any] | None) -> Cost:
    """The cost of a run by the prices that its record keeps (`None`: it keeps none).

    What a call cost that was stopped before the provider told it is not known.
    """
    found = cost_of(run.steps, recorded)
    return replace(found, amounts=None, offline=False) if run.stopped and recorded else found


def cost_of(steps: Sequence[Step], recorded: Mapping[str, Any] | None) -> Cost:
    """The cost of some steps; what is estimated without a model costs nothing."""
    usages = [step.usage for step in steps if step.usage]
    parts = [part for usage in usages for part in _parts(usage, recorded or {})]
    untold = any(step.sent and not (step.usage and step.usage.model) for step in steps)
    known = not untold and not any(usage.calls and not usage.model for usage in usages)
    if not parts:
        return Cost(offline=known)
    amounts: dict[Currency, float] = {}
    unpriced: dict[str, None] = {}
    for model, used in parts:
        price = fitting(rows_of(recorded or {}, model), (used.prompt or 0) // max(1, used.calls))
        if price is None:
            unpriced[model] = None
        elif used.prompt is None or used.completion is None or used.estimated:
            known = False
        else:
            amount = price.amount(used.prompt, used.completion, used.cached or 0)
            amounts[price.currency] = amounts.get(price.currency, 0.0) + amount
    return Cost(amounts if known and not unpriced else None, tuple(unpriced))


def _parts(usage: Usage, recorded: Mapping[str, Any]) -> list[tuple[str, Usage]]:
    """What was used of the chat model and of the embedding model, each as prompt and completion."""
    chat = [(usage.model, usage)] if usage.model else []
    embedding = str(recorded.get(EMBEDDINGS, EMBEDDINGS))
    return chat + ([(embedding, Usage(usage.embedding, 0))] if usage.embedding else [])
