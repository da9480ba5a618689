"""A change that meets another text than it was made for: both side by side, and the author's choice."""

from __future__ import annotations

import streamlit as st

from core.authoring.differences import differences
from core.authoring.drafts import Choice, Clash
from pages.parts.frame import Frame
from pages.parts.library import difference, drafting, wording
from pages.parts.library.drafting import Work
from pages.parts.literal import inline, literal


def draw(page: Frame, work: Work, found: Clash) -> None:
    """What clashes, both texts, and which is to be kept; the rest of the draft waits."""
    words = page.words
    st.markdown(
        f":material/call_split: **{inline(words('ui.clash.title', change=wording.did(found.operation, words)))}**"
    )
    st.caption(words("ui.clash.about", count=len(work.draft.operations)))
    if found.now is None:
        st.markdown(inline(words.say(found.error.say)))
        _button(page, found, "theirs", words("ui.clash.drop"), ":material/delete:")
        with st.container(border=True):
            st.caption(words("ui.clash.mine"))
            st.markdown(literal(found.mine) or words("ui.clash.nothing"))
        return
    left, right = st.columns(2)
    for column, name, text in ((left, "mine", found.mine), (right, "theirs", found.now)):
        with column.container(border=True):
            st.markdown(f"**{words(f'ui.clash.{name}')}**")
            st.markdown(literal(text) or f":gray[{words('ui.clash.nothing')}]")
            _button(page, found, "mine" if name == "mine" else "theirs", words(f"ui.clash.take_{name}"), None)
    st.caption(words("ui.clash.from_theirs"))
    difference.draw("clash", differences(found.now, found.mine), words)


def _button(page: Frame, found: Clash, choice: Choice, label: str, icon: str | None) -> None:
    st.button(
        label,
        key=f"clash.{choice}",
        icon=icon,
        on_click=drafting.choose,
        args=(page.base, found.number, choice),
    )
