"""A chat model at an endpoint: one turn, with everything that can go wrong in it told apart."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.domain import Say, Token, Usage
from core.errors import ModelError, SpendError, ToolsError
from core.llm.assembling import Assembler
from core.llm.dialect import Dialect, as_sent, rough
from core.llm.failures import Failure
from core.llm.wire import Connection
from core.ports import Message, Purse, Reply, Tool, never
from core.settings import Role

_FILTERED = frozenset({"content_filter", "sensitive"})
_LENGTH = frozenset({"length", "max_tokens", "model_context_window_exceeded"})
_BROKEN = frozenset({"silent", "unreachable", "timeout"})
"""Failures that do not matter any more once the last word was said."""
_LOST = frozenset({"unreachable", "timeout", "malformed", "crashed"})
"""Failures in the middle of an answer in which the server says nothing itself."""


OVER = 1.5
"""How far a reply may pass its limit of tokens, which are only guessed here."""
LONGEST_ANSWER, LONGEST_REPLY = 100_000, 1_000_000
"""Characters of an answer, and of all that one reply holds."""
BEAT = 0.2
"""Seconds after which a stream that shows nothing is noticed to go on."""


class ProviderChat:
    """One role's model as one run uses it; implements `core.ports.Chat`."""

    def __init__(
        self,
        connection: Connection,
        model: str,
        role: Role,
        stopped: Callable[[], bool] = never,
        purse: Purse | None = None,
    ) -> None:
        self.id = f"{connection.endpoint.name}:{model}"
        self._connection = connection
        self._dialect = Dialect(connection.endpoint, model, role, connection.learned)
        self._role = role
        self._stopped = stopped
        self._purse = purse

    def stream(
        self, messages: Sequence[Message], tools: Sequence[Tool] = (), most: int | None = None
    ) -> Generator[Token, None, Reply]:
        """Say the turn piece by piece and return it whole; see `core.ports.Chat`."""
        if tools and self._dialect.speaks("tools") == "no":
            raise ToolsError("model.tools", **self._place())
        most = _least(most, self._role.most)
        first = yield from self._turn(messages, tools, most, self._role.thinking)
        if not _thought_only(first):
            return first
        if self._dialect.thinking_style is None or self._role.thinking is False:
            raise self._spent_on_thoughts(first)
        try:
            second = yield from self._turn(messages, tools, most, thinking=False)
        except ModelError as failed:
            failed.usage = first.usage + (failed.usage or Usage(calls=1, model=self.id))
            raise
        notices = (*first.notices, *second.notices, Say.of("model.rethought"))
        both = replace(second, usage=first.usage + second.usage, notices=notices)
        if _thought_only(second):
            raise self._spent_on_thoughts(both)
        return both

    def _spent_on_thoughts(self, reply: Reply) -> ModelError:
        return ModelError("model.only_reasoning", usage=reply.usage, sent=reply.sent, **self._place())

    def _place(self) -> dict[str, Any]:
        return {"endpoint": self._connection.endpoint.name, "host": self._connection.endpoint.host, "model": self.id}

    def _turn(
        self, messages: Sequence[Message], tools: Sequence[Tool], most: int | None, thinking: bool | None
    ) -> Generator[Token, None, Reply]:
        """One request, paid for however it ends."""
        prompt = rough(json.dumps(self._dialect.body(messages, tools, most, thinking), ensure_ascii=False))
        bill = self._purse.bill(self.id, prompt, most) if self._purse else None
        assembler = Assembler(self.id)
        usage: Usage | None = None
        billed = True
        try:
            reply = yield from self._asked(messages, tools, bill.most if bill else most, thinking, assembler)
            usage = reply.usage
        except ModelError as failed:
            usage, billed = failed.usage, bool(assembler.said)
            raise
        finally:
            if bill:
                bill.pay(usage, prompt + rough(assembler.said) if billed else 0)
        if not reply.full and bill and bill.most is not None and bill.most != most:
            raise SpendError("spend.cut", usage=reply.usage, sent=reply.sent, most=bill.most)
        return reply

    def _asked(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool],
        most: int | None,
        thinking: bool | None,
        assembler: Assembler,
    ) -> Generator[Token, None, Reply]:
        """Send the request, again without what the endpoint turns out not to know, and read what comes."""
        notices = self._dialect.unsent
        while True:
            body = self._dialect.body(messages, tools, most, thinking)
            try:
                yield from self._read(body, assembler, most)
            except Failure as failed:
                if not assembler.said and (lesson := self._dialect.learn(failed, body)):
                    notices.append(lesson)
                    continue
                # not `from failed`, which holds the key where the server echoed it
                raise self._without_tools(failed, body) or self._error(failed, assembler, body) from None
            return self._reply(assembler, body, tuple(notices))

    def _read(self, body: Mapping[str, Any], assembler: Assembler, most: int | None) -> Iterator[Token]:
        """Say what comes; once its last word is said, an answer is whole however the connection ends.

        Not every server keeps to a limit of tokens, and some never end: what goes far beyond it is cut here.
        """
        hearing = _Hearing(assembler, most, self._connection.idle)
        try:
            for chunk in self._connection.chat(body, self._stopped):
                yield from hearing.of(assembler.feed(chunk))
                if hearing.enough:
                    assembler.finish = "length"
                    break
        except Failure as failed:
            if assembler.finish is None or failed.kind not in _BROKEN:
                raise
        yield from assembler.end()

    def _reply(self, assembler: Assembler, body: Mapping[str, Any], notices: tuple[Say, ...]) -> Reply:
        """The turn as a whole; raises `ModelError` where it is none."""
        finish, sent = assembler.finish, as_sent(body)
        reasoning = assembler.reasoning if assembler.echoes else ""
        code = ""
        if finish in _FILTERED:
            code = "model.filtered_midway"
        elif finish is None or finish in ("network_error", "error"):
            code = "model.cut" if assembler.said else "model.empty"
        if code:
            raise ModelError(code, usage=assembler.usage, sent=sent, **self._place())
        full = finish not in _LENGTH
        return Reply(assembler.text, reasoning, assembler.calls, full, assembler.usage, sent, notices)

    def _without_tools(self, failed: Failure, body: Mapping[str, Any]) -> ToolsError | None:
        """That the endpoint calls no tools, where this is why it refused a request.

        Not every server names them in its refusal; then a first turn is sent once more without, for a single token.
        """
        if "tools" not in body or failed.kind != "refused":
            return None
        usage: Usage | None = None
        if not failed.names_tools:
            if any(message["role"] in ("tool", "assistant") for message in body["messages"]):
                return None
            probe = Assembler(self.id)
            plainly = {name: value for name, value in body.items() if name != "tools"} | {"max_tokens": 1}
            try:
                for chunk in self._connection.chat(plainly, self._stopped):
                    probe.feed(chunk)
            except Failure:  # it is something else that it refuses, which is told
                return None
            usage = probe.usage
        self._dialect.tools_are_refused()
        return ToolsError("model.tools", usage=usage, sent=as_sent(body), **self._place())

    def _error(self, failed: Failure, assembler: Assembler, body: Mapping[str, Any]) -> ModelError:
        """The error of a failed call; once the answer has begun, that it is not whole is what matters."""
        usage = assembler.usage if assembler.usage.prompt is not None else None
        if assembler.text and failed.kind not in ("filtered", "silent"):
            code = "model.cut" if failed.kind in _LOST else "model.midstream"
            reason = failed.shown(self._connection.endpoint)
            return ModelError(code, usage=usage, sent=as_sent(body), **self._place(), reason=reason)
        return failed.error(self._connection.endpoint, usage=usage, sent=as_sent(body))


