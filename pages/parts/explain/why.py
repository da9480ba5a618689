"""Why (not) this passage: its text, each mode's reason and what would have changed it, and the figures behind."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from core.domain import Passage
from core.explain.matrix import Cell, Row
from core.explain.passage import Explanation, explanation
from core.modes import Why
from core.runs import Run
from pages.parts.explain import figures, matrix, tryout
from pages.parts.explain.looking import FIND, arriving, choose, held
from pages.parts.explain.view import View
from pages.parts.literal import highlighted, inline
from pages.parts.sources import COLOURS, named, telling

_DETAIL = "explain.detail"
_FOUND = 10
"""Passages offered for what was typed."""
_LONG = 900
"""Characters of a passage that are shown without a scroll of their own."""
_ARRIVE = st.components.v2.component(
    "explain_arrive",
    html="<div></div>\n<!-- where a choice made elsewhere is brought into view -->\n",
    js=Path(__file__).with_name("arrive.js").read_text(encoding="utf-8"),
)


def draw(view: View, chosen: str) -> None:
    """The panel of the chosen passage; where none is chosen, how to choose."""
    _ARRIVE(key="explain.arrive", data={"move": arriving()}, height=1)
    words = view.words
    if not chosen:
        st.caption(f":material/touch_app: {words('ui.explain.why.choose')}")
    elif passage := _passage(view, chosen):
        with st.container(border=True, gap="small"):
            _panel(view, passage)
    else:
        st.warning(inline(words("ui.explain.why.unknown", id=chosen)), icon=":material/info:")
    if view.same:
        _others(view)


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
    _reasons(view, passage, found)
    st.markdown(f"**{_conclusion(view, passage)}**")
    _details(view, passage, found)


def _explained(view: View, passage: Passage) -> Explanation:
    """The explanation, worked out once as long as no more passages have a vector."""
    vectors = view.bench.retriever.vectors
    name = ("why", passage.id, view.budget, vectors.filled if vectors else None)
    return held(name, lambda: explanation(view.bench, view.comparison, passage))


def _head(view: View, passage: Passage) -> None:
    words = view.words
    gold = any(passage.id == each.id for each in view.gold)
    with st.container(horizontal=True, vertical_alignment="center"):
        title = words("ui.explain.why.title", title=inline(passage.title or passage.id))
        mark = f" :yellow-background[:small[{words('ui.explain.gold')}]]" if gold else ""
        st.markdown(f"#### {title}{mark}", anchors=False, width="stretch")
        if view.same:
            st.page_link(
                "pages/library.py",
                label=words("ui.sources.open"),
                icon=":material/menu_book:",
                query_params={"p": passage.id},
                width="content",
            )
    st.caption(inline(f"{passage.section} · {passage.id}"))
    tokeniser = view.bench.retriever.tokeniser
    spans = tokeniser.spans(passage.text, telling(tokeniser.query(view.comparison.question)))
    with st.container(height=240 if len(passage.text) > _LONG else "content", border=False):
        st.markdown(highlighted(passage.text, spans))


def _reasons(view: View, passage: Passage, found: Explanation) -> None:
    """Each mode's sentence in its colour, and below what would have changed it."""
    words = view.words
    for run, colour in zip(view.comparison.runs, COLOURS, strict=False):
        why = found.modes[run.mode]
        mark = ":material/check: " if run.gave(passage.id) else ":material/close: "
        with st.container(gap=None):
            st.markdown(f":{colour}[{mark}**{inline(words.mode(run.mode))}**] {inline(words.say(why.sentence))}")
            if why.remedy:
                _remedy(view, run, why)


def _remedy(view: View, run: Run, why: Why) -> None:
    """What would have changed it; where that is a setting, one tap tries it."""
    words = view.words
    assert why.remedy is not None
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":gray[:material/build: {inline(words.say(why.remedy))}]", width="content")
        if why.settings:
            st.button(
                words("ui.explain.why.try"),
                icon=":material/science:",
                key=f"explain.remedy.{run.mode}",
                on_click=_try,
                args=(view.comparison.id, {name: why.remedy.values[name] for name in why.settings}),
            )


def _try(comparison: str, values: Mapping[str, Any]) -> None:
    tryout.fill(comparison, values)
    st.session_state[_DETAIL] = "tryout"


def _recorded(view: View, passage: Passage) -> None:
    """What the record tells of a passage in each run."""
    words = view.words
    row = _row(view, passage.id)
    for place, (run, colour) in enumerate(zip(view.comparison.runs, COLOURS, strict=False)):
        told = matrix.told(row.cells[place] if row else Cell(), words)
        st.markdown(f":{colour}[**{inline(words.mode(run.mode))}**] {inline(told)}")


def _conclusion(view: View, passage: Passage) -> str:
    """Who gave the passage to the writer and who did not, in one sentence."""
    words, runs = view.words, view.comparison.runs
    gave = words.join([inline(words.mode(run.mode)) for run in runs if run.gave(passage.id)])
    missed = words.join([inline(words.mode(run.mode)) for run in runs if not run.gave(passage.id)])
    code = "both" if gave and missed else "all" if gave else "none"
    title = inline(passage.title or passage.id)
    return words(f"ui.explain.why.{code}", title=title, gave=gave, missed=missed)


def _details(view: View, passage: Passage, found: Explanation) -> None:
    """The figures behind the sentences, one kind at a time."""
    words = view.words
    queries = {mode: why.queries for mode, why in found.modes.items() if why.queries}
    kinds = ["terms", "meaning", *(["queries"] if queries else []), "tryout"]
    if st.session_state.get(_DETAIL) not in kinds:
        st.session_state[_DETAIL] = kinds[0]
    kind = st.segmented_control(
        words("ui.explain.detail.label"),
        kinds,
        format_func=lambda name: words(f"ui.explain.detail.{name}"),
        key=_DETAIL,
        required=True,
        label_visibility="collapsed",
        persist_state="session",
        wrap=True,
    )
    if kind == "tryout":
        tryout.draw(view, passage)
    elif kind == "queries":
        figures.draw_queries(view, queries)
    elif kind == "meaning":
        figures.draw_meaning(found, words)
    else:
        figures.draw_terms(found.terms, found.unlike, words)


def _others(view: View) -> None:
    """A search by id, title or text, so that passages which no mode touched can be explained too."""
    words = view.words
    typed = st.text_input(
        words("ui.explain.others.label"),
        key=FIND,
        placeholder=words("ui.explain.others.placeholder"),
        icon=":material/search:",
        width=420,
    )
    wanted = (typed or "").strip()
    if not wanted:
        return
    found = _matching(view, wanted)
    with st.container(gap="xsmall"):
        if not found:
            st.caption(words("ui.explain.others.none"))
        for passage in found:
            st.button(
                named(passage),
                key=f"explain.other.{passage.id}",
                type="tertiary",
                on_click=choose,
                args=(passage.id,),
                wrap=True,
            )


def _matching(view: View, wanted: str) -> list[Passage]:
    """At most ten passages: those with this id, then by id or title, then by their text."""
    passages, small = view.bench.base.passages, wanted.casefold()
    by_name: list[Passage] = []
    by_text: list[Passage] = []
    for passage in passages:
        if len(by_name) == _FOUND:
            break
        if small in passage.id.casefold() or small in passage.title.casefold():
            by_name.append(passage)
        elif len(by_text) < _FOUND and small in passage.text.casefold():
            by_text.append(passage)
    return (
        sorted(by_name, key=lambda passage: passage.id.casefold() != small)[:_FOUND] + by_text[: _FOUND - len(by_name)]
    )
