"""The classes of failure: what each is, how it is seen, what mends it, and one of the base's own, run now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from core.bench import Bench
from core.explain import staging
from core.explain.failures import KINDS, Failure
from core.explain.failures import failures as failures_of
from core.explain.gold import gold_of
from core.knowledge.questions import Question
from core.knowledge.shelf import questions
from core.runs import Comparison, Run
from core.words import Words
from pages.parts import answer
from pages.parts.frame import Frame
from pages.parts.labels import titled
from pages.parts.learn import outcomes, running
from pages.parts.learn.learner import case_of, go, held, hold
from pages.parts.literal import inline
from pages.parts.sources import COLOURS, Reading, tagged

WIDTH = 960
"""Pixels of a class's page: three modes side by side, and lines that are still read at ease."""
_SHOWS = "shows:"
"""What the tags of questions begin with that show a class of failure."""
_PARTS = ("what", "see", "mend")
_TRIED = 3
"""Questions that are run in search of one that a failure can be staged with."""


@dataclass(frozen=True, slots=True)
class Example:
    """A question of the base's own, run now; `taken` is the fact that was taken out of its answers for the lesson."""

    question: Question
    comparison: Comparison
    taken: str = ""


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
    """An example of the class, run now; said where there is none, or it no longer shows it."""
    words = page.words
    st.subheader(words("ui.failures.example"), anchor=False)
    example = _tagged(page, bench, kind) or (_staged(page, bench) if kind == staging.STAGED else None)
    if example is None:
        _none(kind, words)
        return
    with st.container(border=True):
        st.markdown(f"**{inline(example.question.question)}**")
        st.caption(words("ui.failures.offline"))
    if example.taken:
        taken = words("ui.failures.staged", fact=example.taken, blank=staging.BLANK)
        st.info(inline(taken), icon=":material/edit_note:")
    _judged(kind, example, Reading.of(example.comparison, words, bench), bench)


def _none(kind: str, words: Words) -> None:
    """No example: a calm word to readers, and to the base's author how to give one."""
    with st.container(border=True):
        st.markdown(words("ui.failures.none"))
        with st.expander(words("ui.failures.author"), type="compact"):
            st.markdown(inline(words("ui.failures.none_how", tag=f"{_SHOWS}{kind}")))


def _tagged(page: Frame, bench: Bench, kind: str) -> Example | None:
    """The first question that the base's author marked for the class."""
    tag = f"{_SHOWS}{kind}"
    question = next((q for q in questions(bench.base).questions if tag in q.tags), None)
    return Example(question, _run(page, bench, question)) if question else None


def _staged(page: Frame, bench: Bench) -> Example | None:
    """A question whose answers state a fact of its gold, with that fact taken out of them."""
    for question in staging.candidates(bench.base)[:_TRIED]:
        comparison = _run(page, bench, question)
        gold = gold_of(bench.base, question.question)
        if staged := staging.stage(comparison, question, gold, bench.retriever.tokeniser):
            return Example(question, staged.comparison, staged.fact)
    return None


def _judged(kind: str, example: Example, reading: Reading, bench: Bench) -> None:
    """What the rules find in every mode's run, with what it wrote and the passages concerned."""
    comparison, gold = example.comparison, gold_of(bench.base, example.question.question)
    found = {run.mode: failures_of(run, example.question, gold, reading.citations(run)) for run in comparison.runs}
    _finding(kind, found, reading.words)
    _cards(kind, example, found, reading)
    _passages(kind, found, reading, bench)
    outcomes.to_compare(comparison, reading.words)


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


def _cards(kind: str, example: Example, found: Found, reading: Reading) -> None:
    """A card for each mode: the failure with what it concerns, or that it is spared, and what was written."""
    runs = example.comparison.runs
    for run, box, colour in zip(runs, st.columns(len(runs), gap="small"), COLOURS, strict=False):
        with box.container(border=True, height="stretch", gap="xsmall"):
            st.markdown(tagged(run.mode, colour, reading.words))
            _verdict(kind, found[run.mode], reading.words)
            _written(run, reading, colour, expanded=bool(example.taken))


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
        names = [titled(passage) for passage in failure.passages]
        texts.append(words("ui.failures.passages", names=names))
    if failure.facts:
        texts.append(words("ui.failures.facts", facts=failure.facts))
    if failure.ids:
        texts.append(words("ui.failures.ids", ids=failure.ids))
    return texts


def _written(run: Run, reading: Reading, colour: str, *, expanded: bool) -> None:
    """The answer, folded unless something was changed in it."""
    words = reading.words
    if run.error:
        st.markdown(f":red[{inline(words.say(run.error))}]")
    if run.answer:
        with st.expander(words("ui.failures.answer"), type="compact", key=f"answer.{run.mode}", expanded=expanded):
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
