"""What was spent, by day, and what a run may still spend: the user's limits of tokens and money.

A call is set aside before it is made, at the most it can cost, so that several runs at once cannot pass a limit of the
day together. Within a process that is exact; of other processes it counts what they have already written down.
"""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any
from weakref import WeakSet

from core.database import Store
from core.domain import Say, Usage
from core.errors import SpendError, StoreError
from core.pricing import CURRENCIES, EMBEDDINGS, Currency, Price, Rows, fitting, rows_of
from core.settings import Limits, Settings

log = logging.getLogger(__name__)

REPLY = 8_192
"""Tokens set aside for a reply that nothing else limits."""
_ROUNDING = 1e-6
"""Tokens by which a division may fall short of a whole one."""
LEAST = 32
"""Tokens of a reply; where a limit leaves fewer, the call is not made."""


@dataclass(frozen=True, slots=True)
class Totals:
    """Tokens of all kinds, and money by currency."""

    tokens: int = 0
    amounts: Mapping[str, float] = field(default_factory=dict, hash=False)

    def __add__(self, other: Totals) -> Totals:
        """Both together."""
        names = {*self.amounts, *other.amounts}
        amounts = {name: self.amounts.get(name, 0.0) + other.amounts.get(name, 0.0) for name in names}
        return Totals(self.tokens + other.tokens, amounts)


def together(totals: Iterable[Totals]) -> Totals:
    """The sum of some totals."""
    return sum(totals, Totals())


class _Ledger:
    """What the runs of this process share on one data folder."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.open: WeakSet[RunBill] = WeakSet()  # a call that was dropped unpaid frees what was set aside for it
        self.unwritten: dict[str, Totals] = {}
        self.refused: Say | None = None


_ledgers: dict[Path, _Ledger] = {}
_opening = threading.Lock()


class Spending:
    """What is spent on one data folder; safe between threads and processes."""

    def __init__(self, home: Path) -> None:
        self._store = Store(home)
        with _opening:
            self.ledger = _ledgers.setdefault(home.resolve(), _Ledger())

    def add(self, model: str, tokens: int, currency: str = "", amount: float = 0.0) -> None:
        """Count a call on today's account; in memory only where nothing can be written, which is logged once."""
        day = date.today().isoformat()
        try:
            with self._store.connection("spend.unwritten", write=True) as connection:
                connection.execute(
                    "INSERT INTO spend VALUES (?,?,?,?,?) ON CONFLICT (day, model, currency)"
                    " DO UPDATE SET tokens = tokens + excluded.tokens, amount = amount + excluded.amount",
                    (day, model, currency, tokens, amount),
                )
        except StoreError as refused:
            spent = Totals(tokens, {currency: amount} if currency else {})
            with self.ledger.lock:
                self.ledger.unwritten[day] = self.ledger.unwritten.get(day, Totals()) + spent
                self._refuse(refused)

    def today(self) -> Totals:
        """What was spent today, by everyone who uses this data folder."""
        day = date.today().isoformat()
        with self.ledger.lock:
            return self._written(day) + self.ledger.unwritten.get(day, Totals())

    @property
    def notice(self) -> Say | None:
        """What to tell a user whose spending is counted in memory only."""
        return self.ledger.refused

    def _written(self, day: str) -> Totals:
        if not self._store.path.is_file():
            return Totals()
        try:
            with self._store.connection("spend.unwritten") as connection:
                rows = connection.execute("SELECT currency, tokens, amount FROM spend WHERE day=?", (day,)).fetchall()
        except StoreError as refused:
            self._refuse(refused)
            return Totals()
        return together(Totals(tokens, {currency: amount} if currency else {}) for currency, tokens, amount in rows)

    def _refuse(self, refused: StoreError) -> None:
        if self.ledger.refused is None:
            log.warning("spending is counted in memory only: %s", refused)
            self.ledger.refused = refused.say


@dataclass(frozen=True, slots=True)
class _Room:
    """One limit that holds for a call: what it is, what of it is used or set aside, in tokens or a currency."""

    code: str
    unit: str
    limit: float
    used: float

    def reply(self, prompt: int, price: Price | None) -> float:
        """Tokens of a reply that fit beside the prompt; negative where the prompt itself does not."""
        left = self.limit - self.used
        if price is None or self.unit == "tokens":
            return left - prompt
        money = left - price.amount(prompt, 0)
        if money < 0 or not price.output:
            return math.inf if money >= 0 else -1.0
        return money * 1_000_000 / price.output


