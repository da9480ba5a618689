"""Settings: the table of prices, edited in place and kept for everyone on this server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import pandas as pd
import streamlit as st

from core.domain import Say
from core.errors import StoreError, UsageError
from core.pricing import CURRENCIES, Prices
from core.saved import Saved
from core.words import Words
from pages.parts import own
from pages.parts.frame import Frame
from pages.parts.told import told

_COLUMNS = ("host", "model", "currency", "input", "cached", "output", "upto", "source", "dated", "note")
_NUMBERS = ("input", "cached", "output", "upto")


def draw(page: Frame) -> None:
    """The table, what saves it, and what brings the shipped one back."""
    words = page.words
    st.caption(words("ui.settings.prices_about"))
    told("prices", words)
    edited = st.data_editor(
        _frame(page.saved.prices),
        num_rows="dynamic",
        hide_index=True,
        column_config=_configured(words),
        key=f"prices.{hash(page.saved.prices.rows)}",  # what was typed belongs to the table it was typed into
        height=320,
        placeholder="",
    )
    with st.container(horizontal=True):
        if st.button(words("ui.settings.prices_save"), key="prices.save", icon=":material/check:"):
            _keep(page, _rows(edited))
        if st.button(words("ui.settings.prices_restore"), key="prices.restore", icon=":material/restart_alt:"):
            _keep(page, None)


def _frame(prices: Prices) -> pd.DataFrame:
    frame = pd.DataFrame([asdict(price) for price in prices.rows], columns=list(_COLUMNS))
    return frame.astype(dict.fromkeys(_NUMBERS, "Float64"))


def _configured(words: Words) -> Mapping[str, Any]:
    config = st.column_config
    texts = {name: config.TextColumn(words(f"ui.settings.price_{name}")) for name in _COLUMNS}
    money = {
        name: config.NumberColumn(words(f"ui.settings.price_{name}"), min_value=0, format="%.6g") for name in _NUMBERS
    }
    length = config.NumberColumn(words("ui.settings.price_upto"), min_value=1, step=1, help=words("ui.settings.upto"))
    currency = config.SelectboxColumn(words("ui.settings.price_currency"), options=list(CURRENCIES))
    return {**texts, **money, "upto": length, "currency": currency}


def _rows(edited: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows as plain values; empty cells are `None`, empty rows are left out."""
    rows = [
        {name: None if pd.isna(value) else value for name, value in row.items()} for row in edited.to_dict("records")
    ]
    return [row for row in rows if any(value not in (None, "") for value in row.values())]


def _keep(page: Frame, rows: list[dict[str, Any]] | None) -> None:
    """Keep the table for everyone (`None`: the shipped one), or say which row cannot be."""
    store = Saved(page.settings.home)
    try:
        prices = Prices() if rows is None else Prices.edited(rows)
        store.store(replace(store.load(), prices=prices))
    except UsageError as refused:
        own.say("prices", refused.say)
    except StoreError as refused:
        own.say("prices", Say.of("ui.settings.prices_unsaved", **refused.say.values))
    else:
        own.say("prices", Say.of("ui.notice.prices"))
    st.rerun()
