"""Blind: answers without the names of their modes, a vote, and only then who was who."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from string import ascii_uppercase

import streamlit as st

from core.bench import Bench
from core.domain import Citation, Passage
from core.errors import StoreError
from core.explain.gold import gold_of
from core.knowledge.shelf import questions
from core.runs import Comparison, Run
from core.votes import Votes
from pages.parts import answer
from pages.parts.desk import keep
from pages.parts.form import examples
from pages.parts.frame import Frame
from pages.parts.learn import ballot, picker, running
from pages.parts.learn.learner import ask_for, asked_for, case_of, go, learner
from pages.parts.literal import inline
from pages.parts.sources import Reading, height, named

_LONG, _TALL = 600, 340
"""Characters from which on an answer scrolls, and the pixels that it then has."""
_MOST = 8
"""Cited passages for which there is room before they scroll."""
_SHORT = 40
_SLATE = "gray"
"""The one colour of all modes while nobody knows which is which."""

Lettered = Mapping[str, Run]
"""The runs by the letter that stands for each."""


def draw(page: Frame, bench: Bench) -> None:
    """The comparison that the address names, or a choice of comparisons and examples."""
    comparison = picker.opened(page)
    if comparison is None:
        with st.container(width=860, gap="medium"):
            _examples(page, bench)
            picker.draw(page, "blind")
        return
    words = page.words
    st.markdown(f"**{inline(comparison.question)}**")
    if reason := unfit(comparison):
        st.info(words(reason), icon=":material/info:")
        with st.container(horizontal=True, vertical_alignment="center"):
            ballot.to_comparison(comparison, words)
            picker.other(page, "blind")
        return
    _judge(page, bench, comparison)


def unfit(comparison: Comparison) -> str:
    """The code of why a comparison cannot be judged blind; empty where it can."""
    if comparison.settings.get("retrieval_only"):
        return "ui.blind.retrieval_only"
    if any(run.stop_reason in ("failed", "stopped", None) or not run.answer for run in comparison.runs):
        return "ui.blind.failed"
    return "ui.blind.alone" if len(comparison.runs) < 2 else ""


def lettered(comparison: Comparison, token: str) -> Lettered:
    """The runs in an order of this session's own, which no rerun and no change of language changes."""
    runs = list(comparison.runs)
    random.Random(f"{token}{comparison.id}").shuffle(runs)
    return dict(zip(ascii_uppercase, runs, strict=False))


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
            label = inline(text if len(text) <= _SHORT else f"{text[: _SHORT - 1]}…")
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
    runs = lettered(comparison, learner().token)
    voter = learner().token
    try:
        choice, tally = votes.of(comparison.id, voter), votes.tally(comparison.id)
    except StoreError as unusable:
        st.warning(inline(words.say(unusable.say)), icon=":material/info:")
        return
    st.caption(words("ui.blind.known" if choice else "ui.blind.hidden"))
    reading = Reading.of(comparison, words, bench)
    rows = min(_MOST, max(len(cited_of(reading.citations(run))) for run in runs.values()))
    for (letter, run), box in zip(runs.items(), st.columns(len(runs), gap="small"), strict=True):
        with box.container(border=True, gap="xsmall", height="stretch"):
            head = ballot.name(letter, run, comparison, words) if choice else f":{_SLATE}[**{letter}**]"
            st.markdown(head)
            _answer(letter, run, reading, rows)
    ballot.vote(page, comparison, runs, choice, voter)
    if choice:
        gold = gold_of(bench.base, comparison.question) if comparison.base.name == bench.base.name else ()
        ballot.draw(comparison, runs, tally, gold, words)
        with st.container(horizontal=True, vertical_alignment="center"):
            ballot.to_comparison(comparison, words)
            picker.other(page, "blind")


def _answer(letter: str, run: Run, reading: Reading, rows: int) -> None:
    """What was written, and the passages it cites; no rank, count or time that would tell a mode.

    All have room for `rows` passages, so that these stand at the same height.
    """
    citations = reading.citations(run)
    with st.container(height=_TALL if len(run.answer) > _LONG else "stretch", border=False):
        st.markdown(answer.markdown(run.answer, citations, _SLATE), anchors=False)
    cited = cited_of(citations)
    with st.container(height=height(rows), border=False, gap=None):
        st.caption(reading.words("ui.blind.cited" if cited else "ui.sources.none_cited"))
        for number, passage in cited:
            with st.popover(f"**{number}** {named(passage)}", type="tertiary", wrap=False, key=f"{letter}.{number}"):
                st.markdown(f"{named(passage, bold=True)}\n\n{reading.marked(passage.text)}")


def cited_of(citations: Sequence[Citation]) -> list[tuple[int, Passage]]:
    """The cited passages by number, each once."""
    return sorted({c.number: c.passage for c in citations if c.passage}.items())
