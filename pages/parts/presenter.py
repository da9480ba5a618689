"""Presenter view: a finished comparison in large type, one mode at a time or all, and nothing else on the page.

An element of our own, since Streamlit has no size of type. It gets plain values and sets them as text. The address
keeps the view, so that it survives a reload and can be sent to a projector.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import streamlit as st

from core.bench import Bench
from core.domain import Citation, Passage
from core.explain.gold import gold_of
from core.knowledge.tokeniser import Tokeniser
from core.progress import state_of
from core.runs import Comparison, Run
from core.words import Words
from pages.parts import answer, table
from pages.parts.column import absent
from pages.parts.element import element
from pages.parts.labels import above, titled
from pages.parts.literal import HEADING, short, shown
from pages.parts.numbers import brief, ratio, tokens, used
from pages.parts.sources import citations_of

_NAME = "present"
_VIEW = element("presenter", __file__, under="blocks")


def on() -> bool:
    """Whether the address asks for presenter view."""
    return st.query_params.get(_NAME) == "1"


def enter() -> None:
    """Let the address ask for it."""
    st.query_params[_NAME] = "1"


def leave() -> None:
    """Go back to the whole page."""
    if on():
        del st.query_params[_NAME]


def draw(comparison: Comparison, words: Words, bench: Bench) -> None:
    """The comparison in large type, and the way back."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.caption(words("ui.present.keys"), width="content")
        label = words("ui.result.leave")
        st.button(label, icon=":material/close_fullscreen:", type="tertiary", key="leave", on_click=leave)
    gold = gold_of(bench.base, comparison.question) if comparison.base.name == bench.base.name else ()
    data = values(comparison, words, bench.retriever.tokeniser, gold)
    _VIEW(key="presenter", data=data, on_leave_change=leave)


def values(comparison: Comparison, words: Words, tokeniser: Tokeniser, gold: Sequence[Passage] = ()) -> dict[str, Any]:
    """All that the view shows, as plain values; `gold` is what should be found, where that is known."""
    return {
        "id": comparison.id,
        "question": shown(short(comparison.question, HEADING)),
        "modes": table.modes(comparison, words),
        "columns": [_column(run, comparison.runs[0], words, tokeniser, gold) for run in comparison.runs],
        "gold": words("ui.present.gold", count=len(gold)) if gold else "",
        "words": {
            "all": words("ui.view.all"),
            "previous": words("ui.present.previous"),
            "next": words("ui.present.next"),
        },
    }


def _column(run: Run, first: Run, words: Words, tokeniser: Tokeniser, gold: Sequence[Passage]) -> dict[str, Any]:
    citations = citations_of(run, tokeniser)
    state = state_of(run, run.seconds)
    listed = _sources(run, citations)
    names = [shown(titled(passage)) for passage in gold if run.gave(passage.id)]
    return {
        "gave": f"{len(names):,}",
        "found": words("ui.present.found" if names else "ui.present.found_none", names=names) if gold else "",
        "state": words(f"ui.state.{state}"),
        "bad": state in ("failed", "stopped"),
        "figures": _figures(run, first, words),
        "blocks": [asdict(block) for block in answer.blocks(run.answer, citations)],
        "absent": "" if run.answer or run.error else words(absent(run)),
        "notes": _notes(run, words),
        "title": words("ui.sources.cited" if run.answer else "ui.sources.given", count=len(listed)),
        "sources": [
            {
                "number": number,
                "title": shown(titled(passage)),
                "path": shown(above(passage)),
            }
            for number, passage in listed
        ],
    }


def _notes(run: Run, words: Words) -> list[str]:
    """Why an answer is missing or not whole."""
    if run.error:
        said = words.say(run.error)
        return [shown(words("ui.answer.unfinished", why=said) if run.answer else said)]
    return [words("ui.answer.stopped")] if run.answer and run.stop_reason == "stopped" else []


def _sources(run: Run, citations: Sequence[Citation]) -> list[tuple[int, Passage]]:
    """What an answer cites, by number; without an answer, what was given to the writer."""
    if not run.answer:
        return list(enumerate(run.evidence, 1))
    return sorted((c.number, c.passage) for c in citations if c.passage)


def _figures(run: Run, first: Run, words: Words) -> str:
    """Passages, tokens and seconds in one line, each with its ratio to the first mode."""
    given, count, time = len(run.evidence), used(run.usage), table.own(run)
    parts = [words("ui.sources.given", count=given) + _against(given, len(first.evidence), run is first)]
    if count is not None:
        parts.append(f"{tokens(count, run.usage.estimated)} tokens{_against(count, used(first.usage), run is first)}")
    parts.append(brief(time) + _against(time, table.own(first), run is first))
    return " · ".join(parts)


def _against(value: float, first: float | None, same: bool) -> str:
    times = "" if same else ratio(value, first)
    return f" ({times})" if times else ""
