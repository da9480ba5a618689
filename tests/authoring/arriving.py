"""Files on their way into a base, for the tests of importing."""

from __future__ import annotations

from core.authoring.intake import Incoming, Taken, read_one


def given(name: str, text: str | bytes) -> Incoming:
    """A file of that name with this content."""
    data = text.encode() if isinstance(text, str) else text
    return Incoming(name, len(data), lambda: data)


def read(name: str, text: str | bytes) -> Taken:
    """The same, as it was read."""
    return read_one(given(name, text))
