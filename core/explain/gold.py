"""Gold: which passages a base's own question sets say should be found for a question."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from weakref import WeakKeyDictionary

from core.domain import Passage
from core.knowledge.base import KnowledgeBase
from core.knowledge.folding import fold
from core.knowledge.questions import Question
from core.knowledge.shelf import questions

Stamp = tuple[tuple[str, int, int], ...]
"""Name, time of the last change and size of every file that holds questions or their gold."""

_read: WeakKeyDictionary[KnowledgeBase, tuple[Stamp, Mapping[str, Question]]] = WeakKeyDictionary()


def known_question(base: KnowledgeBase, question: str) -> Question | None:
    """The question of the base's own sets with this text; `None` where there is none.

    Width, case, blanks and traditional characters make no difference.
    """
    return _by_text(base).get(_plain(question))


def gold_of(base: KnowledgeBase, question: str) -> tuple[Passage, ...]:
    """The gold passages of a question in the order of the set, those that the base holds."""
    known = known_question(base, question)
    ids = dict.fromkeys(known.gold) if known else ()
    return tuple(base.passage(id) for id in ids if base.has(id))


def _by_text(base: KnowledgeBase) -> Mapping[str, Question]:
    """The questions by their plain text, read again only when a file has changed."""
    stamp = tuple(_stamp(base))
    known = _read.get(base)
    if known is None or known[0] != stamp:
        found: dict[str, Question] = {}
        for question in questions(base).questions:
            found.setdefault(_plain(question.question), question)
        known = _read[base] = stamp, found
    return known[1]


def _plain(text: str) -> str:
    return "".join(fold(text)[0].split())


def _stamp(base: KnowledgeBase) -> Iterator[tuple[str, int, int]]:
    """The stamp of a base's files; what cannot be looked at stands with none, and reading it tells why."""
    for folder in ("", "questions", "qrels"):
        place = base.path / folder
        if place.is_dir():
            with os.scandir(place) as entries:
                for entry in sorted(entries, key=lambda entry: entry.name):
                    if entry.is_file() and entry.name.endswith((".csv", ".jsonl", ".tsv")):
                        facts = entry.stat()
                        yield entry.path, facts.st_mtime_ns, facts.st_size
