"""A reply put together from its chunks, however an endpoint cuts and numbers them.

What was met: chunks without choices, deltas that are null, calls without an index, two calls under one index, an id
that changes with every piece, arguments that are empty, cut off or encoded twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.domain import Call, Token, Usage
from core.llm.marked import Parting, written_call

_REASONING = ("reasoning_content", "reasoning", "thinking")
"""Fields that thoughts come in: GLM's and DeepSeek's, then those of other servers."""


@dataclass
class _Slot:
    """A call as far as it has come."""

    index: int | None
    id: str
    name: str = ""
    arguments: str = ""


class Assembler:
    """Takes chunks, says what is new in them, and has the whole at the end."""

    def __init__(self, model: str) -> None:
        self.text = ""
        self.reasoning = ""
        self.finish: str | None = None
        self.usage = Usage(calls=1, model=model)
        self.echoes = False
        self._slots: list[_Slot] = []
        self._parting = Parting()

    def feed(self, chunk: Mapping[str, Any]) -> list[Token]:
        """The tokens a chunk adds."""
        choices = chunk.get("choices") or []
        choice = choices[0] if choices else {}
        told = chunk.get("usage") or choice.get("usage")
        if isinstance(told, Mapping):
            self.usage = usage_of(told, self.usage.model)
        self.finish = choice.get("finish_reason") or self.finish
        delta = choice.get("delta") or {}
        said = list(self._reasoned(delta))
        if isinstance(content := delta.get("content"), str):
            said += self._parted(self._parting.feed(content))
        for call in delta.get("tool_calls") or []:
            self._call(call)
        return said

    def end(self) -> list[Token]:
        """What was held back until now."""
        return list(self._parted(self._parting.end()))

    def _reasoned(self, delta: Mapping[str, Any]) -> Iterator[Token]:
        thought = next((said for name in _REASONING if isinstance(said := delta.get(name), str) and said), "")
        if thought:
            self.echoes = True
            self.reasoning += thought
            yield Token(thought, "reasoning")

    def _parted(self, pieces: Iterator[tuple[str, str]]) -> Iterator[Token]:
        for kind, text in pieces:
            if kind in ("call", "cut"):
                name, arguments = written_call(text, closed=kind == "call") or ("", text)
                self._slots.append(_Slot(None, "", name, arguments))
            elif kind == "unopened":
                self.text, self.reasoning = "", self.reasoning + self.text
                yield Token("", "retracted")
            elif kind == "thought":
                self.reasoning += text
                yield Token(text, "reasoning")
            else:
                self.text += text
                yield Token(text)

    def _call(self, delta: Mapping[str, Any]) -> None:
        """Add a piece of a call to the call it belongs to, or begin a new one."""
        function = delta.get("function") or {}
        name, given, key = function.get("name") or "", function.get("arguments"), str(delta.get("id") or "")
        arguments = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False) if given else ""
        index = delta.get("index")
        slot = next((s for s in reversed(self._slots) if index is None or s.index == index), None)
        if slot is None or _begins(slot, name, key, arguments):
            slot = _Slot(index, key)
            self._slots.append(slot)
        slot.name = slot.name or name
        slot.arguments += arguments

    @property
    def said(self) -> str:
        """Everything that came, as text: to see whether anything did, and to guess its tokens."""
        return self.text + self.reasoning + "".join(slot.name + slot.arguments for slot in self._slots)

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls in order, each with an id of its own; one without a name is called `?` and is not read."""
        found: list[Call] = []
        for number, slot in enumerate((slot for slot in self._slots if slot.name or slot.arguments), 1):
            taken = {call.id for call in found}
            own = slot.id if slot.id and slot.id not in taken else f"call_{number}_{len(taken)}"
            arguments = parsed(slot.arguments)
            unread = "" if arguments is not None and slot.name else slot.arguments or "?"
            found.append(Call(slot.name or "?", arguments or {}, own, unread))
        return tuple(found)


def _begins(slot: _Slot, name: str, key: str, arguments: str) -> bool:
    """Whether a piece that names a function begins another call than `slot`.

    A piece without a name always goes on with the call, even under another id. One that repeats the name goes on too,
    unless it has another id, or the arguments so far are whole and it opens new ones.
    """
    if not name or not slot.name:
        return False
    if name != slot.name or (key and slot.id and key != slot.id):
        return True
    return bool(slot.arguments) and parsed(slot.arguments) is not None and arguments.lstrip().startswith("{")


def parsed(text: str) -> dict[str, Any] | None:
    """Arguments as an object: blank ones are none, ones encoded twice are read twice; `None` for anything else."""
    if not text.strip():
        return {}
    try:
        value = json.loads(text)
        value = json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def usage_of(told: Mapping[str, Any], model: str) -> Usage:
    """A provider's usage in the shapes that providers use; what it does not tell is unknown."""
    prompt_details = told.get("prompt_tokens_details") or {}
    completion_details = told.get("completion_tokens_details") or {}
    return Usage(
        prompt=_count([told.get("prompt_tokens")]),
        completion=_count([told.get("completion_tokens")]),
        reasoning=_count([completion_details.get("reasoning_tokens"), told.get("reasoning_tokens")]),
        cached=_count(
            [prompt_details.get("cached_tokens"), told.get("prompt_cache_hit_tokens"), told.get("cached_tokens")]
        ),
        calls=1,
        model=model,
    )


def _count(candidates: Sequence[Any]) -> int | None:
    return next((n for n in candidates if isinstance(n, int) and not isinstance(n, bool) and n >= 0), None)
