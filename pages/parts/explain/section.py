"""Explain: below a finished comparison, why each mode found or missed a passage."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from core.bench import Bench
from core.domain import Passage
from core.errors import WorkbenchError
from core.explain.budget import at_budget
from core.explain.gold import gold_of, known_question
from core.runs import Comparison
from core.words import Words
from pages.parts import form
from pages.parts.explain import finding, flow, matrix, overlap, timeline, why
from pages.parts.explain.looking import BUDGET, held, look
from pages.parts.explain.view import View
from pages.parts.frame import Frame
from pages.parts.literal import inline, shown

PARTS: Mapping[str, Callable[[View, str], None]] = {
    "matrix": matrix.draw,
    "flow": lambda view, chosen: flow.draw(view),
    "timeline": lambda view, chosen: timeline.draw(view),
    "overlap": lambda view, chosen: overlap.draw(view),
}


def draw(page: Frame, bench: Bench, comparison: Comparison) -> None:
    """The whole section, in one container: what is below the columns is counted where a live race clears it."""
    words = page.words
    same = comparison.base == bench.info
    with st.container(gap="small"):
        st.subheader(words("ui.explain.title"), anchor="explain")
        if not same:
            _changed(comparison, bench, words)
        _area(bench, comparison, words, same)


@st.fragment
def _area(bench: Bench, comparison: Comparison, words: Words, same: bool) -> None:
    """What a click within the section draws anew; the columns above stay as they are."""
    looking = look(comparison)
    gold = _gold(bench, comparison)
    recorded = View(comparison, gold, words, bench, same)
    room = st.container(gap="xsmall")
    part, k = _switches(recorded)
    view = _at(recorded, k)
    with room:
        finding.draw(view, looking.passage)
        _aim(recorded)
    PARTS[part](view, looking.passage)
    why.draw(view, looking.passage)


def _changed(comparison: Comparison, bench: Bench, words: Words) -> None:
    """That the base is another one by now, or has changed since, and how to ask it again."""
    then, now = comparison.base, bench.info
    code = "other" if then.name != now.name else "edited" if then.version != now.version else "tokeniser"
    values = {"then": then.title, "now": now.title, "old": then.version, "new": now.version}
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/history: {inline(words(f'ui.explain.base.{code}', **values))}", width="stretch")
        st.button(
            words("ui.explain.base.again"),
            icon=":material/refresh:",
            key="explain.again",
            on_click=form.send,
            args=(comparison.question,),
        )


def _marks(comparison: Comparison) -> str:
    return f"explain.marks.{comparison.id}"


def _gold(bench: Bench, comparison: Comparison) -> tuple[Passage, ...]:
    """The gold of the base's own question sets, else what the reader marked."""
    if comparison.base.name != bench.base.name:
        known: tuple[Passage, ...] = ()
    else:
        known = gold_of(bench.base, comparison.question)
    if known:
        return known
    marked = set(st.session_state.get(_marks(comparison)) or ())
    touched = {passage.id: passage for run in comparison.runs for step in run.steps for passage in step.touched}
    return tuple(passage for id, passage in touched.items() if id in marked)


def _aim(view: View) -> None:
    """Where the gold comes from; in no question set, the reader may mark what should have been found."""
    words, comparison = view.words, view.comparison
    base = view.bench.base
    question = known_question(base, comparison.question) if comparison.base.name == base.name else None
    if question is not None and question.gold:
        return
    code = "gold_marked" if view.gold else "gold_known_none" if question else "gold_unknown"
    touched = {row.passage.id: row.passage for row in view.matrix.rows}
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(words(f"ui.explain.{code}"), width="content")
        if not touched:
            return
        with st.popover(words("ui.explain.mark"), icon=":material/flag:", type="tertiary"):
            st.multiselect(
                words("ui.explain.mark_label"),
                list(touched),
                format_func=lambda id: shown(f"{touched[id].title} · {touched[id].section}"),
                key=_marks(comparison),
                placeholder=words("ui.explain.mark_placeholder"),
                persist_state="session",
            )


def _switches(view: View) -> tuple[str, int]:
    """Which part is shown, and at which evidence budget."""
    words = view.words
    with st.container(horizontal=True, vertical_alignment="bottom"):
        part = st.segmented_control(
            words("ui.explain.part.label"),
            list(PARTS),
            default="matrix",
            format_func=lambda name: words(f"ui.explain.part.{name}"),
            key="explain.part",
            required=True,
            persist_state="session",
            wrap=True,
        )
        k = st.segmented_control(
            words("ui.explain.budget.label"),
            form.BUDGETS,
            format_func=lambda k: words("ui.form.budget_k", k=k) if k else words("ui.form.budget_own"),
            key=BUDGET,
            required=True,
            disabled=not view.same,
            help=words("ui.explain.budget.help" if view.same else "ui.explain.budget.only_same"),
            persist_state="session",
            wrap=True,
        )
    return part if part in PARTS else "matrix", k or 0


def _at(view: View, k: int) -> View:
    """The view at an equal budget of `k` passages; 0: as recorded."""
    if not k or not view.same:
        return view
    words = view.words
    try:
        with st.spinner(words("ui.explain.budget.busy", k=k)):
            cut = held(("budget", k), lambda: at_budget(view.bench, view.comparison, k))
    except WorkbenchError as refused:
        st.warning(inline(words.say(refused.say)), icon=":material/info:")
        return view
    st.caption(f":material/balance: {words('ui.explain.budget.note', k=k)}")
    return View(cut, view.gold, words, view.bench, view.same, k)
