"""The guided lesson: a question of the base's own, a prediction, what really happened, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.bench import Bench
from core.explain.lessons import Lesson, happened, lessons, outcomes, score
from core.knowledge.shelf import questions
from core.modes import choose
from core.runs import Comparison
from core.words import Words
from pages.parts.form import examples
from pages.parts.frame import Frame
from pages.parts.learn import closing, running
from pages.parts.learn.learner import Case, ask_for, asked_for, case_of, forget, go, guess, held, hold, learner
from pages.parts.learn.outcomes import draw as draw_outcomes
from pages.parts.learn.outcomes import draw_passage, to_compare
from pages.parts.literal import inline
from pages.parts.sources import Reading

WIDTH = 960
"""Pixels of a lesson: three modes side by side, and lines that are still read at ease."""


def draw(page: Frame, bench: Bench) -> None:
    """The lesson that the address names, or the first one."""
    words, found = page.words, lessons(bench.base, examples(questions(bench.base).questions))
    with st.container(width=WIDTH):
        if not found:
            _none(words)
            return
        done = {known: comparison for known, lesson in found.items() if (comparison := _done(lesson, bench))}
        lesson = _choose(found, done, words)
        _score(found, done, words)
        _about(lesson, words)
        if _case(lesson, bench) not in learner().guesses:
            _predict(lesson, bench, words)
            _passages(lesson, None, bench, words)
            return
        comparison = _found(page, bench, lesson)
        if comparison:
            _reveal(lesson, comparison, bench, words)
            _passages(lesson, comparison, bench, words)
            _onward(lesson, list(found.values()), comparison, bench, words)
            if lesson.place == len(found):
                closing.draw(len(done), len(found), words)


def _case(lesson: Lesson, bench: Bench) -> Case:
    return case_of("lesson", bench, lesson.question.question)


def _none(words: Words) -> None:
    """A base without lessons: what would make some."""
    with st.container(border=True):
        st.subheader(words("ui.lesson.none"), anchor=False)
        st.markdown(words("ui.lesson.none_how"))
        rows = ("id,question,kind,gold,tags", words("ui.lesson.none_row"))
        st.code("\n".join(rows), language=None, wrap_lines=True)
        st.caption(words("ui.lesson.none_note"))


def _choose(found: Mapping[str, Lesson], done: Mapping[str, Comparison], words: Words) -> Lesson:
    """The lessons in a row, those done with a mark."""
    wanted = st.query_params.get("lesson")
    if wanted is not None and wanted not in found:
        st.warning(inline(words("ui.lesson.unknown", lesson=wanted)), icon=":material/info:")
    name = wanted if wanted in found else next(iter(found))
    st.session_state["lesson"] = name
    st.segmented_control(
        words("ui.lesson.choose"),
        list(found),
        format_func=lambda known: f"{found[known].place}{' :material/check:' if known in done else ''}",
        key="lesson",
        required=True,
        on_change=_follow,
        wrap=True,
        label_visibility="collapsed",
    )
    return found[str(name)]


def _score(found: Mapping[str, Lesson], done: Mapping[str, Comparison], words: Words) -> None:
    """How the predictions went so far."""
    told = [outcomes(comparison, found[known].gold, _guessed(comparison)) for known, comparison in done.items()]
    right, scored = score(outcome for lesson in told for outcome in lesson)
    values = {"done": len(done), "all": len(found), "right": right, "scored": scored}
    st.caption(words("ui.lesson.progress" if done else "ui.lesson.begin", **values))


def _follow() -> None:
    go("lesson", lesson=str(st.session_state["lesson"]))


def _guessed(comparison: Comparison) -> tuple[str, ...]:
    """The modes that were predicted to find what should be found for a question."""
    return learner().guesses.get(("lesson", comparison.base.version, comparison.question), ())


def _done(lesson: Lesson, bench: Bench) -> Comparison | None:
    """What was found for a lesson whose modes were predicted."""
    case = _case(lesson, bench)
    return held(case, bench) if case in learner().guesses else None


def _about(lesson: Lesson, words: Words) -> None:
    """What the kind of question tests, told once, and the question itself."""
    kind = lesson.question.kind
    named = words(f"ui.kind.{kind}") if told(kind, "tests", words) else inline(kind)
    title = words("ui.lesson.title", place=lesson.place, kind=named) if kind else words("ui.lesson.untitled")
    st.subheader(title, anchor=False)
    if lesson.alike:
        st.markdown(words("ui.lesson.alike", place=lesson.alike))
    else:
        st.markdown(told(kind, "tests", words) or words("lesson.other.tests"))
    with st.container(border=True):
        st.markdown(f"**{inline(lesson.question.question)}**")


def told(kind: str, part: str, words: Words) -> str:
    """What the catalogue says of a kind of question; nothing for a kind of a base's own."""
    code = f"lesson.{kind}.{part}"
    text = words(code)
    return "" if text == code else text


