"""What a try-out changed: a passage's place in each mode, and the first passages of each as it would be."""

from __future__ import annotations

import streamlit as st

from core.domain import Passage
from core.explain.tryout import Move, Tryout
from core.words import Words
from pages.parts.explain.view import View
from pages.parts.labels import titled
from pages.parts.literal import inline
from pages.parts.numbers import DASH
from pages.parts.sources import COLOURS

_FIRST = 5
"""Passages shown of each mode as it would be."""


def draw_moves(view: View, passage: Passage, found: tuple[Move, ...], tried: Tryout) -> None:
    """The passage's place in each mode before and after, and whether the writer gets it."""
    words = view.words
    head = ["", *(words(f"ui.explain.try.{name}") for name in ("before", "after", "given"))]
    rows = [head, [":---", "---:", "---:", ":---"], *(_line(view, move) for move in found)]
    st.markdown(f"**{words('ui.explain.try.moves', title=inline(titled(passage)))}**")
    with st.container(horizontal=True, wrap=False):
        st.markdown("\n".join(f"| {' | '.join(cells)} |" for cells in rows), width="content")
    if tried.notice:
        st.caption(f":material/info: {inline(words.say(tried.notice))}")
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


def draw_firsts(view: View, passage: Passage, tried: Tryout) -> None:
    """The first passages of each mode as it would be, the one in question marked."""
    words = view.words
    st.markdown(f"**{words('ui.explain.try.first', count=_FIRST)}**")
    for run in tried.comparison.runs:
        names = [
            f"**:yellow-background[{inline(titled(p))}]**" if p.id == passage.id else inline(titled(p))
            for p in run.ranking[:_FIRST]
        ]
        said = words.say(run.error) if run.error else words("ui.explain.try.empty")
        st.markdown(f"{_mode(view, run.mode)} {words.join(names) or inline(said)}")
