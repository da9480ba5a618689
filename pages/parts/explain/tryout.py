"""Try-outs on the page: change the question, the dictionary or a setting, and see the passage's places move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from core.domain import Parameter, Passage, Say
from core.errors import WorkbenchError
from core.explain.tryout import Change, moves, try_out, tunable
from core.modes import registry
from core.settings import BM25
from pages.parts.explain import dropping, tried_out
from pages.parts.explain.looking import TRYING, held
from pages.parts.explain.view import View
from pages.parts.literal import inline

_KEY = "explain.try"
_STEPS = {"k1": 0.1, "b": 0.05}
"""What one tap adds to a setting of BM25."""


def draw(view: View, passage: Passage) -> None:
    """The try-outs of a passage; a change in them draws nothing else anew."""
    _area(view, passage)


@st.fragment
def _area(view: View, passage: Passage) -> None:
    words = view.words
    st.caption(words("ui.explain.try.about"))
    before = _before(view)
    told, change = _inputs(view, before)
    dropped = dropping.dropped(view)
    if change == Change() and not dropped:
        st.caption(f":material/tune: {words('ui.explain.try.nothing')}")
        return
    _told(view, before, change, dropped)
    asked = dropping.without(view.comparison, dropped)
    known = ("try", change, dropped, tuple(sorted(change.parameters.items())), view.holds)
    try:
        with st.spinner(words("ui.explain.try.busy")):
            tried = held(known, lambda: try_out(view.bench, asked, change))
            found = moves(view.bench, view.comparison, tried, passage.id)
    except WorkbenchError as refused:
        with told.get(_field(refused.say), told[""]):
            st.error(inline(words.say(refused.say)), icon=":material/error:")
        return
    tried_out.draw_moves(view, passage, found, tried)
    tried_out.draw_firsts(view, passage, tried)


def _before(view: View) -> dict[str, Any]:
    """What held when the comparison was recorded, by the name of the field; `None` stands for each mode's own."""
    bm25 = view.then.retriever.bm25
    return {
        "question": view.comparison.question,
        "words": "",
        **{name: getattr(bm25, name) for name in BM25},
        **{_of_modes(name): None for name in _tunable(view)},
        **dropping.before(view),
    }


def _tunable(view: View) -> Mapping[str, Mapping[str, Parameter]]:
    """What can be changed of the modes, by name and mode."""
    return tunable(view.comparison.runs)


def _of_modes(parameter: str) -> str:
    """The field of a parameter of modes, which may be called like another field."""
    return f"set.{parameter}"


def fill(view: View, values: Mapping[str, Any], without: Sequence[str] = ()) -> None:
    """Put values of modes' parameters into the fields, and into all others what held, before they are drawn.

    The filters named in `without` are not kept.
    """
    _put({**_before(view), **{_of_modes(name): v for name, v in values.items()}, **dropping.before(view, without)})


def _put(values: Mapping[str, Any]) -> None:
    for field, value in values.items():
        st.session_state[TRYING + field] = value


def _inputs(view: View, before: Mapping[str, Any]) -> tuple[dict[str, Any], Change]:
    """The fields, each with room for what is wrong with it; and what they change."""
    words, key = view.words, {field: TRYING + field for field in before}
    for field, value in before.items():
        st.session_state.setdefault(key[field], value)
    told: dict[str, Any] = {}
    st.text_area(words("ui.explain.try.question"), key=key["question"], height=88)
    told["question"] = st.container()
    example = words("ui.explain.try.words_example")
    st.text_input(words("ui.explain.try.words"), key=key["words"], placeholder=example, icon=":material/dictionary:")
    told["words"] = st.container()
    dropping.draw(view)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name, parameter in BM25.items():
            _setting(words(f"ui.explain.try.{name}"), parameter, key[name], _STEPS.get(name, 1))
        for name, modes in _tunable(view).items():
            _of_mode(view, name, modes, key[_of_modes(name)])
        st.button(
            words("ui.explain.try.reset"),
            icon=":material/undo:",
            key=f"{_KEY}.reset",
            on_click=_put,
            args=(dict(before),),
        )
    told[""] = st.container()
    return told, _change({field: st.session_state[key[field]] for field in before}, before)


