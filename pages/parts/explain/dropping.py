"""Filters in a try-out: which of a comparison's filters are kept, and the comparison asked without the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.runs import Comparison
from pages.parts import filtering
from pages.parts.explain.looking import TRYING
from pages.parts.explain.view import View
from pages.parts.literal import inline

FIELD = "filters"
"""The field of the filters that are kept; there only where a comparison has any."""


def before(view: View, without: Sequence[str] = ()) -> dict[str, list[str]]:
    """The field with all filters of the comparison but those named in `without`."""
    given = view.comparison.filters
    return {FIELD: [name for name in given if name not in without]} if given else {}


def draw(view: View) -> None:
    """The filters of the comparison, each of which can be left out."""
    words, given = view.words, view.comparison.filters
    if not given:
        return
    texts = dict(zip(given, filtering.told(given, words), strict=True))
    st.pills(
        words("ui.filters.kept"),
        list(given),
        selection_mode="multi",
        format_func=lambda name: inline(texts[name]),
        key=TRYING + FIELD,
        help=words("ui.filters.kept_help"),
        wrap=True,
    )


def dropped(view: View) -> tuple[str, ...]:
    """The names of the filters that the field leaves out."""
    given = view.comparison.filters
    return tuple(name for name in given if name not in st.session_state[TRYING + FIELD]) if given else ()


def without(comparison: Comparison, names: Sequence[str]) -> Comparison:
    """The comparison as if it had been asked without these filters."""
    kept = {name: value for name, value in comparison.filters.items() if name not in names}
    asked = tuple(replace(run, ask=replace(run.ask, filters=kept)) for run in comparison.runs)
    return replace(comparison, runs=asked)


def told(view: View, names: Sequence[str]) -> list[str]:
    """That these filters are left out, in words; plain text, nothing where none is."""
    given = {name: view.comparison.filters[name] for name in names}
    return [view.words("ui.filters.dropped", filters=filtering.told(given, view.words))] if given else []
