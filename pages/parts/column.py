"""One column: a run that is live, finished or reopened, drawn by one function.

Every column has the same parts at the same heights, and each part is drawn anew only when what it shows has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.citations import flags
from core.domain import Citation, Say
from core.modes import registry
from core.runs import Run
from core.words import Words
from pages.parts import answer, sources, steps
from pages.parts.literal import inline, literal
from pages.parts.numbers import seconds
from pages.parts.sources import COLOURS, Reading

ANSWER_HEIGHT, SOURCES_HEIGHT = 340, 300
"""Pixels kept for answer and sources where columns stand side by side, so that nothing jumps while text streams."""
_LONGEST_THOUGHT = 20_000
"""Characters of a thought that are sent to the browser."""
_ICONS = {
    "waiting": "schedule",
    "thinking": "psychology",
    "searching": "search",
    "writing": "edit",
    "stopped": "stop_circle",
    "failed": "error",
    "no_hits": "search_off",
}


class Column:
    """The slots of one column; `draw` fills them from a run."""

    def __init__(self, where: DeltaGenerator, place: int, mode: str, words: Words, *, reserved: bool = True) -> None:
        self._words = words
        self._colour = COLOURS[place]
        self._shown: dict[str, Hashable] = {}
        box = where.container(border=True, gap="xsmall", height="stretch")
        head = box.container(horizontal=True, wrap=False, vertical_alignment="center", gap="xsmall")
        icon = registry()[mode].icon if mode in registry() else "help"
        head.markdown(f":{self._colour}[:material/{icon}: **{inline(words.mode(mode))}**]", width="content")
        self._slots = {"state": head.empty(), "now": box.empty()}
        said = box.container(height=ANSWER_HEIGHT if reserved else "content", border=False, gap="xsmall")
        self._slots |= {"thought": said.empty(), "answer": said.empty()}
        self._slots["flags"] = box.empty()
        self._slots["sources"] = box.container(height=SOURCES_HEIGHT if reserved else "content", border=False).empty()
        self._slots["trace"] = box.empty()

    def draw(self, run: Run, clock: float, reading: Reading) -> None:
        """Show `run` as it stands; `clock` is its seconds so far."""
        over = run.stop_reason is not None
        citations = reading.citations(run) if over else ()
        state = state_of(run, clock)
        self._state(state, seconds(clock) if over else f"{clock:.1f} s", over)
        self._part("now", (len(run.steps), bool(run.answer), over), partial(self._now, run))
        self._part("thought", (len(thought(run)), bool(run.answer) or over), partial(self._thought, run, over))
        self._part("answer", (run.answer, over, run.error, len(notices(run))), partial(self._answer, run, citations))
        self._part("flags", over, partial(self._flags, run, citations, over))
        self._part("sources", (len(run.evidence), over), partial(self._sources, run, citations, reading))
        self._part("trace", (len(run.steps), over), partial(self._trace, run))

    def _part(self, name: str, shows: Hashable, draw: Callable[[], None]) -> None:
        if name in self._shown and self._shown[name] == shows:
            return
        self._shown[name] = shows
        with self._slots[name].container(gap="xsmall"):
            draw()

    def _state(self, state: str, time: str, over: bool) -> None:
        """The state's word and the clock, at the right of the head."""
        if self._shown.get("state") == (state, time):
            return
        self._shown["state"] = (state, time)
        colour = "red" if state in ("failed", "stopped") else "gray" if over else "primary"
        icon = f":material/{_ICONS[state]}: " if state in _ICONS else ""
        word = f":{colour}[{icon}{self._words(f'ui.state.{state}')}]"
        self._slots["state"].markdown(
            f":small[{word} :gray[{time}]]", width="stretch", text_alignment="right", wrap=False
        )

    def _now(self, run: Run) -> None:
        """One line on what it is doing, or how it ended."""
        words = self._words
        if run.stop_reason:
            text = words(
                "ui.now.ended", why=words(f"stop.{run.stop_reason}"), given=len(run.evidence), steps=len(run.steps)
            )
        elif run.steps:
            text = words.say(run.steps[-1].detail)
        else:
            text = words("ui.now.begins")
        st.caption(inline(text), wrap=False)

    def _thought(self, run: Run, over: bool) -> None:
        """What was thought before the answer: how much while it goes on, then folded, and never as answer."""
        words, text = self._words, thought(run)
        if not text:
            return
        if not (run.answer or over):
            st.caption(f":material/psychology: {words('ui.thinking.now', count=len(text))}")
            return
        with st.expander(words("ui.thinking.folded", count=len(text)), icon=":material/psychology:", type="compact"):
            cut = "…" if len(text) > _LONGEST_THOUGHT else ""
            st.markdown(f"{literal(text[:_LONGEST_THOUGHT])}{cut}")

    def _answer(self, run: Run, citations: Sequence[Citation]) -> None:
        words = self._words
        if run.answer:
            st.markdown(answer.markdown(run.answer, citations or _early(run), self._colour), anchors=False)
        if run.error:
            said = words.say(run.error)
            text = words("ui.answer.unfinished", why=said) if run.answer else said
            st.markdown(f":red[:material/error: {inline(text)}]")
        elif not run.answer:
            st.caption(words(_absent(run)))
        for notice in notices(run):
            st.caption(f":material/info: {inline(words.say(notice))}")
        if run.answer and run.stop_reason == "stopped":
            st.caption(f":red[:material/stop_circle: {words('ui.answer.stopped')}]")

    def _flags(self, run: Run, citations: Sequence[Citation], over: bool) -> None:
        """What to be careful of in the citations, or that there is nothing."""
        words = self._words
        whole = over and run.answer and not run.stopped and not run.error  # cut short: not blamed for what it lacks
        raised = flags(run.answer, citations) if whole else ()
        doubtful = [c.number for c in citations if c.status == "ungrounded"]
        texts = [words.say(flag) for flag in raised] + (
            [words("ui.flags.ungrounded", numbers=doubtful)] if doubtful else []
        )
        if texts:
            said = inline(" · ".join(texts))
            st.caption(f":red[:material/flag: {said}]", wrap=False, help=said)
        elif over and citations and all(c.status == "grounded" for c in citations):
            st.caption(f":material/check: {words('ui.flags.good', count=len(citations))}", wrap=False)
        else:
            st.caption(words("ui.flags.none" if over else "ui.flags.later"), wrap=False)

    def _sources(self, run: Run, citations: Sequence[Citation], reading: Reading) -> None:
        words = self._words
        if run.stop_reason is None:
            st.caption(
                words("ui.sources.given", count=len(run.evidence)) if run.evidence else words("ui.sources.later")
            )
            return
        sources.draw_cited(run, citations, reading)
        left = len(sources.uncited(run, citations))
        if not left or reading.live:
            st.caption(words("ui.sources.uncited", count=left))
            return
        with st.expander(words("ui.sources.uncited", count=left), type="compact"):
            sources.draw_uncited(run, citations, reading)

    def _trace(self, run: Run) -> None:
        with st.expander(f"{self._words('ui.steps.title')} · {inline(steps.totals(run, self._words))}"):
            steps.draw(run, self._words)


