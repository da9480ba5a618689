"""Settings, second part: where models are reached, and the keys that this session entered."""

from __future__ import annotations

import re
from dataclasses import replace

import streamlit as st

from core.domain import Say
from core.endpoints import FEATURES, Endpoint, Family, clean_key, clean_url
from core.errors import StoreError, UsageError
from core.saved import Address, Saved
from core.settings import OFFLINE
from core.words import Words
from pages.parts import own
from pages.parts.frame import Frame
from pages.parts.literal import inline
from pages.parts.told import told

BUILT_IN = ("zhipu", "openai")
FAMILIES: tuple[Family, ...] = ("openai", "zhipu")
_NAME = re.compile("[a-z0-9_]{1,40}")


def draw(page: Frame) -> None:
    """Every endpoint folded with its state on the fold, then the form for one of the reader's own."""
    words = page.words
    for endpoint in page.settings.endpoints.values():
        place = f"endpoint.{endpoint.name}"
        with st.expander(_label(endpoint, words), key=f"{place}.fold", icon=":material/hub:"):
            told(place, words)
            _form(page, endpoint)
            _buttons(page, endpoint)
    with st.expander(words("ui.settings.add"), key="endpoint.add.fold", icon=":material/add:"):
        told("endpoint.add", words)
        _adding(page)


def _label(endpoint: Endpoint, words: Words) -> str:
    return f"**{inline(endpoint.name)}** :gray[{inline(endpoint.host)} · {inline(state_of_key(endpoint, words))}]"


def state_of_key(endpoint: Endpoint, words: Words) -> str:
    """Whether there is a key, its last characters, and where it is from."""
    if endpoint.key:
        code = "ui.settings.key_entered" if endpoint.given else "ui.settings.key_found"
        return words(code, key=endpoint.key.hint)
    return words("ui.settings.key_missing" if endpoint.needs_key else "ui.settings.key_none")


def _form(page: Frame, endpoint: Endpoint) -> None:
    words, name = page.words, endpoint.name
    _fill(endpoint)
    with st.form(_at(name, "form"), border=False):
        st.text_input(words("ui.settings.url"), key=_at(name, "url"), placeholder=words("ui.settings.url_hint"))
        _key_input(words, _at(name, "key"), endpoint.key.hint or words("ui.settings.key_hint"))
        st.text_input(
            words("ui.settings.usual"),
            key=_at(name, "model"),
            placeholder=words("ui.settings.usual_hint"),
            help=words("ui.settings.usual_help"),
        )
        with st.expander(words("ui.settings.supports"), type="compact"):
            st.caption(words("ui.settings.supports_help"))
            _supports(page, endpoint)
        st.form_submit_button(
            words("ui.settings.save"),
            icon=":material/check:",
            key=_at(name, "save"),
            on_click=_save,
            args=(page, endpoint),
        )


def _supports(page: Frame, endpoint: Endpoint) -> None:
    words = page.words
    if endpoint.name not in BUILT_IN:
        _family(words, _at(endpoint.name, "family"))
    for feature, choices in FEATURES.items():
        st.selectbox(
            words(f"ui.settings.feature_{feature}"),
            choices,
            key=_at(endpoint.name, feature),
            format_func=lambda choice: words(f"ui.settings.choice_{choice}"),
        )


def _key_input(words: Words, key: str, hint: str) -> None:
    st.text_input(words("ui.settings.key"), type="password", key=key, placeholder=hint, autocomplete="new-password")


def _family(words: Words, key: str) -> None:
    st.selectbox(
        words("ui.settings.family"), FAMILIES, key=key, format_func=lambda family: words(f"ui.settings.family_{family}")
    )


def _at(name: str, part: str) -> str:
    return f"endpoint.{name}.{part}"


def _fill(endpoint: Endpoint) -> None:
    """Show the endpoint as it is in force; what is being typed stays."""
    state, name = st.session_state, endpoint.name
    shows = _address(endpoint)
    fresh = state.get(_at(name, "shown")) != shows
    state[_at(name, "shown")] = shows
    values = {"url": endpoint.url, "model": endpoint.model, "family": endpoint.family, "key": ""}
    values |= {feature: endpoint.feature(feature) for feature in FEATURES}
    for part, value in values.items():
        if fresh or _at(name, part) not in state:
            state[_at(name, part)] = value


def _address(endpoint: Endpoint) -> Address:
    return Address(endpoint.url, endpoint.family, endpoint.model, dict(endpoint.features))