class _Hearing:
    """How long a stream goes on, in tokens, characters and seconds."""

    def __init__(self, assembler: Assembler, most: int | None, idle: float) -> None:
        self._assembler = assembler
        self._most = None if most is None else int(most * OVER) + 64
        self._idle = idle
        self._size = self._tokens = 0
        self._grown = self._told = time.perf_counter()

    def of(self, tokens: Sequence[Token]) -> Iterator[Token]:
        """The tokens of a chunk; now and then an empty one, where a limit of time can be noticed.

        Raises `Failure` where chunks come, but nothing is in them.
        """
        now = time.perf_counter()
        grown, self._size = self._assembler.size - self._size, self._assembler.size
        self._tokens += max(sum(rough(token.text) for token in tokens), grown // 4)
        if grown or self._assembler.finish:
            self._grown = now
        elif now - self._grown > self._idle:
            raise Failure("silent", words=f"{self._idle:.3g}")
        if tokens or now - self._told > BEAT:
            self._told = now
            yield from tokens or (Token(""),)

    @property
    def enough(self) -> bool:
        """Whether it is longer than what was asked for, or than anything of use."""
        over = self._most is not None and self._tokens > self._most
        return over or len(self._assembler.text) > LONGEST_ANSWER or self._assembler.size > LONGEST_REPLY


def _thought_only(reply: Reply) -> bool:
    """Whether the limit of tokens went into thoughts: nothing was said and nothing called."""
    return not reply.full and not reply.text.strip() and not reply.calls


def _least(*limits: int | None) -> int | None:
    return min((limit for limit in limits if limit is not None), default=None)
