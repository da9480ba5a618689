"""Library: read a knowledge base and mend it, bring files in, look at its history, keep the shelf."""

import streamlit as st

from pages.parts import about, addressed
from pages.parts.frame import frame
from pages.parts.library import bases, history, importing, reading

VIEWS = {
    "read": ":material/menu_book:",
    "import": ":material/upload_file:",
    "history": ":material/history:",
    "shelf": ":material/shelves:",
}

page = frame()
words = page.words
view = addressed.choice(
    "view", VIEWS, lambda view: f"{VIEWS[view]} {words(f'ui.library.{view}')}", words("ui.library.view")
)
title = words("ui.library.title" if view == "read" else f"ui.library.title_{view}")
page.head.markdown(f"### {title}", anchors=False)
if view == "shelf":  # also where the base itself cannot be opened
    bases.draw(page)
elif view == "import":
    importing.draw(page)
else:
    bench = page.bench()
    page.line(about.line(bench.base, words), still=view != "read" or "p" in st.query_params)
    if view == "history":
        history.draw(page, bench)
    else:
        reading.draw(page, bench)
