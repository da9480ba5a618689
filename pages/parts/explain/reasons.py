"""Each mode's reason to find or miss a passage, what would have changed it, and the conclusion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.domain import Passage
from core.explain.passage import Explanation
from core.modes import Why
from core.runs import Run
from core.words import Words
from pages.parts.charts import spaced
from pages.parts.explain import tryout
from pages.parts.explain.looking import DETAIL
from pages.parts.explain.view import View
from pages.parts.labels import titled
from pages.parts.literal import inline
from pages.parts.sources import COLOURS


def draw(view: View, passage: Passage, found: Explanation) -> None:
    """What holds for every mode, each mode's sentence in its colour, and below what would have changed it."""
    words = view.words
    for say in found.marks:
        if say.code in _MARKS:
            st.markdown(f":material/{_MARKS[say.code]}: {inline(words.say(say))}")
    for run, colour in zip(view.comparison.runs, COLOURS, strict=False):
        why = found.modes[run.mode]
        sign = ":material/check: " if run.gave(passage.id) else ":material/close: "
        with st.container(gap=None):
            st.markdown(f":{colour}[{sign}**{inline(words.mode(run.mode))}**] — {inline(words.say(why.sentence))}")
            if why.remedy and not _shut(why):
                _remedy(view, run, why)
    if shut := next(((run, why) for run in view.comparison.runs if _shut(why := found.modes[run.mode])), None):
        _remedy(view, *shut)


_MARKS = {
    "exact.named": "my_location",
    "exact.ahead": "vertical_align_top",
    "exact.many": "vertical_align_top",
    "confidence.lowered": "blur_on",
}
"""Icons of what holds for every mode; that filters shut it out is every mode's own sentence already."""


def _shut(why: Why) -> Sequence[str]:
    """The filters that keep the passage from a mode, which are the same for all: what to do is said once."""
    found: Sequence[str] = why.facts.get("filtered", ())
    return found


def _remedy(view: View, run: Run, why: Why) -> None:
    """What would have changed it; where that is a setting or a filter, one tap tries it."""
    words = view.words
    assert why.remedy is not None
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        remedy = words("ui.explain.why.remedy", remedy=words.say(why.remedy))
        st.markdown(f":gray[:material/build: {inline(remedy)}]", width="content")
        if why.settings or _shut(why):
            st.button(
                words("ui.explain.why.try"),
                icon=":material/science:",
                key=f"explain.remedy.{run.mode}",
                on_click=_try,
                args=(view, {name: why.remedy.values[name] for name in why.settings}, _shut(why)),
            )


def _try(view: View, values: Mapping[str, Any], without: Sequence[str]) -> None:
    tryout.fill(view, values, without)
    st.session_state[DETAIL] = "tryout"


def conclusion(view: View, passage: Passage, found: Explanation) -> str:
    """Who gave the passage to the writer and who did not, and what kept it from these, in one sentence."""
    words, runs = view.words, view.comparison.runs
    gave = [run for run in runs if run.gave(passage.id)]
    missed = [run for run in runs if not run.gave(passage.id)]
    code = "both" if gave and missed else "all" if gave else "none"
    values = {"gave": _named(gave, words), "missed": _named(missed, words), "count": len(missed)}
    told = words(f"ui.explain.why.{code}", title=titled(passage), **values)
    if missed:
        first = missed[0].mode
        told = (
            words("ui.explain.why.because", told=told, reason=words.say(found.missed))
            if found.missed
            else words(
                "ui.explain.why.first", told=told, mode=words.mode(first), reason=words.say(found.modes[first].sentence)
            )
        )
    return inline(spaced(told) if words.language == "zh" else told)


def _named(runs: Sequence[Run], words: Words) -> str:
    """The names of modes as a sentence lists them."""
    names = [words.mode(run.mode) for run in runs]
    return words("ui.explain.why.and", names=names[:-1], last=names[-1]) if len(names) > 1 else "".join(names)
