"""The changes of a draft as JSON, and back: what is read is checked before it is believed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from core.authoring.operations import Add, Describe, Disable, Edit, Merge, Move, Operation, Recut, Rewrite, Split
from core.json_values import check

_KINDS: Mapping[str, type[Any]] = {
    "edit": Edit,
    "add": Add,
    "split": Split,
    "merge": Merge,
    "move": Move,
    "disable": Disable,
    "describe": Describe,
    "rewrite": Rewrite,
    "recut": Recut,
}
"""Every change by the name under which it is kept; a name once used stays."""


def encoded(operations: Sequence[Operation]) -> list[dict[str, Any]]:
    """The changes as JSON has them, each with its kind.

    >>> encoded([Merge("手册#1", "甲")])
    [{'kind': 'merge', 'id': '手册#1', 'before': '甲'}]
    """
    names = {kind: name for name, kind in _KINDS.items()}
    return [{"kind": names[type(one)], **_values(one)} for one in operations]


def decoded(rows: Any) -> tuple[Operation, ...]:
    """Undo `encoded`; raises ValueError, TypeError or KeyError for what is no such list."""
    if not isinstance(rows, list):
        raise TypeError("[…]")
    return tuple(map(_operation, rows))


def _values(operation: Any) -> dict[str, Any]:
    found = {each.name: getattr(operation, each.name) for each in fields(operation)}
    return {name: dict(value) if isinstance(value, Mapping) else value for name, value in found.items()}


def _operation(row: Any) -> Operation:
    if not isinstance(row, dict):
        raise TypeError("{…}")
    kind = _KINDS[row["kind"]]
    operation: Operation = kind(**{name: value for name, value in row.items() if name != "kind"})
    check(operation, kind)
    return operation
