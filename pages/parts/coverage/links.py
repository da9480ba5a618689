"""From the Coverage page to the others: a passage in the Library, a question on Compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from core.coverage.naming import called
from core.domain import Passage
from core.knowledge.base import KnowledgeBase
from core.words import Words
from pages.parts import form
from pages.parts.explain import looking
from pages.parts.literal import inline


@dataclass(frozen=True, slots=True)
class Asked:
    """How questions were asked here, so that Compare asks them alike: the modes and the passages given."""

    modes: Sequence[str]
    k: int | None = None


def to_library(passage: Passage, words: Words) -> None:
    """A link that opens the passage where it is read and mended."""
    label = words("ui.sources.open")
    st.page_link("pages/library.py", label=label, icon=":material/menu_book:", query_params={"p": passage.id})


def named(base: KnowledgeBase, passage: Passage) -> None:
    """A passage's label, with its document, as a link that opens it in the Library."""
    st.page_link(
        "pages/library.py",
        label=inline(called(base, passage)),
        icon=":material/menu_book:",
        query_params={"p": passage.id},
        help=inline(f"{passage.section} · {passage.id}"),
    )


def to_compare(
    key: str, asked: Asked, question: str, label: str, passage: str = "", icon: str = ":material/view_column:"
) -> None:
    """A button that asks the question on Compare, with answers; there it is explained why (not) this `passage`."""
    if st.button(label, key=key, icon=icon, type="tertiary", wrap=True):
        form.send(question, modes=tuple(asked.modes), k=asked.k, parameters={}, one_by_one=False, retrieval_only=False)
        looking.expect(question, passage)
        st.switch_page("pages/compare.py", query_params={})  # without them it refuses where a widget is in the address
