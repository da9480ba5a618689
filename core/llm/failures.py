"""What endpoints answer when they cannot, told apart once: the error a user sees, and whether trying again helps.

The codes are Zhipu's business codes (1302 rate, 1113 no balance, 1301 content, 1261 prompt too long …) and those that
OpenAI-compatible servers share; where a server has no code, its words decide. Zhipu's are those of
https://docs.bigmodel.cn/cn/api/api-code, read on 2026-11-30.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from core.domain import Usage
from core.endpoints import Endpoint
from core.errors import ModelError, TooLongError
from core.json_values import read_json

_SHOWN = 300
"""Characters of a server's own words that are shown."""
_PAGE = 64_000
"""Characters of a page that are looked through for its title."""

_BALANCE = re.compile(
    r"insufficient[_ ](quota|balance|funds)|balance is insufficient|billing|credit balance|payment required"
    r"|欠费|余额不足",
    re.I,
)
_TOO_LONG = re.compile(
    r"context[ _]?(length|window|size)|too (long|many tokens)|maximum (context|prompt|input)|max(imum)? length"
    r"|exceeds? (the )?(limit|available context|max)|reduce the length|超长|长度超|超过.{0,6}(长度|上限)",
    re.I,
)
_FILTERED = re.compile(r"content[ _]?(filter|policy|management)|(?<!case[- ])sensitive|safety|敏感|不安全|违规", re.I)
_TOOLS = re.compile(r"\btools?\b|tool_choice|function[ _]call", re.I)

_BY_CODE = {
    **dict.fromkeys(("1000", "1001", "1002", "1003", "1004", "1005"), "key_refused"),
    **dict.fromkeys(("1110", "1111", "1112", "1121", "1220", "1311"), "forbidden"),
    **dict.fromkeys(("1113", "1309"), "balance"),
    **dict.fromkeys(("1120", "1200", "1230", "1234"), "busy"),
    **dict.fromkeys(("1210", "1212", "1213", "1214", "1215"), "refused"),
    **dict.fromkeys(("1221", "1222"), "url"),
    "1211": "model_unknown",
    "1261": "too_long",
    **dict.fromkeys(("1300", "1301"), "filtered"),
    **dict.fromkeys(("1302", "1303", "1305", "1312"), "rate"),
    **dict.fromkeys(("1304", "1308", "1310", "1313"), "rate_day"),
    "context_length_exceeded": "too_long",
    "content_filter": "filtered",
    "content_policy_violation": "filtered",
    "data_inspection_failed": "filtered",
    "insufficient_quota": "balance",
    "invalid_api_key": "key_refused",
    "model_not_found": "model_unknown",
    "rate_limit_exceeded": "rate",
    "rate_limit": "rate",
}
_BY_STATUS = {
    301: "url",
    302: "url",
    307: "url",
    308: "url",
    401: "key_refused",
    402: "balance",
    403: "forbidden",
    404: "url",
    405: "url",
    413: "too_long",
    429: "rate",
}
_TRANSIENT = frozenset({"rate", "busy", "timeout", "silent", "unreachable"})
"""Failures of which waiting may cure; all others come again however often one asks."""


@dataclass(eq=False)
class Failure(Exception):
    """One failed call: its `kind`, the server's own words, and the seconds it asks to wait (`None`: it named none)."""

    kind: str
    status: int | None = None
    code: str = ""
    words: str = ""
    wait: float | None = None

    @property
    def passes(self) -> bool:
        """Whether it may pass by itself, so that trying again helps."""
        return self.kind in _TRANSIENT

    def mentions(self, *names: str) -> bool:
        """Whether a refused request was refused for a parameter of one of these names."""
        return self.kind == "refused" and any(name.lower() in self.words.lower() for name in names)

    @property
    def names_tools(self) -> bool:
        """Whether the server's words are about tools."""
        return _TOOLS.search(self.words) is not None

    def error(
        self, endpoint: Endpoint, usage: Usage | None = None, sent: Mapping[str, Any] | None = None
    ) -> ModelError:
        """The error a user sees; the key, should the server have echoed it, is masked."""
        kind = TooLongError if self.kind == "too_long" else ModelError
        told = {"endpoint": endpoint.name, "host": endpoint.host, "status": self.status, "reason": self.shown(endpoint)}
        return kind(f"model.{self.kind}", usage=usage, sent=sent, **told)

    def shown(self, endpoint: Endpoint) -> str:
        """The server's own words as they may be shown: masked before they are cut, or half a key would stay."""
        return endpoint.key.masked(self.words)[:_SHOWN]