def _setting(label: str, parameter: Parameter, key: str, step: float) -> None:
    """A field for what holds for all modes."""
    if parameter.choices:
        st.segmented_control(label, parameter.choices, key=key, required=True)
    else:
        st.number_input(label, parameter.low, parameter.high, step=step, key=key, width=130)


def _of_mode(view: View, name: str, modes: Mapping[str, Parameter], key: str) -> None:
    """A field for a parameter of these modes, empty for each mode's own value; it names them where others lack it."""
    words = view.words
    label = inline(_label(view, name, modes))
    parameter = _widest(list(modes.values()))
    own = words("ui.explain.try.own")
    if parameter.choices or isinstance(parameter.default, bool):
        options = parameter.choices or (True, False)
        switch = {True: words("yes"), False: words("no")}
        st.selectbox(label, options, key=key, format_func=lambda v: switch.get(v, v), placeholder=own, width=210)
        return
    whole = isinstance(parameter.default, int)
    number = int if whole else float
    low, high = (None if end is None else number(end) for end in (parameter.low, parameter.high))
    st.number_input(label, low, high, step=number(1), key=key, placeholder=own, width=210)


def _label(view: View, name: str, modes: Mapping[str, Parameter]) -> str:
    """A parameter's name, and the modes that have it where others lack it."""
    words = view.words
    told = next(filter(None, (words.mode(mode, name) for mode in modes)), words("ui.explain.try.k"))
    if len(modes) == len(view.comparison.runs):
        return told
    return words("ui.explain.try.of", name=told, modes=[words.mode(mode) for mode in modes])


def _told(view: View, before: Mapping[str, Any], change: Change, dropped: Sequence[str]) -> None:
    """What is changed, in a line; and which of the words added are nothing new."""
    words = view.words
    parts = [words("ui.explain.try.changed_question")] if change.question is not None else []
    parts += [words("ui.explain.try.changed_words", words=change.words)] if change.words else []
    parts += dropping.told(view, dropped)
    parts += [
        words("ui.explain.try.changed_from", name=words(f"ui.explain.try.{name}"), before=before[name], after=value)
        for name in BM25
        if (value := getattr(change, name)) is not None
    ]
    modes = _tunable(view)
    parts += [
        words(
            "ui.explain.try.changed_from",
            name=_label(view, name, modes[name]),
            before=_held(view, name, modes[name]),
            after=value,
        )
        for name, value in change.parameters.items()
    ]
    st.markdown(f":material/tune: {inline(words('ui.explain.joint').join(parts))}")
    tokeniser = view.bench.retriever.tokeniser
    if known := [word for word in change.words if word in tokeniser.query(word)]:
        st.caption(f":material/info: {inline(words('ui.explain.try.known', words=known))}")


def _held(view: View, name: str, modes: Mapping[str, Parameter]) -> Any:
    """The value that these modes were asked with; where they differ, that each had its own."""
    runs = [run for run in view.comparison.runs if run.mode in modes]
    values = {registry()[run.mode].value(run.ask, name) for run in runs}
    return values.pop() if len(values) == 1 else view.words("ui.explain.try.own")


def _widest(parameters: Sequence[Parameter]) -> Parameter:
    """A parameter with room for what any of these takes; what one of them does not take is refused in words."""
    lows, highs = ([getattr(each, end) for each in parameters] for end in ("low", "high"))
    choices = tuple(dict.fromkeys(choice for each in parameters for choice in each.choices))
    return replace(
        parameters[0],
        low=None if None in lows else min(lows),
        high=None if None in highs else max(highs),
        choices=choices,
    )


def _change(now: Mapping[str, Any], before: Mapping[str, Any]) -> Change:
    """Only what differs from what held."""
    differs = {field: value for field, value in now.items() if value != before[field] and field != dropping.FIELD}
    start = _of_modes("")
    given = {field: value for field, value in differs.items() if not field.startswith(start)}
    given["words"] = tuple((now["words"] or "").replace("，", " ").replace(",", " ").replace("、", " ").split())
    parameters = {field.removeprefix(start): value for field, value in differs.items() if field.startswith(start)}
    return Change(**given, parameters=parameters)


def _field(say: Say) -> str:
    """Which field a refusal is about; none in particular where it cannot be told."""
    about = {"question.": "question", "tryout.word": "words"}
    return next((field for start, field in about.items() if say.code.startswith(start)), "")
