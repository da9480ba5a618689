"""The classes of failure: what each is, how it is seen, what mends it, and one of the base's own, run now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.bench import Bench
from core.explain.failures import KINDS, Failure
from core.explain.failures import failures as failures_of
from core.explain.gold import gold_of
from core.knowledge.questions import Question
from core.knowledge.shelf import questions
from core.runs import Comparison, Run
from core.words import Words
from pages.parts import answer
from pages.parts.frame import Frame
from pages.parts.learn import outcomes, running
from pages.parts.learn.learner import case_of, go, held, hold
from pages.parts.literal import inline
from pages.parts.sources import COLOURS, Reading, tagged

WIDTH = 960
"""Pixels of a class's page: three modes side by side, and lines that are still read at ease."""
_SHOWS = "shows:"
"""What the tags of questions begin with that show a class of failure."""
_PARTS = ("what", "see", "mend")

Found = Mapping[str, Sequence[Failure]]
"""The failures of each run, by its mode."""


def draw(page: Frame, bench: Bench) -> None:
    """The class that the address names, or the list of them."""
    words, wanted = page.words, st.query_params.get("class")
    with st.container(width=WIDTH):
        if wanted in KINDS:
            _choose(str(wanted), words)
            _about(str(wanted), words)
            _example(page, running.offline(page, bench), str(wanted))
            return
        if wanted is not None:
            st.warning(inline(words("ui.failures.unknown", kind=wanted)), icon=":material/info:")
        _list(words)


def _list(words: Words) -> None:
    """All classes in the order of a passage's way."""
    st.markdown(words("ui.failures.way"))
    for place, kind in enumerate(KINDS, 1):
        with st.container(border=True, gap=None):
            st.button(
                f"**{place} · {words(f'failure.{kind}.name')}**",
                key=f"class.{kind}",
                icon=":material/chevron_right:",
                icon_position="right",
                type="tertiary",
                on_click=go,
                args=("failures",),
                kwargs={"class": kind},
            )
            st.caption(words(f"failure.{kind}.short"))


def _choose(kind: str, words: Words) -> None:
    """The classes in a row."""
    st.session_state["class"] = kind
    st.pills(
        words("ui.failures.choose"),
        KINDS,
        format_func=lambda other: words(f"failure.{other}.name"),
        key="class",
        required=True,
        on_change=lambda: go("failures", **{"class": str(st.session_state["class"])}),
        wrap=True,
        label_visibility="collapsed",
    )


def _about(kind: str, words: Words) -> None:
    st.subheader(words(f"failure.{kind}.name"), anchor=False)
    parts = [f"**{words(f'ui.failures.{part}')}**\\\n{words(f'failure.{kind}.{part}')}" for part in _PARTS]
    st.markdown("\n\n".join(parts))


def _example(page: Frame, bench: Bench, kind: str) -> None:
    """A question of the base's own that shows the class, run now; said where there is none, or it no longer does."""
    words = page.words
    st.subheader(words("ui.failures.example"), anchor=False)
    tag = f"{_SHOWS}{kind}"
    question = next((q for q in questions(bench.base).questions if tag in q.tags), None)
    if question is None:
        with st.container(border=True):
            st.markdown(words("ui.failures.none"))
            st.caption(inline(words("ui.failures.none_how", tag=tag)))
        return
    with st.container(border=True):
        st.markdown(f"**{inline(question.question)}**")
        st.caption(words("ui.failures.offline"))
    comparison = _run(page, bench, question)
    gold = gold_of(bench.base, question.question)
    reading = Reading.of(comparison, words, bench)
    found = {run.mode: failures_of(run, question, gold, reading.citations(run)) for run in comparison.runs}
    _finding(kind, found, words)
    _cards(kind, comparison, found, reading)
    _passages(kind, found, reading, bench)
    outcomes.to_compare(comparison, words)


def _run(page: Frame, bench: Bench, question: Question) -> Comparison:
    """What the modes do with it on this machine, which costs nothing."""
    case = case_of("failures", bench, question.question)
    comparison = held(case, bench)
    if comparison is None:
        comparison = running.run(page, bench, question.question)
        hold(case, comparison)
    return comparison


def _of(kind: str, found: Sequence[Failure]) -> Failure | None:
    return next((failure for failure in found if failure.kind == kind), None)


def _finding(kind: str, found: Found, words: Words) -> None:
    """Which modes show it and which do not, in one sentence."""
    shows = [words.mode(mode) for mode, failures in found.items() if _of(kind, failures)]
    spared = [words.mode(mode) for mode, failures in found.items() if not _of(kind, failures)]
    if not shows:
        st.info(words("ui.failures.gone"), icon=":material/info:")
        return
    code = "ui.failures.some" if spared else "ui.failures.every"
    st.markdown(inline(words(code, shows=shows, spared=spared)))


def _cards(kind: str, comparison: Comparison, found: Found, reading: Reading) -> None:
    """A card for each mode: the failure with what it concerns, or that it is spared, and what was written."""
    boxes = st.columns(len(comparison.runs), gap="small")
    for run, box, colour in zip(comparison.runs, boxes, COLOURS, strict=False):
        with box.container(border=True, height="stretch", gap="xsmall"):
            st.markdown(tagged(run.mode, colour, reading.words))
            _verdict(kind, found[run.mode], reading.words)
            _written(run, reading, colour)


def _verdict(kind: str, found: Sequence[Failure], words: Words) -> None:
    failure = _of(kind, found)
    if failure:
        st.markdown(f":red[:material/error: {words('ui.failures.here')}]")
        for text in _concerns(failure, words):
            st.caption(inline(text))
    else:
        st.markdown(f":green[:material/check_circle: {words('ui.failures.not_here')}]")
    if others := [words(f"failure.{other.kind}.name") for other in found if other.kind != kind]:
        st.caption(words("ui.failures.others", names=others))


def _concerns(failure: Failure, words: Words) -> list[str]:
    """The passages, the facts and the missing ids that a failure is about."""
    texts = []
    if failure.passages:
        names = [passage.title or passage.id for passage in failure.passages]
        texts.append(words("ui.failures.passages", names=names))
    if failure.facts:
        texts.append(words("ui.failures.facts", facts=failure.facts))
    if failure.ids:
        texts.append(words("ui.failures.ids", ids=failure.ids))
    return texts


def _written(run: Run, reading: Reading, colour: str) -> None:
    """The answer, folded."""
    words = reading.words
    if run.error:
        st.markdown(f":red[{inline(words.say(run.error))}]")
    if run.answer:
        with st.expander(words("ui.failures.answer"), type="compact", key=f"answer.{run.mode}"):
            st.markdown(answer.markdown(run.answer, reading.citations(run), colour), anchors=False)


def _passages(kind: str, found: Found, reading: Reading, bench: Bench) -> None:
    """The passages it is about, each with every mode's own sentence."""
    about = [passage for failures in found.values() if (one := _of(kind, failures)) for passage in one.passages]
    if not about:
        return
    passages = list({passage.id: passage for passage in about}.values())
    st.markdown(f"**{reading.words('ui.failures.why')}**")
    for passage in passages:
        outcomes.draw_passage(passage, reading, bench, expanded=len(passages) == 1)
