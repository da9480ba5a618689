"""The text under a heading as a tree of units that are kept whole where they fit.

lines -> blocks (paragraph, list, table, code fence, caption) -> units, each with what introduces or labels it
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.knowledge.blocks import Kind, Reader, Unit, led
from core.knowledge.prose import quotations, sentences

_TABLE_CAPTION = re.compile(r"[ \t\[［【*_]*(?:表|Table)")
_INTRODUCES = re.compile(r"[：:][*_ \t]*$")
_BOLD = re.compile(r"[ \t]*(\*\*|__)[^*_]+\1[：:]?[ \t]*")
_LONGEST_HEADING = 40
_POINTS = re.compile(r"表|下列|以下|如下|\b(?:below|following|tables?)\b", re.IGNORECASE)


def units(text: str) -> list[Unit]:
    """The units of the text under one heading, in order; blanks, rules and directives lie between them."""
    reader = Reader(text)
    return _joined(list(_glued(text, list(reader.blocks()))), reader.joins)


def _joined(found: Sequence[Unit], joins: Sequence[int]) -> list[Unit]:
    """The units, those that an author joined as one that is never cut."""
    kept: list[Unit] = []
    for unit in found:
        if any(unit.start <= at < unit.stop for at in joins):
            inside = tuple(_joined(unit.parts, joins))
            unit = replace(unit, parts=inside if len(inside) > 1 else (), whole=len(inside) < 2)
        if kept and any(kept[-1].stop <= at < unit.start for at in joins):
            kept[-1] = Unit(kept[-1].start, unit.stop, whole=True, head=kept[-1].head)
        else:
            kept.append(unit)
    return kept


def _glued(text: str, blocks: list[tuple[Kind, Unit]]) -> Iterator[Unit]:
    """The blocks, each with the sentence that introduces it before and a caption beside it."""
    held: list[Unit] = []
    ready: Unit | None = None
    for (kind, unit), following in zip(blocks, [*blocks[1:], None], strict=True):
        if kind == "caption" and ready and not _captions_next(text, unit, ready, following):
            ready = _followed(text, ready, unit)
            continue
        rest, last = _introduction(text, kind, unit, following)
        if ready:
            yield ready
        ready, held = (led(held, rest), []) if rest else (None, held)
        if last:
            if ready:
                yield ready
            ready, held = None, [*held, last]
    if ready:
        yield ready
    if held:
        yield led(held[:-1], held[-1])


def _captions_next(text: str, unit: Unit, before: Unit, following: tuple[Kind, Unit] | None) -> bool:
    """Whether a caption stands above its table, and not right below another."""
    if following is None or following[0] != "table" or not _TABLE_CAPTION.match(text, unit.start, unit.stop):
        return False
    return unit.start > before.stop + 1 or following[1].start == unit.stop + 1


def _introduction(
    text: str, kind: Kind, unit: Unit, following: tuple[Kind, Unit] | None
) -> tuple[Unit | None, Unit | None]:
    """A block parted before what introduces the following one: a last sentence, a caption, or a heading in bold."""
    if kind == "caption":
        return None, unit
    if not following or kind in ("table", "fence") or unit.parts:
        return unit, None
    start, stop = _last(text, unit)
    sentence = text[start:stop]
    if _heads(kind, text[unit.start : unit.stop]):
        return None, unit
    if not (_INTRODUCES.search(sentence) or (following[0] == "table" and _POINTS.search(sentence))):
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
