"""A comparison on the page: its columns, what should be known of them, and the table below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.bench import Bench
from core.domain import Say
from core.runs import Comparison
from core.settings import OFFLINE
from core.words import Words
from pages.parts import filtering, form, presenter, table
from pages.parts.column import Column, Room
from pages.parts.literal import heading, inline
from pages.parts.numbers import local
from pages.parts.sources import COLOURS, FEW, Reading, sign

TAIL = 5
"""Elements below the columns: what asks anew, the table with its title and its note, and what explains them."""
EXPLAIN = "explain"
"""Anchor of the section that explains a comparison."""
ALL = ""
"""Value of the view in which all columns stand side by side."""
READING = 720
"""Pixels of a column that stands alone: lines of a comfortable length."""


def head(comparison: Comparison, words: Words) -> None:
    """What is compared: the question, the base, and, said once, what is offline; where it was not searched whole."""
    st.markdown(f"**{heading(comparison.question)}**")
    when = local(comparison.created, words)
    facts = words("ui.result.facts", base=comparison.base.title, version=comparison.base.version, when=when)
    who = doers(comparison.settings, words)
    lines = [inline(facts), *([inline(who)] if who else []), *_limits(comparison, words)]
    st.caption("\\\n".join(lines))


def _limits(comparison: Comparison, words: Words) -> list[str]:
    """The filters that were in force, and that exact look-ups were off, in a line; none where neither was."""
    parts = [filtering.in_force(comparison.filters, words)] if comparison.filters else []
    if comparison.settings.get("exact") is False:
        parts.append(words("ui.filters.exact_off"))
    return [f"**:material/filter_alt: {inline(' · '.join(parts))}**"] if parts else []


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


def columns(comparison: Comparison, words: Words, listed: Sequence[int] | None = None) -> dict[str, Column]:
    """The columns of a comparison, side by side or the one the reader wants to see alone.

    `listed` is how many sources each of them cites; `None` while they are live. Above them, while they are live,
    stands Stop; what asks anew stands below them, so that no click meant for one meets the other. What unfolds stands
    in a row of its own, so that opening it in one column moves nothing in the others.
    """
    live, modes = listed is None, [run.mode for run in comparison.runs]
    with st.container(horizontal=True, vertical_alignment="center"):
        alone = view(modes, words)
        stop = words("ui.live.stop")
        hint = words("ui.live.hint" if live else "ui.live.over")
        st.button(stop, icon=":material/stop_circle:", key="stop", help=hint, disabled=not live)
        whole = st.toggle(
            words("ui.result.unfold"), key="unfold", persist_state="session", disabled=live or alone != ALL
        )
    if alone != ALL:
        return {alone: Column(st.container(width=READING), modes.index(alone), alone, words, Room(False, None))}
    answered = _answered(comparison, live)
    rows = max(listed, default=0) if listed is not None and whole else FEW if answered else 0
    folded = not live and not whole
    boxes = st.columns(len(modes), gap="small")
    below = st.columns(len(modes), gap="small")
    return {
        mode: Column(box, place, mode, words, Room(answered and (live or folded), rows, folded, under))
        for place, (mode, box, under) in enumerate(zip(modes, boxes, below, strict=True))
    }


def _answered(comparison: Comparison, live: bool) -> bool:
    """Whether answers need room: they may still come, or came from something that was found."""
    if live:
        return not comparison.settings.get("retrieval_only")
    return any(run.answer and run.evidence for run in comparison.runs)


def alone(comparison: Comparison | None, words: Words) -> None:
    """How much only one mode gave to its writer, and the way to why; its two lines are kept while the modes run."""
    with st.container(gap=None):
        if comparison is None:
            _lines(words("ui.result.later"), "")
            return
        counts = []
        for run, colour in zip(comparison.runs, COLOURS, strict=False):
            if only := len(comparison.only(run)):
                text = words("ui.result.only", mode=words.mode(run.mode), count=only)
                counts.append(f"{sign(run.mode, colour)} :{colour}[{inline(text)}]")
        if not any(run.evidence for run in comparison.runs):
            said = words("stop.no_hits")
        elif len(comparison.runs) < 2:
            said, counts = words("ui.result.one"), []
        else:
            said = words("ui.result.only_title") if counts else words("ui.result.same")
        _lines(said, " · ".join(counts), f"[{words('ui.result.explain')}](#{EXPLAIN})")


def _lines(said: str, counts: str, link: str = "") -> None:
    """Two lines that stay two at any width."""
    for text in (f":gray[{said}] {link}", counts or "&nbsp;"):
        st.markdown(f":small[{text}]", wrap=False)


def view(modes: Sequence[str], words: Words) -> str:
    """Which columns to show: all side by side, or one, which on a narrow screen reads better."""
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


def draw(comparison: Comparison, words: Words, bench: Bench, unkept: Say | None = None) -> None:
    """A comparison that is over, and why it could not be kept; in presenter view nothing else is on the page."""
    if presenter.on():
        presenter.draw(comparison, words, bench)
        st.stop()
    st.empty()  # the place in line of a live race
    head(comparison, words)
    alone(comparison, words)
    reading = Reading.of(comparison, words, bench)
    listed = [sum(1 for c in reading.citations(run) if c.passage) for run in comparison.runs]
    drawn = columns(comparison, words, listed)
    for run in comparison.runs:
        if run.mode in drawn:
            drawn[run.mode].draw(run, run.seconds, reading)
    with st.container():
        if unkept:
            st.warning(inline(words.say(unkept)), icon=":material/info:")
        _onward(comparison, words)
    table.draw(comparison, words, reading.tokeniser)


def _onward(comparison: Comparison, words: Words) -> None:
    """What can be done with the comparison: ask again, time fairly, show it, play it back, vote on it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        _button("again", "refresh", form.send, words("ui.result.again"), comparison.question)
        _button("present", "slideshow", presenter.enter, words("ui.result.present"))
        for topic, icon in (("playback", "play_circle"), ("blind", "how_to_vote")):
            st.page_link(
                "pages/learn.py",
                label=words(f"ui.result.{topic}"),
                icon=f":material/{icon}:",
                query_params={"topic": topic, "c": comparison.id},
            )
        _fairness(comparison, words)


def _button(key: str, icon: str, does: Callable[..., None], label: str, *args: Any, **kwargs: Any) -> None:
    st.button(label, icon=f":material/{icon}:", type="tertiary", key=key, on_click=does, args=args, kwargs=kwargs)


def _fairness(comparison: Comparison, words: Words) -> None:
    """How fair the times are, and the offer to take them one after the other."""
    if comparison.settings.get("writer") != OFFLINE:  # a model's time is not this machine's
        return
    fair = bool(comparison.settings.get("one_by_one")) or len(comparison.runs) < 2
    if not fair:
        _button("retime", "timer", form.send, words("ui.times.retime"), comparison.question, one_by_one=True)
    st.caption(words("ui.times.one_by_one" if fair else "ui.times.shared"), width="content")