class RunPurse:
    """What one run may spend, by its own limits and by those of the day; `prices` as of `Prices.recorded`."""

    def __init__(self, limits: Limits, prices: Mapping[str, Any], spending: Spending) -> None:
        self.spending = spending
        self._limits = limits
        self._prices = prices
        self._spent = Totals()

    def bill(self, model: str, prompt: int, most: int | None = None) -> RunBill:
        """Set aside a call of `model` with about `prompt` tokens and a reply of at most `most` (0: it has no reply).

        Raises `SpendError` where a limit leaves no room for it.
        """
        price = fitting(rows := rows_of(self._prices, model), prompt)
        ledger = self.spending.ledger
        with ledger.lock:
            rooms = self._rooms(price)
            wanted = REPLY if most is None else most
            for room in rooms:
                if room.reply(prompt, price) < min(LEAST, wanted):
                    raise SpendError(room.code, limit=room.limit, used=room.used, unit=room.unit)
            reply = int(min([wanted, *(room.reply(prompt, price) for room in rooms)]) + _ROUNDING)
            money: dict[str, float] = {price.currency: price.amount(prompt, reply)} if price else {}
            bill = RunBill(self, model, rows, prompt, reply if rooms else most)
            bill.aside = Totals(prompt + reply, money)
            ledger.open.add(bill)
            return bill

    def _rooms(self, price: Price | None) -> list[_Room]:
        """The limits that hold; one of money only for a model whose price is in its currency."""
        units = ["tokens", *([price.currency] if price else [])]
        run = {unit: getattr(self._limits, f"run_{unit.lower()}") for unit in units}
        day = {unit: getattr(self._limits, f"day_{unit.lower()}") for unit in units}
        bills = list(self.spending.ledger.open)
        mine = self._spent + together(bill.aside for bill in bills if bill.purse is self)
        rooms = [_Room("spend.run", unit, limit, _of(mine, unit)) for unit, limit in run.items() if limit is not None]
        if any(limit is not None for limit in day.values()):
            everyone = self.spending.today() + together(bill.aside for bill in bills)
            rooms += [
                _Room("spend.day", unit, limit, _of(everyone, unit)) for unit, limit in day.items() if limit is not None
            ]
        return rooms

    def settle(self, bill: RunBill, tokens: int, currency: str, amount: float) -> None:
        """Count a call in place of what was set aside for it."""
        ledger = self.spending.ledger
        with ledger.lock:
            if bill not in ledger.open:
                return
            self._spent += Totals(tokens, {currency: amount} if currency else {})
            if tokens:
                self.spending.add(bill.model, tokens, currency, amount)
            ledger.open.discard(bill)


def _of(totals: Totals, unit: str) -> float:
    return totals.tokens if unit == "tokens" else totals.amounts.get(unit, 0.0)


class RunBill:
    """One call that is about to be made; what was set aside for it is free again when it is paid or dropped."""

    def __init__(self, purse: RunPurse, model: str, rows: Rows, prompt: int, most: int | None) -> None:
        self.purse = purse
        self.model = model
        self.aside = Totals()
        self._rows = rows
        self._prompt = prompt
        self._most = most

    @property
    def most(self) -> int | None:
        """Tokens that the reply may have, `None` where nothing limits it."""
        return self._most

    def pay(self, usage: Usage | None, guess: int = 0) -> None:
        """Count what the call cost; `guess` tokens where the provider told none. Only the first time counts."""
        usage = usage or Usage()
        told = [count for count in (usage.prompt, usage.completion, usage.embedding) if count is not None]
        whole = usage.embedding is not None or (usage.prompt is not None and usage.completion is not None)
        tokens = sum(told) if whole else max(guess, sum(told))
        sent = (usage.prompt or 0) + (usage.embedding or 0) if told else min(tokens, self._prompt)
        price = fitting(self._rows, sent)
        if price is None:
            self.purse.settle(self, tokens, "", 0.0)
        else:
            self.purse.settle(self, tokens, price.currency, price.amount(sent, tokens - sent, usage.cached or 0))


def unpriced(settings: Settings, recorded: Mapping[str, Any]) -> list[str]:
    """Models of the chosen roles that no money limit can hold, though one is set.

    They have no price, or one in a currency without a limit; `recorded` is as of `Prices.recorded`.
    """
    limited = {c for c in CURRENCIES if _limit(settings.limits, c)}
    if not limited:
        return []
    chosen = dict.fromkeys(model for model in recorded if model != EMBEDDINGS)
    return [model for model in chosen if not {row.currency for row in rows_of(recorded, model)} & limited]


def _limit(limits: Limits, currency: Currency) -> bool:
    name = currency.lower()
    return getattr(limits, f"run_{name}") is not None or getattr(limits, f"day_{name}") is not None
