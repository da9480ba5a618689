"""The question sets of a base: those it has, to take along, and one from a file, looked at before it is kept."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from core.authoring.question_sets import SHOWN, SUFFIXES, Arrived, arrived, keep, lying
from core.authoring.saving import bundled, is_editable
from core.domain import Say
from core.errors import WorkbenchError
from core.knowledge.base import KnowledgeBase
from core.knowledge.questions import QUESTIONS
from core.words import Words
from pages.parts import own
from pages.parts.frame import Frame
from pages.parts.library import saving, uploads
from pages.parts.library.destination import TITLE_SHOWN
from pages.parts.literal import inline, short
from pages.parts.told import told

_KEY, _EDITION = "sets.held", "sets.edition"


@dataclass(frozen=True)
class _Held:
    """A set that was looked at, for the base of that name and version."""

    base: str
    version: str
    arrived: Arrived


def draw(page: Frame, base: KnowledgeBase) -> None:
    """The sets of the base in use, and how it gets another; nothing for a base that takes none."""
    words = page.words
    if not is_editable(base):
        return
    with st.container(border=True, gap="small", key="sets"):
        st.markdown(f":material/quiz: **{inline(words('ui.sets.title', title=short(base.title, TITLE_SHOWN)))}**")
        told("sets", words)
        _lying(base, words)
        held = st.session_state.get(_KEY)
        if isinstance(held, _Held) and held.base == base.name:
            _look(page, base, held)
        else:
            _ask(base, words)


def _lying(base: KnowledgeBase, words: Words) -> None:
    found = lying(base)
    if not found:
        st.caption(words("ui.sets.none"))
    for name, count in found.items():
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            facts = words("ui.sets.broken") if count is None else words("ui.sets.count", count=count)
            st.markdown(f"{inline(name)} :small[:gray[{facts}]]", width="stretch")
            try:
                data = (base.path / QUESTIONS / name).read_bytes()
            except OSError:  # it has gone meanwhile
                continue
            st.download_button(
                words("ui.sets.download"),
                data,
                name,
                key=f"sets.get.{name}",
                icon=":material/download:",
                on_click="ignore",
            )


def _ask(base: KnowledgeBase, words: Words) -> None:
    edition = st.session_state.get(_EDITION, 0)
    with st.expander(words("ui.sets.add"), icon=":material/upload_file:"):
        st.caption(words("ui.sets.about"))
        file = st.file_uploader(
            words("ui.sets.file"),
            type=[suffix.removeprefix(".") for suffix in SUFFIXES],
            max_upload_size=uploads.LIMIT,
            key=f"sets.file.{edition}",
        )
    if file is None:
        return
    try:
        st.session_state[_KEY] = _Held(base.name, base.version, arrived(base, file.name, file.getvalue()))
    except WorkbenchError as refused:
        own.say("sets", refused.say)
    st.session_state[_EDITION] = edition + 1
    uploads.let_go([file.file_id])
    st.rerun()


def _look(page: Frame, base: KnowledgeBase, held: _Held) -> None:
    """What a set holds and where its gold goes astray, before it is kept."""
    words, one = page.words, held.arrived
    if held.version != base.version:  # the base has other passages by now
        try:
            one = arrived(base, one.name, one.data)
        except WorkbenchError as refused:
            _leave()
            st.warning(inline(words.say(refused.say)), icon=":material/info:")
            return
        st.session_state[_KEY] = _Held(base.name, base.version, replace(one, resolved=held.arrived.resolved))
    code = "ui.sets.will_replace" if one.name in lying(base) else "ui.sets.will_add"
    st.markdown(f"**{inline(words(code, file=one.name, count=len(one.found.questions)))}**")
    for given, id in list(held.arrived.resolved.items())[:SHOWN]:
        st.caption(inline(words("ui.sets.resolved", given=given, passage=id)))
    if len(held.arrived.resolved) > SHOWN:
        st.caption(words("ui.import.more", count=len(held.arrived.resolved) - SHOWN))
    if one.astray:
        _astray(one, words)
    for _, say in one.found.notices[:SHOWN]:
        st.caption(inline(words.say(say)))
    if bundled(base):
        st.caption(
            f":material/info: {inline(words('ui.import.copies', folder=str(page.settings.home / 'kb' / base.name)))}"
        )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        saving.author(page)
        st.button(
            f":primary[**{words('ui.sets.keep')}**]",
            icon=":material/save:",
            key="sets.keep",
            on_click=_keep,
            args=(page, base, one),
        )
        st.button(words("ui.sets.leave"), type="tertiary", key="sets.leave", on_click=_leave)


def _astray(one: Arrived, words: Words) -> None:
    st.markdown(f":orange[:material/warning:] {words('ui.sets.astray', count=len(one.astray))}")
    lines = [
        words(
            "ui.sets.astray_line" if each.near else "ui.sets.astray_unlike", passage=each.passage, near=list(each.near)
        )
        for each in one.astray[:SHOWN]
    ]
    st.markdown("\n".join(f"- {inline(line)}" for line in lines))
    if len(one.astray) > SHOWN:
        st.caption(words("ui.import.more", count=len(one.astray) - SHOWN))


def _keep(page: Frame, base: KnowledgeBase, one: Arrived) -> None:
    author = (st.session_state.get(saving.AUTHOR) or "").strip()
    try:
        _, version = keep(base, page.settings.home, one, author)
    except WorkbenchError as refused:
        return own.say("sets", refused.say)
    _leave()
    own.say("sets", Say.of("ui.notice.set_kept", file=one.name, count=len(one.found.questions), number=version.number))


def _leave() -> None:
    st.session_state.pop(_KEY, None)
