"""Long lists in pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import streamlit as st

from core.words import Words

T = TypeVar("T")


def page_of(items: Sequence[T], size: int, key: str, words: Words) -> Sequence[T]:
    """The items of the page that the reader is at; nothing to choose where all fit on one."""
    pages = -(-len(items) // size)
    if pages <= 1:
        return items
    at = int(st.number_input(words("ui.reader.page", pages=pages), 1, pages, key=f"{key}.{pages}", width=220))
    return items[(at - 1) * size : at * size]
