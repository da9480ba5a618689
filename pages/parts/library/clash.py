"""A change that meets another text than it was made for: both side by side, and the author's choice."""

from __future__ import annotations

import streamlit as st

from core.authoring.authorship import OUTSIDE, changed_by
from core.authoring.differences import differences
from core.authoring.drafts import Choice, Clash
from core.authoring.operations import Add, Rewrite
from core.knowledge.base import KnowledgeBase
from core.knowledge.ids import document_of
from core.knowledge.loading import SECTIONS
from core.words import Words
from pages.parts.frame import Frame
from pages.parts.library import difference, drafting, wording
from pages.parts.library.drafting import Work
from pages.parts.literal import inline
from pages.parts.numbers import local
from pages.parts.tabular import readable


def draw(page: Frame, work: Work, found: Clash) -> None:
    """What clashes, both texts, and which is to be kept; the rest of the draft waits."""
    words = page.words
    st.markdown(
        f":material/call_split: **{inline(words('ui.clash.title', change=wording.did(found.operation, words)))}**"
    )
    st.caption(words("ui.clash.about", count=len(work.draft.operations)))
    _by_whom(work.now or work.draft.base, found, words)
    if found.now is None:
        st.markdown(inline(words.say(found.error.say)))
        _button(page, found, "theirs", words("ui.clash.drop"), ":material/delete:")
        with st.container(border=True):
            st.caption(words("ui.clash.mine"))
            st.markdown(readable(found.mine) or words("ui.clash.nothing"))
        return
    left, right = st.columns(2)
    for column, name, text in ((left, "mine", found.mine), (right, "theirs", found.now)):
        with column.container(border=True):
            st.markdown(f"**{words(f'ui.clash.{name}')}**")
            st.markdown(readable(text) or f":gray[{words('ui.clash.nothing')}]")
            _button(page, found, "mine" if name == "mine" else "theirs", words(f"ui.clash.take_{name}"), None)
    st.caption(words("ui.clash.from_theirs"))
    difference.draw("clash", differences(found.now, found.mine), words)


def _by_whom(base: KnowledgeBase, found: Clash, words: Words) -> None:
    """Who changed the text meanwhile, and when, where the history tells it."""
    operation = found.operation
    document = str(getattr(operation, "document", "")) if isinstance(operation, Rewrite | Add) else ""
    document = document or document_of(str(getattr(operation, "id", "")))
    known = base.documents.get(document)
    path = f"{SECTIONS}/{known.file if known and known.file else f'{document}.md'}"
    version = changed_by(base.path, path, found.before, found.now)
    if version is None:
        return
    outside = version.note == OUTSIDE
    code = "ui.clash.by_outside" if outside else "ui.clash.by" if version.author else "ui.clash.by_nobody"
    text = words(code, who=version.author, when=local(version.created, words), number=version.number)
    st.markdown(f":material/person: {inline(text)}")


def _button(page: Frame, found: Clash, choice: Choice, label: str, icon: str | None) -> None:
    st.button(
        label,
        key=f"clash.{choice}",
        icon=icon,
        on_click=drafting.choose,
        args=(page.base, found.number, choice),
    )
