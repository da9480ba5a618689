"""The question and how it is put.

What is typed or chosen is kept at once, also for a reader who looks at another page first. None of it disturbs a race
under way: the question waits until it is over, and the settings are a fragment, which waits for the script's end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.bench import Bench
from core.domain import Parameter
from core.knowledge.questions import Question
from core.knowledge.sentences import columns
from core.knowledge.shelf import questions
from core.modes import Mode, choose, registry
from core.runs import Comparison
from core.words import Words
from pages.parts import filtering, presenter
from pages.parts.desk import Order, look, put
from pages.parts.literal import inline, short

BUDGETS = (0, 5, 10)
"""Evidence budgets on offer; 0 stands for each mode's own."""
_SHORT = 52
"""Columns of type that a question takes on the button of an example."""
_FEW = 5
"""Examples of a base that marks none of its questions as such."""


def draw(bench: Bench, words: Words, *, first: bool) -> None:
    """Draw the fields and the examples (open on a `first` visit); sending lays an order on the desk for the next run.

    Presenter view has no form.
    """
    _defaults(bench, words)
    if presenter.on() and not first:
        return
    filtering.settle(filtering.COMPARE, bench.base, words)
    order = look().order
    _question(words, order)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _settings(bench, words, order)
        run = f":primary[**{words('ui.form.run')}**]"  # a primary button's text is white, too faint on dark's gold
        st.button(run, icon=":material/play_arrow:", on_click=send, key="run")
    _examples(bench, words, first)


def _defaults(bench: Bench, words: Words) -> None:
    """First values of the widgets: from the address, else the ordinary ones; what it names wrongly is said."""
    given = st.query_params
    named = [mode for mode in given.get("modes", "").split(",") if mode]
    modes = [mode for mode in named if mode in registry()]
    k = given.get("k", "")
    if unknown := [mode for mode in named if mode not in registry()]:
        st.warning(inline(words("mode.unknown", mode=unknown, known=list(registry()))), icon=":material/info:")
    if k and k not in map(str, BUDGETS):
        values = {"name": "k", "choices": BUDGETS[1:], "value": k}
        st.warning(inline(words("parameter.choice", **values)), icon=":material/info:")
    st.session_state.setdefault("question", given.get("q", ""))
    st.session_state.setdefault("modes", modes[:4] or [mode.id for mode in choose()])
    st.session_state.setdefault("budget", int(k) if k in map(str, BUDGETS) else 0)
    exact = filtering.exact_named()
    st.session_state.setdefault(filtering.EXACT, bench.settings.exact if exact is None else exact)
    filtering.begin()


def _question(words: Words, order: Order | None) -> None:
    """The question; while one is being answered that one stands there, so that typing does not end the race."""
    label, height = words("ui.form.question"), 88
    if order:
        st.text_area(label, order.question, height, key="question.asked", disabled=True)
        return
    placeholder = words("ui.form.placeholder")
    st.text_area(label, key="question", height=height, placeholder=placeholder, persist_state="session")


@st.fragment
def _settings(bench: Bench, words: Words, order: Order | None) -> None:
    """What can be set, in a row below the filters in force; `order` lay on the desk when the page was drawn.

    A click on a button while a number is being typed runs this fragment alone (Streamlit 1.67), though the button is
    none of it; the order that the click laid is then seen here.
    """
    if look().order not in (None, order):
        st.rerun()
    with st.container(gap="small"):
        filtering.draw_active(filtering.COMPARE, bench.base, words)
        with st.container(horizontal=True, vertical_alignment="bottom", width="content"):
            _choices(words)
            with st.popover(words("ui.form.more"), icon=":material/tune:"):
                _more(bench, words)
            filtering.address(bench.settings.exact)


def _choices(words: Words) -> None:
    st.pills(
        words("ui.form.modes"),
        list(registry()),
        selection_mode="multi",
        format_func=words.mode,
        key="modes",
        persist_state="session",
        wrap=True,
    )
    st.segmented_control(
        words("ui.form.budget"),
        BUDGETS,
        format_func=lambda k: words("ui.form.budget_k", k=k) if k else words("ui.form.budget_own"),
        key="budget",
        required=True,
        help=words("ui.form.budget_help"),
        persist_state="session",
        wrap=True,
    )


def _more(bench: Bench, words: Words) -> None:
    st.toggle(
        words("ui.form.one_by_one"), key="one_by_one", help=words("ui.form.one_by_one_help"), persist_state="session"
    )
    st.toggle(words("ui.form.retrieval_only"), key="retrieval_only", persist_state="session")
    st.toggle(
        words("ui.filters.exact"), key=filtering.EXACT, help=words("ui.filters.exact_help"), persist_state="session"
    )
    filtering.draw_fields(filtering.COMPARE, bench.base, words)
    for mode in registry().values():
        _parameters(mode, words)


