"""A comparison on the page: its columns, what should be known of them, and the table below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.bench import Bench
from core.runs import Comparison
from core.settings import OFFLINE
from core.words import Words
from pages.parts import form, table
from pages.parts.column import Column
from pages.parts.literal import inline
from pages.parts.numbers import local
from pages.parts.sources import Reading

TAIL = 4
"""Elements below the columns: what asks anew, and the table with its title and its note."""
ALL = ""
"""Value of the view in which all columns stand side by side."""


def head(comparison: Comparison, words: Words) -> None:
    """What is compared: the question, the base, and, said once, what is offline."""
    st.markdown(f"**{inline(comparison.question)}**")
    when = local(comparison.created)
    facts = words("ui.result.facts", base=comparison.base.title, version=comparison.base.version, when=when)
    who = doers(comparison.settings, words)
    st.caption(inline(facts) + (f"\\\n{inline(who)}" if who else ""))


def doers(settings: Mapping[str, Any], words: Words) -> str:
    """What did the work of a comparison, by its recorded settings: all on this machine, or which model what."""
    roles = ["planner", "embeddings"] if settings.get("retrieval_only") else ["writer", "planner", "embeddings"]
    by: dict[str, list[str]] = {}
    for role in roles:
        if isinstance(model := settings.get(role), str):
            by.setdefault(model, []).append(words(f"ui.models.{role}"))
    if set(by) <= {OFFLINE}:
        return words("ui.offline") if "writer" in settings and "writer" in roles else ""
    models = {model: names for model, names in by.items() if model != OFFLINE}
    parts = [words("ui.models.by", roles=names, model=model) for model, names in models.items()]
    if OFFLINE in by:
        parts.append(words("ui.models.here", roles=by[OFFLINE]))
    return words("ui.result.joint").join(parts)


def columns(modes: Sequence[str], words: Words, *, live: bool = False) -> dict[str, Column]:
    """The columns of these modes, side by side or the one the reader wants to see alone.

    Above them, while they are live, Stop; what asks anew stands below them, so that no click meant for one meets the
    other.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        alone = _view(modes, words)
        stop = words("ui.live.stop")
        hint = words("ui.live.hint" if live else "ui.live.over")
        st.button(stop, icon=":material/stop_circle:", key="stop", help=hint, disabled=not live)
    if alone != ALL:
        return {alone: Column(st.container(), modes.index(alone), alone, words, reserved=False)}
    boxes = st.columns(len(modes), gap="small")
    return {mode: Column(box, place, mode, words) for place, (mode, box) in enumerate(zip(modes, boxes, strict=True))}


def alone(comparison: Comparison | None, words: Words) -> None:
    """What only one mode gave to its writer, in a line whose room is kept while the modes still run."""
    if comparison is None:
        st.caption(words("ui.result.later"), wrap=False)
        return
    found = []
    for run in comparison.runs:
        others = {p.id for other in comparison.runs if other is not run for p in other.evidence}
        if only := [p.title or p.id for p in run.evidence if p.id not in others]:
            found.append(words("ui.result.only", mode=words.mode(run.mode), count=len(only), names=only))
    text = inline(words("ui.result.joint").join(found)) or words("ui.result.same")
    st.caption(text, wrap=False, help=text)


def _view(modes: Sequence[str], words: Words) -> str:
    """Which columns to show; on a narrow screen one at a time reads better."""
    if st.session_state.get("view", ALL) not in modes:
        st.session_state["view"] = ALL
    chosen = st.segmented_control(
        words("ui.view.label"),
        [ALL, *modes],
        format_func=lambda mode: words.mode(mode) if mode else words("ui.view.all"),
        key="view",
        required=True,
        label_visibility="collapsed",
        persist_state="session",
        wrap=True,
    )
    return str(chosen or ALL)


def clear_tail() -> None:
    """Take away what stood below the columns of an earlier comparison, which would else stay until the race ends.

    Streamlit overwrites by place: a live race and a finished one have the same elements down to the columns, so that
    nothing old is left beside what is new.
    """
    for _ in range(TAIL):
        st.empty()


def draw(comparison: Comparison, words: Words, bench: Bench) -> None:
    """A comparison that is over."""
    tokeniser = bench.retriever.tokeniser
    st.empty()  # the place in line of a live race
    head(comparison, words)
    alone(comparison, words)
    drawn = columns([run.mode for run in comparison.runs], words)
    reading = Reading.of(comparison, words, bench)
    for run in comparison.runs:
        if run.mode in drawn:
            drawn[run.mode].draw(run, run.seconds, reading)
    _shared_cores(comparison, words)
    table.draw(comparison, words, tokeniser)


def _shared_cores(comparison: Comparison, words: Words) -> None:
    """How fair the times are, and the offers to take them one after the other and to ask again."""
    again = words("ui.result.again")
    elsewhere = comparison.settings.get("writer") != OFFLINE  # a model's time is not this machine's
    fair = comparison.settings.get("one_by_one") or len(comparison.runs) < 2 or elsewhere
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            again,
            icon=":material/refresh:",
            type="tertiary",
            key="again",
            on_click=form.send,
            args=(comparison.question,),
        )
        if not elsewhere:
            st.caption(words("ui.times.one_by_one" if fair else "ui.times.shared"), width="content")
        if fair:
            return
        st.button(
            words("ui.times.retime"),
            icon=":material/timer:",
            type="tertiary",
            key="retime",
            on_click=form.send,
            args=(comparison.question,),
            kwargs={"one_by_one": True},
        )
