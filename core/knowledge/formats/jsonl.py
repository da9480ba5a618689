"""Files of JSON objects, one a line (.jsonl, .ndjson): each object is a text of its own, every field by its name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from core.domain import Say
from core.knowledge import reading
from core.knowledge.formats import Options
from core.knowledge.formats.markdown import is_chinese
from core.knowledge.formats.rows import row, within_bounds
from core.knowledge.reading import Reading, clean

_FIRST = ("title", "heading", "section", "name", "question", "标题", "章节", "问题")
_THEN = ("text", "content", "body", "answer", "正文", "内容", "答案")
"""Fields that are told before all others, in this order, whatever their place in the object."""

_NAMED = 10
_SAMPLE = 20_000


class _Fields(list[tuple[str, Any]]):
    """An object as it is written, a name that stands twice included."""


def read(data: bytes, file: str, options: Options) -> Reading:
    """Read the objects of a file; a line that holds none is named in a warning and the others come in.

    Raises BaseError as `reading.read` does, and `base.file.sheet.rows`.
    """
    source = reading.decode(data, file, options.encoding)
    objects: list[tuple[int, list[tuple[str, str]]]] = []
    broken: list[int] = []
    for number, line in enumerate(source.text.split("\n"), start=1):
        if line.strip():
            fields = _fields(line)
            broken += [number] if fields is None else []
            objects += [(number, fields)] if fields else []
            within_bounds(len(objects), file)
    chinese = is_chinese(" ".join(value for _, fields in objects[:50] for _, value in fields)[:_SAMPLE])
    told = "\n\n".join(row(number, fields, chinese) for number, fields in objects)
    warning = Say.of("base.file.json.lines", file=file, count=len(broken), lines=broken[:_NAMED])
    warnings = (warning,) if broken else ()
    text, removed = clean(told)
    return source.told_as(f"{text}\n" if text else "", removed, warnings)


def _fields(line: str) -> list[tuple[str, str]] | None:
    """The fields of one object that hold anything; `None` where the line holds no object."""
    try:
        found = json.loads(line, object_pairs_hook=_Fields, parse_float=str, parse_int=str, parse_constant=str)
        if not isinstance(found, _Fields):
            return None
        fields = [(name, clean(value)[0]) for name, value in _flat("", found) if value.strip()]
    except (ValueError, RecursionError):
        return None
    return sorted(fields, key=lambda pair: _place(pair[0]))


def _place(name: str) -> int:
    name = name.lower()
    order = (*_FIRST, *_THEN)
    return order.index(name) if name in order else len(order)


def _flat(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """Values by their path: what is nested is named after what it is nested in."""
    if isinstance(value, _Fields):
        for key, inner in value:
            yield from _flat(f"{name}.{key}" if name else key, inner)
    elif isinstance(value, list) and any(isinstance(item, list) for item in value):
        for at, item in enumerate(value, start=1):
            yield from _flat(f"{name}.{at}", item)
    elif isinstance(value, list):
        yield name, "; ".join(_scalar(item) for item in value if item is not None)
    elif value is not None:
        yield name, _scalar(value)


def _scalar(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
