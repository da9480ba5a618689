"""Coverage: which passages a question set reaches, which it does not, and what is wrong with the base."""

import streamlit as st

from pages.parts import about
from pages.parts.coverage import (
    asking,
    checking,
    health,
    map,
    missed,
    needles,
    pairs,
    remembering,
    summary,
    unreached,
    work,
)
from pages.parts.coverage.view import View
from pages.parts.frame import frame
from pages.parts.told import told

LOOKS = {
    "map": ":material/grid_view:",
    "missed": ":material/rule:",
    "unreached": ":material/visibility_off:",
    "needles": ":material/search_insights:",
    "pairs": ":material/compare_arrows:",
    "health": ":material/health_and_safety:",
}

page = frame()
words = page.words
page.head.markdown(f"### {words('ui.coverage.title')}", anchors=False)
bench = page.bench()
page.line(about.line(bench.base, words), still=True)
known = remembering.follow(page, bench)
told(work.PLACE, words)
if not bench.base.passages:
    about.draw_empty(bench.base, words)
    st.stop()

found = asking.asked(bench, known)
view = View(page, known.base, known, known.found) if known.found and known.base else None
checked = checking.checked(page, bench, found, known)
page.head.markdown(f"### {summary.title(view, words)}", anchors=False)
summary.draw(view, checked, words)
if view:
    summary.dated(view, list(remembering.changes(known, bench, found)))
    summary.cautions(view, words)
with st.expander(words("ui.coverage.again"), icon=":material/tune:") if view else st.container(border=True):
    begin = asking.draw(page, bench, found, known)
body = st.empty()
if begin:
    body.empty()
    asking.run(page, bench, found.questions)
with body.container():
    look = st.segmented_control(
        words("ui.coverage.look"),
        list(LOOKS),
        default="map",
        format_func=lambda name: f"{LOOKS[name]} {words(f'ui.coverage.look_{name}')}",
        key="coverage.look",
        required=True,
        persist_state="session",
        label_visibility="collapsed",
        wrap=True,
    )
    if look == "needles":
        needles.draw(page, bench, found, known)
    elif look in ("pairs", "health"):
        if checked is None:
            checking.offer(page, bench, found)
        elif look == "pairs":
            pairs.draw(page, bench, checked.pairs, known.seen)
        else:
            health.draw(page, bench.base, checked.health)
    elif view is None:
        st.info(words(f"ui.coverage.{'nothing_yet' if found.questions else 'no_set_yet'}"), icon=":material/info:")
    elif look == "missed":
        missed.draw(view)
    elif look == "unreached":
        unreached.draw(view)
    else:
        map.draw(page, view.base, view.found)
