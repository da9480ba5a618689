"""Try-outs on the page: change the question, the dictionary or a setting, and see the passage's places move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.asking import LARGEST_CUT
from core.domain import Passage, Say
from core.errors import WorkbenchError
from core.explain.tryout import Change, Move, Tryout, moves, try_out
from core.modes import registry
from core.words import Words
from pages.parts.explain.looking import held
from pages.parts.explain.view import View
from pages.parts.literal import inline
from pages.parts.numbers import DASH
from pages.parts.sources import COLOURS

_KEY = "explain.try"
SETTINGS = frozenset({"candidates", "k"})
"""Settings of modes that can be tried."""
_FIRST = 5
"""Passages shown of each mode as it would be."""


def draw(view: View, passage: Passage) -> None:
    """The try-outs of a passage; a change in them draws nothing else anew."""
    _area(view, passage)


@st.fragment
def _area(view: View, passage: Passage) -> None:
    words = view.words
    st.caption(words("ui.explain.try.about"))
    before = _before(view)
    told, change = _inputs(view, before)
    if change == Change():
        st.caption(f":material/tune: {words('ui.explain.try.nothing')}")
        return
    runs = [run for run in view.comparison.runs if run.mode in registry()]
    try:
        with st.spinner(words("ui.explain.try.busy")):
            tried = held(("try", change, view.budget), lambda: try_out(view.bench, runs, change))
    except WorkbenchError as refused:
        with told.get(_field(refused.say), told[""]):
            st.error(inline(words.say(refused.say)), icon=":material/error:")
        return
    _moved(view, passage, moves(runs, tried, passage.id), tried)
    _firsts(view, passage, tried)


def _before(view: View) -> dict[str, Any]:
    """What holds now, by the name of the field; `None` stands for each mode's own."""
    bm25 = view.bench.retriever.bm25
    question = view.comparison.question
    return {
        "question": question,
        "words": "",
        "variant": bm25.variant,
        "k1": bm25.k1,
        "b": bm25.b,
        "candidates": None,
        "k": None,
    }


def _name(comparison: str, field: str) -> str:
    return f"{_KEY}.{comparison}.{field}"


def fill(comparison: str, values: Mapping[str, Any]) -> None:
    """Put values into the fields of a comparison's try-outs, before they are drawn."""
    for field, value in values.items():
        st.session_state[_name(comparison, field)] = value


def _inputs(view: View, before: Mapping[str, Any]) -> tuple[dict[str, Any], Change]:
    """The fields, each with room for what is wrong with it; and what they change."""
    words, key = view.words, {field: _name(view.comparison.id, field) for field in before}
    for field, value in before.items():
        st.session_state.setdefault(key[field], value)
    label = {field: words(f"ui.explain.try.{field}") for field in before}
    told: dict[str, Any] = {}
    st.text_area(label["question"], key=key["question"], height=88)
    told["question"] = st.container()
    st.text_input(
        label["words"],
        key=key["words"],
        placeholder=words("ui.explain.try.words_example"),
        icon=":material/dictionary:",
    )
    told["words"] = st.container()
    own = words("ui.explain.try.own")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(label["variant"], ["lucene", "okapi"], key=key["variant"], required=True)
        st.number_input(label["k1"], 0.0, 10.0, step=0.1, key=key["k1"], width=130)
        st.number_input(label["b"], 0.0, 1.0, step=0.05, key=key["b"], width=130)
        st.number_input(
            label["candidates"],
            1,
            2 * LARGEST_CUT,
            step=1,
            key=key["candidates"],
            placeholder=own,
            width=150,
            value=None,
        )
        st.number_input(label["k"], 1, LARGEST_CUT, step=1, key=key["k"], placeholder=own, width=150, value=None)
        st.button(
            words("ui.explain.try.reset"),
            icon=":material/undo:",
            key=f"{_KEY}.reset",
            on_click=fill,
            args=(view.comparison.id, dict(before)),
        )
    told[""] = st.container()
    return told, _change({field: st.session_state[key[field]] for field in before}, before)


def _change(now: Mapping[str, Any], before: Mapping[str, Any]) -> Change:
    """Only what differs from what holds."""
    given = {field: value for field, value in now.items() if value != before[field]}
    given["words"] = tuple((now["words"] or "").replace("，", " ").replace(",", " ").replace("、", " ").split())
    return Change(**given)


def _field(say: Say) -> str:
    """Which field a refusal is about; none in particular where it cannot be told."""
    about = {"question.": "question", "tryout.word": "words"}
    return next((field for start, field in about.items() if say.code.startswith(start)), "")


def _moved(view: View, passage: Passage, found: tuple[Move, ...], tried: Tryout) -> None:
    """The passage's place in each mode before and after, and whether the writer gets it."""
    words = view.words
    head = ["", *(words(f"ui.explain.try.{name}") for name in ("before", "after", "given"))]
    rows = [head, [":---", "---:", "---:", ":---"], *(_line(view, move) for move in found)]
    st.markdown(f"**{words('ui.explain.try.moves', title=inline(passage.title or passage.id))}**")
    with st.container(horizontal=True, wrap=False):
        st.markdown("\n".join(f"| {' | '.join(cells)} |" for cells in rows), width="content")
    if tried.left:
        names = [words.mode(mode) for mode in tried.left]
        st.caption(f":material/payments: {inline(words('ui.explain.try.left', modes=names))}")


def _line(view: View, move: Move) -> list[str]:
    words = view.words
    place = f"**{_place(move.after, words)}**" if move.after != move.before else _place(move.after, words)
    given = [words("yes" if value else "no") for value in (move.given_before, move.given_after)]
    told = given[0] if given[0] == given[1] else f"{given[0]} → **{given[1]}**"
    return [_mode(view, move.mode), _place(move.before, words), place, told]


def _place(rank: int | None, words: Words) -> str:
    return DASH if rank is None else words("ui.passage.rank", rank=rank)


def _mode(view: View, mode: str) -> str:
    places = [run.mode for run in view.comparison.runs]
    return f":{COLOURS[places.index(mode) % len(COLOURS)]}[{inline(view.words.mode(mode))}]"


def _firsts(view: View, passage: Passage, tried: Tryout) -> None:
    """The first passages of each mode as it would be, the one in question marked."""
    words = view.words
    st.markdown(f"**{words('ui.explain.try.first', count=_FIRST)}**")
    for run in tried.comparison.runs:
        names = [
            f"**:yellow-background[{inline(p.title or p.id)}]**" if p.id == passage.id else inline(p.title or p.id)
            for p in run.ranking[:_FIRST]
        ]
        said = words.say(run.error) if run.error else words("ui.explain.try.empty")
        st.markdown(f"{_mode(view, run.mode)} {words.join(names) or inline(said)}")
