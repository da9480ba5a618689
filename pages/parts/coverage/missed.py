"""The questions whose gold some mode left out, the worst first; then those of which no gold is known."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.coverage.missed import say_of
from core.coverage.naming import called
from core.coverage.reach import Barren
from core.coverage.sought import LOST, Sought, Stood
from pages.parts.coverage import links
from pages.parts.coverage.paging import page_of
from pages.parts.coverage.view import View
from pages.parts.literal import inline

PAGE = 20
"""Questions on one page."""
_MODE = "coverage.missed.mode"
_ANY = ""
_APART = "\u00a0:gray[·] "
"""Between two modes; it stands at the end of a line, never at the beginning."""


def draw(view: View) -> None:
    """Questions with gold, then those without."""
    words, reach = view.words, view.found.reach
    judged, missed = len(reach.sought), reach.missed
    if judged:
        st.subheader(words("ui.coverage.missed.title", judged=judged, missed=len(missed)), anchor=False)
        counts = [f"{view.mode(mode)} **{reach.complete(mode)}** / {judged}" for mode in view.modes]
        st.markdown(words("ui.coverage.missed.complete", counts=counts))
    elif not reach.astray:
        st.info(words("ui.coverage.missed.no_gold"), icon=":material/info:")
    if missed:
        st.caption(words("ui.coverage.missed.about"))
        mode = _mode(view, missed)
        listed = [each for each in missed if mode == _ANY or mode in each.missing]
        for at, each in enumerate(page_of(listed, PAGE, f"coverage.missed.page.{mode}", words)):
            _question(view, each, mode, f"coverage.missed.{at}")
    elif judged:
        st.success(words("ui.coverage.missed.none", judged=judged), icon=":material/check:")
    _astray(view)
    _without_gold(view)


def _mode(view: View, missed: Sequence[Sought]) -> str:
    """The mode whose misses are listed; all of them where there is one alone, or none was chosen."""
    words = view.words
    counts = {mode: sum(mode in each.missing for each in missed) for mode in view.modes}
    if len(view.modes) == 1:
        return _ANY

    def shown(mode: str) -> str:
        return f"{words.mode(mode)} {counts[mode]}" if mode else words("ui.coverage.missed.any", count=len(missed))

    chosen = st.segmented_control(
        words("ui.coverage.missed.mode"),
        (_ANY, *view.modes),
        default=_ANY,
        format_func=shown,
        key=f"{_MODE}.{'.'.join(view.modes)}",
        required=True,
        label_visibility="collapsed",
        persist_state="session",
        wrap=True,
    )
    return chosen or _ANY


def _question(view: View, each: Sought, mode: str, key: str) -> None:
    """A question, and each gold passage that was left out, by the mode chosen or by any."""
    words = view.words
    lost = {id for name in ([mode] if mode else view.modes) for id in each.lost(name)}
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(f"**{inline(each.question)}**", width="stretch")
            links.to_compare(key, view.asked, each.question, words("ui.coverage.to_compare"))
        for at, id in enumerate(each.gold):
            if id in lost:
                places = {name: row[at] for name, row in each.stood.items()}
                _passage(view, each.question, id, places, f"{key}.{at}")
        if rest := len(each.gold) - len(lost):
            st.caption(words("ui.coverage.missed.rest", count=rest))


def _passage(view: View, question: str, id: str, stood: dict[str, Stood], key: str) -> None:
    """A gold passage, explained on Compare by a tap, and where it stood in every mode."""
    if not view.base.has(id):
        st.markdown(inline(view.words("ui.coverage.missed.gone", id=id)))
        return
    with st.container(gap=None):
        label = inline(called(view.base, view.base.passage(id)))
        links.to_compare(key, view.asked, question, label, id, ":material/help_center:")
        places = _APART.join(_place(view, mode, place) for mode, place in stood.items())
        st.markdown(f":small[{places}]")


def _place(view: View, mode: str, place: Stood) -> str:
    told = inline(view.words.say(say_of(place)))
    sign = ":green[:material/check:]" if place.state == "given" else ":red[:material/close:]"
    return f"{view.mode(mode)} {sign if place.state in (*LOST, 'given') else ''} {told}"


def _astray(view: View) -> None:
    """The questions that name gold, none of which the base holds."""
    words, astray = view.words, set(view.found.reach.astray)
    listed = [question for question in view.found.questions if question.id in astray]
    if not listed:
        return
    st.subheader(words("ui.coverage.astray.title", count=len(listed)), anchor=False)
    st.caption(words("ui.coverage.astray.about"))
    for question in page_of(listed, PAGE, "coverage.astray.page", words):
        with st.container(border=True, gap="xsmall"):
            st.markdown(inline(question.question))
            st.caption(inline(words("ui.coverage.astray.gold", ids=list(question.gold))))


def _without_gold(view: View) -> None:
    """The questions of which it is not known what they should find: for which of them some mode found nothing."""
    words, reach = view.words, view.found.reach
    if reach.unjudged:
        st.subheader(words("ui.coverage.barren.title", count=len(reach.unjudged)), anchor=False)
        st.caption(words("ui.coverage.barren.about"))
        found = [each for each in reach.barren if each.id in set(reach.unjudged)]
        st.markdown(words("ui.coverage.barren.found" if found else "ui.coverage.barren.none"))
        listed = sorted(found, key=lambda each: -len(each.modes))
        for at, barren in enumerate(page_of(listed, PAGE, "coverage.barren.page", words)):
            _barren(view, barren, f"coverage.barren.{at}")
    if reach.unanswerable:
        st.caption(words("ui.coverage.barren.unanswerable", count=len(reach.unanswerable)))


def _barren(view: View, barren: Barren, key: str) -> None:
    words = view.words
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(inline(barren.question), width="stretch")
            label = words("ui.coverage.to_compare")
            links.to_compare(key, view.asked, barren.question, label)
        names = words.join([inline(words.mode(mode)) for mode in barren.modes])
        whole = len(barren.modes) == len(view.modes)
        st.caption(words("ui.coverage.barren.all") if whole else words("ui.coverage.barren.modes", modes=names))
