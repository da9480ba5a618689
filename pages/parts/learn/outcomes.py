"""What each mode really did with the passages that should be found, beside what was predicted."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.bench import Bench
from core.domain import Passage
from core.explain.lessons import Outcome
from core.explain.passage import why_of
from core.runs import Comparison, Run
from core.words import Words
from pages.parts import form
from pages.parts.labels import named, unclear
from pages.parts.literal import inline
from pages.parts.sources import COLOURS, Reading, tagged

_APART = " \u2002"
"""Between a passage's name and what each mode made of it: wide enough to tell them apart, and it may break there."""


def draw(told: Sequence[Outcome], words: Words) -> None:
    """A card for each mode: what it brought, and whether that was predicted."""
    for outcome, box, colour in zip(told, st.columns(len(told), gap="small"), COLOURS, strict=False):
        with box.container(border=True, height="stretch", gap="xsmall"):
            st.markdown(tagged(outcome.run.mode, colour, words))
            if outcome.run.error:
                st.markdown(f":red[:material/error: {inline(words.say(outcome.run.error))}]")
                continue
            if outcome.right is None:
                st.caption(words("ui.answer.stopped"))
                continue
            st.markdown(f"**{outcome.given} / {len(outcome.gold)}** {words('ui.lesson.brought')}")
            guessed = words("ui.lesson.guessed_yes" if outcome.guessed else "ui.lesson.guessed_no")
            right = ":green[:material/check_circle: {}]" if outcome.right else ":red[:material/cancel: {}]"
            verdict = words("ui.lesson.right" if outcome.right else "ui.lesson.wrong")
            st.markdown(f":small[:gray[{guessed}] · {right.format(verdict)}]")


def draw_passage(passage: Passage, reading: Reading, bench: Bench, *, expanded: bool) -> None:
    """A passage that opens in place; its label tells which of the runs gave it to the writer."""
    words = reading.words
    pairs = list(zip(reading.runs, COLOURS, strict=False))
    marks = [_mark(run, passage, colour, words) for run, colour in pairs]
    label = _APART.join([named(passage, bold=True, mark=unclear(passage, words)), *marks])
    with st.expander(label, expanded=expanded, key=f"gold.{passage.id}"):
        st.markdown(reading.marked(passage.text))
        if pairs:
            st.markdown("\n".join(f"- {why(bench, run, passage, colour, words)}" for run, colour in pairs))
        label = words("ui.sources.open")
        st.page_link("pages/library.py", label=label, icon=":material/menu_book:", query_params={"p": passage.id})


def _mark(run: Run, passage: Passage, colour: str, words: Words) -> str:
    sign = "check" if run.gave(passage.id) else "close"
    return f":small[:{colour}[{inline(words.mode(run.mode))} :material/{sign}:]]"


def why(bench: Bench, run: Run, passage: Passage, colour: str, words: Words) -> str:
    """A mode's own sentence on a passage, and what would have brought it to the writer."""
    found = why_of(bench, run, passage)
    said = words.say(found.sentence)
    if found.remedy:
        said = words("ui.learn.remedied", said=said, remedy=words.say(found.remedy))
    return f":{colour}[**{inline(words.mode(run.mode))}**] {inline(said)}"


def to_compare(comparison: Comparison, words: Words) -> None:
    """Ask the same on Compare, with answers, where everything about it can be seen."""
    label = words("ui.learn.compare")
    if st.button(label, icon=":material/view_column:", type="tertiary", key=f"compare.{comparison.id}"):
        modes = tuple(run.mode for run in comparison.runs)
        form.send(comparison.question, modes=modes, k=None, parameters={}, one_by_one=False, retrieval_only=False)
        st.switch_page("pages/compare.py", query_params={})  # without them it refuses where a widget is in the address
