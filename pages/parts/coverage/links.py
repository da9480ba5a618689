"""From the Coverage page to the others: a passage in the Library, a question on Compare."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.domain import Passage
from core.words import Words
from pages.parts import form
from pages.parts.literal import inline


def to_library(passage: Passage, words: Words) -> None:
    """A link that opens the passage where it is read and mended."""
    label = words("ui.sources.open")
    st.page_link("pages/library.py", label=label, icon=":material/menu_book:", query_params={"p": passage.id})


def named(passage: Passage) -> None:
    """A passage's label as a link that opens it in the Library."""
    st.page_link(
        "pages/library.py",
        label=inline(passage.title or passage.id),
        icon=":material/menu_book:",
        query_params={"p": passage.id},
        help=inline(f"{passage.section} · {passage.id}"),
    )


def to_compare(key: str, question: str, modes: Sequence[str], label: str, icon: str = ":material/view_column:") -> None:
    """A button that asks the question on Compare, with answers."""
    if st.button(label, key=key, icon=icon, type="tertiary", wrap=True):
        form.send(question, modes=tuple(modes), k=None, parameters={}, one_by_one=False, retrieval_only=False)
        st.switch_page("pages/compare.py", query_params={})  # without them it refuses where a widget is in the address
