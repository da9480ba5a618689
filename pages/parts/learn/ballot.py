"""The ballot of a blind view: the vote, and what is told once it was cast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.domain import Passage
from core.errors import StoreError
from core.pricing import cost
from core.runs import Comparison, Run
from core.votes import TIE, Votes
from core.words import Words
from pages.parts import own
from pages.parts.frame import Frame
from pages.parts.literal import inline
from pages.parts.numbers import DASH, seconds
from pages.parts.sources import COLOURS, tagged
from pages.parts.table import own as own_seconds
from pages.parts.table import priced

_TOLD = "ballot"
"""The place of the page that answers a vote which could not be kept."""


def vote(page: Frame, comparison: Comparison, runs: Mapping[str, Run], choice: str | None, voter: str) -> None:
    """A button for each letter and for a tie; the one that was chosen is marked, another changes the vote."""
    words = page.words
    st.markdown(f"**{words('ui.blind.again' if choice else 'ui.blind.which')}**")
    if refused := own.hear(_TOLD):
        st.warning(inline(words.say(refused)), icon=":material/info:")
    with st.container(horizontal=True):
        for letter, mode in [*((letter, run.mode) for letter, run in runs.items()), (TIE, TIE)]:
            label = words("ui.blind.tie") if mode == TIE else words("ui.blind.better", letter=letter)
            st.button(
                label,
                key=f"vote.{letter}",
                icon=":material/check:" if choice == mode else ":material/how_to_vote:",
                on_click=_cast,
                args=(Votes(page.settings.home), comparison.id, voter, mode),
            )
    st.caption(words("ui.blind.voter"))


def _cast(votes: Votes, comparison: str, voter: str, choice: str) -> None:
    try:
        votes.cast(comparison, voter, choice)
    except StoreError as unkept:
        own.say(_TOLD, unkept.say)


def name(letter: str, run: Run, comparison: Comparison, words: Words) -> str:
    """A letter with the mode behind it, in the colour that the mode has in the comparison."""
    colour = next(c for other, c in zip(comparison.runs, COLOURS, strict=False) if other.mode == run.mode)
    return f"**{letter}** · {tagged(run.mode, colour, words)}"


def draw(
    comparison: Comparison,
    runs: Mapping[str, Run],
    tally: Mapping[str, int],
    gold: Sequence[Passage],
    words: Words,
) -> None:
    """Who was who, a card below each answer: what it found of the gold, what it took, the votes for it."""
    for (letter, run), box in zip(runs.items(), st.columns(len(runs), gap="small"), strict=True):
        with box.container(border=True, gap="xsmall", height="stretch"):
            st.markdown(name(letter, run, comparison, words))
            found = f"{sum(run.gave(passage.id) for passage in gold)} / {len(gold)}" if gold else DASH
            facts = {
                "ui.blind.votes": f"{tally.get(run.mode, 0):,}",
                "ui.blind.gold": found,
                "ui.table.given": f"{len(run.evidence):,}",
                "ui.table.total": seconds(own_seconds(run)),
                "ui.table.cost": priced(cost(run, comparison.prices), words),
            }
            st.markdown("\\\n".join(f":gray[{words(code)}] **{inline(fact)}**" for code, fact in facts.items()))
    st.caption(words("ui.blind.tally", all=sum(tally.values()), ties=tally.get(TIE, 0)))


def to_comparison(comparison: Comparison, words: Words) -> None:
    """The whole comparison, at its own address."""
    label = words("ui.learn.whole")
    st.page_link("pages/compare.py", label=label, icon=":material/view_column:", query_params={"c": comparison.id})