def _parameters(mode: Mode, words: Words) -> None:
    if mode.parameters:
        st.markdown(f"**{inline(words.mode(mode.id))}**")
        st.caption(inline(words.mode(mode.id, "about")))
    for parameter in mode.parameters:
        _parameter(_key(mode, parameter), words.mode(mode.id, parameter.name) or parameter.name, parameter)


def _parameter(key: str, label: str, parameter: Parameter) -> None:
    """The widget that fits a parameter: its choices, a switch, or a number within its bounds."""
    st.session_state.setdefault(key, parameter.default)
    label = inline(label)
    if parameter.choices:
        st.selectbox(label, parameter.choices, key=key, persist_state="session")
    elif isinstance(parameter.default, bool):
        st.toggle(label, key=key, persist_state="session")
    elif isinstance(parameter.default, int):
        low, high = (None if bound is None else int(bound) for bound in (parameter.low, parameter.high))
        st.number_input(label, low, high, step=1, key=key, persist_state="session")
    elif isinstance(parameter.default, float):
        st.number_input(label, parameter.low, parameter.high, key=key, persist_state="session")
    else:
        st.text_input(label, key=key, persist_state="session")


def _key(mode: Mode, parameter: Parameter) -> str:
    return f"set.{mode.id}.{parameter.name}"


def _examples(bench: Bench, words: Words, first: bool) -> None:
    """The first question of each `demo:` tag of the base's own questions, asked with one tap.

    On a `first` visit they stand open: a fold that closed when one is tapped would move the columns for a while.
    """
    asked = questions(bench.base).questions
    shown = examples(asked)
    found = shown or _own(asked)
    if not found:
        return
    title = words("ui.form.examples" if shown else "ui.form.own_examples")
    if first:
        st.caption(title)
    with (st.container() if first else st.expander(title, type="compact")).container(horizontal=True, gap="xsmall"):
        for tag, question in found.items():
            text = question.question
            kind = f":small[:gray[{inline(_kind(question.kind, words))}]] " if question.kind else ""
            st.button(
                f"{kind}{inline(short(text, _SHORT))}",
                key=f"example.{tag}",
                help=inline(text),
                on_click=send,
                args=(text,),
            )


def _kind(kind: str, words: Words) -> str:
    """A kind of question in words; one of a base's own stands as it is."""
    code = f"ui.kind.{kind}"
    text = words(code)
    return kind if text == code else text


def examples(found: tuple[Question, ...]) -> Mapping[str, Question]:
    """The first question of each tag that begins with `demo:`, by tag in file order."""
    first: dict[str, Question] = {}
    for question in found:
        for tag in question.tags:
            if tag.startswith("demo:"):
                first.setdefault(tag, question)
    return first


def _own(found: tuple[Question, ...]) -> Mapping[str, Question]:
    """The first few questions of a set without such tags, short ones before those that a button cannot show whole."""
    short_first = sorted(found, key=lambda question: columns(question.question) > _SHORT)
    return {question.id: question for question in short_first[:_FEW]}


def send(question: str | None = None, **changes: Any) -> None:
    """Lay what the widgets hold on the desk as an order; `question` replaces the text in the form.

    Another page that says what the modes' parameters are asks apart from the form: what is filtered here, out of its
    sight, is not filtered there.
    """
    state = st.session_state
    if question is not None:
        state["question"] = question
    given = {
        mode.id: {p.name: state[_key(mode, p)] for p in mode.parameters if state.get(_key(mode, p)) is not None}
        for mode in registry().values()
    }
    order = {
        "question": state.get("question") or "",
        "modes": tuple(state.get("modes") or ()),
        "k": state.get("budget") or None,
        "parameters": given,
        "one_by_one": bool(state.get("one_by_one")),
        "retrieval_only": bool(state.get("retrieval_only")),
    }
    if "parameters" not in changes:
        order |= {"filters": filtering.chosen(filtering.COMPARE), "exact": state.get(filtering.EXACT)}
    desk = look()
    put(type(desk)(order=Order(**{**order, **changes}), race=desk.race, comparison=desk.comparison))


def put_back(comparison: Comparison, *, whole: bool) -> None:
    """Put a comparison's question into the form, and its modes too (`whole`), before its widgets are drawn."""
    known = [run.mode for run in comparison.runs if run.mode in registry()]
    st.session_state["question"] = comparison.question
    if known and whole:
        st.session_state["modes"] = known
        filtering.fill(filtering.COMPARE, filtering.addressed() or comparison.filters, comparison.base.name)
        named, then = filtering.exact_named(), comparison.settings.get("exact")
        if named is not None or isinstance(then, bool):
            st.session_state[filtering.EXACT] = then if named is None else named
        k = comparison.runs[0].ask.k or 0
        st.session_state["budget"] = k if k in BUDGETS else 0
