"""The two SDKs behind one small shape. Either may be absent: it is imported when an endpoint of its family is used."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from core.endpoints import Endpoint, clean_key, clean_url, masked
from core.errors import ModelError, UsageError
from core.llm.failures import Failure, from_exception, from_response
from core.llm.lines import Line, Lines

CONNECT = 10.0
"""Seconds to wait for a connection."""
_NO_KEY = "none"
"""Sent where an endpoint has no key: local servers ask for none, and the SDKs take no empty one."""
_KNOWN = frozenset("model messages tools temperature max_tokens".split())
"""Parameters that both SDKs have; each has more of its own."""


class Sdk(Protocol):
    """One family's SDK, bound to an endpoint; `lines` knows which thread speaks over which of its connections."""

    lines: Lines

    def chat(self, body: Mapping[str, Any]) -> Any:
        """Open a stream of chat chunks."""
        ...

    def embed(self, body: Mapping[str, Any]) -> Any:
        """Ask for embeddings."""
        ...


class OpenAISdk:
    """The openai package."""

    def __init__(self, url: str, key: str, idle: float) -> None:
        import openai

        self.lines = Lines()
        timeout = openai.Timeout(idle, connect=CONNECT)
        hooks = {"request": [self.lines.hook]}
        http = openai.DefaultHttpxClient(timeout=timeout, event_hooks=hooks, follow_redirects=False)
        self._client = openai.OpenAI(api_key=key, base_url=url, max_retries=0, timeout=timeout, http_client=http)

    def chat(self, body: Mapping[str, Any]) -> Any:
        """Open a stream of chat chunks; what the SDK has no parameter for goes beside."""
        known = {name: value for name, value in body.items() if name in _KNOWN | {"stream_options"}}
        more = {name: value for name, value in body.items() if name not in known}
        return self._client.chat.completions.create(**known, stream=True, extra_body=more or None)

    def embed(self, body: Mapping[str, Any]) -> Any:
        """Ask for embeddings as numbers: not every server knows the compact form that the SDK asks for by default."""
        return self._client.embeddings.create(**body, encoding_format="float")


class ZhipuSdk:
    """The zhipuai package."""

    def __init__(self, url: str, key: str, idle: float) -> None:
        import httpx
        import zhipuai

        self.lines = Lines()
        timeout = httpx.Timeout(idle, connect=CONNECT)
        http = httpx.Client(timeout=timeout, event_hooks={"request": [self.lines.hook]})
        self._unsent = dict.fromkeys(("thinking", "response_format"), zhipuai.core.NOT_GIVEN)
        self._client = zhipuai.ZhipuAI(api_key=key, base_url=url, max_retries=0, timeout=timeout, http_client=http)

    def chat(self, body: Mapping[str, Any]) -> Any:
        """Open a stream of chat chunks. Only `auto` is sent as a choice of tools: a named one makes GLM hang."""
        known = self._unsent | {
            name: value for name, value in body.items() if name in _KNOWN | {"do_sample", "thinking"}
        }
        more = {name: value for name, value in body.items() if name not in known}
        if "tools" in known:
            known["tool_choice"] = "auto"
        return self._client.chat.completions.create(**known, stream=True, extra_body=more or None)

    def embed(self, body: Mapping[str, Any]) -> Any:
        """Ask for embeddings."""
        return self._client.embeddings.create(**body)


def connect(endpoint: Endpoint, idle: float) -> Sdk:
    """The SDK for an endpoint. Raises `ModelError` where it cannot be used: absent, no key, a proxy it cannot take."""
    try:
        url, key = clean_url(endpoint.url, endpoint.family), clean_key(endpoint.key.reveal()).reveal()
    except UsageError as wrong:
        raise ModelError(wrong.say.code, **wrong.say.values) from wrong
    if not key and endpoint.needs_key:
        raise ModelError("model.key_missing", endpoint=endpoint.name, variable=endpoint.variable)
    make: type[OpenAISdk] | type[ZhipuSdk] = ZhipuSdk if endpoint.family == "zhipu" else OpenAISdk
    package = "zhipuai" if endpoint.family == "zhipu" else "openai"
    try:
        return make(url, key or _NO_KEY, idle)
    except ModuleNotFoundError as absent:
        if absent.name and absent.name.partition(".")[0] in (package, "httpx"):
            raise ModelError("model.sdk_missing", package=package) from absent
        raise ModelError("model.proxy", reason=masked(str(absent))[:200]) from absent
    except Exception as refused:  # a SOCKS proxy without its package, an address of one that is none, …
        names = {kind.__name__ for kind in type(refused).__mro__}
        code = "model.proxy" if names & {"ImportError", "ValueError", "InvalidURL"} else "model.crashed"
        raise ModelError(code, endpoint=endpoint.name, reason=masked(str(refused))[:200]) from refused


class Stream:
    """An open stream of chat chunks as plain values; `abort` ends a read that waits in another thread."""

    def __init__(self, sdk: Sdk, body: Mapping[str, Any]) -> None:
        self._sdk = sdk
        self._body = body
        self._opened: Any = None
        self._line: Line | None = None
        self._aborted = False

    def chunks(self) -> Iterator[dict[str, Any]]:
        """The chunks; raises `Failure`."""
        line = self._line = self._sdk.lines.take()
        try:
            if self._aborted:
                return
            self._opened = self._sdk.chat(self._body)
            kind = self._opened.response.headers.get("content-type", "")
            if "html" in kind:
                raise from_response(200, self._opened.response.headers, self._text())
            if "application/json" in kind:
                yield _whole(json.loads(self._text()))
                return
            for chunk in self._opened:
                yield plain(chunk)
        except Failure:
            raise
        except Exception as raised:
            raise from_exception(raised) from raised
        finally:
            self._sdk.lines.give_up(line)
            if self._opened is not None:  # one of the SDKs leaves it open after an error
                self._opened.response.close()

    def _text(self) -> str:
        self._opened.response.read()
        return str(self._opened.response.text)

    def abort(self) -> None:
        """Shut the connection, so that the server stops too; does nothing where none is used any more."""
        self._aborted = True
        if self._line is not None:
            self._sdk.lines.shut(self._line)


def plain(value: Any) -> dict[str, Any]:
    """An SDK's model as plain values, whatever a server put in it; raises `ValueError` where it is no object."""
    if not hasattr(value, "model_dump"):
        raise ValueError(f"no object: {value!r}")
    return dict(value.model_dump(warnings=False))


def _whole(answer: Any) -> dict[str, Any]:
    """An answer that a server gave in one piece, though asked to stream, as a chunk.

    Raises `Failure` where it is an error, `ValueError` where it is no object.
    """
    if not isinstance(answer, dict):
        raise ValueError(f"no object: {answer!r}")
    if answer.get("error") or not answer.get("choices"):
        raise from_response(400, {}, json.dumps(answer, ensure_ascii=False))
    choices = [{**choice, "delta": choice.get("message") or choice.get("delta")} for choice in answer["choices"]]
    return {**answer, "choices": choices}
