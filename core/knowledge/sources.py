"""From which file a document was made that was no text: said in front of its Markdown, where its author can see it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.knowledge.reading import Origin, Reading

_SOURCE = re.compile(r"source: (?P<name>.+)")
_LINES = 4
"""Lines that stand in front: two rules, the source, a blank line."""


def fronted(reading: Reading, source: str) -> tuple[str, tuple[Origin, ...]]:
    """The text with its source said in front, and where its lines come from then; without `source` as it is."""
    if not source:
        return reading.text, reading.origins
    shifted = (replace(one, first=one.first + _LINES, last=one.last + _LINES) for one in reading.origins)
    return f"---\nsource: {' '.join(source.split())}\n---\n\n{reading.text}", tuple(shifted)


def source_of(lines: Sequence[str]) -> str:
    """The file that a document was made from, empty for one that is its own source.

    >>> source_of(["---", "source: 手册.pdf", "---", "", "# 手册"])
    '手册.pdf'
    """
    match = _SOURCE.fullmatch(lines[1]) if len(lines) > 2 and (lines[0], lines[2]) == ("---", "---") else None
    return match["name"] if match else ""
