"""Where models are reached: an endpoint's address, its key, and what is known of what it supports.

Nothing is sent from here. A key is held so that it cannot be printed by accident, and only together with the address
that it was given for.
"""

from __future__ import annotations

import ipaddress
import re
import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NoReturn
from urllib.parse import urlsplit, urlunsplit
from weakref import WeakValueDictionary

from core.errors import UsageError

Family = Literal["zhipu", "openai"]

ZHIPU_URL = "https://open.bigmodel.cn/api/paas/v4"
OPENAI_URL = "https://api.openai.com/v1"

FEATURES: Mapping[str, tuple[str, ...]] = {
    "tools": ("auto", "yes", "no"),
    "usage": ("auto", "yes", "no"),
    "system": ("auto", "yes", "no"),
    "echo": ("auto", "yes", "no"),
    "thinking": ("auto", "zhipu", "qwen", "effort", "no"),
}
"""What can be configured of an endpoint, each `auto` unless set: whether it calls tools; takes `stream_options`; takes
the role `system`; wants reasoning back beside tool calls; and how its thinking is switched (`zhipu`: an object
`thinking`, `qwen`: `enable_thinking`, `effort`: `reasoning_effort`). What is `auto` is found out from its answers."""

_UNSEEN = "\u200b\u200c\u200d\u2060\ufeff"
_EDGES = _UNSEEN + string.whitespace + "\u00a0\u3000"
_BEARER = re.compile(r"(authorization:\s*)?bearer\s+", re.I)
_TAIL = re.compile(r"(/(chat/completions|completions|embeddings|models))+$")
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s/@\[\]:]+)(:[0-9]{1,5})?")

_alive: WeakValueDictionary[int, Secret] = WeakValueDictionary()
_SHORTEST = 6
"""Characters below which a key is not masked in logs: it could be part of any word."""


class Secret:
    """A key: only `reveal` gives it away; everything that prints shows its last four characters."""

    __slots__ = ("__weakref__", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        _alive[id(self)] = self

    def reveal(self) -> str:
        """The key itself, for a request."""
        return self._text

    @property
    def hint(self) -> str:
        """Its last four characters; of a short key fewer, of none nothing."""
        return f"…{self._text[-min(4, len(self._text) // 3) :]}" if len(self._text) >= 3 else "…" * bool(self._text)

    def masked(self, text: str) -> str:
        """`text` with every occurrence of the key replaced by its hint."""
        return text.replace(self._text, self.hint) if self._text else text

    def __bool__(self) -> bool:
        return bool(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __copy__(self) -> Secret:
        return self

    def __deepcopy__(self, memo: object) -> Secret:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not to be written anywhere")

    def __repr__(self) -> str:
        return f"Secret({self.hint})"

    __str__ = __repr__


def masked(text: str) -> str:
    """`text` with every key that is held anywhere in this process replaced by its hint, for logs."""
    for secret in list(_alive.values()):
        if len(secret.reveal()) >= _SHORTEST:
            text = secret.masked(text)
    return text


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A provider as it is reached: `name` as roles call it, its `family` of protocol, address and key.

    `model` is the chat model of a role that names none. `given` says that its key was entered in this session, not
    found in the environment. `batch`, `longest` and `dimension` are for embeddings: texts in one request, characters of
    one text, numbers of a vector (`None`: the family's own).
    """

    name: str
    family: Family
    url: str
    key: Secret = field(default_factory=lambda: Secret(""))
    model: str = ""
    given: bool = False
    features: Mapping[str, str] = field(default_factory=dict)
    batch: int | None = None
    longest: int | None = None
    dimension: int | None = None

    @property
    def host(self) -> str:
        """Host and port of its address, in lower case."""
        return urlsplit(self.url).netloc.lower()

    def default(self, role: str) -> str:
        """The model of a role that names only this endpoint; empty where there is none."""
        if role == "embeddings":
            return "embedding-3" if self.family == "zhipu" else ""
        return self.model

    @property
    def variable(self) -> str:
        """The environment variable that its key is read from."""
        own = {"zhipu": "ZHIPUAI_API_KEY", "openai": "OPENAI_API_KEY"}
        return own.get(self.name, f"WORKBENCH_ENDPOINT_{self.name.upper()}_KEY")

    @property
    def needs_key(self) -> bool:
        """Whether it is one of the two services that answer nobody without a key."""
        return self.host in (urlsplit(ZHIPU_URL).netloc, urlsplit(OPENAI_URL).netloc)

    def feature(self, name: str) -> str:
        """What is configured of a feature, `auto` where nothing is."""
        return self.features.get(name, "auto")


def clean_key(text: str) -> Secret:
    """A key without what is copied along: blanks and invisible characters around it, quotes, `Bearer`.

    Raises `UsageError` where something is left in it that no key has, e.g. a Chinese character or a space.
    """
    key = _BEARER.sub("", text.strip(_EDGES), count=1).strip(_EDGES + "\"'")
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise UsageError("key.characters")
    return Secret(key)


def clean_url(text: str, family: Family) -> str:
    """A base address in the one form that the SDKs take.

    A scheme that is missing is added (http on this machine and in local networks), a full address of a call is cut back
    to its base, and an OpenAI-compatible address without a path gets `/v1`. Raises `UsageError` for what is no address.
    """
    given = text.strip(_EDGES)
    try:
        if "://" not in given:
            given = f"{'http' if _is_local(urlsplit(f'//{given}').hostname or '') else 'https'}://{given}"
        parts = urlsplit(given)
        fits = parts.scheme in ("http", "https") and parts.port != 0 and not parts.query
    except ValueError:
        fits = False
    if not fits or not _HOST.fullmatch(parts.netloc) or any(sign in _EDGES for sign in given):
        raise UsageError("endpoint.url", url=re.sub("(//|^)[^/]*@", r"\1…@", text.strip(_EDGES))[:200])
    path = _TAIL.sub("", parts.path.rstrip("/")).rstrip("/")
    if not path:
        path = "/v1" if family == "openai" else urlsplit(ZHIPU_URL).path
    return urlunsplit((parts.scheme, parts.netloc, path, "", ""))


def _is_local(host: str) -> bool:
    """Whether a host is this machine or in a local network, where few speak https; elsewhere a key needs it."""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".local", ".internal", ".lan"))
