"""What one session chose for itself, above the server's settings: one value under one key, gone with the session.

A key lives here and nowhere else, together with the address that it was entered for: it is never sent to another.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from core.domain import Say
from core.endpoints import Endpoint, Secret
from core.saved import Choices, apply
from core.settings import OFFLINE, ROLES, Role, Settings

_KEY = "own"


@dataclass(frozen=True)
class Own:
    """`choices` win over what the server has; its roles are all or none, a planner left out follows the writer.

    `keys` are by the endpoint's name and address. `said` is what to tell the reader next, by the place of the page
    where it belongs; `edition` counts the changes of roles, which their form is then to show.
    """

    choices: Choices = Choices()
    keys: Mapping[tuple[str, str], Secret] = field(default_factory=dict)
    said: Mapping[str, Say] = field(default_factory=dict)
    edition: int = 0


def own() -> Own:
    """What this session chose."""
    found = st.session_state.get(_KEY)
    return found if isinstance(found, Own) else Own()


def put(value: Own) -> None:
    """Keep what this session chose."""
    st.session_state[_KEY] = value


def say(place: str, told: Say) -> None:
    """Tell the reader something at a place of the page, in its next run."""
    tell({place: told})


def tell(said: Mapping[str, Say]) -> None:
    """Tell the reader something at several places, in the next run; what was to be told before is not any more."""
    put(replace(own(), said=said))


def hear(place: str) -> Say | None:
    """What is to be told at a place, once."""
    mine = own()
    if place not in mine.said:
        return None
    put(replace(mine, said={other: told for other, told in mine.said.items() if other != place}))
    return mine.said[place]


def choose_roles(roles: Mapping[str, Role]) -> None:
    """Let this session work with these roles; one without a planner lets it follow the writer."""
    mine = own()
    put(replace(mine, choices=replace(mine.choices, roles=dict(roles)), said={}, edition=mine.edition + 1))


def in_force(settings: Settings, saved: Choices, given: Collection[str]) -> Settings:
    """The settings of this session: the environment's, then what was saved, then its own.

    A limit that the environment sets holds for every session, since it is the purse of whoever runs the server.
    """
    mine = own()
    settings = apply(settings, saved, given)
    held = {name for name in given if name.startswith("WORKBENCH_LIMIT_")}
    if not mine.choices.roles:
        held.add("WORKBENCH_PLANNER")  # nothing of a session without roles follows anything
    settings = apply(settings, mine.choices, held)
    return replace(settings, endpoints={name: _keyed(e, mine) for name, e in settings.endpoints.items()})


def _keyed(endpoint: Endpoint, mine: Own) -> Endpoint:
    key = mine.keys.get((endpoint.name, endpoint.url))
    return replace(endpoint, key=key, given=True) if key else endpoint


def follows(settings: Settings, saved: Choices, given: Collection[str]) -> bool:
    """Whether the planner follows the writer, so that a change of one is a change of both."""
    roles = own().choices.roles or saved.roles
    named = "planner" in roles or (not own().choices.roles and "WORKBENCH_PLANNER" in given)
    return not named and settings.roles["planner"].model == settings.roles["writer"].model


def offered(settings: Settings) -> list[Endpoint]:
    """Endpoints with a key, and a model to use, that no role names yet."""
    used = {role.endpoint for role in settings.roles.values()}
    return [e for e in settings.endpoints.values() if e.key and e.model and e.name not in used]


def offline(settings: Settings) -> bool:
    """Whether no role calls a model."""
    return all(settings.roles[role].model == OFFLINE for role in ROLES)


def given() -> dict[str, str]:
    """Every variable that the environment or the secrets file sets to something; the environment wins."""
    return {name: text for name, text in {**secrets(), **os.environ}.items() if text.strip()}


def secrets() -> dict[str, str]:
    """The texts of the secrets file; none where there is no file."""
    try:
        if not st.secrets.load_if_toml_exists():
            return {}
        return {name: value for name, value in st.secrets.items() if isinstance(value, str)}
    except StreamlitSecretNotFoundError:
        return {}
