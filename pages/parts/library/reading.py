"""Reading a base: search it, read a section, open a passage, edit it."""

from __future__ import annotations

import streamlit as st

from core.bench import Bench
from core.domain import Passage
from core.errors import UsageError
from pages.parts import about, filling, reader, search
from pages.parts.frame import Frame
from pages.parts.literal import inline


def draw(page: Frame, bench: Bench) -> None:
    """What there is to choose on the left, what is read beside it."""
    base, words = bench.base, page.words
    if not base.passages:
        about.draw_empty(base, words)
        return
    opened = _opened(page, bench)
    aside, main = st.columns([2, 5], gap="large")
    with aside:
        query, way = search.ask(words)
        section = reader.choose(base, opened, words)
        filling_room = about.draw(bench, words)
    with main.container(width=reader.MEASURE + reader.GUTTER):
        if opened:
            reader.draw_open(page, bench, opened, query)
        elif query:
            search.draw(bench, query, way, words)
        else:
            reader.draw_section(base, section, words)
    if filling_room:
        filling.run(bench, filling_room, words)


def _opened(page: Frame, bench: Bench) -> Passage | None:
    """The passage that the address names; where there is none of that name, that is said."""
    wanted = st.query_params.get("p")
    if not wanted:
        return None
    try:
        return bench.base.passage(wanted)
    except UsageError as unknown:
        st.warning(inline(page.words.say(unknown.say)), icon=":material/info:")
        return None
