"""A model server and either family's endpoint at it; waits between retries are short."""

from __future__ import annotations

import functools
import ssl
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from core.endpoints import Endpoint, Family
from core.llm import wire
from core.llm.chat import ProviderChat
from tests import loopback as lo
from tests.llm.talking import FAMILIES, chat_at, endpoint_of

Open = Callable[..., ProviderChat]

_PROXIES = ("ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")


@pytest.fixture(autouse=True, scope="package")
def one_trust_store() -> Iterator[None]:
    """Reading the certificates anew for each client would take most of the time; the server here has none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", functools.cache(ssl.create_default_context))
        yield


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in _PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(wire, "LONGEST_WAIT", 0.05)


@pytest.fixture
def server() -> Iterator[lo.Loopback]:
    with lo.Loopback() as running:
        yield running


@pytest.fixture(params=FAMILIES)
def family(request: pytest.FixtureRequest) -> Family:
    return request.param


@pytest.fixture
def endpoint(server: lo.Loopback, family: Family) -> Endpoint:
    return endpoint_of(server, family)


@pytest.fixture
def open_chat(server: lo.Loopback, family: Family) -> Open:
    """Opens a chat at the family's endpoint; `features` and `key` are the endpoint's, all else the chat's."""

    def opened(role: Any = None, *, features: Any = None, key: str | None = None, **more: Any) -> ProviderChat:
        own = {"features": features or {}, **({} if key is None else {"key": key})}
        return chat_at(endpoint_of(server, family, **own), role, **more)

    return opened


@pytest.fixture
def chat(open_chat: Open) -> ProviderChat:
    return open_chat()
