"""The changes of a draft in words."""

from __future__ import annotations

from core.authoring.operations import Add, Describe, Disable, Edit, Merge, Move, Operation, Rewrite, Split
from core.words import Words


def did(operation: Operation, words: Words) -> str:
    """A change in one line; plain text."""
    kind, about = _told(operation)
    return words(f"ui.draft.did_{kind}", passage=about)


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
