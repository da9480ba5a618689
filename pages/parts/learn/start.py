"""The start of the Learn page: a card for each topic."""

from __future__ import annotations

import streamlit as st

from core.words import Words
from pages.parts.learn.learner import go
from pages.parts.literal import inline

TOPICS = {"lesson": "school", "failures": "troubleshoot", "blind": "visibility_off", "playback": "slow_motion_video"}
"""The topics with their icons, in the order of their cards."""


def draw(words: Words, unknown: str) -> None:
    """The cards; above them a word on an address that names no topic."""
    if unknown:
        st.warning(inline(words("ui.learn.unknown", topic=unknown)), icon=":material/info:")
    topics = list(TOPICS)
    for pair in (topics[:2], topics[2:]):
        for box, topic in zip(st.columns(2), pair, strict=True):
            with box.container(border=True, height="stretch", gap="small"):
                st.subheader(f":material/{TOPICS[topic]}: {words(f'ui.learn.topic_{topic}')}", anchor=False)
                st.markdown(words(f"ui.learn.about_{topic}"))
                st.space("stretch")
                st.button(
                    words(f"ui.learn.open_{topic}"),
                    icon=":material/arrow_forward:",
                    icon_position="right",
                    key=f"topic.{topic}",
                    on_click=go,
                    args=(topic,),
                )


def back(words: Words) -> None:
    """The way back to the cards."""
    with st.container(horizontal=True):
        st.button(words("ui.learn.all"), icon=":material/arrow_back:", type="tertiary", key="topics", on_click=go)
