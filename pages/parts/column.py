"""One column: a run that is live, finished or reopened, drawn by one function.

Every column has the same parts at the same heights, and each part is drawn anew only when what it shows has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.citations import flags
from core.domain import Citation
from core.progress import notices, state_of, thought
from core.runs import Run
from core.words import Words
from pages.parts import answer, folded, sources, steps
from pages.parts.literal import inline, literal
from pages.parts.numbers import DASH, brief
from pages.parts.sources import COLOURS, Reading

ANSWER_HEIGHT = 340
"""Pixels kept for an answer while it streams, so that nothing below it moves; folded it takes just as much."""
_THOUGHT, _LINE, _FLAGS = 44, 20, 26
"""Pixels of the fold over what was thought, with its gap; of the line with the clock; of the line on citations."""
_TOLD = ("answered", "no_hits", "stopped", "failed")
"""Reasons to end that the state's word tells already."""
_LONGEST_THOUGHT = 20_000
"""Characters of a thought that are sent to the browser."""


@dataclass(frozen=True, slots=True)
class Room:
    """How much room a column has.

    `reserved`: an answer has its fixed room; else it is as high as the highest beside it. `rows`: cited sources for
    which all columns keep room; `None`: as many as there are. `folded`: only the beginning of an answer, and no more
    sources than `rows`. Where `below` is given, what unfolds stands there and moves nothing of the column.
    """

    reserved: bool = True
    rows: int | None = sources.FEW
    folded: bool = False
    below: DeltaGenerator | None = None


