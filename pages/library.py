"""Library: read the knowledge base, search it, open a passage and see where it was cited."""

import streamlit as st

from core.errors import UsageError
from pages.parts import about, filling, reader, search
from pages.parts.frame import frame
from pages.parts.literal import inline

page = frame()
words = page.words
page.head.markdown(f"### {words('ui.library.title')}", anchors=False)
bench = page.bench()
base = bench.base
page.line(about.line(base, words))

if not base.passages:
    about.draw_empty(base, words)
    st.stop()

opened = None
if wanted := st.query_params.get("p"):
    try:
        opened = base.passage(wanted)
    except UsageError as unknown:
        st.warning(inline(words.say(unknown.say)), icon=":material/info:")

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
