"""Models that write into their text what belongs beside it: `<think>` around thoughts, `<tool_call>` around calls.

Tags come split over chunks, so text is held back while it may still become one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from core.json_values import read_json

Kind = Literal["text", "thought", "call", "unopened", "cut"]
"""What a piece is; `unopened`: thoughts ended that were never begun, so all text until now was one; `cut`: a call that
was not closed."""

_OPENING: Mapping[str, Kind] = {"<think>": "thought", "<tool_call>": "call"}
_LONGEST_TAG = len("</tool_call>")
_CLOSING: Mapping[Kind, str] = {"thought": "</think>", "call": "</tool_call>"}


class Parting:
    """Parts a stream of text into what is said, what is thought, and calls written as text."""

    def __init__(self) -> None:
        self._held = ""
        self._sought = 0
        self._kind: Kind = "text"
        self._after_thought = False
        self._thought = False

    def feed(self, text: str) -> Iterator[tuple[Kind, str]]:
        """Pieces that are certain by now; a call comes whole."""
        self._held += text
        while self._held:
            tags = self._tags()
            at, tag = _first(self._held, tags, self._sought)
            self._sought = 0
            if not tag:
                keep = _tail(self._held, tags) if self._kind != "call" else len(self._held)
                yield from self._piece(self._held[: len(self._held) - keep])
                self._held = self._held[len(self._held) - keep :]
                self._sought = max(0, len(self._held) - _LONGEST_TAG)
                return
            yield from self._piece(self._held[:at])
            self._held = self._held[at + len(tag) :]
            if self._kind == "text" and tag == _CLOSING["thought"]:
                self._thought = self._after_thought = True
                yield "unopened", ""
                continue
            self._after_thought = self._kind == "thought"
            self._kind = _OPENING[tag] if self._kind == "text" else "text"
            self._thought = self._thought or self._kind == "thought"

    def _tags(self) -> list[str]:
        """The tags that may come next; the end of thoughts also where their beginning stood in the prompt already."""
        if self._kind != "text":
            return [_CLOSING[self._kind]]
        return [*_OPENING, *([] if self._thought else [_CLOSING["thought"]])]

    def end(self) -> Iterator[tuple[Kind, str]]:
        """What was held back, now that nothing follows."""
        held, self._held = self._held, ""
        if self._kind != "call":
            yield from self._piece(held)
        elif held.strip():
            yield "cut", held

    def _piece(self, text: str) -> Iterator[tuple[Kind, str]]:
        if self._after_thought and self._kind == "text":
            text = text.lstrip()
        if text:
            self._after_thought = False
            yield self._kind, text


def written_call(text: str, closed: bool = True) -> tuple[str, str] | None:
    """Name and arguments (JSON text) of a call written as text, in GLM's XML or as JSON.

    `None` where it is none, or is cut off; of XML that was not `closed` nobody knows what would have followed.
    """
    text = text.strip()
    if text.startswith("{"):
        try:
            call = read_json(text)
        except ValueError:
            return None
        arguments = call.get("arguments", call.get("parameters", {}))
        named = str(call.get("name") or "")
        given = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
        return (named, given) if named else None
    name, *rest = text.split("<arg_key>")
    parts = [_pair(part) for part in rest]
    whole = closed and all(parts) and re.fullmatch(r"[A-Za-z_][\w.-]*", name.strip())
    return (name.strip(), json.dumps(dict(filter(None, parts)), ensure_ascii=False)) if whole else None


def _pair(text: str) -> tuple[str, Any] | None:
    """An argument of what follows `<arg_key>`; `None` where it is not whole."""
    key, closed, rest = text.partition("</arg_key>")
    before, opened, value = rest.partition("<arg_value>")
    value, ended, _ = value.partition("</arg_value>")
    return (key.strip(), _value(value.strip())) if closed and opened and ended and not before.strip() else None


def _value(text: str) -> Any:
    """An argument's value: JSON where it is written as such, else the text itself."""
    if text[:1] in ("[", "{"):
        try:
            return read_json(text)
        except ValueError:
            return text
    return text


def _first(text: str, tags: list[str], start: int) -> tuple[int, str]:
    """Where the first of `tags` begins in `text` from `start` on, and which; no tag, where none does."""
    found = [(at, tag) for tag in tags if (at := text.find(tag, start)) >= 0]
    return min(found, default=(len(text), ""))


def _tail(text: str, tags: list[str]) -> int:
    """Length of the longest end of `text` with which one of `tags` may begin."""
    longest = max(map(len, tags)) - 1
    return next((n for n in range(min(longest, len(text)), 0, -1) if any(t.startswith(text[-n:]) for t in tags)), 0)