class Column:
    """The slots of one column; `draw` fills them from a run."""

    def __init__(self, where: DeltaGenerator, place: int, mode: str, words: Words, room: Room = Room()) -> None:
        self._words = words
        self._mode = mode
        self._place = place
        self._colour = COLOURS[place]
        self._room = room
        self._shown: dict[str, Hashable] = {}
        self._told: int | None = None
        box = where.container(border=True, gap="xsmall", height="stretch")
        head = box.container(horizontal=True, wrap=False, vertical_alignment="center", gap="xsmall")
        head.markdown(f"{sources.tagged(mode, self._colour, words)}", width="content", wrap=False)
        self._slots = {"state": head.empty()}
        line = box.container(horizontal=True, wrap=False, gap="xsmall", height=_LINE, border=False)
        self._slots |= {"clock": line.empty(), "now": line.empty()}
        said = box.container(height=ANSWER_HEIGHT if room.reserved else "stretch", border=False, gap="xsmall")
        self._slots |= {"thought": said.empty(), "answer": said.empty()}
        self._slots["flags"] = box.container(height=_FLAGS, border=False).empty()
        tall: int | Literal["content"] = "content" if room.rows is None else sources.height(room.rows)
        self._slots["sources"] = box.container(height=tall, border=False).empty()
        below = room.below.container(gap="xsmall") if room.below else box
        self._slots |= {"uncited": below.empty(), "trace": below.empty()}

    def draw(self, run: Run, clock: float, reading: Reading) -> None:
        """Show `run` as it stands; `clock` is its seconds so far."""
        over = run.stop_reason is not None
        citations = reading.citations(run) if over else ()
        state = state_of(run, clock)
        self._state(state, brief(clock) if over else f"{clock:.1f} s", over)
        self._part("now", (len(run.steps), bool(run.answer), over), partial(self._now, run))
        self._part("thought", (len(thought(run)), bool(run.answer) or over), partial(self._thought, run, over))
        self._part("answer", (run.answer, over, run.error, len(notices(run))), partial(self._answer, run, citations))
        self._part("flags", over, partial(self._flags, run, citations, over))
        self._part("sources", (len(run.evidence), over), partial(self._sources, run, citations, reading))
        self._part("uncited", (len(run.evidence), over), partial(self._uncited, run, citations, reading))
        if reading.live:
            self._grow(run)
        else:
            self._part("trace", len(run.steps), partial(self._trace, run))

    def _part(self, name: str, shows: Hashable, draw: Callable[[], None]) -> None:
        if name in self._shown and self._shown[name] == shows:
            return
        self._shown[name] = shows
        with self._slots[name].container(gap="xsmall"):
            draw()

    def _state(self, state: str, time: str, over: bool) -> None:
        """The state's word at the right of the head, and the clock at the left of the line below."""
        if self._shown.get("clock") != time:
            self._shown["clock"] = time
            self._slots["clock"].caption(time, width="content", wrap=False)
        if self._shown.get("state") == state:
            return
        self._shown["state"] = state
        colour = "red" if state in ("failed", "stopped") else "gray" if over else "primary"
        word = f":small[:{colour}[{self._words(f'ui.state.{state}')}]]"
        self._slots["state"].markdown(word, width="stretch", text_alignment="right", wrap=False)

    def _now(self, run: Run) -> None:
        """One line on what it is doing, or how it ended."""
        words = self._words
        if run.stop_reason:
            text = words("ui.now.given", count=len(run.evidence))
            if run.stop_reason not in _TOLD:
                text = words("ui.now.ended", given=text, why=words(f"stop.{run.stop_reason}"))
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
        words, room = self._words, self._room
        if run.answer and room.folded:
            height = ANSWER_HEIGHT - (_THOUGHT if thought(run) else 0)
            data = folded.values(run.answer, citations, self._notes(run), self._colour, height)
            folded.draw(data, key=f"folded.{self._place}")
            return
        if run.answer:
            st.markdown(answer.markdown(run.answer, citations or _early(run), self._colour), anchors=False)
        elif not run.error:
            st.caption(words(absent(run)))
        for note in self._notes(run):
            st.markdown(f":small[:{'red' if note.bad else 'gray'}[:material/{note.icon}: {inline(note.text)}]]")

    def _notes(self, run: Run) -> list[folded.Note]:
        """What is told below an answer: why it is missing or not whole, and what its searches came upon."""
        words, notes = self._words, []
        if run.error:
            said = words.say(run.error)
            notes.append(
                folded.Note("error", words("ui.answer.unfinished", why=said) if run.answer else said, bad=True)
            )
        notes += [folded.Note("info", words.say(notice)) for notice in notices(run)]
        if run.answer and run.stop_reason == "stopped":
            notes.append(folded.Note("stop_circle", words("ui.answer.stopped"), bad=True))
        return notes

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
            st.markdown(f":small[:red[:material/flag: {said}]]", wrap=False, help=said)
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
        if run.answer:
            most = self._room.rows if self._room.folded or reading.live else None
            sources.draw_cited(run, citations, reading, most)

    def _uncited(self, run: Run, citations: Sequence[Citation], reading: Reading) -> None:
        """The other passages; they are drawn when they are wanted, for there may be many."""
        left = len(sources.uncited(run, citations))
        code = "ui.sources.retrieved" if run.stop_reason == "answered" and not run.answer else "ui.sources.uncited"
        label = self._words(code, count=left)
        if run.stop_reason is None or reading.live or not left:
            st.expander(self._named(label)).caption(DASH)
            return
        fold = st.expander(self._named(label), key=f"uncited.{self._place}", on_change="rerun")
        if fold.open:
            with fold:
                sources.draw_uncited(run, citations, reading)

    def _trace(self, run: Run) -> None:
        label = self._named(f"{self._words('ui.steps.title')} · {inline(steps.totals(run, self._words))}")
        with st.expander(label):
            steps.draw(run, self._words)

    def _grow(self, run: Run) -> None:
        """While the modes run each step is added to the trace once; its totals come when all are over."""
        told, self._told = self._told, len(run.steps)
        if told == self._told:
            return
        if not told:
            self._fold = (
                self._slots["trace"].container(gap="xsmall").expander(self._named(self._words("ui.steps.title")))
            )
        with self._fold:
            steps.draw(run, self._words, since=told or 0)

    def _named(self, label: str) -> str:
        """A label outside the column's frame names the mode."""
        return f"{sources.tagged(self._mode, self._colour, self._words)} {label}" if self._room.below else label


def _early(run: Run) -> tuple[Citation, ...]:
    """While an answer streams its marks only point or do not; whether the words bear them is seen at the end."""
    return tuple(Citation(n, passage, "", "grounded") for n, passage in enumerate(run.evidence, 1))


def absent(run: Run) -> str:
    """The code of what stands where an answer would."""
    if not run.stop_reason:
        return "ui.answer.waiting"
    return "ui.answer.stopped_before" if run.stop_reason == "stopped" else "ui.answer.retrieval_only"
