"""Why (not) this passage: its text, each mode's reason and what would have changed it, and the figures behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from core.domain import Passage
from core.explain.matrix import Cell, Row
from core.explain.passage import Explanation, explanation
from core.modes import Why
from core.runs import Run
from core.words import Words
from pages.parts.charts import spaced
from pages.parts.explain import figures, matrix, tryout
from pages.parts.explain.looking import FIND, arriving, choose, held, mark, marks
from pages.parts.explain.view import View
from pages.parts.literal import highlighted, inline
from pages.parts.sources import COLOURS, named, telling, unclear

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
    """The panel of the chosen passage, above it a search for others; where none is chosen, how to choose."""
    if view.same:
        _others(view)
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
    _reasons(view, passage, found)
    st.markdown(f"**{_conclusion(view, passage, found)}**")
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
    st.caption(inline(f"{passage.section} · {passage.id}"))
    tokeniser = view.bench.retriever.tokeniser
    spans = tokeniser.spans(passage.text, telling(tokeniser.query(view.comparison.question)))
    with st.container(height=240 if len(passage.text) > _LONG else "content", border=False):
        st.markdown(highlighted(passage.text, spans))


def _reasons(view: View, passage: Passage, found: Explanation) -> None:
    """What holds for every mode, each mode's sentence in its colour, and below what would have changed it."""
    words = view.words
    for say in found.marks:
        if say.code in _MARKS:
            st.markdown(f":material/{_MARKS[say.code]}: {inline(words.say(say))}")
    for run, colour in zip(view.comparison.runs, COLOURS, strict=False):
        why = found.modes[run.mode]
        sign = ":material/check: " if run.gave(passage.id) else ":material/close: "
        with st.container(gap=None):
            st.markdown(f":{colour}[{sign}**{inline(words.mode(run.mode))}**] — {inline(words.say(why.sentence))}")
            if why.remedy and not _shut(why):
                _remedy(view, run, why)
    if shut := next(((run, why) for run in view.comparison.runs if _shut(why := found.modes[run.mode])), None):
        _remedy(view, *shut)


_MARKS = {"exact.named": "my_location", "confidence.lowered": "blur_on"}
"""Icons of what holds for every mode; that filters shut it out is every mode's own sentence already."""


def _shut(why: Why) -> Sequence[str]:
    """The filters that keep the passage from a mode, which are the same for all: what to do is said once."""
    found: Sequence[str] = why.facts.get("filtered", ())
    return found


def _remedy(view: View, run: Run, why: Why) -> None:
    """What would have changed it; where that is a setting or a filter, one tap tries it."""
    words = view.words
    assert why.remedy is not None
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        remedy = words("ui.explain.why.remedy", remedy=words.say(why.remedy))
        st.markdown(f":gray[:material/build: {inline(remedy)}]", width="content")
        if why.settings or _shut(why):
            st.button(
                words("ui.explain.why.try"),
                icon=":material/science:",
                key=f"explain.remedy.{run.mode}",
                on_click=_try,
                args=(view, {name: why.remedy.values[name] for name in why.settings}, _shut(why)),
            )


def _try(view: View, values: Mapping[str, Any], without: Sequence[str]) -> None:
    tryout.fill(view, values, without)
    st.session_state[_DETAIL] = "tryout"


def _recorded(view: View, passage: Passage) -> None:
    """What the record tells of a passage in each run."""
    words = view.words
    row = _row(view, passage.id)
    for place, (run, colour) in enumerate(zip(view.comparison.runs, COLOURS, strict=False)):
        told = matrix.told(row.cells[place] if row else Cell(), words)
        st.markdown(f":{colour}[**{inline(words.mode(run.mode))}**] {inline(told)}")


def _conclusion(view: View, passage: Passage, found: Explanation) -> str:
    """Who gave the passage to the writer and who did not, and what kept it from these, in one sentence."""
    words, runs = view.words, view.comparison.runs
    gave = [run for run in runs if run.gave(passage.id)]
    missed = [run for run in runs if not run.gave(passage.id)]
    code = "both" if gave and missed else "all" if gave else "none"
    values = {"gave": _named(gave, words), "missed": _named(missed, words), "count": len(missed)}
    told = words(f"ui.explain.why.{code}", title=passage.title or passage.id, **values)
    if missed:
        first = missed[0].mode
        told = (
            words("ui.explain.why.because", told=told, reason=words.say(found.missed))
            if found.missed
            else words(
                "ui.explain.why.first", told=told, mode=words.mode(first), reason=words.say(found.modes[first].sentence)
            )
        )
    return inline(spaced(told) if words.language == "zh" else told)


def _named(runs: Sequence[Run], words: Words) -> str:
    """The names of modes as a sentence lists them."""
    names = [words.mode(run.mode) for run in runs]
    return words("ui.explain.why.and", names=names[:-1], last=names[-1]) if len(names) > 1 else "".join(names)


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
        figures.draw_queries(view, passage, queries)
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
