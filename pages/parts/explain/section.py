"""Explain: below a finished comparison, why each mode found or missed a passage."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

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
from pages.parts.explain.looking import BUDGET, held, look, mark
from pages.parts.explain.view import View
from pages.parts.frame import Frame
from pages.parts.labels import named, unclear
from pages.parts.literal import inline

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
    gold = _gold(bench, comparison, looking.marks)
    recorded = View(comparison, gold, words, bench, same)
    room = st.container(gap="xsmall")
    part, k = _switches(recorded)
    view = _at(recorded, k)
    with room:
        finding.draw(view, looking.passage)
        _aim(recorded, looking.marks)
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


def _known(bench: Bench, comparison: Comparison) -> tuple[Passage, ...]:
    """The gold of the base's own question sets."""
    return gold_of(bench.base, comparison.question) if comparison.base.name == bench.base.name else ()


def _gold(bench: Bench, comparison: Comparison, marks: Sequence[str]) -> tuple[Passage, ...]:
    """The gold of the base's own question sets, and what the reader marked beside it."""
    found = {passage.id: passage for passage in _known(bench, comparison)}
    recorded = {id: passage for run in comparison.runs for id, passage in run.touched.items()}
    for id in marks:
        if id in recorded or bench.base.has(id):
            found.setdefault(id, recorded.get(id) or bench.base.passage(id))
    return tuple(found.values())


def _aim(view: View, marks: Sequence[str]) -> None:
    """Where the gold comes from, and each mark of the reader, which a tap takes away."""
    words, comparison, base = view.words, view.comparison, view.bench.base
    known = known_question(base, comparison.question) if comparison.base.name == base.name else None
    code = "gold_beside" if known and known.gold else "gold_marked"
    if not marks:
        if not (known and known.gold):
            st.caption(words("ui.explain.gold_known_none" if known else "ui.explain.gold_unknown"))
        return
    marked = [passage for passage in view.gold if passage.id in marks]
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption(words(f"ui.explain.{code}"), width="content")
        for passage in marked:
            st.button(
                named(passage, mark=unclear(passage, words)),
                icon=":material/close:",
                key=f"explain.unmark.{passage.id}",
                help=words("ui.explain.unmark"),
                on_click=mark,
                args=(passage.id,),
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
            cut = held(("budget", k, view.holds), lambda: at_budget(view.bench, view.comparison, k))
    except WorkbenchError as refused:
        st.warning(inline(words.say(refused.say)), icon=":material/info:")
        return view
    st.caption(f":material/balance: {words('ui.explain.budget.note', k=k)}")
    return View(cut, view.gold, words, view.bench, view.same, k)
