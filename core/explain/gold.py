"""Gold: which passages a base's own question sets say should be found for a question."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from core.domain import Passage
from core.knowledge.base import KnowledgeBase
from core.knowledge.folding import fold
from core.knowledge.questions import QUESTIONS, SET_SUFFIXES, Question
from core.knowledge.shelf import questions
from core.retrieval.memo import Memo

_READ: Memo[Mapping[str, Question]] = Memo(1)


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
    return _READ.of(base, tuple(_stamp(base)), lambda: _read(base))


def _read(base: KnowledgeBase) -> Mapping[str, Question]:
    found: dict[str, Question] = {}
    for question in questions(base).questions:
        found.setdefault(_plain(question.question), question)
    return found


def _plain(text: str) -> str:
    return "".join(fold(text)[0].split())


def _stamp(base: KnowledgeBase) -> Iterator[tuple[str, int, int]]:
    """Name, time of the last change and size of each file that may hold questions or their gold.

    A folder or file that cannot be looked at has none, and reading it tells why.
    """
    for folder in ("", QUESTIONS, "qrels"):
        for path in _listed(base.path / folder):
            with suppress(OSError):
                facts = path.stat()
                yield str(path), facts.st_mtime_ns, facts.st_size


def _listed(folder: Path) -> list[Path]:
    """The files of a folder that may hold questions, by name; none of one that is not there or may not be read."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [folder / name for name in sorted(names) if name.lower().endswith((*SET_SUFFIXES, ".tsv"))]
