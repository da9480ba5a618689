"""Reading a base: search it, read a section, open a passage, edit it."""

from __future__ import annotations

import streamlit as st

from core.bench import Bench
from core.domain import Passage
from core.errors import UsageError
from core.knowledge.base import KnowledgeBase
from pages.parts import about, filling, reader, search, sections
from pages.parts.frame import Frame
from pages.parts.library import bar, documents, drafting, editing, unsaved
from pages.parts.library.drafting import Work
from pages.parts.literal import inline


def draw(page: Frame, bench: Bench) -> None:
    """What there is to choose on the left, what is read beside it: the draft where there is one."""
    words = page.words
    work = drafting.current(page.base, bench.base)
    unsaved.draw(page, bench.base, work)
    bar.draw(page, bench, work)
    base = work.draft.after if work else bench.base
    if not sections.sections_of(base):
        about.draw_empty(base, words)
        documents.draw(page, bench, work, ())
        return
    opened = _opened(page, base)
    aside, main = st.columns([1, 2], gap="medium")
    with aside:
        query, way = search.ask(words)
        section = sections.choose(base, opened, words)
        filling_room = about.draw(bench, words)
    with main.container(width=reader.MEASURE + reader.GUTTER):
        if work and not work.clash:
            st.caption(f":material/edit_note: {words('ui.draft.reading')}")
        if opened:
            _passage(page, bench, work, opened, query)
        elif query:
            search.draw(drafting.bench_of(page, bench, work), query, way, words)
        else:
            held = dict.fromkeys(passage.document for passage in sections.sections_of(base)[section])
            with reader.draw_section(base, section, words):
                documents.draw(page, bench, work, list(held))
    if filling_room:
        filling.run(bench, filling_room, words)


def _passage(page: Frame, bench: Bench, work: Work | None, opened: Passage, query: str) -> None:
    tokeniser = bench.retriever.tokeniser
    base = work.draft.after if work else bench.base
    reader.draw_open(base, tokeniser, opened, query, page.words)
    editing.draw(page, bench, work, opened.id, opened.order < 0)
    reader.draw_more(page, tokeniser, opened)


def _opened(page: Frame, base: KnowledgeBase) -> Passage | None:
    """The passage that the address names; where there is none of that name, that is said."""
    wanted = st.query_params.get("p")
    if not wanted:
        return None
    for passage in base.disabled:
        if passage.id == wanted:
            return passage
    try:
        return base.passage(wanted)
    except UsageError as unknown:
        st.warning(inline(page.words.say(unknown.say)), icon=":material/info:")
        return None
