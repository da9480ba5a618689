"""Settings: what may be spent, and what was spent today."""

from __future__ import annotations

from dataclasses import fields, replace

import streamlit as st

from core.domain import Say
from core.pricing import CURRENCIES
from core.settings import Limits
from core.spending import Spending, unpriced
from pages.parts import own
from pages.parts.frame import Frame
from pages.parts.literal import inline
from pages.parts.numbers import money

UNITS = ("tokens", "cny", "usd")


def draw(page: Frame) -> None:
    """Today's spending, the limits, and the models that a limit of money cannot hold."""
    words = page.words
    _today(page)
    _fill(page)
    with st.form("limits", border=False):
        for span in ("run", "day"):
            st.caption(words(f"ui.settings.limit_{span}"))
            for unit, where in zip(UNITS, st.columns(len(UNITS)), strict=True):
                with where:
                    _number(f"{span}_{unit}", page)
        label = words("ui.settings.apply_limits")
        st.form_submit_button(label, icon=":material/check:", key="limits.apply", on_click=_apply, args=(page,))
    if names := unpriced(page.settings, page.saved.prices.recorded(page.settings)):
        st.warning(inline(words("spend.unpriced", models=names)), icon=":material/info:")


def _today(page: Frame) -> None:
    words = page.words
    spending = Spending(page.settings.home)
    spent = spending.today()
    amounts = {currency: spent.amounts[currency] for currency in CURRENCIES if spent.amounts.get(currency)}
    cost = f" · {money(amounts)}" if amounts else ""
    st.markdown(inline(words("ui.settings.today", tokens=spent.tokens) + cost))
    if spending.notice:
        st.warning(inline(words.say(spending.notice)), icon=":material/info:")


def _number(name: str, page: Frame) -> None:
    words, unit = page.words, name.partition("_")[2]
    held = _variable(name) in page.given
    hint = words("ui.settings.limit_held") if held else None
    label, none = words(f"ui.settings.unit_{unit}"), words("ui.settings.limit_none")
    key = f"limit.{name}"
    if unit == "tokens":
        st.number_input(
            label, 1, 1_000_000_000, value=None, step=1, key=key, placeholder=none, disabled=held, help=hint
        )
    else:
        st.number_input(label, 0.0, 1e9, value=None, step=0.1, key=key, placeholder=none, disabled=held, help=hint)


def _variable(name: str) -> str:
    return f"WORKBENCH_LIMIT_{name.upper()}"


def _fill(page: Frame) -> None:
    """Show the limits in force, also where they were changed elsewhere; what is being typed stays."""
    state, limits = st.session_state, page.settings.limits
    fresh = state.get("limits.shown") != limits
    state["limits.shown"] = limits
    for limit in fields(Limits):
        if fresh or f"limit.{limit.name}" not in state:
            state[f"limit.{limit.name}"] = getattr(limits, limit.name)


def _apply(page: Frame) -> None:
    """Hold this session to what the form says; what the environment sets stays as it is."""
    entered = {limit.name: st.session_state.get(f"limit.{limit.name}") for limit in fields(Limits)}
    mine = own.own()
    own.put(replace(mine, choices=replace(mine.choices, limits=replace(page.settings.limits, **entered))))
    own.say("limits", Say.of("ui.notice.limits"))
