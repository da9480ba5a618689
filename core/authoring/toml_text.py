"""Setting values in the text of a TOML file, its comments and its other keys left as they are.

A statement is found by parsing: it ends where what stands from its first line on is TOML by itself. Where a value
cannot be set in place (a key within dots, or an inline table) the file is written anew, without its comments.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, time
from typing import Any

_HEADER = re.compile(r"[ \t]*\[[ \t]*(?P<name>[A-Za-z0-9_-]+)[ \t]*\][ \t]*(?:#.*)?")
_LONGEST = 200
"""Lines that one statement may have, to be set in place."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """`key = value` in a table (empty: the top), lines `first` up to `end`."""

    table: str
    key: str
    first: int
    end: int


def with_values(text: str, values: Mapping[str, Any]) -> str:
    r"""The TOML `text` (newlines `\n`) with these values; `None` takes a key away, a mapping is a table of its own.

    Raises `tomllib.TOMLDecodeError` where the text is no TOML.

    >>> with_values('title = "旧" # 标题\n', {"title": "新", "splitting": {"longest": 300}})
    'title = "新" # 标题\n\n[splitting]\nlongest = 300\n'
    """
    before = tomllib.loads(text)
    wanted = _merged(before, values)
    changed = text
    for name, value in values.items():
        pairs = value.items() if isinstance(value, Mapping) else [(name, value)]
        for key, one in pairs:
            changed = _set(changed, name if isinstance(value, Mapping) else "", key, one)
    return changed if _parsed(changed) == wanted else dumped(wanted)


def dumped(values: Mapping[str, Any], *above: str) -> str:
    r"""Values as TOML: plain ones first, then tables.

    >>> dumped({"title": '"', "splitting": {"longest": 300}})
    'title = "\\""\n\n[splitting]\nlongest = 300\n'
    """
    plain = {key: value for key, value in values.items() if not isinstance(value, Mapping)}
    parts = ["".join(f"{_key(key)} = {_value(value)}\n" for key, value in plain.items())]
    for key, table in values.items():
        if isinstance(table, Mapping):
            path = (*above, _key(key))
            parts.append(f"[{'.'.join(path)}]\n{dumped(table, *path)}")
    return "\n".join(part for part in parts if part)


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _merged(before: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(before)
    for key, value in values.items():
        if isinstance(value, Mapping):
            inside = before.get(key)
            value = _merged(inside if isinstance(inside, Mapping) else {}, value)
            value = value if value or isinstance(inside, Mapping) else None
        merged[key] = value
    return {key: value for key, value in merged.items() if value is not None}


def _set(text: str, table: str, key: str, value: Any) -> str:
    lines = text.removesuffix("\n").split("\n") if text.strip() else []
    statements = list(_statements(lines))
    known = next((one for one in statements if (one.table, one.key) == (table, key)), None)
    line = [] if value is None else [f"{_key(key)} = {_value(value)}"]
    if known:
        if line and known.end == known.first + 1:
            line[0] += _comment(lines[known.first])
        lines[known.first : known.end] = line
    elif line:
        _insert(lines, statements, table, line)
    return "".join(f"{line}\n" for line in lines)


def _insert(lines: list[str], statements: list[_Statement], table: str, line: list[str]) -> None:
    """Put a new statement after the last of its table, or at the table's head; a table that is not there is begun."""
    ends = [one.end for one in statements if one.table == table]
    headers = {match["name"]: at for at, text in enumerate(lines) if (match := _HEADER.fullmatch(text))}
    if ends:
        at = max(ends)
    elif table in headers:
        at = headers[table] + 1
    elif table:
        lines += [*([""] if lines else []), f"[{_key(table)}]", *line]
        return
    else:
        at = min(headers.values(), default=len(lines))
        line = [*line, ""] if headers else line
    lines[at:at] = line


def _statements(lines: list[str]) -> Iterator[_Statement]:
    table, at = "", 0
    while at < len(lines):
        if header := _HEADER.fullmatch(lines[at]):
            table = header["name"]
        elif lines[at].lstrip().startswith("["):
            table = lines[at]  # a table of tables, or within another: never one that is asked for
        elif lines[at].strip() and not lines[at].lstrip().startswith("#"):
            key, end = _one(lines, at)
            yield _Statement(table, key, at, end)
            at = end - 1
        at += 1


def _one(lines: list[str], at: int) -> tuple[str, int]:
    """The key of the statement that begins at line `at`, and the line after its last."""
    for end in range(at + 1, min(at + _LONGEST, len(lines)) + 1):
        found = _parsed("\n".join(lines[at:end]))
        if found is not None:
            return next(iter(found), ""), end
    return "", at + 1


def _comment(line: str) -> str:
    """The comment after a statement of one line, with the blanks before it."""
    whole = _parsed(line)
    for mark in re.finditer("#", line):
        if _parsed(line[: mark.start()]) == whole:
            start = len(line[: mark.start()].rstrip())
            return line[start:]
    return ""


def _key(key: str) -> str:
    return key if re.fullmatch("[A-Za-z0-9_-]+", key) else _string(key)


def _string(text: str) -> str:
    """JSON's strings are TOML's but for U+007F; what no text file can hold is replaced."""
    text = text.encode("utf-8", "replace").decode()
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return repr(value)
