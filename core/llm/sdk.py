"""The two SDKs behind one small shape. Either may be absent: it is imported when an endpoint of its family is used."""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from core.endpoints import Endpoint, clean_key, clean_url
from core.errors import ModelError, UsageError
from core.llm.failures import Failure, from_exception, from_response

log = logging.getLogger(__name__)

CONNECT = 10.0
"""Seconds to wait for a connection."""
_NO_KEY = "none"
"""Sent where an endpoint has no key: local servers ask for none, and the SDKs take no empty one."""
_KNOWN = frozenset(
    "model messages tools stream_options temperature max_tokens max_completion_tokens do_sample thinking".split()
)


class Sdk(Protocol):
    """One family's SDK, bound to an endpoint."""

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

        timeout = openai.Timeout(idle, connect=CONNECT)
        self._client = openai.OpenAI(api_key=key, base_url=url, max_retries=0, timeout=timeout)

    def chat(self, body: Mapping[str, Any]) -> Any:
        """Open a stream of chat chunks; what the SDK has no parameter for goes beside."""
        known = {name: value for name, value in body.items() if name in _KNOWN - {"do_sample", "thinking"}}
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

        timeout = httpx.Timeout(idle, connect=CONNECT)
        self._client = zhipuai.ZhipuAI(api_key=key, base_url=url, max_retries=0, timeout=timeout)

    def chat(self, body: Mapping[str, Any]) -> Any:
        """Open a stream of chat chunks. Only `auto` is sent as a choice of tools: a named one makes GLM hang."""
        known = {name: value for name, value in body.items() if name in _KNOWN}
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
        raise ModelError("model.proxy", reason=str(absent)[:200]) from absent
    except (ImportError, ValueError) as refused:  # a SOCKS proxy without its package, or an address that is none
        raise ModelError("model.proxy", reason=str(refused)[:200]) from refused


class Stream:
    """An open stream of chat chunks as plain values; `abort` ends a read that waits in another thread."""

    def __init__(self, sdk: Sdk, body: Mapping[str, Any]) -> None:
        self._sdk = sdk
        self._body = body
        self._opened: Any = None

    def chunks(self) -> Iterator[dict[str, Any]]:
        """The chunks; raises `Failure`."""
        try:
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

    def _text(self) -> str:
        self._opened.response.read()
        return str(self._opened.response.text)

    def abort(self) -> None:
        """Shut the connection, so that the server stops too; does nothing where none is open."""
        if self._opened is None:
            return
        stream = self._opened.response.extensions.get("network_stream")
        connection = stream.get_extra_info("socket") if stream else None
        try:
            if connection is not None:
                connection.shutdown(socket.SHUT_RDWR)
        except OSError as gone:
            log.debug("the connection was gone already: %s", gone)


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
    choices = [
        {**choice, "delta": choice.get("message") or choice.get("delta")} for choice in answer.get("choices") or []
    ]
    return {**answer, "choices": choices}
