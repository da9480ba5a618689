"""After the last lesson: how far the reader has come, and where to go from there."""

from __future__ import annotations

import streamlit as st

from core.words import Words
from pages.parts.learn.learner import go
from pages.parts.learn.start import TOPICS

_NEXT = ("failures", "blind")
"""The topics that follow a lesson well."""


def draw(done: int, lessons: int, words: Words) -> None:
    """What is left of the lessons, and what else can be tried."""
    with st.container(border=True):
        st.subheader(words("ui.lesson.end" if done == lessons else "ui.lesson.end_some"), anchor=False)
        left = "" if done == lessons else f"{words('ui.lesson.left', left=lessons - done)} "
        st.markdown(f"{left}{words('ui.lesson.onward')}")
        with st.container(horizontal=True, vertical_alignment="center"):
            for topic in _NEXT:
                label = words(f"ui.learn.topic_{topic}")
                icon = f":material/{TOPICS[topic]}:"
                st.button(label, icon=icon, key=f"then.{topic}", on_click=go, args=(topic,))
            st.page_link("pages/compare.py", label=words("ui.lesson.own"), icon=":material/view_column:")