def _early(run: Run) -> tuple[Citation, ...]:
    """While an answer streams its marks only point or do not; whether the words bear them is seen at the end."""
    return tuple(Citation(n, passage, "", "grounded") for n, passage in enumerate(run.evidence, 1))


def _absent(run: Run) -> str:
    """The code of what stands where an answer would."""
    if not run.stop_reason:
        return "ui.answer.waiting"
    return "ui.answer.stopped_before" if run.stop_reason == "stopped" else "ui.answer.retrieval_only"


def thought(run: Run) -> str:
    """What was thought before the answer; while nothing is answered, what is being thought before the next step."""
    writing = next((at for at, step in enumerate(run.steps) if step.name == "write"), len(run.steps))
    return run.thoughts.get(writing, "")


_IN_TRACE = frozenset({"agent.context", "agent.calls_left"})
"""What a model was reminded of: told in the trace, nothing for a reader of the answer."""


def notices(run: Run) -> list[Say]:
    """Why a ranking is empty or fell back, each once; what a tool refused stays in the trace.

    What failed the run is told as its error, not again.
    """
    told = [step.error for step in run.steps if step.error and not step.call and step.error != run.error]
    errors = [error for error in told if error.code not in _IN_TRACE]
    return list({(error.code, str(error.values)): error for error in errors}.values())


def state_of(run: Run, clock: float) -> str:
    """The state's word: waiting, searching, thinking, writing, done, or how it ended badly."""
    reason = run.stop_reason
    if reason in ("failed", "stopped", "no_hits"):
        return str(reason)
    if reason:
        return "done"
    if not run.answer and len(run.steps) in run.thoughts:
        return "thinking"
    return "writing" if run.answer or run.evidence else "searching" if run.events or clock > 0 else "waiting"
