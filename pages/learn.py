"""Learn: a guided lesson, the classes of failure, a blind vote, and playback of what was kept."""

import streamlit as st

from pages.parts.frame import frame
from pages.parts.learn import blind, failures, lesson, playback, start

_DRAW = {"lesson": lesson.draw, "failures": failures.draw, "blind": blind.draw, "playback": playback.draw}

page = frame()
words = page.words
topic = st.query_params.get("topic", "")
known = topic in start.TOPICS
page.head.markdown(f"### {words(f'ui.learn.topic_{topic}') if known else words('ui.learn.title')}", anchors=False)
bench = page.bench()
page.line(words(f"ui.learn.about_{topic}") if known else words("ui.learn.lead"))
if known:
    start.back(words)
    _DRAW[topic](page, bench)
else:
    start.draw(words, topic)
