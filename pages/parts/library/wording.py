"""The changes of a draft in words."""

from __future__ import annotations

from os.path import commonprefix

from core.authoring.operations import Add, Describe, Disable, Edit, Merge, Move, Operation, Recut, Rewrite, Split
from core.words import Words
from pages.parts.literal import short

_WIDE, _AROUND = 48, 6
"""Columns of type shown of a text, and characters before the first that differs."""


def did(operation: Operation, words: Words) -> str:
    """A change in one line; plain text."""
    if isinstance(operation, Recut):
        return words("ui.draft.did_recut", longest=operation.longest, overlap=operation.overlap)
    kind, about = _told(operation)
    return words(f"ui.draft.did_{kind}", passage=about)


def at_length(operation: Operation, words: Words) -> str:
    """A change in one line with the first words of what it changed, so that two alike are told apart; plain text."""
    before, after = _texts(operation)
    start = max(len(commonprefix((before, after))) - _AROUND, 0)
    parts = [short(" ".join(text[start:].split()), _WIDE) for text in (before, after) if text.strip()]
    parts = [f"…{part}" if start else part for part in parts]
    return " ".join((did(operation, words), *([f"（{' → '.join(parts)}）"] if parts else [])))


def _texts(operation: Operation) -> tuple[str, str]:
    """The text that a change meets and the one that it leaves, as far as it changes any."""
    match operation:
        case Edit() | Rewrite():
            return operation.before or "", operation.after or ""
        case Add():
            return "", operation.text
        case Split():
            return operation.before[: operation.at], operation.before[operation.at :]
        case Merge() | Move() | Disable() | Describe():
            return operation.before, ""
    return "", ""


def _told(operation: Operation) -> tuple[str, str]:
    """What kind of change it is, and of which passage or document."""
    match operation:
        case Edit():
            return "edit" if operation.after.strip() else "remove", operation.id
        case Add():
            return "add", operation.after or operation.document
        case Disable():
            return "disable" if operation.disabled else "enable", operation.id
        case Rewrite():
            kind = "new" if operation.before is None else "drop" if operation.after is None else "rewrite"
            return kind, operation.document
        case Split() | Merge() | Move() | Describe():
            return type(operation).__name__.lower(), operation.id
    return "other", type(operation).__name__
