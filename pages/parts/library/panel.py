"""The panel in which one thing is done to a passage: what it is about, and its two buttons."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

import streamlit as st

from core.authoring.drafts import Draft
from core.authoring.operations import Operation
from core.authoring.texts import Place
from core.knowledge.base import KnowledgeBase
from core.words import Words
from pages.parts.frame import Frame
from pages.parts.library import drafting


@dataclass(frozen=True)
class Panel:
    """A passage at its `place` in the draft; `key` is that of the widget that opens and closes panels."""

    page: Frame
    base: KnowledgeBase
    draft: Draft
    place: Place
    key: str

    @property
    def words(self) -> Words:
        """The reader's language."""
        return self.page.words

    def buttons(self, made: Callable[[], Operation], fields: Collection[str] = ()) -> None:
        """Keep what `made` gives in the draft, or leave it; what was typed into `fields` is then forgotten."""
        buttons(self.page, self.base, made, self.key, fields)


def buttons(
    page: Frame,
    base: KnowledgeBase,
    made: Callable[[], Operation],
    key: str,
    fields: Collection[str] = (),
) -> None:
    """The two buttons of any panel that makes a change."""
    words = page.words
    with st.container(horizontal=True):
        st.button(
            f":primary[**{words('ui.edit.keep')}**]",
            icon=":material/check:",
            key=f"keep.{key}",
            on_click=_keep,
            args=(page.base, base, made, key, tuple(fields)),
        )
        st.button(
            words("ui.edit.cancel"),
            type="tertiary",
            key=f"cancel.{key}",
            on_click=_close,
            args=(key, tuple(fields)),
        )


def _keep(name: str, base: KnowledgeBase, made: Callable[[], Operation], key: str, fields: Collection[str]) -> None:
    if drafting.change(name, base, made):
        _close(key, fields)


def _close(key: str, fields: Collection[str]) -> None:
    st.session_state[key] = None
    for field in fields:
        st.session_state.pop(field, None)