def from_response(status: int, headers: Mapping[str, str], body: str) -> Failure:
    """The failure that an HTTP answer of an error status is."""
    kind_of_body = headers.get("content-type", "")
    if "html" in kind_of_body or body.lstrip()[:1] == "<":
        return Failure("html", status, words=_title(body))
    code, words = _told(body)
    wait = retry_after(headers)
    return Failure(_kind(status, code, words), status, code, words, wait)


def from_exception(raised: BaseException) -> Failure:
    """The failure that an SDK raised, told by what the exception carries, since either SDK may be absent."""
    names = {kind.__name__ for kind in type(raised).__mro__}
    response: Any = getattr(raised, "response", None)
    if getattr(response, "status_code", 200) >= 300:
        return from_response(response.status_code, response.headers, _body(response))
    if names & {"APITimeoutError", "TimeoutException", "TimeoutError"}:
        return Failure("timeout")
    if names & {"APIConnectionError", "TransportError", "OSError"}:
        return Failure("unreachable", words=_root(raised))
    told = getattr(raised, "body", None) or getattr(raised, "json_data", None)
    if told is not None:
        return from_event(told)
    if isinstance(raised, ValueError):
        return Failure("malformed", words=str(raised))
    return Failure("crashed", words=f"{type(raised).__name__}: {raised}")


def _body(response: Any) -> str:
    """The text of an error answer; nothing where its connection broke before it was read."""
    try:
        return str(response.text)
    except RuntimeError:  # the SDK did not read it
        return ""


def _root(raised: BaseException) -> str:
    """What lies at the root of a connection error, in the words of the system."""
    while (cause := raised.__cause__ or raised.__context__) is not None:
        raised = cause
    return re.sub(r"^\[Errno -?[0-9]+\] ", "", str(raised))


def from_event(error: object) -> Failure:
    """The failure that an error object in the middle of a stream is."""
    code, words = _told(error)
    kind = _BY_CODE.get(code) or _by_words(words) or "midstream"
    return Failure(kind, code=code, words=words)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait by `retry-after-ms` or `Retry-After` (seconds or an HTTP date); `None` where neither is told."""
    milliseconds = _seconds(headers.get("retry-after-ms", ""))
    return _seconds(headers.get("retry-after", "")) if milliseconds is None else milliseconds / 1000


def _seconds(given: str) -> float | None:
    """A number, or the seconds until an HTTP date; `None` for anything else."""
    if re.fullmatch(r"\d+(\.\d+)?", given.strip()):
        return float(given)
    try:
        moment = parsedate_to_datetime(given)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def _kind(status: int, code: str, words: str) -> str:
    """What a status with its code and words means; a known code says most, then words, then the status."""
    if code in _BY_CODE:
        return _BY_CODE[code]
    if status in (400, 402, 403, 413, 422, 429) and (found := _by_words(words)):
        return found if status != 429 or found == "balance" else "rate"
    if status == 429:
        return "rate"
    if status == 404 and re.search(r"model", words, re.I):
        return "model_unknown"
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    return "busy" if status >= 500 or status in (408, 409, 425) else "refused"


def _by_words(words: str) -> str | None:
    for kind, pattern in (("balance", _BALANCE), ("too_long", _TOO_LONG), ("filtered", _FILTERED)):
        if pattern.search(words):
            return kind
    return None


def _told(body: object) -> tuple[str, str]:
    """Code and words of an error body, in any of the shapes that servers use."""
    if isinstance(body, str):
        try:
            body = read_json(body)
        except ValueError:
            return "", " ".join(str(body).split())
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, Mapping):
        return "", " ".join(str(body).split())
    error = body.get("error", body)
    if not isinstance(error, Mapping):
        return "", " ".join(str(error).split())
    code = error.get("code") or error.get("type") or ""
    words = error.get("message") or error.get("msg") or error.get("detail") or body.get("message") or ""
    return str(code), " ".join(str(words or code).split())


def _title(page: str) -> str:
    """What an HTML page calls itself."""
    page = page[:_PAGE]
    start = page.lower().find("<title")
    opened = page.find(">", start) + 1 if start >= 0 else 0
    end = page.lower().find("</title", opened)
    return " ".join(page[opened:end].split())[:80] if opened and end > opened else ""
