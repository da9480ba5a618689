"""Marks that an author joined: of those that would each begin a piece, which do."""

from __future__ import annotations

from core.knowledge.layout import directive, layout
from core.knowledge.marks import Mark


def runs(lines: list[str], found: list[Mark], start: int) -> list[tuple[int, list[Mark]]]:
    """The marks that begin a piece, each with its first line and those that an author joined to it.

    An article joined to the text under a heading begins with the paragraph before it.
    """
    begun: list[tuple[int, list[Mark]]] = []
    for mark in found:
        before = begun[-1][1][0] if begun else None
        numbered = before is not None and before.kind != "heading"
        floor = (begun[-1][1][-1].end if begun else start) if not numbered else 0
        block = _block_before(lines, floor, mark.first) if mark.joined and not numbered else mark.first
        if begun and mark.joined and (numbered or (mark.kind == "heading" and block < mark.first)):
            begun[-1][1].append(mark)
        else:
            begun.append((block if mark.kind != "heading" else mark.first, [mark]))
    return begun


def _block_before(lines: list[str], floor: int, at: int) -> int:
    """The first line of the paragraph before line `at` and above `floor`; `at` where there is none."""
    end = at
    while end > floor and (layout(lines[end - 1]) or directive(lines[end - 1])):
        end -= 1
    first = end
    while first > floor and not layout(lines[first - 1]) and not directive(lines[first - 1]):
        first -= 1
    return first if first < end else at
