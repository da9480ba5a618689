"""Filters on what is known of a passage: where it stands, its type, the facts it holds, its date."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any

import numpy as np
import numpy.typing as npt

from core.domain import Passage, Say
from core.errors import UsageError
from core.knowledge.base import KnowledgeBase
from core.knowledge.entities import key_of
from core.knowledge.folding import fold
from core.knowledge.ids import label_of
from core.knowledge.metadata import metadata_of
from core.knowledge.spotting.references import article_key
from core.retrieval.memo import Memo

_DATE = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")
_WITHIN: Memo[npt.NDArray[np.int64]] = Memo(50)


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that must all hold; an empty one lets everything pass.

    `document`, `section` and `type` match as folded parts of the name. `entity` is a fact that the passage must hold or
    an article that it must be, in any spelling, or a literal part of one. `since` and `until` are ISO dates (a year or
    month will do, both inclusive) that the passage's own `date` must keep; one without a date does not pass.
    """

    document: str = ""
    section: str = ""
    type: str = ""
    entity: str = ""
    since: str = ""
    until: str = ""

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """What can be filtered on."""
        return tuple(f.name for f in fields(cls))

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Filters:
        """Filters by name; raises `UsageError` for an unknown name or a date that is none."""
        for name in given:
            if name not in cls.names():
                raise UsageError("filter.unknown", name=name, known=list(cls.names()))
        found = cls(**{name: str(value).strip() for name, value in given.items()})
        for name in ("since", "until"):
            if (value := getattr(found, name)) and not is_date(value):
                raise UsageError("filter.date", name=name, value=value)
        return found

    @property
    def given(self) -> dict[str, str]:
        """The conditions there are, by name."""
        return {name: value for name in self.names() if (value := getattr(self, name))}

    def told(self) -> list[dict[str, Any]]:
        """The conditions as values of what is said."""
        return [told(name, value).as_value() for name, value in self.given.items()]

    def only(self, *names: str) -> Filters:
        """These conditions alone."""
        return Filters(**{name: value for name, value in self.given.items() if name in names})

    def without(self, *names: str) -> Filters:
        """All conditions but these."""
        return replace(self, **dict.fromkeys(names, ""))

    def failing(self, passage: Passage) -> tuple[str, ...]:
        """The names of the conditions that a passage does not meet."""
        return tuple(name for name, wanted in self.given.items() if not _TESTS[name](passage, wanted))

    def passes(self, passage: Passage) -> bool:
        """Whether `passage` meets every condition."""
        return not self.failing(passage)

    def within(self, base: KnowledgeBase) -> npt.NDArray[np.int64] | None:
        """Positions of the passages that pass, ascending; `None` when there is no condition."""
        if not self.given:
            return None

        def passing() -> npt.NDArray[np.int64]:
            return np.array([p.order for p in base.passages if self.passes(p)], dtype=np.int64)

        return _WITHIN.of(base, self, passing)


TYPES = ("article", "case", "paragraph", "row")
"""Types that we give passages ourselves, which have a name in words; an author may give others."""


def type_told(value: str) -> Any:
    """A type as a value of what is said: one that we give in words, any other as it is."""
    return Say.of(f"ui.passage.{value}").as_value() if value in TYPES else value


def told(name: str, value: str) -> Say:
    """A condition, checked or not, as it is said."""
    return Say.of(f"filter.{name}", value=type_told(value) if name == "type" else value)


OPEN = Filters()
"""No condition: everything passes."""


def parse_filters(pairs: list[str]) -> Filters:
    """`name=value` pairs of a command line; raises `UsageError` for another form, or a name given twice."""
    given: dict[str, str] = {}
    for pair in pairs:
        name, found, value = (part.strip() for part in pair.partition("="))
        if not (name and found and value):
            raise UsageError("filter.form", value=pair)
        if name in given:
            raise UsageError("filter.twice", name=name)
        given[name] = value
    return Filters.of(given)


def is_date(value: str) -> bool:
    """Whether it is an ISO date, of which a year or a month will do."""
    if not _DATE.fullmatch(value):
        return False
    try:
        date.fromisoformat(value + "0000-01-01"[len(value) :])
    except ValueError:
        return False
    return True


def _part(wanted: str, text: str) -> bool:
    return fold(wanted)[0] in fold(text)[0]


def _holds(passage: Passage, wanted: str) -> bool:
    key = key_of(wanted)
    if key and key in (article_key(passage.title), article_key(label_of(passage.id))):
        return True
    if any(map(str.isdigit, key)):  # a number is met whole: 第6条 is not within 第61条, nor XR-2200 within XR-2200B
        return any(key == known for known, _ in metadata_of(passage).keys_of_facts())
    return any(key == known or _part(wanted, text) for known, text in metadata_of(passage).keys_of_facts())


def _dated(passage: Passage) -> str:
    return str(metadata_of(passage).get("date", ""))


def _since(passage: Passage, wanted: str) -> bool:
    own = _dated(passage)
    return bool(own) and own[: len(wanted)] >= wanted[: len(own)]


def _until(passage: Passage, wanted: str) -> bool:
    own = _dated(passage)
    return bool(own) and own[: len(wanted)] <= wanted[: len(own)]


_TESTS = {
    "document": lambda passage, wanted: _part(wanted, passage.document),
    "section": lambda passage, wanted: _part(wanted, passage.section),
    "type": lambda passage, wanted: _part(wanted, str(passage.metadata.get("type", ""))),
    "entity": _holds,
    "since": _since,
    "until": _until,
}
