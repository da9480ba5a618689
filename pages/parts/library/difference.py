"""A difference of two texts, line by line: a sign and a colour for what came and went, and the words that differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.authoring.differences import Line, differences
from core.errors import BaseError
from core.knowledge.reading import read
from core.words import Words
from pages.parts.element import element
from pages.parts.literal import inline, shown

_DIFFERENCE = element("difference", __file__)
MOST = 400
"""Lines drawn of one file."""
_OPEN = 60
"""Lines up to which the difference of a file stands open."""
_BESIDE = ("kb.toml", "passages.jsonl")
"""Files that the program writes beside the documents."""
_SIGNS = {"same": "", "removed": "−", "added": "+", "gap": "⋯"}


def is_beside(path: str) -> bool:
    """Whether a file only tells of documents, so that an author looks at it last."""
    return path in _BESIDE


def draw_file(key: str, path: str, before: bytes | None, after: bytes | None, words: Words) -> None:
    """What became of a file, folded where that is long or tells of documents only."""
    try:
        was, now = (read(data, path).text if data else "" for data in (before, after))
    except BaseError as unreadable:
        st.caption(f"**{inline(path)}** {inline(words.say(unreadable.say))}")
        return
    lines = differences(was.rstrip("\n"), now.rstrip("\n"))
    removed, added = (sum(line.sign == sign for line in lines) for sign in ("removed", "added"))
    kind = "new" if before is None else "gone" if after is None else "changed"
    label = words(f"ui.history.file_{kind}", file=inline(path), added=added, removed=removed)
    opened = len(lines) <= _OPEN and not is_beside(path)
    with st.expander(label, expanded=opened, icon=":material/description:"):
        draw(key, lines, words)


def draw(key: str, lines: Sequence[Line], words: Words) -> None:
    """The lines; of very many the first."""
    if not lines:
        st.caption(words("ui.history.only_layout"))
        return
    data = {
        "title": words("ui.history.difference"),
        "names": {name: words(f"ui.history.{name}") for name in ("removed", "added")},
        "lines": [_values(line, words) for line in lines[:MOST]],
    }
    _DIFFERENCE(key=key, data=data)
    if len(lines) > MOST:
        st.caption(words("ui.history.more_lines", count=len(lines) - MOST))


def _values(line: Line, words: Words) -> dict[str, Any]:
    if line.sign == "gap":
        parts = [{"text": words("ui.history.skipped", count=line.skipped), "marked": False}]
    else:
        parts = [{"text": shown(part.text), "marked": part.marked} for part in line.parts]
    return {
        "kind": line.sign,
        "sign": _SIGNS[line.sign],
        "before": str(line.before or ""),
        "after": str(line.after or ""),
        "parts": parts,
    }
