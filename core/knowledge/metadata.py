"""Metadata: what is known of a passage beside its text, given by its author or found in the text by rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from core.domain import Passage
from core.knowledge.entities import Entities, entities, key_of
from core.knowledge.spotting import Entity, Source
from core.knowledge.spotting.figures import dates

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_KINDS = Entities.kinds()
_OF_HEADINGS = tuple(kind for kind in _KINDS if kind != "dates")
"""Facts of headings that hold for what stands below them; a date there is told as the passage's own `date`."""
_SECTIONS = 20_000
"""Section paths whose facts are remembered; many passages stand below each."""
_IN_BRACKETS = re.compile(r"\(([^()]{6,30})\)")
_OPENING = re.compile(r"[\s#*\[(【「-]*")


class Metadata(Mapping[str, Any]):
    """What is known of a passage, worked out when it is asked for, so that opening a base costs nothing.

    `type` is what kind of passage it is (article, case, paragraph, row, …). `models`, `parties`, `amounts` (of money),
    `shares` (of a hundred), `periods` and `articles` list the facts of the text as they stand there, each once whatever
    its spelling, `dates` as ISO days or months. `date` is the passage's own: given, or in brackets in the name of its
    document or section, or the one that its text opens with; a date that a text merely mentions says nothing of its
    age. `headings` lists the facts that only its section path states: what stands below `XR-2200B` is about that model.
    `confidence` (0 to 1) and anything else is there only where it was `given`; what was given stands for what would be
    found. Keys with nothing in them are absent.
    """

    __slots__ = ("_document", "_found", "_given", "_kind", "_section", "_text")

    def __init__(
        self, kind: str, text: str, section: str = "", given: Mapping[str, Any] = _NOTHING, document: str = ""
    ) -> None:
        self._kind = kind
        self._text = text
        self._section = section
        self._given = given
        self._document = document
        self._found: Entities | None = None

    @property
    def given(self) -> Mapping[str, Any]:
        """What the author or the import gave."""
        return self._given

    @property
    def recorded(self) -> dict[str, Any]:
        """What a record keeps of it: the type and what was given; all else follows from the text."""
        return {**({"type": self._kind} if self._kind else {}), **self._given}

    def facts(self, kind: str) -> tuple[Entity, ...]:
        """The facts of a kind with their places in the text, whatever was given."""
        if self._found is None:
            self._found = entities(self._text)
        found: tuple[Entity, ...] = getattr(self._found, kind)
        return found if kind != "articles" else tuple(entity for entity in found if not self._labels(entity))

    def _labels(self, entity: Entity) -> bool:
        """Whether an article reference is the label with which the text opens."""
        after = self._text[entity.end : entity.end + 1]
        return not self._text[: entity.start].strip() and (not after or after.isspace())

    def keys_of_facts(self) -> Iterator[tuple[str, str]]:
        """Key and text of every fact of every kind, those of the headings last; given ones in place of those found."""
        for kind in _KINDS:
            if kind in self._given:
                yield from ((key_of(text), text) for text in _texts(self._given[kind]))
            else:
                yield from ((entity.key, entity.text) for entity in self.facts(kind))
        yield from self._above()

    def _above(self) -> Iterator[tuple[str, str]]:
        """Key and text of the facts of the headings, of kinds that nobody gave."""
        return ((key, text) for kind, key, text in _of_headings(self._section) if kind not in self._given)

    def _only_above(self) -> list[str]:
        own = {entity.key for kind in _OF_HEADINGS for entity in self.facts(kind)}
        return [text for key, text in self._above() if key not in own]

    def __getitem__(self, name: str) -> Any:
        """A value; raises `KeyError` for what is not known."""
        if name in self._given:
            return self._given[name]
        value: Any = None
        if name == "type":
            value = self._kind
        elif name == "date":
            value = self._date()
        elif name == "headings":
            value = self._only_above()
        elif name in _KINDS:
            value = list({entity.key: _shown(name, entity) for entity in reversed(self.facts(name))}.values())[::-1]
        if not value:
            raise KeyError(name)
        return value

    def _date(self) -> str:
        for name in (self._document, self._section):
            inside = [found for text in _IN_BRACKETS.findall(Source(name).folded) for found in dates(Source(text))]
            if inside:
                return inside[-1].key
        opening = _OPENING.match(self._text)
        start = opening.end() if opening else 0
        head = self._text[start : start + 40]
        return next((found.key for found in dates(Source(head)) if found.start == 0), "")

    def __iter__(self) -> Iterator[str]:
        """The keys that have a value, in a fixed order."""
        names = dict.fromkeys(("type", "date", *_KINDS, "headings", *self._given))
        return (name for name in names if name in self)

    def __len__(self) -> int:
        """How many keys have a value."""
        return sum(1 for _ in self)

    def __eq__(self, other: object) -> bool:
        """Equal to what says the same, and to what a record has kept of it."""
        if isinstance(other, Metadata):
            return all(getattr(self, slot) == getattr(other, slot) for slot in self.__slots__ if slot != "_found")
        return isinstance(other, Mapping) and (dict(other) == self.recorded or dict(other) == dict(self))

    __hash__ = None  # type: ignore[assignment]  # as of any mapping

    def __repr__(self) -> str:
        return f"Metadata({self.recorded})"


@lru_cache(maxsize=_SECTIONS)
def _of_headings(section: str) -> tuple[tuple[str, str, str], ...]:
    """Kind, key and text of the facts of a section path, each once."""
    found = entities(section)
    told = {(kind, entity.key): entity.text for kind in _OF_HEADINGS for entity in reversed(getattr(found, kind))}
    return tuple((kind, key, text) for (kind, key), text in reversed(told.items()))


def _shown(kind: str, entity: Entity) -> str:
    return entity.key if kind == "dates" else entity.text


def _texts(value: Any) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list | tuple) else [str(value)]


def metadata_of(passage: Passage) -> Metadata:
    """All that is known of a passage, also of one that carries only what it was given."""
    known = passage.metadata
    if isinstance(known, Metadata):
        return known
    kind = str(known.get("type", ""))
    given = {name: value for name, value in known.items() if name != "type"}
    return Metadata(kind, passage.text, passage.section, given, passage.document)


def recorded(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What a record keeps of a passage's metadata."""
    return metadata.recorded if isinstance(metadata, Metadata) else dict(metadata)


def confidence_of(passage: Passage) -> float | None:
    """How sure the reading of a passage is, 0 to 1, where that is known."""
    value = passage.metadata.get("confidence")
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