def _save(page: Frame, endpoint: Endpoint) -> None:
    """Take what the form of an endpoint holds; a key leaves its input at once, also where it is refused."""
    state, name = st.session_state, endpoint.name
    entered, state[_at(name, "key")] = state.get(_at(name, "key")) or "", ""
    family: Family = "zhipu" if state.get(_at(name, "family")) == "zhipu" else "openai"
    try:
        url = clean_url(state[_at(name, "url")] or "", family)
        key = clean_key(entered)
    except UsageError as refused:
        own.say(f"endpoint.{name}", refused.say)
        return
    features = {f: state[_at(name, f)] for f in FEATURES if state[_at(name, f)] != "auto" or f in endpoint.features}
    address = Address(url, family, (state[_at(name, "model")] or "").strip(), features)
    state[_at(name, "url")] = url
    mine = own.own()
    if address != _address(endpoint):
        mine = replace(mine, choices=replace(mine.choices, endpoints={**mine.choices.endpoints, name: address}))
    if key:
        mine = replace(mine, keys={**mine.keys, (name, url): key})
    own.put(mine)
    left_behind = endpoint.key and not key and url != endpoint.url
    own.say(f"endpoint.{name}", Say.of("ui.settings.key_left" if left_behind else "ui.notice.saved"))


def _buttons(page: Frame, endpoint: Endpoint) -> None:
    words, name = page.words, endpoint.name
    with st.container(horizontal=True):
        if endpoint.given:
            label = words("ui.settings.forget")
            st.button(label, key=_at(name, "forget"), icon=":material/key_off:", on_click=_forget, args=(name,))
        if name in own.own().choices.endpoints or name in page.saved.endpoints:
            code = "ui.settings.reset" if name in BUILT_IN else "ui.settings.remove"
            st.button(
                words(code), key=_at(name, "remove"), icon=":material/delete:", on_click=_remove, args=(page, name)
            )


def _forget(name: str) -> None:
    mine = own.own()
    own.put(replace(mine, keys={place: key for place, key in mine.keys.items() if place[0] != name}))
    own.say(f"endpoint.{name}", Say.of("ui.notice.forgotten"))


def _remove(page: Frame, name: str) -> None:
    """Take an endpoint of the reader's own away, for everyone where it was kept for everyone."""
    _forget(name)
    mine = own.own()
    rest = {other: address for other, address in mine.choices.endpoints.items() if other != name}
    own.put(replace(mine, choices=replace(mine.choices, endpoints=rest)))
    saved = Saved(page.settings.home).load()
    if name not in saved.endpoints:
        return
    rest = {other: address for other, address in saved.endpoints.items() if other != name}
    try:
        Saved(page.settings.home).store(replace(saved, endpoints=rest))
    except StoreError as refused:
        own.say(f"endpoint.{name}", refused.say)


def _adding(page: Frame) -> None:
    words = page.words
    with st.form("endpoint.add.form", border=False):
        st.text_input(
            words("ui.settings.name_own"), key="add.name", placeholder="ollama", help=words("ui.settings.name_help")
        )
        st.text_input(words("ui.settings.url"), key="add.url", placeholder=words("ui.settings.url_hint"))
        _key_input(words, "add.key", words("ui.settings.key_optional"))
        _family(words, "add.family")
        label = words("ui.settings.add")
        st.form_submit_button(label, icon=":material/add:", key="add.save", on_click=_add, args=(page,))
    st.caption(words("ui.settings.recipes"))


def _add(page: Frame) -> None:
    """Add an endpoint of the reader's own to this session."""
    state = st.session_state
    entered, state["add.key"] = state.get("add.key") or "", ""
    name = (state["add.name"] or "").strip()
    family: Family = "zhipu" if state["add.family"] == "zhipu" else "openai"
    try:
        if not _NAME.fullmatch(name) or name == OFFLINE or name in page.settings.endpoints:
            taken = name == OFFLINE or name in page.settings.endpoints
            raise UsageError("ui.settings.name_taken" if taken else "ui.settings.name_form", name=name)
        url, key = clean_url(state["add.url"] or "", family), clean_key(entered)
    except UsageError as refused:
        own.say("endpoint.add", refused.say)
        return
    mine = own.own()
    choices = replace(mine.choices, endpoints={**mine.choices.endpoints, name: Address(url, family)})
    own.put(replace(mine, choices=choices, keys={**mine.keys, (name, url): key} if key else mine.keys))
    own.say("endpoint.add", Say.of("ui.notice.added", name=name))
    state["add.name"] = state["add.url"] = ""
