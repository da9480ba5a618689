"""Drafts that outlive a session: each is on disk after every change, and offered where no session holds it any more."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.authoring import keeping
from core.authoring.keeping import Kept
from core.authoring.operations import Operation
from core.authoring.saving import is_editable
from core.domain import Say
from core.errors import StoreError, WorkbenchError
from core.knowledge.base import KnowledgeBase
from pages.parts import own
from pages.parts.frame import Frame
from pages.parts.library import drafting, wording
from pages.parts.library.drafting import Work
from pages.parts.literal import inline
from pages.parts.numbers import local

_KEY = "drafts.kept"
_OFFERED, _NAMED = 5, 3
"""Drafts offered at once, and changes named of each."""


@dataclass(frozen=True)
class _Mine:
    """The token under which this session keeps its draft of each base, and what it has written down of it."""

    tokens: Mapping[str, str] = field(default_factory=dict)
    written: Mapping[str, tuple[Operation, ...]] = field(default_factory=dict)


@st.cache_resource(show_spinner=False)
def _sessions() -> dict[str, str]:
    """The session of this server behind every token."""
    return {}


def _mine() -> _Mine:
    found = st.session_state.get(_KEY)
    if not isinstance(found, _Mine):
        found = st.session_state[_KEY] = _Mine()
    context = get_script_run_ctx()
    if context is not None:
        _sessions().update(dict.fromkeys(found.tokens.values(), context.session_id))
    return found


def _written(base: str, token: str, operations: tuple[Operation, ...]) -> None:
    """Note what lies on disk of this session's draft of a base; without changes nothing does."""
    mine = _mine()
    tokens = {other: kept for other, kept in mine.tokens.items() if other != base and kept != token}
    written = {other: kept for other, kept in mine.written.items() if other in tokens}
    if operations:
        tokens[base], written[base] = token, operations
    st.session_state[_KEY] = replace(mine, tokens=tokens, written=written)
    _mine()


def draw(page: Frame, base: KnowledgeBase, work: Work | None) -> None:
    """Write down what changed; without a draft of its own the session is offered those that nobody holds.

    A private server keeps none: it could not tell whose they are.
    """
    if page.settings.private:
        return
    _keep(page, work)
    if work is None:
        _offer(page, base)


def _keep(page: Frame, work: Work | None) -> None:
    operations = work.draft.operations if work else ()
    mine, home = _mine(), page.settings.home
    token = mine.tokens.get(page.base)
    if mine.written.get(page.base, ()) == operations and (token is None or keeping.lies(home, page.base, token)):
        return
    token = token or keeping.new_token()
    author = (st.session_state.get(drafting.AUTHOR) or "").strip()
    try:
        keeping.keep(home, page.base, token, operations, author)
    except StoreError as refused:
        st.warning(inline(page.words.say(refused.say)), icon=":material/warning:")
        return
    _written(page.base, token, operations)


def _offer(page: Frame, base: KnowledgeBase) -> None:
    if not is_editable(base):
        return
    found, told = keeping.kept(page.settings.home, page.base)
    for say in told:
        st.warning(inline(page.words.say(say)), icon=":material/warning:")
    own_ones = set(_mine().tokens.values())  # also one whose base was renamed elsewhere
    free = [one for one in found if one.token in own_ones or not _held(one.token)]
    for one in free[:_OFFERED]:
        _card(page, base, one)


def _held(token: str) -> bool:
    """Whether a session that is open holds a draft."""
    session = _sessions().get(token)
    if session is None or not runtime.exists():
        return False
    return runtime.get_instance().is_active_session(session) is True  # a stand-in for a runtime says neither


def _card(page: Frame, base: KnowledgeBase, one: Kept) -> None:
    words, count = page.words, len(one.operations)
    with st.container(border=True, gap="small", key=f"kept.{one.token}"):
        clock = f":{datetime.fromisoformat(one.changed):%S}"
        when = re.sub(r"\d\d:\d\d(?!\d)", rf"\g<0>{clock}", local(one.changed, words))
        text = words("ui.draft.kept", count=count, when=when)
        by = f" :gray[{inline(one.author)}]" if one.author else ""
        st.markdown(f":material/restore_page: **{inline(text)}**{by}")
        for done in one.operations[-_NAMED:]:
            st.caption(inline(wording.at_length(done, words)))
        if count > _NAMED:
            st.caption(words("ui.import.more", count=count - _NAMED))
        with st.container(horizontal=True, gap="small"):
            st.button(
                f":primary[**{words('ui.draft.kept_go_on')}**]",
                icon=":material/edit_note:",
                key=f"kept.take.{one.token}",
                on_click=_go_on,
                args=(page, base, one),
            )
            with st.popover(words("ui.draft.kept_discard"), icon=":material/delete:"):
                st.markdown(words("ui.draft.discard_sure", count=count))
                st.button(
                    words("ui.draft.discard"),
                    icon=":material/delete:",
                    key=f"kept.drop.{one.token}",
                    on_click=_drop,
                    args=(page, one),
                )


def _go_on(page: Frame, base: KnowledgeBase, one: Kept) -> None:
    """Take a draft over, put to the base as it is now."""
    before = next((name for name, token in _mine().tokens.items() if token == one.token), page.base)
    try:
        taken = keeping.take(page.settings.home, page.base, one.token, keeping.new_token())
        drafting.resume(page.base, base, taken.operations)
    except WorkbenchError as refused:
        drafting.put(page.base, None)
        return own.say("draft", refused.say)
    if before != page.base:  # the base was renamed elsewhere, and its draft goes on here
        drafting.put(before, None)
        _written(before, one.token, ())
    _written(page.base, taken.token, taken.operations)
    if not st.session_state.get(drafting.AUTHOR):
        st.session_state[drafting.AUTHOR] = taken.author


def _drop(page: Frame, one: Kept) -> None:
    try:
        keeping.forget(page.settings.home, page.base, one.token)
    except StoreError as refused:
        own.say("draft", refused.say)


def discard(page: Frame) -> None:
    """Forget this session's draft of the base; what stays on disk is told."""
    if left := let_go(page):
        own.say("draft", left)


def let_go(page: Frame) -> Say | None:
    """Forget this session's draft of the base, also on disk; why it stays there, where it does."""
    drafting.discard(page.base)
    token = _mine().tokens.get(page.base)
    if page.settings.private or token is None:
        return None
    left = None
    try:
        keeping.forget(page.settings.home, page.base, token)
    except StoreError as refused:
        left = refused.say
    _written(page.base, token, ())
    return left


def follow(page: Frame, name: str, new: str) -> None:
    """Let all drafts of a base go on under its new name; raises StoreError."""
    drafting.rename(name, new)
    if name == new:
        return
    keeping.follow(page.settings.home, name, new)
    token, written = _mine().tokens.get(name), _mine().written.get(name, ())
    if token:
        _written(new, token, written)
