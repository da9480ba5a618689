"""The text under a heading as a tree of units that are kept whole where they fit.

lines -> blocks (paragraph, list, table, code fence, caption) -> units, each with what introduces or labels it
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.knowledge.blocks import Kind, Reader, Unit, led
from core.knowledge.prose import quotations, sentences

_TABLE_CAPTION = re.compile(r"[ \t\[［【*_]*(?:表|Table)")
_INTRODUCES = re.compile(r"[：:][*_ \t]*$")
_BOLD = re.compile(r"[ \t]*(\*\*|__)[^*_]+\1[：:]?[ \t]*")
_LONGEST_HEADING = 40
_MOST = 4
"""Captions and introductions that stay with one unit; more of them are a list of their own."""
_POINTS = re.compile(r"表|下列|以下|如下|\b(?:below|following|tables?)\b", re.IGNORECASE)


def units(text: str) -> list[Unit]:
    """The units of the text under one heading, in order; blanks, rules and directives lie between them."""
    reader = Reader(text)
    return _joined(list(_glued(text, list(reader.blocks()))), reader.joins)


def _joined(found: Sequence[Unit], joins: Sequence[int]) -> list[Unit]:
    """The units, those that an author joined as one that is never cut."""
    kept: list[Unit] = []
    for unit in found:
        if _any(joins, unit.start, unit.stop):
            inside = tuple(_joined(unit.parts, joins))
            unit = replace(unit, parts=inside if len(inside) > 1 else (), whole=len(inside) < 2)
        if kept and _any(joins, kept[-1].stop, unit.start):
            kept[-1] = Unit(kept[-1].start, unit.stop, whole=True, head=kept[-1].head)
        else:
            kept.append(unit)
    return kept


def _any(places: Sequence[int], start: int, stop: int) -> bool:
    return bisect_left(places, start) < bisect_left(places, stop)


def _glued(text: str, blocks: list[tuple[Kind, Unit]]) -> Iterator[Unit]:
    """The blocks, each with the sentence that introduces it before and a caption beside it."""
    held: list[Unit] = []
    ready: Unit | None = None
    beside = 0
    for at, (kind, unit) in enumerate(blocks):
        following = blocks[at + 1 : at + 2 + _MOST]
        if kind == "caption" and ready and beside < _MOST and not _captions_next(text, unit, ready, following):
            ready, beside = _followed(text, ready, unit), beside + 1
            continue
        rest, last = _introduction(text, kind, unit, following)
        if ready:
            yield ready
        ready, held, beside = (led(held, rest), [], 0) if rest else (None, held, 0)
        if last:
            yield from [ready] if ready else []
            yield from held[:-_MOST]
            ready, held = None, [*held[-_MOST:], last]
    if ready:
        yield ready
    if held:
        yield led(held[:-1], held[-1])


def _captions_next(text: str, unit: Unit, before: Unit, following: Sequence[tuple[Kind, Unit]]) -> bool:
    """Whether a caption stands above its table, and not right below another."""
    if not following or following[0][0] != "table" or not _TABLE_CAPTION.match(text, unit.start, unit.stop):
        return False
    return unit.start > before.stop + 1 or following[0][1].start == unit.stop + 1


def _introduction(
    text: str, kind: Kind, unit: Unit, following: Sequence[tuple[Kind, Unit]]
) -> tuple[Unit | None, Unit | None]:
    """A block parted before what introduces the following one: a last sentence, a caption, or a heading in bold."""
    if kind == "caption":
        return None, unit
    if not following or kind in ("table", "fence") or unit.parts:
        return unit, None
    if _heads(kind, text[unit.start : unit.stop]):
        return None, unit
    start, stop = _last(text, unit)
    table = next((kind for kind, _ in following if kind != "caption"), None) == "table"
    close = following[0][0] == "table" and following[0][1].start == unit.stop + 1
    if not (close or _INTRODUCES.search(text[start:stop]) or (table and _POINTS.search(text[start:stop]))):
        return unit, None
    rest = text[unit.start : start].rstrip()
    return (Unit(unit.start, unit.start + len(rest)) if rest else None), Unit(start, unit.stop)


def _heads(kind: Kind, text: str) -> bool:
    """Whether a block is a heading in all but name: one short item, or words in bold, without a stop."""
    short = len(text) <= _LONGEST_HEADING and "\n" not in text and text.rstrip()[-1:] not in "。！？；;.!?"
    return short and (kind == "list" or _BOLD.fullmatch(text) is not None)


def _last(text: str, unit: Unit) -> tuple[int, int]:
    part = text[unit.start : unit.stop]
    found = sentences(part, 0, len(part), quotations(part))
    start, stop = found[-1] if found else (0, len(part))
    return unit.start + start, unit.start + stop


def _followed(text: str, unit: Unit, caption: Unit) -> Unit:
    """A unit with a caption below it, which stays with its last part."""
    if unit.parts:
        return replace(unit, stop=caption.stop, parts=(*unit.parts[:-1], _followed(text, unit.parts[-1], caption)))
    if unit.whole:
        return Unit(unit.start, caption.stop, (replace(unit, leading=True), caption), head=unit.head)
    start, _ = _last(text, unit)
    last = Unit(start, caption.stop, (Unit(start, unit.stop, leading=True), caption))
    rest = text[unit.start : start].rstrip()
    return Unit(unit.start, caption.stop, (Unit(unit.start, unit.start + len(rest)), last)) if rest else last
