"""What a comparison found, in a line; and for each mode the gold that it missed, one tap from its why."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.domain import Passage
from core.runs import Run
from core.words import Words
from pages.parts.explain.looking import choose
from pages.parts.explain.view import View
from pages.parts.labels import titled, unclear
from pages.parts.literal import inline
from pages.parts.sources import COLOURS

_NAMED = 3
"""Passages named in the line."""
_CHIPS = 10
"""Missed passages of a mode that can be tapped; the rest is a count, and stands in the matrix."""


def draw(view: View, chosen: str) -> None:
    """The main finding, then what each mode missed."""
    st.markdown(_line(view))
    if only := _alone(view):
        st.markdown(only)
    for place, run in enumerate(view.comparison.runs):
        missed = [passage for passage in view.gold if not run.gave(passage.id)]
        if missed and not _ended_badly(run):
            _missed(view.words, place, run, missed, chosen)


def _ended_badly(run: Run) -> bool:
    """Whether it failed or was stopped before it had any evidence, so that nothing can be held against it."""
    return not run.whole and not run.evidence


def _line(view: View) -> str:
    """How much of the gold reached each writer; without gold, how many passages did."""
    words, gold = view.words, view.gold
    counted = []
    for run, colour in zip(view.comparison.runs, COLOURS, strict=False):
        count = sum(run.gave(passage.id) for passage in gold) if gold else len(run.evidence)
        told = words(f"ui.state.{run.stop_reason}" if _ended_badly(run) else "ui.explain.count", count=count)
        counted.append(f":{colour}[{inline(words.mode(run.mode))}] **{told}**")
    listed = words("ui.explain.comma").join(counted)
    if gold:
        return words("ui.explain.finding.gold", count=len(gold), counts=listed)
    return words("ui.explain.finding.given", touched=len(view.matrix.rows), counts=listed)


def _alone(view: View) -> str:
    """The gold that one mode alone gave to its writer, and the gold that none did."""
    words, runs = view.words, view.comparison.runs
    if len(runs) < 2 or not view.gold:
        return ""
    parts = []
    for run, colour in zip(runs, COLOURS, strict=False):
        alone = {passage.id for passage in view.comparison.only(run)}
        if only := [passage for passage in view.gold if passage.id in alone]:
            mode = f":{colour}[{inline(words.mode(run.mode))}]"
            parts.append(words("ui.explain.finding.only", mode=mode, names=_names(only, words)))
    if lost := [p for p in view.gold if not any(run.gave(p.id) for run in runs)]:
        parts.append(words("ui.explain.finding.lost", names=_names(lost, words)))
    return words("ui.explain.finding.joint").join(parts)


def _names(passages: Sequence[Passage], words: Words) -> str:
    named = words.join([inline(titled(passage)) for passage in passages[:_NAMED]])
    more = len(passages) - _NAMED
    return words("ui.explain.finding.and_more", names=named, count=len(passages)) if more > 0 else named


def _missed(words: Words, place: int, run: Run, missed: Sequence[Passage], chosen: str) -> None:
    """A button for each passage that the mode did not give; it opens the why."""
    name = f":{COLOURS[place % len(COLOURS)]}[**{inline(words.mode(run.mode))}**]"
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.markdown(words("ui.explain.finding.missed", mode=name, count=len(missed)), width="content")
        for passage in missed[:_CHIPS]:
            title = inline(titled(passage))
            mark = unclear(passage, words)
            st.button(
                " ".join(filter(None, (f":primary[**{title}**]" if passage.id == chosen else title, mark))),
                key=f"explain.missed.{place}.{passage.id}",
                help=words("ui.explain.finding.why", passage=inline(f"{passage.section} · {passage.title}")),
                on_click=choose,
                args=(passage.id,),
            )
        if len(missed) > _CHIPS:
            st.caption(words("ui.sources.more", count=len(missed) - _CHIPS), width="content")
