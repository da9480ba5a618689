"""Lines that lay a document out and say nothing themselves: blanks, rules, code fences, and an author's directives."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Literal

Directive = Literal["cut", "join"]

CLOSED = "。！？；：…!?;:.”」』）)】"
"""What ends a line that says all it has to say."""
_BLANK = re.compile(r"[\s\u00ad\u200b-\u200d\u2060\ufeff]*")
"""Also characters without width, which some sources leave alone on a line."""

_RULE = re.compile(r"[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*")
_DIRECTIVE = re.compile(r"[ \t]*<!--[ \t]*(cut|join)[ \t]*-->[ \t]*", re.IGNORECASE)
_FENCE = re.compile(r" {0,3}(?P<fence>`{3,}(?=[^`]*$)|~{3,})")


def blank(text: str) -> bool:
    """Whether nothing of a text shows."""
    return _BLANK.fullmatch(text) is not None


def layout(line: str) -> bool:
    """Whether a line is empty or a rule."""
    return not line.strip() or _RULE.fullmatch(line) is not None


def directive(line: str) -> Directive | None:
    """What an author asks for here: `<!-- cut -->` begins a new passage, `<!-- join -->` forbids the next cut.

    >>> [directive(line) for line in ("<!-- cut -->", "<!--JOIN-->", "<!-- cut here -->")]
    ['cut', 'join', None]
    """
    match = _DIRECTIVE.fullmatch(line) if "<!--" in line else None
    if match is None:
        return None
    return "cut" if match[1].lower() == "cut" else "join"


def fences(lines: Sequence[str], start: int = 0) -> list[tuple[int, int]]:
    """The code fences as spans of lines; one that is never closed runs to the end, as CommonMark says."""
    found: list[tuple[int, int]] = []
    opened, fence = 0, ""
    for at in range(start, len(lines)):
        if fence:
            mark = lines[at].strip()
            if len(mark) >= len(fence) and set(mark) == {fence[0]}:
                found.append((opened, at + 1))
                fence = ""
        elif match := _FENCE.match(lines[at]):
            opened, fence = at, match["fence"]
    return [*found, (opened, len(lines))] if fence else found


def offsets(lines: Sequence[str]) -> list[int]:
    """Where each line starts in the text, and where one after the last would."""
    return list(accumulate((len(line) + 1 for line in lines), initial=0))
