"""Needles become a question set of their base, so that they count the next time it is looked at."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from core.authoring.folder import content, digest
from core.authoring.history import History
from core.authoring.ledger import Version
from core.authoring.saving import editable, own_folder
from core.coverage.needles import NEEDLE, Needle
from core.domain import Say
from core.errors import StoreError, UsageError, reason_of
from core.knowledge.base import KnowledgeBase, unique
from core.knowledge.questions import Question, read_questions

FILE = "questions/needles.csv"
"""Where they lie below the base's folder; what stands there for other passages stays."""
_COLUMNS = ("id", "question", "kind", "gold", "facts", "split", "tags")
_GOLD, _FACTS, _TAGS = ";", "|", ";"
"""What parts the values of a cell; a text that holds it could not be read back as one."""


def keep(found: Sequence[Needle], base: KnowledgeBase, home: Path, author: str, note: str | Say) -> Version:
    """Write needles into the base's own folder (of a bundled base: into its copy) as one version.

    Raises `UsageError`: `draft.uneditable`, `keeping.apart` for a passage whose id cannot stand in a cell;
    `ConflictError` and `StoreError` as saving does, `BaseError` where the file that lies there cannot be read.
    """
    editable(base)
    folder = own_folder(base, home)
    if odd := next((needle.passage_id for needle in found if _GOLD in needle.passage_id), None):
        raise UsageError("keeping.apart", id=odd)
    try:
        lying = content(folder, FILE)
    except OSError as refused:
        raise StoreError("authoring.unreadable", path=str(folder / FILE), reason=reason_of(refused)) from refused
    before = read_questions(folder / FILE).questions if lying is not None else ()
    expected = {FILE: None if lying is None else digest(lying)}
    return History(folder).save({FILE: _written(_joined(before, found))}, author, note, expected)


def _joined(before: Sequence[Question], found: Sequence[Needle]) -> list[Question]:
    """What lay there but for these passages and questions, then the needles."""
    passages, texts = {needle.passage_id for needle in found}, {needle.question for needle in found}
    kept = {q.id: q for q in before if not passages & set(q.gold) and q.question not in texts}
    for needle in found:
        id = unique(f"{NEEDLE}-{len(kept) + 1:02}", kept)
        facts = tuple(fact for fact in needle.facts if _FACTS not in fact)
        kept[id] = Question(id, needle.question, NEEDLE, (needle.passage_id,), facts)
    return list(kept.values())


def _written(questions: Sequence[Question]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for each in questions:
        cells = (_GOLD.join(each.gold), _FACTS.join(each.facts), each.split, _TAGS.join(each.tags))
        writer.writerow((each.id, each.question, each.kind, *cells))
    return out.getvalue().encode("utf-8")
