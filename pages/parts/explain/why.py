"""Why (not) this passage: its text, each mode's reason and what would have changed it, and the figures behind."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.domain import Passage
from core.explain.matrix import Cell, Row
from core.explain.passage import Explanation, explanation
from pages.parts.explain import figures, matrix, others, reasons, tryout
from pages.parts.explain.looking import DETAIL, arriving, held, mark, marks
from pages.parts.explain.view import View
from pages.parts.labels import unclear
from pages.parts.literal import inline
from pages.parts.sources import COLOURS, known, telling
from pages.parts.tabular import readable

_LONG = 900
"""Characters of a passage that are shown without a scroll of their own."""
_ARRIVE = st.components.v2.component(
    "explain_arrive",
    html="<div></div>\n<!-- where a choice made elsewhere is brought into view -->\n",
    js=Path(__file__).with_name("arrive.js").read_text(encoding="utf-8"),
)


def draw(view: View, chosen: str) -> None:
    """The panel of the chosen passage, above it a search for others; where none is chosen, how to choose."""
    if view.same:
        others.draw(view)
    _ARRIVE(key="explain.arrive", data={"move": arriving()}, height=1)
    words = view.words
    if not chosen:
        st.caption(f":material/touch_app: {words('ui.explain.why.choose')}")
    elif passage := _passage(view, chosen):
        with st.container(border=True, gap="small"):
            _panel(view, passage)
    else:
        st.warning(inline(words("ui.explain.why.unknown", id=chosen)), icon=":material/info:")


def _row(view: View, passage: str) -> Row | None:
    return next((row for row in view.matrix.rows if row.passage.id == passage), None)


def _passage(view: View, chosen: str) -> Passage | None:
    """The passage with this id: the base's own, else as it was recorded."""
    base = view.bench.base
    if view.same:
        return base.passage(chosen) if base.has(chosen) else None
    row = _row(view, chosen)
    return row.passage if row else None


def _panel(view: View, passage: Passage) -> None:
    words = view.words
    _head(view, passage)
    if not view.same:
        _recorded(view, passage)
        st.caption(words("ui.explain.why.record_only"))
        return
    with st.spinner(words("ui.explain.why.busy")):
        found = _explained(view, passage)
    reasons.draw(view, passage, found)
    st.markdown(f"**{reasons.conclusion(view, passage, found)}**")
    _details(view, passage, found)


def _explained(view: View, passage: Passage) -> Explanation:
    """The explanation, worked out once as long as no more passages have a vector."""
    return held(("why", passage.id, view.holds), lambda: explanation(view.bench, view.comparison, passage))


def _head(view: View, passage: Passage) -> None:
    words = view.words
    gold, marked = any(passage.id == each.id for each in view.gold), passage.id in marks()
    with st.container(horizontal=True, vertical_alignment="center"):
        title = words("ui.explain.why.title", title=inline(passage.title or passage.id))
        badge = f" :yellow-background[:small[{words('ui.explain.gold')}]]" if gold else ""
        doubt = unclear(passage, words)
        st.markdown(
            f"#### {title}{badge} :small[{doubt}]" if doubt else f"#### {title}{badge}", anchors=False, width="stretch"
        )
        if marked or not gold:
            st.button(
                words("ui.explain.unmark" if marked else "ui.explain.mark"),
                icon=":material/flag:",
                type="tertiary",
                key="explain.mark",
                on_click=mark,
                args=(passage.id,),
            )
        if view.same:
            st.page_link(
                "pages/library.py",
                label=words("ui.sources.open"),
                icon=":material/menu_book:",
                query_params={"p": passage.id},
                width="content",
            )
    st.caption(inline(" · ".join([passage.section, passage.id, *known(passage, words)])))
    tokeniser = view.bench.retriever.tokeniser
    spans = tokeniser.spans(passage.text, telling(tokeniser.query(view.comparison.question)))
    with st.container(height=240 if len(passage.text) > _LONG else "content", border=False):
        st.markdown(readable(passage.text, spans))


def _recorded(view: View, passage: Passage) -> None:
    """What the record tells of a passage in each run."""
    words = view.words
    row = _row(view, passage.id)
    for place, (run, colour) in enumerate(zip(view.comparison.runs, COLOURS, strict=False)):
        told = matrix.told(row.cells[place] if row else Cell(), words)
        st.markdown(f":{colour}[**{inline(words.mode(run.mode))}**] {inline(told)}")


def _details(view: View, passage: Passage, found: Explanation) -> None:
    """The figures behind the sentences, one kind at a time."""
    words = view.words
    queries = {mode: why.queries for mode, why in found.modes.items() if why.queries}
    kinds = ["terms", "meaning", *(["queries"] if queries else []), "tryout"]
    if st.session_state.get(DETAIL) not in kinds:
        st.session_state[DETAIL] = kinds[0]
    kind = st.segmented_control(
        words("ui.explain.detail.label"),
        kinds,
        format_func=lambda name: words(f"ui.explain.detail.{name}"),
        key=DETAIL,
        required=True,
        label_visibility="collapsed",
        persist_state="session",
        wrap=True,
    )
    if kind == "tryout":
        tryout.draw(view, passage)
    elif kind == "queries":
        figures.draw_queries(view, passage, queries)
    elif kind == "meaning":
        figures.draw_meaning(found, words)
    else:
        figures.draw_terms(found.terms, found.unlike, words)
