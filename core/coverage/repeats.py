"""Numbers of articles and cases that a document has more than once."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.coverage.articles import Number, number_of, plain_label
from core.domain import Passage

_PART = re.compile(r"\s?[(（]([0-9]+)[)）]$")
"""What tells the later parts of one article, or of one case, apart: `第五条（2）`."""

Groups = list[tuple[Passage, ...]]


def repeated(passages: Sequence[Passage]) -> tuple[Groups, Groups]:
    """The passages of one document that share a number: in one section and numbering, and all others, in order.

    A numbering begins anew, as each of several forms in a file does, where its first number comes again after others.
    The parts of one article count as one.
    """
    groups: dict[Number | str, list[tuple[tuple[int, str], Passage]]] = {}
    first: Number | str = ""
    numbering = length = part = 0
    last: Number | str | None = None
    for passage in passages:
        before, part = (last, part), _part(passage)
        key = last = _key(passage)
        if key is None or (key == before[0] and part > before[1]):
            continue
        if length > 1 and key == first:
            numbering, length = numbering + 1, 0
        first = first if length else key
        length += 1
        groups.setdefault(key, []).append(((numbering, passage.section), passage))
    several = [group for group in groups.values() if len(group) > 1]
    found: tuple[Groups, Groups] = [], []
    for group in several:
        across = len({place for place, _ in group}) == len(group)
        found[across].append(tuple(passage for _, passage in group))
    return found


def _key(passage: Passage) -> Number | str | None:
    """By what two articles, or two cases, are the same; `None` for rows and paragraphs, whose titles may repeat."""
    kind = passage.metadata.get("type")
    if kind == "row":
        return None
    if number := number_of(passage):
        return number
    return _PART.sub("", plain_label(passage)) if kind in ("article", "case") else None


def _part(passage: Passage) -> int:
    """Which part of its article a passage is; 0 for the first, or a whole one."""
    part = _PART.search(plain_label(passage))
    return int(part[1]) if part else 0
