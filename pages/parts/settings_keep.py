"""Settings: keeping a session's choices as what everyone on this server begins with."""

from __future__ import annotations

import os
from dataclasses import replace

import streamlit as st

from core.domain import Say
from core.errors import StoreError, UsageError
from core.saved import Choices, Saved
from pages.parts import own
from pages.parts.frame import Frame
from pages.parts.literal import inline


def draw(page: Frame) -> None:
    """What keeping means, the button, and the way back to what the server has."""
    words = page.words
    folder = page.settings.home
    while not folder.exists():
        folder = folder.parent
    if not os.access(folder, os.W_OK):
        st.warning(inline(words("ui.settings.read_only", path=str(page.settings.home))), icon=":material/info:")
    with st.container(horizontal=True):
        label = words("ui.settings.keep_all")
        st.button(label, key="keep", icon=":material/groups:", on_click=_keep, args=(page,))
        mine = own.own().choices
        if mine.roles or mine.endpoints or mine.limits:
            st.button(words("ui.settings.back"), key="back", icon=":material/undo:", on_click=_back)


def _keep(page: Frame) -> None:
    """Keep roles, limits and addresses for everyone; keys stay in this session."""
    store = Saved(page.settings.home)
    saved, mine = store.load(), own.own()
    roles = dict(page.settings.roles)
    if own.follows(page.settings, page.saved, page.given):
        del roles["planner"]
    endpoints = {**saved.endpoints, **mine.choices.endpoints}
    try:
        store.store(Choices(roles, page.settings.limits, endpoints, saved.prices))
    except (UsageError, StoreError) as refused:
        own.say("keep", refused.say)
    else:
        own.say("keep", Say.of("ui.notice.kept"))


def _back() -> None:
    """Begin again with what the server has; keys that were entered stay."""
    mine = own.own()
    own.put(replace(own.Own(keys=mine.keys), edition=mine.edition + 1))
