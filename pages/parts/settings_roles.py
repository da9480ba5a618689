"""Settings, first part: what does each piece of the work, what could be used instead, and the form to choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from core.domain import Say
from core.endpoints import Endpoint
from core.errors import UsageError
from core.models import Models
from core.settings import OFFLINE, ROLES, Role, Settings
from core.words import Words
from pages.parts import own
from pages.parts.frame import Frame
from pages.parts.literal import inline

FOLLOW = ""
"""What the planner's box holds where it works with the writer's model."""
SHOWN = ("writer", "planner", "embeddings")
"""Roles that every comparison needs; the others stand folded."""
_THINKING = {"auto": None, "on": True, "off": False}


def draw_now(page: Frame) -> None:
    """One line a role: what does it, and what that is."""
    words, settings = page.words, page.settings
    rows = [_line(role, settings, words) for role in SHOWN]
    rest = [_line(role, settings, words) for role in ROLES if role not in SHOWN and not settings.roles[role].offline]
    st.markdown("\n\n".join(rows + rest))


def _line(role: str, settings: Settings, words: Words) -> str:
    doer = settings.roles[role]
    model = words("ui.models.offline") if doer.offline else f"`{doer.model}`".replace("``", "")
    about = words(f"ui.models.{'offline' if doer.offline else 'does'}_{role}")
    return f"**{words(f'ui.models.{role}')}** · {model}\\\n:small[:gray[{inline(about)}]]"


def draw_offers(page: Frame) -> None:
    """Keys that were found and are not used, each with one tap; and the way back."""
    words, settings = page.words, page.settings
    found = own.offered(settings)
    if found:
        st.caption(words("ui.settings.offers"))
    for endpoint in found:
        label = words("ui.settings.use", model=f"{endpoint.name}:{endpoint.model}", key=_key(endpoint, words))
        st.button(
            inline(label), key=f"use.{endpoint.name}", icon=":material/bolt:", on_click=_use, args=(page, endpoint)
        )
    if not own.offline(settings):
        label = words("ui.settings.offline")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.page_link("pages/compare.py", label=words("ui.settings.ask"), icon=":material/view_column:")
            st.button(
                label, key="offline", icon=":material/cloud_off:", on_click=own.choose_roles, args=(_all_offline(),)
            )


def _key(endpoint: Endpoint, words: Words) -> str:
    if not endpoint.key:
        return words("ui.settings.key_none_needed")
    code = "ui.settings.key_entered" if endpoint.given else "ui.settings.key_found"
    return words(code, key=endpoint.key.hint)


def _all_offline() -> dict[str, Role]:
    return {role: Role() for role in ROLES if role != "planner"}


def _use(page: Frame, endpoint: Endpoint) -> None:
    """Let the endpoint's chat model write, and plan with it."""
    roles = {role: page.settings.roles[role] for role in ROLES if role != "planner"}
    own.choose_roles({**roles, "writer": replace(roles["writer"], model=f"{endpoint.name}:{endpoint.model}")})


def draw_form(page: Frame) -> None:
    """The roles, each with its endpoint, model and what is sent along."""
    words = page.words
    _fill(page)
    with st.form("roles", border=False):
        for role in SHOWN:
            _row(role, page)
        with st.expander(words("ui.settings.spare"), type="compact"):
            for role in ROLES:
                if role not in SHOWN:
                    _row(role, page)
        st.form_submit_button(
            words("ui.settings.apply_roles"), icon=":material/check:", key="roles.apply", on_click=_apply, args=(page,)
        )


def _row(role: str, page: Frame) -> None:
    words = page.words
    where, what, more = st.columns([5, 6, 3], vertical_alignment="bottom")
    endpoints = [OFFLINE, *page.settings.endpoints]
    named = page.settings.roles[role].endpoint
    options = [*([FOLLOW] if role == "planner" else []), *endpoints, *([named] if named not in endpoints else [])]
    if st.session_state[_at(role, "endpoint")] not in options:
        st.session_state[_at(role, "endpoint")] = OFFLINE
    where.selectbox(
        words(f"ui.models.{role}"),
        options,
        key=_at(role, "endpoint"),
        format_func=lambda name: words("ui.settings.follow") if name == FOLLOW else _named(name, endpoints, words),
    )
    what.text_input(
        words("ui.settings.model"),
        key=_at(role, "model"),
        placeholder=words("ui.settings.model_hint"),
        help=words("ui.settings.model_help"),
    )
    with more.popover(words("ui.settings.more"), icon=":material/tune:", width="stretch"):
        _sent_along(role, words)


def _sent_along(role: str, words: Words) -> None:
    if role == "embeddings":
        st.caption(words("ui.settings.nothing_along"))
        return
    st.segmented_control(
        words("ui.thinking.label"),
        list(_THINKING),
        key=_at(role, "thinking"),
        format_func=lambda choice: words(f"ui.thinking.{choice}"),
        required=True,
    )
    st.number_input(words("ui.settings.temperature"), 0.0, 2.0, step=0.1, key=_at(role, "temperature"), value=None)
    st.number_input(words("ui.settings.most"), 1, 999_999_999, step=1, key=_at(role, "most"), value=None)


def _named(name: str, known: list[str], words: Words) -> str:
    if name == OFFLINE:
        return words("ui.models.offline")
    return name if name in known else words("ui.settings.gone", name=name)


def _at(role: str, part: str) -> str:
    return f"role.{role}.{part}"


def _fill(page: Frame) -> None:
    """Show the roles in force, also where they were changed elsewhere; what is being typed stays."""
    state = st.session_state
    follows = own.follows(page.settings, page.saved, page.given)
    shows = (own.own().edition, follows, tuple(page.settings.roles.items()))
    fresh = state.get("roles.shown") != shows
    state["roles.shown"] = shows
    for name, role in page.settings.roles.items():
        following = name == "planner" and follows
        model = "" if following or role.offline else role.model.partition(":")[2]
        thinking = next(choice for choice, value in _THINKING.items() if value == role.thinking)
        values = {
            "endpoint": FOLLOW if following else role.endpoint,
            "model": model,
            "thinking": thinking,
            "temperature": role.temperature,
            "most": role.most,
        }
        for part, value in values.items():
            if fresh or _at(name, part) not in state:
                state[_at(name, part)] = value


def _apply(page: Frame) -> None:
    """Work with what the form holds, or say why that cannot be."""
    chosen = {role: _read(role, page.settings) for role in ROLES}
    if st.session_state[_at("planner", "endpoint")] == FOLLOW:
        del chosen["planner"]
    following = replace(page.settings.roles["planner"], model=chosen["writer"].model)
    try:
        Models(replace(page.settings, roles={"planner": following, **chosen}))
    except UsageError as refused:
        own.say("roles", refused.say)
        return
    own.choose_roles(chosen)
    own.say("roles", Say.of("ui.notice.roles"))


def _read(role: str, settings: Settings) -> Role:
    state: Mapping[str, object] = {part: st.session_state.get(_at(role, part)) for part in _PARTS}
    name = str(state["endpoint"] or OFFLINE)
    model = str(state["model"] or "").strip()
    if name != OFFLINE:
        endpoint = settings.endpoints.get(name)
        usual = endpoint.default(role) if endpoint else ""
        name = f"{name}:{model.removeprefix(f'{name}:') or usual}"
    temperature, most = state["temperature"], state["most"]
    return Role(
        name,
        float(temperature) if isinstance(temperature, int | float) else None,
        _THINKING.get(str(state["thinking"])),
        most if isinstance(most, int) else None,
    )


_PARTS = ("endpoint", "model", "thinking", "temperature", "most")
