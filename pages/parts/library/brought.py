"""What an import did: in one sentence, file by file, and where to go from there."""

from __future__ import annotations

import streamlit as st

from core.authoring.bringing import Brought
from core.knowledge.base import KnowledgeBase
from pages.parts.frame import Frame
from pages.parts.library import arrivals, going, uploads
from pages.parts.literal import inline
from pages.parts.search import open_passage


def draw(page: Frame, name: str, done: Brought) -> None:
    """The result of the last import, until another begins or it is put away."""
    words = page.words
    with st.container(border=True):
        came = arrivals.new(done.outcomes)
        passages = sum(outcome.passages for outcome in came)
        if done.version and not came:
            text = words("ui.import.done_cuts", number=done.version.number)
            st.markdown(f":green[:material/check_circle:] **{inline(text)}**")
        elif done.version:
            text = words("ui.import.done", count=len(came), passages=passages, number=done.version.number)
            st.markdown(f":green[:material/check_circle:] **{inline(text)}**")
        elif came:  # a corpus, which begins without a history
            text = words("ui.import.done_corpus", passages=passages)
            st.markdown(f":green[:material/check_circle:] **{inline(text)}**")
        else:
            st.markdown(f":material/info: **{words('ui.import.unchanged')}**")
        arrivals.draw(done.outcomes, words, done=True)
        for kind, say in done.gold.told.items():
            icon = "quiz" if kind == "regolded" else "warning"
            st.markdown(f":{'gray' if kind == 'regolded' else 'orange'}[:material/{icon}:] {inline(words.say(say))}")
        with st.container(horizontal=True, vertical_alignment="center"):
            first = _first(page.opened().base, done) if page.base == name else ""
            if first:
                st.button(
                    words("ui.import.read_first"),
                    icon=":material/menu_book:",
                    key="import.read",
                    on_click=_read,
                    args=(first,),
                )
            st.page_link("pages/coverage.py", label=words("ui.import.cover"), icon=":material/grid_view:")
            st.page_link("pages/compare.py", label=words("ui.import.ask"), icon=":material/view_column:")
            st.button(
                words("ui.import.put_away"),
                icon=":material/close:",
                type="tertiary",
                key="import.close",
                on_click=uploads.clear,
            )


def _first(base: KnowledgeBase, done: Brought) -> str:
    """The first passage of the first document that came in."""
    found = (base.of_document(outcome.document) for outcome in done.came)
    return next((passages[0].id for passages in found if passages), "")


def _read(passage: str) -> None:
    open_passage(passage)
    going.to_view("read")
