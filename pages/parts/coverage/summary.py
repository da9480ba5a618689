"""The finding as the page's title, four figures below it, and what a reader must know before trusting them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from core.coverage.health import Severity
from core.words import Words
from pages.parts.coverage import remembering
from pages.parts.coverage.view import View
from pages.parts.coverage.work import Checked
from pages.parts.literal import inline
from pages.parts.numbers import DASH, local

WORST: tuple[Severity, ...] = ("error", "warning", "notice")
_LOOKS = {"error": "red", "warning": "orange", "notice": "gray"}
_ICONS = {"error": "error", "warning": "warning", "notice": "info"}
FIGURE = 160
"""Pixels of a figure: two stand beside one another on a phone."""


def title(view: View | None, words: Words) -> str:
    """What was found, in a line; before anything was asked, what the page is for."""
    if view is None:
        return words("ui.coverage.title")
    total, left = len(view.base.passages), len(view.unreached)
    if not left:
        return words("ui.coverage.title_all", total=total)
    return words("ui.coverage.title_left", total=total, left=left)


def draw(view: View | None, checked: Checked | None, words: Words) -> None:
    """The figures; a dash for what is not known yet beside what is."""
    if view is None and checked is None:
        return
    with st.container(horizontal=True, gap="small"):
        if view:
            total, left = len(view.base.passages), len(view.unreached)
            _figure(f"{total - left:,} / {total:,}", words("ui.coverage.figure_reached"))
            _figure(f"{left:,}", words("ui.coverage.figure_unreached"))
            judged = len(view.found.reach.sought)
            missed = f"{len(view.found.reach.missed):,} / {judged:,}" if judged else DASH
            _figure(missed, words("ui.coverage.figure_missed"))
        counts = Counter(finding.severity for finding in checked.health) if checked else None
        _figure(DASH if counts is None else severities(counts, words), words("ui.coverage.figure_health"))


def dated(view: View, changes: Sequence[str]) -> None:
    """When and how the questions were asked, what the figures say, and what has changed since."""
    words = view.words
    parts = [remembering.told(view.work, words), words("ui.coverage.used")]
    st.caption("\\\n".join(part for part in parts if part))
    if changes:
        listed = words.join([words(f"ui.coverage.stale_{change}") for change in changes])
        time = local(view.work.asked, words) if view.work.asked else DASH
        st.warning(words("ui.coverage.stale", time=time, changes=listed), icon=":material/history:")


def severities(counts: Counter[Severity], words: Words) -> str:
    """Findings by severity, each with its sign and word; that there are none."""
    parts = [
        f":{_LOOKS[severity]}[:material/{_ICONS[severity]}: {counts[severity]:,}]"
        f" :small[{words(f'coverage.severity.{severity}')}]"
        for severity in WORST
        if counts[severity]
    ]
    return "  ".join(parts) or f":green[:material/check: {words('ui.coverage.healthy')}]"


def sign(severity: Severity, words: Words) -> str:
    """A severity as a sign with its word."""
    return f":{_LOOKS[severity]}[:material/{_ICONS[severity]}: **{words(f'coverage.severity.{severity}')}**]"


def _figure(value: str, label: str) -> None:
    with st.container(width=FIGURE, gap=None):
        st.markdown(f"**{value}**")
        st.caption(label)


def cautions(view: View, words: Words) -> None:
    """What was left undone: questions not asked, runs that failed, questions that could not be put."""
    found = view.found.reach
    if not view.found.whole:
        st.warning(words("ui.coverage.partial", asked=found.asked, total=found.total), icon=":material/timelapse:")
    reasons: dict[str, dict[str, int]] = {}
    for mode, (count, why) in found.failures.items():
        reasons.setdefault(words.say(why), {})[words.mode(mode)] = count
    for reason, counts in reasons.items():
        values = {"mode": words.join(list(counts)), "count": sum(counts.values()), "reason": reason}
        st.warning(inline(words("coverage.failures", **values)), icon=":material/error:")
    if found.refused:
        id, why = found.refused[0]
        values = {"count": len(found.refused), "question": id, "reason": words.say(why)}
        st.warning(inline(words("ui.coverage.refused", **values)), icon=":material/block:")
