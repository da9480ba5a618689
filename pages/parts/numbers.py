"""Numbers as a reader sees them: with units, a dash for what is unknown, a ratio to the first mode."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from core.domain import Usage
from core.pricing import Currency
from core.words import Words

DASH = "—"
_SIGNS: Mapping[Currency, str] = {"CNY": "¥", "USD": "$"}


def local(created: str, words: Words) -> str:
    """An ISO time in UTC as the reader's clock and language show it; in UTC, said so, where no zone is known."""
    at = datetime.fromisoformat(created)
    try:
        at, zone = at.astimezone(ZoneInfo(st.context.timezone or "")), ""
    except (ZoneInfoNotFoundError, ValueError):
        zone = " UTC"
    month = words(f"ui.month.m{at.month}")
    return words("ui.date", year=str(at.year), month=month, day=at.day, time=f"{at:%H:%M}{zone}")


def seconds(value: float | None) -> str:
    """Seconds in a fitting unit.

    >>> seconds(0.0123), seconds(1.5), seconds(None)
    ('12 ms', '1.50 s', '—')
    """
    if value is None:
        return DASH
    if value < 0.001:
        return "<1 ms" if value > 0 else "0"
    return f"{value * 1000:.0f} ms" if value < 0.9995 else f"{value:.2f} s" if value < 100 else f"{value:,.0f} s"


def brief(value: float) -> str:
    """Seconds where there is little room, from one second on with a single decimal.

    >>> brief(0.0123), brief(2.154), brief(130)
    ('12 ms', '2.2 s', '130 s')
    """
    return f"{value:.1f} s" if 0.9995 <= value < 100 else seconds(value)


def share(value: float) -> str:
    """A share from 0 to 1 in whole per cent.

    >>> share(0.724)
    '72%'
    """
    return f"{value:.0%}"


def tokens(value: int | None, estimated: bool) -> str:
    """A count of tokens, `≈` before one counted on this machine."""
    return DASH if value is None else f"{'≈' if estimated else ''}{value:,}"


def used(usage: Usage) -> int | None:
    """All tokens of a usage; `None` when none is known."""
    known = [count for count in (usage.prompt, usage.completion, usage.embedding) if count is not None]
    return sum(known) if known else None


def money(amounts: Mapping[Currency, float]) -> str:
    """Amounts by currency: cents where there are any, two digits of what is less.

    >>> money({"CNY": 12.345}), money({"CNY": 0.0312}), money({"USD": 0.0000425}), money({"CNY": 0.0, "USD": 0.5})
    ('¥12.35', '¥0.031', '$0.000043', '¥0 + $0.50')
    """
    return " + ".join(f"{_SIGNS[currency]}{_amount(value)}" for currency, value in amounts.items())


def _amount(value: float) -> str:
    if not value:
        return "0"
    digits = 2 if value >= 0.1 else min(9, 1 - math.floor(math.log10(value)))
    return f"{value:,.{digits}f}"


def ratio(value: float | None, first: float | None) -> str:
    """`×2.6` against the first; nothing where there is nothing to compare, or no difference.

    >>> ratio(2.6, 1.0)
    '×2.6'
    """
    if not value or not first:
        return ""
    times = value / first
    if 0.95 <= times < 1.05:
        return ""
    return f"×{times:,.0f}" if times >= 100 else f"×{times:.1f}" if times >= 0.95 else f"×{times:.2f}"
