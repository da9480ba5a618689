"""A chat model at an endpoint: one turn, with everything that can go wrong in it told apart."""

from __future__ import annotations

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
            raise ToolsError(
                "model.tools", endpoint=self._connection.endpoint.name, host=self._connection.endpoint.host
            )
        most = _least(most, self._role.most)
        first = yield from self._turn(messages, tools, most, self._role.thinking)
        if not _thought_only(first):
            return first
        if self._dialect.thinking_style is None or self._role.thinking is False:
            raise _with(ModelError("model.only_reasoning", **self._place()), first)
        try:
            second = yield from self._turn(messages, tools, most, thinking=False)
        except ModelError as failed:
            failed.usage = first.usage + (failed.usage or Usage(calls=1, model=self.id))
            raise
        notices = (*first.notices, *second.notices, Say.of("model.rethought"))
        both = replace(second, usage=first.usage + second.usage, notices=notices)
        if _thought_only(second):
            raise _with(ModelError("model.only_reasoning", **self._place()), both)
        return both

    def _place(self) -> dict[str, Any]:
        return {"endpoint": self._connection.endpoint.name, "host": self._connection.endpoint.host, "model": self.id}

    def _turn(
        self, messages: Sequence[Message], tools: Sequence[Tool], most: int | None, thinking: bool | None
    ) -> Generator[Token, None, Reply]:
        """One request, paid for however it ends."""
        prompt = rough("".join(m.text + m.reasoning + str(m.calls or "") for m in messages)) + rough(str(list(tools)))
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
            raise _with(SpendError("spend.cut", most=bill.most), reply)
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
        notices: list[Say] = []
        while True:
            body = self._dialect.body(messages, tools, most, thinking)
            try:
                yield from self._read(body, assembler)
            except Failure as failed:
                if not assembler.said and (lesson := self._dialect.learn(failed, body)):
                    notices.append(lesson)
                    continue
                # not `from failed`, which holds the key where the server echoed it
                raise self._error(failed, assembler, body) from None
            return self._reply(assembler, body, tuple(notices))

    def _read(self, body: Mapping[str, Any], assembler: Assembler) -> Iterator[Token]:
        """Say what comes; once its last word is said, an answer is whole however the connection ends."""
        try:
            for chunk in self._connection.chat(body, self._stopped):
                yield from assembler.feed(chunk)
        except Failure as failed:
            if assembler.finish is None or failed.kind not in _BROKEN:
                raise
        yield from assembler.end()

    def _reply(self, assembler: Assembler, body: Mapping[str, Any], notices: tuple[Say, ...]) -> Reply:
        """The turn as a whole; raises `ModelError` where it is none."""
        finish = assembler.finish
        reply = Reply(
            assembler.text,
            assembler.reasoning if assembler.echoes else "",
            assembler.calls,
            finish not in _LENGTH,
            assembler.usage,
            as_sent(body),
            notices,
        )
        if finish in _FILTERED:
            raise _with(ModelError("model.filtered_midway", **self._place()), reply)
        if finish is None or finish in ("network_error", "error"):
            raise _with(ModelError("model.cut" if assembler.said else "model.empty", **self._place()), reply)
        return reply

    def _error(self, failed: Failure, assembler: Assembler, body: Mapping[str, Any]) -> ModelError:
        """The error of a failed call; once the answer has begun, that it is not whole is what matters."""
        error = failed.error(self._connection.endpoint, tools="tools" in body)
        if failed.kind == "refused" and not isinstance(error, ToolsError) and self._speaks_without_tools(body):
            error = ToolsError("model.tools", **self._place())
        if isinstance(error, ToolsError):
            self._connection.learned[self._dialect.model, "tools"] = "no"
        if assembler.text and failed.kind not in ("filtered", "silent"):
            words = failed.shown(self._connection.endpoint)
            broken = failed.kind in ("unreachable", "timeout", "malformed", "crashed")
            error = ModelError("model.cut" if broken else "model.midstream", **self._place(), reason=words)
        error.sent = as_sent(body)
        if assembler.usage.prompt is not None:
            error.usage = assembler.usage
        return error

    def _speaks_without_tools(self, body: Mapping[str, Any]) -> bool:
        """Whether a refused first turn is accepted without its tools, though the refusal does not name them."""
        if "tools" not in body or any(message["role"] in ("tool", "assistant") for message in body["messages"]):
            return False
        plainly = {name: value for name, value in body.items() if name != "tools"}
        try:
            for _ in self._connection.chat({**plainly, "max_tokens": 1}, self._stopped):
                pass
        except Failure:
            return False
        return True


def _thought_only(reply: Reply) -> bool:
    """Whether the limit of tokens went into thoughts: nothing was said and nothing called."""
    return not reply.full and not reply.text.strip() and not reply.calls


def _with(error: ModelError, reply: Reply) -> ModelError:
    """The error with what the call cost and how it was sent."""
    error.usage, error.sent = reply.usage, reply.sent
    return error


def _least(*limits: int | None) -> int | None:
    return min((limit for limit in limits if limit is not None), default=None)
