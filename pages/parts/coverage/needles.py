"""Needle tests: a question for each of some passages, and where every mode ranks its passage for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from core.authoring.ledger import now
from core.bench import Bench
from core.coverage.needles import USUAL, Needles, tried
from core.coverage.scope import Scope, by_model, by_rule, calls
from core.coverage.sweep import models_of
from core.knowledge.base import KnowledgeBase
from core.knowledge.questions import QuestionSet
from core.pricing import fitting
from pages.parts import own
from pages.parts.coverage import asking, needle_list, running
from pages.parts.coverage.remembering import Place
from pages.parts.coverage.work import PLACE, Change, Work
from pages.parts.frame import Frame
from pages.parts.literal import inline, shown
from pages.parts.numbers import money

_SCOPE, _DOCUMENT, _MOST, _MODEL = (f"coverage.needles.{name}" for name in ("scope", "document", "most", "model"))
_SCOPES = ("sample", "document", "all")
_LARGEST = 500
"""Needles of a sample at most."""


def draw(page: Frame, bench: Bench, found: QuestionSet, known: Work) -> None:
    """How to make them, the list, and how to test them."""
    words = page.words
    st.caption(words("ui.coverage.needles.about"))
    make = _form(page, bench, found)
    made = known.needles
    test = made is not None and needle_list.actions(page, bench, made, known.tested)
    body = st.empty()
    if make:
        _make(page, bench, found)
    elif test and made is not None:
        _test(page, bench, made)
    elif made is not None:
        with body.container():
            needle_list.draw(page, known.base or bench.base, made)
            needle_list.draw_without(page, known.base or bench.base, made)


def _form(page: Frame, bench: Bench, found: QuestionSet) -> bool:
    """For which passages, and who makes the questions; whether to make them."""
    words, base = page.words, bench.base
    with st.container(horizontal=True, vertical_alignment="bottom"):
        scope = st.segmented_control(
            words("ui.coverage.needles.scope"),
            _SCOPES,
            default="sample",
            format_func=lambda name: words(f"ui.coverage.needles.scope_{name}"),
            key=_SCOPE,
            required=True,
            persist_state="session",
            wrap=True,
        )
        if scope == "document":
            ids = [id for id in base.documents if base.of_document(id)]
            st.selectbox(words("ui.coverage.document"), ids, 0, lambda id: _called(base, id), key=_DOCUMENT, width=320)
        elif scope == "sample":
            st.session_state.setdefault(_MOST, USUAL)
            st.number_input(
                words("ui.coverage.needles.most"), 1, _LARGEST, key=_MOST, persist_state="session", width=150
            )
        make = st.button(words("ui.coverage.needles.make"), icon=":material/edit_note:", key="coverage.needles.make")
    _models(page, bench, found)
    return make


def _called(base: KnowledgeBase, id: str) -> str:
    title = base.documents[id].title
    return shown(title if title and title != id else id)


def _scope() -> Scope:
    state = st.session_state
    chosen = state.get(_SCOPE) or "sample"
    if chosen == "document":
        return Scope(document=str(state.get(_DOCUMENT) or ""))
    return Scope(most=int(state.get(_MOST) or USUAL) if chosen == "sample" else None)


def _models(page: Frame, bench: Bench, found: QuestionSet) -> None:
    """Who makes the questions: rules, or a model where there is one, with what that would send and cost."""
    words = page.words
    models = models_of(bench, "judge") or models_of(bench, "writer")
    if not models:
        st.caption(words("ui.coverage.needles.by_rule"))
        return
    label = words("ui.coverage.needles.by_model", model=inline(models[0]))
    if st.toggle(label, key=_MODEL, persist_state="session"):
        count, tokens = calls(bench.base, found.questions, _scope())
        cost = _cost(page, bench, tokens, count)
        code = "cost" if cost else "no_price"
        st.caption(inline(words(f"ui.coverage.needles.{code}", calls=count, tokens=tokens, cost=cost)))


def _cost(page: Frame, bench: Bench, tokens: int, count: int) -> str:
    """What sending so many tokens costs; nothing where the model has no price."""
    settings = bench.settings
    role = next((settings.roles[name] for name in ("judge", "writer") if not settings.roles[name].offline), None)
    endpoint = settings.endpoints.get(role.endpoint) if role else None
    if role is None or endpoint is None or not count:
        return ""
    price = fitting(page.saved.prices.of(endpoint, role.model.partition(":")[2]), tokens // count)
    return money({price.currency: price.amount(tokens, 0)}) if price else ""


def _make(page: Frame, bench: Bench, found: QuestionSet) -> None:
    """Make the questions, by a model or by rule; the page is then drawn anew."""
    words, scope, base, place = page.words, _scope(), bench.base, Place.of(page, bench)
    count = [0, 1]

    def doing(stopped: Callable[[], bool]) -> Change:
        def progress(done: int, total: int) -> None:
            count[:] = [done, max(1, total)]

        made = by_model(bench, found.questions, scope, progress, stopped)
        return _kept(place, made)

    def by_rules(stopped: Callable[[], bool]) -> Change:
        return _kept(place, by_rule(base, found.questions, scope))

    needle_list.forget()
    if models_of(bench, "judge", "writer") and st.session_state.get(_MODEL):
        line = "coverage.inventing"
        running.run(page, doing, lambda: (count[0] / count[1], words(line, done=count[0], total=count[1])))
    running.wait(page, by_rules, words("ui.coverage.needles.making"))


def _kept(place: Place, made: Needles) -> Change:
    """Keep the needles; what that changes for the session, which is told where they could not be kept."""
    tested = now() if any(needle.ranks for needle in made.needles) else ""
    values: dict[str, Any] = {"needles": made, "tested": tested, "tested_under": place.settings}
    unkept = place.keep(**values)

    def change(before: Work) -> Work:
        if unkept:
            own.say(PLACE, unkept)
        return replace(before.over(place.base), **values)

    return change


def _test(page: Frame, bench: Bench, made: Needles) -> None:
    """Ask the questions as they stand in their fields, of every mode."""
    words, place = page.words, Place.of(page, bench)
    asked = needle_list.edited(made)
    how = asking.how(answers=needle_list.with_answers())
    count = [0, len(asked.needles)]
    with_models = asking.paying(bench)

    def doing(stopped: Callable[[], bool]) -> Change:
        def progress(done: int, total: int) -> None:
            count[:] = [done, total]

        done = {needle.passage_id: needle for needle in tried(with_models, asked, how, progress, stopped).needles}
        kept = tuple(done.get(needle.passage_id, needle) for needle in asked.needles)
        return _kept(place, replace(asked, needles=kept))

    line = "coverage.testing"
    running.run(page, doing, lambda: (count[0] / max(1, count[1]), words(line, done=count[0], total=count[1])))