def _predict(lesson: Lesson, bench: Bench, words: Words) -> None:
    """The prediction: which modes give the writer at least one of the gold passages."""
    with st.form(f"predict.{lesson.name}", border=False):
        st.pills(
            words("ui.lesson.predict_one" if len(lesson.gold) == 1 else "ui.lesson.predict", gold=len(lesson.gold)),
            [mode.id for mode in choose()],
            selection_mode="multi",
            format_func=words.mode,
            key=f"guess.{lesson.name}",
            persist_state="session",
            wrap=True,
        )
        st.caption(words("ui.lesson.counts"))
        running.price(bench, words, retrieval_only=True)
        label, args = f":primary[**{words('ui.lesson.reveal')}**]", (lesson, _case(lesson, bench))
        st.form_submit_button(label, icon=":material/visibility:", key="reveal", on_click=_submit, args=args)


def _submit(lesson: Lesson, case: Case) -> None:
    guess(case, tuple(st.session_state.get(f"guess.{lesson.name}") or ()))


def _found(page: Frame, bench: Bench, lesson: Lesson) -> Comparison | None:
    """What the modes really find; where that calls a model, only after a click."""
    case = _case(lesson, bench)
    comparison = held(case, bench)
    if comparison:
        return comparison
    if asked_for(case) or running.free(bench, retrieval_only=True):
        comparison = running.run(page, bench, lesson.question.question, retrieval_only=True)
        hold(case, comparison)
        st.rerun()  # so that the row of lessons above knows of it
    running.price(bench, page.words, retrieval_only=True)
    label = page.words("ui.learn.run")
    st.button(label, icon=":material/play_arrow:", key="run", on_click=ask_for, args=(case,))
    return None


def _reveal(lesson: Lesson, comparison: Comparison, bench: Bench, words: Words) -> None:
    """What happened beside what was predicted, and what to look at: told once for a kind of question."""
    came = outcomes(comparison, lesson.gold, _guessed(comparison))
    right, scored = score(came)
    st.markdown(f"**{words('ui.lesson.scored', right=right, scored=scored)}**")
    draw_outcomes(came, words)
    hints = [words.say(happened(bench, came))] if scored else []
    if not lesson.alike:
        hints.append(told(lesson.question.kind, "look", words) or words("lesson.other.look"))
    if hints:
        st.markdown(f":material/lightbulb: {inline(' '.join(hints))}")


def _passages(lesson: Lesson, comparison: Comparison | None, bench: Bench, words: Words) -> None:
    """The gold passages; once something was found, with every mode's own sentence on each."""
    count = len(lesson.gold)
    st.markdown(f"**{words('ui.lesson.gold' if comparison is None else 'ui.lesson.why', count=count)}**")
    runs = comparison.runs if comparison else ()
    tokeniser = bench.retriever.tokeniser
    reading = Reading(words, tokeniser, tuple(tokeniser.query(lesson.question.question)), runs)
    for passage in lesson.gold:
        draw_passage(passage, reading, bench, expanded=count == 1)


def _onward(lesson: Lesson, found: Sequence[Lesson], comparison: Comparison, bench: Bench, words: Words) -> None:
    """To the next lesson, to the whole comparison, or once more."""
    later = next((other for other in found if other.place == lesson.place + 1), None)
    with st.container(horizontal=True, vertical_alignment="center"):
        if later:
            label = f":primary[**{words('ui.lesson.next')}**]"
            kwargs = {"lesson": later.name}
            st.button(label, icon=":material/arrow_forward:", key="next", on_click=go, args=("lesson",), kwargs=kwargs)
        to_compare(comparison, words)
        again, case = words("ui.lesson.again"), _case(lesson, bench)
        st.button(again, icon=":material/replay:", type="tertiary", key="again", on_click=forget, args=(case,))
