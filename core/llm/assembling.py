"""A reply put together from its chunks, however an endpoint cuts and numbers them.

What was met: chunks without choices, deltas that are null, calls without an index, two calls under one index, an id
that changes with every piece, arguments that are empty, cut off or encoded twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeVar

from core.domain import Call, Token, Usage
from core.json_values import mended, read_json
from core.llm.failures import Failure
from core.llm.marked import Parting, written_call

_REASONING = ("reasoning_content", "reasoning", "thinking")
"""Fields that thoughts come in: GLM's and DeepSeek's, then those of other servers."""
_LONGEST_ID = 128
"""Characters of a call's id; a longer one is replaced, since it goes back with every later turn."""
MOST = 10**9
"""Tokens that a provider can mean; a larger count is unknown."""

T = TypeVar("T")


@dataclass
class _Slot:
    """A call as far as it has come."""

    index: int | None
    id: str
    name: str = ""
    arguments: str = ""


class Assembler:
    """Takes chunks, says what is new in them, and has the whole at the end.

    `size` is how many characters came, seen or not. Raises `Failure` for a chunk of a shape that no protocol has.
    """

    def __init__(self, model: str) -> None:
        self.text = ""
        self.reasoning = ""
        self.finish: str | None = None
        self.usage = Usage(calls=1, model=model)
        self.echoes = False
        self.size = 0
        self._slots: list[_Slot] = []
        self._parting = Parting()
        self._said, self._thought = _Joint(), _Joint()

    def feed(self, chunk: Mapping[str, Any]) -> list[Token]:
        """The tokens a chunk adds."""
        choices = _list(chunk.get("choices"))
        choice = _object(choices[0] if choices else None)
        told = chunk.get("usage") or choice.get("usage")
        if isinstance(told, Mapping):
            self.usage = usage_of(told, self.usage.model)
        self.finish = _string(choice.get("finish_reason")) or self.finish
        delta = _object(choice.get("delta"))
        said = list(self._reasoned(delta))
        content = _string(delta.get("content")) if not isinstance(delta.get("content"), list) else ""
        self.size += len(content)
        said += self._parted(self._parting.feed(self._said.join(content)))
        for call in _list(delta.get("tool_calls")):
            self._call(_object(call))
        return said

    def end(self) -> list[Token]:
        """What was held back until now."""
        return list(self._parted(chain(self._parting.feed(self._said.rest()), self._parting.end())))

    def _reasoned(self, delta: Mapping[str, Any]) -> Iterator[Token]:
        came = next((said for name in _REASONING if isinstance(said := delta.get(name), str) and said), "")
        self.size += len(came)
        if thought := self._thought.join(came):
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
        function = _object(delta.get("function"))
        name, key, given = _string(function.get("name")), _string(delta.get("id")), function.get("arguments")
        arguments = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False) if given else ""
        self.size += len(name) + len(arguments)
        index = delta.get("index")
        slot = next((s for s in reversed(self._slots) if index is None or s.index == index), None)
        if slot is None or _begins(slot, name, key, arguments):
            slot = _Slot(index if isinstance(index, int) else None, key)
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
        taken: set[str] = set()
        for number, slot in enumerate((slot for slot in self._slots if slot.name or slot.arguments), 1):
            key = mended(slot.id)
            own = key if key and key not in taken and len(key) <= _LONGEST_ID else f"call_{number}_{len(taken)}"
            taken.add(own)
            arguments = parsed(slot.arguments)
            unread = "" if arguments is not None and slot.name else mended(slot.arguments) or "?"
            found.append(Call(mended(slot.name) or "?", arguments or {}, own, unread))
        return tuple(found)


class _Joint:
    """Joins the halves of a character that were cut apart; a half without its other becomes U+FFFD."""

    def __init__(self) -> None:
        self._half = ""

    def join(self, text: str) -> str:
        """What is whole of the text so far."""
        text, self._half = self._half + text, ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return mended(text)

    def rest(self) -> str:
        """What is left when nothing follows."""
        return mended(self._half)


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else _none(value, {})


def _list(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else _none(value, [])


def _string(value: object) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else _none(value, "")


def _none(value: object, otherwise: T) -> T:
    """What stands for a value that is not there; one of another kind is no chunk's."""
    if value is None:
        return otherwise
    raise Failure("malformed", words=f"{type(value).__name__} in a chunk")


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
        value = read_json(text)
        value = read_json(value) if isinstance(value, str) else value
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def usage_of(told: Mapping[str, Any], model: str) -> Usage:
    """A provider's usage in the shapes that providers use; what it does not tell is unknown."""
    prompt_details, completion_details = (
        found if isinstance(found := told.get(f"{part}_tokens_details"), Mapping) else {}
        for part in ("prompt", "completion")
    )
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
    return next((n for n in candidates if isinstance(n, int) and not isinstance(n, bool) and 0 <= n <= MOST), None)
