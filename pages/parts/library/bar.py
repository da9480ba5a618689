"""The bar of a draft: what is changed and not saved, and what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.authoring.gold import TOLD, Bereft, Regolded, Unstated
from core.bench import Bench
from core.words import Words
from pages.parts.frame import Frame
from pages.parts.library import clash, difference, drafting, impact, saving, unsaved, wording
from pages.parts.library.drafting import Work
from pages.parts.literal import inline
from pages.parts.told import told

_PANELS = {
    "changes": ":material/list:",
    "impact": ":material/troubleshoot:",
    "save": ":material/save:",
    "discard": ":material/delete:",
}
_SHOWN = 8
"""Ids named of passages that change beside what was meant."""


def draw(page: Frame, bench: Bench, work: Work | None) -> None:
    """The bar, and what the page answers to saving; nothing without a draft."""
    words = page.words
    for place in ("draft", *(f"draft.{kind}" for kind in (*TOLD, "left"))):
        told(place, words)
    if work is None:
        return
    with st.container(border=True, gap="small", key="draft"):
        if work.clash:
            clash.draw(page, work, work.clash)
            return
        count = len(work.draft.operations)
        st.markdown(
            f":material/edit_note: **{words('ui.draft.title', count=count)}** :gray[{words('ui.draft.unsaved')}]"
        )
        _surprise(page, work)
        panel = _choice(page)
        if panel == "changes":
            _changes(page, work)
        elif panel == "impact":
            impact.draw(page, bench, work)
        elif panel == "save":
            saving.draw(page, work)
        elif panel == "discard":
            _discard(page, count)


def _choice(page: Frame) -> str | None:
    """The panel that is open, chosen beside the button that takes back the last change."""
    words = page.words
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        panel = st.segmented_control(
            words("ui.draft.panel"),
            list(_PANELS),
            format_func=lambda name: f"{_PANELS[name]} {words(f'ui.draft.panel_{name}')}",
            key=drafting.PANEL,
            persist_state="session",
            label_visibility="collapsed",
            wrap=True,
        )
        st.button(
            words("ui.draft.undo"),
            icon=":material/undo:",
            key="draft.undo",
            on_click=drafting.undo,
            args=(page.base,),
        )
    return panel


def _surprise(page: Frame, work: Work) -> None:
    """What the draft changes beside what it names."""
    words, found = page.words, drafting.told(page.base, work)
    if found.unmeant:
        ids = [*found.unmeant[:_SHOWN], *(["…"] if len(found.unmeant) > _SHOWN else [])]
        st.warning(inline(words("ui.draft.unmeant", count=len(found.unmeant), passages=ids)), icon=":material/warning:")
    if found.bereft:
        _bereft(found.bereft, words)
    if found.gold.stale:
        _stale(found.gold.stale, words)
    if found.gold.regolded:
        _regolded(found.gold.regolded, words)


def _bereft(found: Sequence[Bereft], words: Words) -> None:
    """The questions that lose gold, while it can still be helped."""
    asked = len({one.question for one in found})
    lines = [f"{inline(one.question)} :gray[{inline(one.passage)}]" for one in found]
    _warned("bereft", words("ui.draft.bereft", count=asked), lines, words)


def _stale(found: Sequence[Unstated], words: Words) -> None:
    """The questions whose answer a change takes out of their gold."""
    lines = [inline(words("ui.draft.stale_line", question=one.question, fact=one.fact)) for one in found]
    _warned("stale", words("ui.draft.stale", count=len(found)), lines, words)


def _warned(key: str, title: str, lines: Sequence[str], words: Words) -> None:
    """What should be looked at before saving, the first lines of it; `lines` are Markdown."""
    with st.container(border=True, gap="xsmall", key=key):
        st.markdown(f":orange[:material/warning:] **{inline(title)}**")
        st.markdown("\n".join(f"- {line}" for line in lines[:_SHOWN]))
        if len(lines) > _SHOWN:
            st.caption(words("ui.import.more", count=len(lines) - _SHOWN))


def _regolded(found: Sequence[Regolded], words: Words) -> None:
    """The questions whose gold follows its text, from what to what."""
    with st.expander(words("ui.draft.regolded", count=len(found)), icon=":material/quiz:"):
        st.markdown("\n".join(f"- {inline(_led(one, words))}" for one in found[:_SHOWN]))
        if len(found) > _SHOWN:
            st.caption(words("ui.import.more", count=len(found) - _SHOWN))


def _led(one: Regolded, words: Words) -> str:
    values = {"question": one.question, "before": list(one.before)}
    if not one.after:
        return words("ui.draft.regolded_none", **values)
    return words("ui.draft.regolded_line", **values, after=list(one.after))


def _changes(page: Frame, work: Work) -> None:
    """The changes one by one, what becomes of passages in all, and the documents as they would be."""
    words = page.words
    st.markdown(
        "\n".join(f"{at}. {inline(wording.did(done, words))}" for at, done in enumerate(work.draft.operations, 1))
    )
    found = drafting.told(page.base, work)
    counts = found.counts
    parts = [words(f"ui.draft.count_{kind}", count=count) for kind, count in counts.items()]
    if parts:
        st.caption(words("ui.draft.in_all", parts=parts))
    for path, after in (*sorted(work.draft.overlay.items()), *found.gold.files.items()):
        file = work.draft.base.path / path
        try:
            before = file.read_bytes() if file.is_file() else None
        except OSError:
            before = None  # saving tells what is the matter with the file
        if (before or None) != (after or None):
            difference.draw_file(f"draft.{path}", path, before, after, words)


def _discard(page: Frame, count: int) -> None:
    words = page.words
    st.markdown(words("ui.draft.discard_sure", count=count))
    st.button(
        words("ui.draft.discard"),
        icon=":material/delete:",
        key="draft.discard",
        on_click=unsaved.discard,
        args=(page,),
    )
