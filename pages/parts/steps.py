"""The trace of a run: every step with what it found, what it took, and what a tool gave back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.domain import EVIDENCE, Passage, Step
from core.pricing import cost, cost_of
from core.retrieval.cosines import EXACT
from core.runs import Run
from core.words import Words
from pages.parts.labels import doubt, titled
from pages.parts.literal import inline, shown
from pages.parts.numbers import DASH, money, seconds, tokens, used

Recorded = Mapping[str, Any]
"""The prices that a comparison's record keeps."""

_LISTED = 8
"""Passages named in one step; the rest is a count."""
_LONGEST = 20_000
"""Characters of a tool's output, or of a thought, that are sent to the browser."""
_TALL = 300
"""Characters of a thought from which on it scrolls."""


def totals(run: Run, words: Words, prices: Recorded | None = None) -> str:
    """What stands on the trace's fold: steps, tokens, cost; the time is on the column's clock."""
    count = used(run.usage)
    parts = [words("ui.steps.count", count=len(run.steps))]
    if count is not None:
        parts.append(f"{tokens(count, run.usage.estimated)} tokens")
    if amounts := cost(run, prices).amounts:
        parts.append(money(amounts))
    return " · ".join(parts)


def draw(run: Run, words: Words, prices: Recorded | None = None, since: int = 0) -> None:
    """The steps in order, each folded; those before `since` stand there already."""
    if not run.steps:
        st.caption(words("ui.steps.none"))
    for at, step in enumerate(run.steps[since:], since):
        icon = ":material/error:" if step.error else ":material/check_circle:"
        with st.expander(inline(words.say(step.detail)), icon=icon, type="step"):  # a status would sleep 50 ms
            if step.name != "write":  # what was thought before the answer stands beside the answer
                _thought(run.thoughts.get(at, ""), words)
            _step(step, run.new[at], words, prices)


def _thought(text: str, words: Words) -> None:
    if text:
        st.caption(words("ui.thinking.folded", count=len(text)))
        st.code(shown(text[:_LONGEST]), language=None, wrap_lines=True, height=200 if len(text) > _TALL else "content")


def _step(step: Step, new: int, words: Words, prices: Recorded | None) -> None:
    """What a step was about, in one element, then what a tool was asked and gave back."""
    error = [f":red[{inline(words.say(step.error))}]"] if step.error else []
    facts = _facts(step, new, words)
    if amounts := cost_of([step], prices).amounts:
        facts.append(money(amounts))
    line = [f":small[{inline(' · '.join(facts))}]"] if facts else []
    st.markdown("\\\n".join([*error, *line, *_named(step, words), *_sent(step, words)]) or DASH)
    if step.call:
        call = json.dumps({step.call.tool: dict(step.call.arguments)}, ensure_ascii=False, default=str)
        st.code(shown(call), language=None, wrap_lines=True)
    if step.output:
        st.caption(words("ui.steps.output"))
        st.code(shown(step.output[:_LONGEST]), language=None, wrap_lines=True, height=200)


def _named(step: Step, words: Words) -> list[str]:
    """The first passages a step touched, with what marks them, and how many more."""
    if not step.touched:
        return []
    exact = {hit.passage.id for hit in step.hits if EXACT in hit.scores}
    named = words.join([_marked(passage, passage.id in exact, words) for passage in step.touched[:_LISTED]])
    more = len(step.touched) - _LISTED
    rest = f" {words('ui.steps.more', count=more)}" if more > 0 else ""
    return [f":small[:gray[{inline(named + rest)}]]"]


def _marked(passage: Passage, exact: bool, words: Words) -> str:
    """A passage's label; behind it that the question names it, and that it was hard to read. Plain text."""
    marks = [words("exact.match") if exact else "", doubt(passage, words)]
    name = titled(passage)
    told = words.join(list(filter(None, marks)))
    return words("ui.filters.marked", name=name, mark=told) if told else name


def _sent(step: Step, words: Words) -> list[str]:
    """The settings of a model call as they were really sent."""
    if not step.sent:
        return []
    sent = [f"{name} = {json.dumps(value, ensure_ascii=False, default=str)}" for name, value in step.sent.items()]
    return [f":small[:gray[{inline(words('ui.steps.sent', settings=sent))}]]"]


def _facts(step: Step, new: int, words: Words) -> list[str]:
    facts = [words("ui.steps.new", new=new)] if step.touched and step.name != EVIDENCE else []
    if step.kept:
        facts.append(words("ui.steps.kept", count=len(step.kept)))
    facts += [words(f"ui.time.{kind}", seconds=seconds(value)) for kind, value in step.times.items() if value > 0]
    if not step.times and step.seconds > 0:
        facts.append(seconds(step.seconds))
    if step.usage and (count := used(step.usage)) is not None:
        facts.append(f"{tokens(count, step.usage.estimated)} tokens")
    return facts
