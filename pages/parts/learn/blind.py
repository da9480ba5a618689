"""Blind: answers without the names of their modes, a vote, and only then who was who."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import streamlit as st

from core.bench import Bench
from core.domain import Citation, Passage
from core.errors import StoreError
from core.explain.blind import lettered, renumbered, unfit
from core.explain.gold import gold_of
from core.knowledge.shelf import questions
from core.runs import Comparison
from core.votes import Votes
from pages.parts import answer
from pages.parts.desk import keep
from pages.parts.form import examples
from pages.parts.frame import Frame
from pages.parts.labels import named, unclear
from pages.parts.learn import ballot, picker, running
from pages.parts.learn.learner import ask_for, asked_for, case_of, go, learner
from pages.parts.literal import heading, inline, short
from pages.parts.sources import Reading, height

_LONG, _TALL = 2_000, 900
"""Characters of the longest answer from which on all of them scroll, and the pixels that each then has."""
_MOST = 12
"""Cited passages for which there is room before they scroll."""
_SHORT = 80
_SLATE = "gray"
"""The one colour of all modes while nobody knows which is which."""


def draw(page: Frame, bench: Bench) -> None:
    """The comparison that the address names, or a choice of comparisons and examples."""
    comparison = picker.opened(page)
    if comparison is None:
        with st.container(width=860, gap="medium"):
            _examples(page, bench)
            picker.draw(page, "blind")
        return
    words = page.words
    st.markdown(f"**{heading(comparison.question)}**")
    if reason := unfit(comparison):
        st.info(words(f"ui.blind.{reason}"), icon=":material/info:")
        with st.container(horizontal=True, vertical_alignment="center"):
            ballot.to_comparison(comparison, words)
            picker.other(page, "blind")
        return
    _judge(page, bench, comparison)


def _examples(page: Frame, bench: Bench) -> None:
    """The base's own examples, each asked at a tap; one that was tapped is run, kept and opened."""
    words = page.words
    found = examples(questions(bench.base).questions)
    if not found:
        return
    st.markdown(f"**{words('ui.blind.examples')}**")
    running.price(bench, words)
    with st.container(horizontal=True, gap="xsmall"):
        for tag, question in found.items():
            text = question.question
            label = inline(short(text, _SHORT))
            case = case_of("blind", bench, text)
            st.button(label, key=f"blind.{tag}", help=inline(text), on_click=ask_for, args=(case,), wrap=True)
    for question in found.values():
        if asked_for(case_of("blind", bench, question.question)):
            _run(page, bench, question.question)


def _run(page: Frame, bench: Bench, question: str) -> None:
    comparison = running.run(page, bench, question, cut_short=lambda part: keep(page, part))
    if unkept := keep(page, comparison):
        st.warning(inline(page.words.say(unkept)), icon=":material/info:")
        return
    go("blind", c=comparison.id)
    st.rerun()


def _judge(page: Frame, bench: Bench, comparison: Comparison) -> None:
    """The answers side by side, the vote below them, and after it what was behind each letter."""
    words, votes = page.words, Votes(page.settings.home)
    voter = learner().token
    runs = lettered(comparison, voter)
    try:
        choice, tally = votes.of(comparison.id, voter), votes.tally(comparison.id)
    except StoreError as unusable:
        st.warning(inline(words.say(unusable.say)), icon=":material/info:")
        return
    st.caption(words("ui.blind.known" if choice else "ui.blind.hidden"))
    reading = Reading.of(comparison, words, bench)
    tall: int | Literal["stretch"] = "stretch"
    if any(len(run.answer) > _LONG for run in runs.values()):
        tall = _TALL
    rows = min(_MOST, max(len(cited_of(reading.citations(run))) for run in runs.values()))
    for (letter, run), box in zip(runs.items(), st.columns(len(runs), gap="small"), strict=True):
        with box.container(border=True, gap="xsmall", height="stretch"):
            head = ballot.name(letter, run, comparison, words) if choice else f":{_SLATE}[**{letter}**]"
            st.markdown(head)
            told = (run.answer, reading.citations(run))
            _answer(letter, *(told if choice else renumbered(*told)), reading, rows, tall)
    ballot.vote(page, comparison, runs, choice, voter)
    if choice:
        gold = gold_of(bench.base, comparison.question) if comparison.base.name == bench.base.name else ()
        ballot.draw(comparison, runs, tally, gold, words)
        with st.container(horizontal=True, vertical_alignment="center"):
            ballot.to_comparison(comparison, words)
            picker.other(page, "blind")


def _answer(
    letter: str,
    text: str,
    citations: Sequence[Citation],
    reading: Reading,
    rows: int,
    tall: int | Literal["stretch"],
) -> None:
    """What was written, and the passages it cites; no rank, count or time that would tell a mode.

    All answers are as `tall` and have room for `rows` passages, so that these stand at the same height.
    """
    with st.container(height=tall, border=False):
        st.markdown(answer.markdown(text, citations, _SLATE), anchors=False)
    cited = cited_of(citations)
    with st.container(height=height(rows), border=False, gap=None):
        st.caption(reading.words("ui.blind.cited" if cited else "ui.sources.none_cited"))
        for number, passage in cited:
            mark = unclear(passage, reading.words)
            with st.popover(
                f"**{number}** {named(passage, mark=mark)}", type="tertiary", wrap=False, key=f"{letter}.{number}"
            ):
                st.markdown(f"{named(passage, bold=True, mark=mark)}\n\n{reading.marked(passage.text)}")


def cited_of(citations: Sequence[Citation]) -> list[tuple[int, Passage]]:
    """The cited passages by number, each once."""
    return sorted({c.number: c.passage for c in citations if c.passage}.items())
