"""Asking the server without the workbench: with bare HTTP, or with either SDK."""

from __future__ import annotations

import http.client
import json
from typing import Any

from tests import loopback as lo

USER = [{"role": "user", "content": "退货 need 7 days?"}]
TOOLS = [{"type": "function", "function": {"name": "search", "parameters": {"type": "object"}}}]
SEARCH = ("search", '{"query":"退货"}')


def post(server: lo.Loopback, path: str, body: Any) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    data = body if isinstance(body, bytes) else json.dumps(body)
    connection.request("POST", path, data, {"Authorization": "Bearer sk-right"})
    response = connection.getresponse()
    answer = response.status, dict(response.headers), response.read()
    connection.close()
    return answer


def chat(server: lo.Loopback, **fields: Any) -> tuple[int, str]:
    body = {"model": "demo", "messages": USER, **fields}
    status, _, data = post(server, "/v1/chat/completions", body)
    return status, data.decode()


def ask(client: Any, **fields: Any) -> Any:
    return client.chat.completions.create(**{"model": "demo", "messages": USER, "stream": True, **fields})


def said_in(stream: Any) -> tuple[str, str, Any]:
    """The text, the finish reason and the usage of a stream."""
    text, finish, usage = "", None, None
    for chunk in stream:
        usage = chunk.usage or usage
        for choice in chunk.choices:
            text += choice.delta.content or ""
            finish = choice.finish_reason or finish
    return text, finish, usage
