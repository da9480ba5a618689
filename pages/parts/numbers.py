"""Numbers as a reader sees them: with units, a dash for what is unknown, a ratio to the first mode."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from core.domain import Usage

DASH = "—"


def local(created: str) -> str:
    """An ISO time in UTC as the reader's clock shows it; in UTC, said so, where the browser names no zone."""
    at = datetime.fromisoformat(created)
    try:
        return at.astimezone(ZoneInfo(st.context.timezone or "")).strftime("%Y-%m-%d %H:%M")
    except (ZoneInfoNotFoundError, ValueError):
        return at.strftime("%Y-%m-%d %H:%M UTC")


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


def tokens(value: int | None, estimated: bool) -> str:
    """A count of tokens, `≈` before one counted on this machine."""
    return DASH if value is None else f"{'≈' if estimated else ''}{value:,}"


def used(usage: Usage) -> int | None:
    """All tokens of a usage; `None` when none is known."""
    known = [count for count in (usage.prompt, usage.completion) if count is not None]
    return sum(known) if known else None


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
