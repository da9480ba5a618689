"""Question sets of a base that come from outside: looked at first, then kept beside its documents as a version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath

from core.authoring.history import History
from core.authoring.ledger import Version
from core.authoring.names import safe_name
from core.authoring.saving import editable, own_folder
from core.authoring.set_sheets import as_csv
from core.domain import Say
from core.errors import BaseError, UsageError
from core.knowledge.base import KnowledgeBase
from core.knowledge.formats import MOST_BYTES
from core.knowledge.questions import (
    QUESTIONS,
    SET_SUFFIXES,
    QuestionSet,
    is_set,
    parse_questions,
    read_questions,
    with_gold,
)
from core.knowledge.reading import too_large

SUFFIXES = (*SET_SUFFIXES, ".xlsx")
"""Files that a question set comes in; of a workbook the first sheet with a column of questions is kept as CSV."""
SHOWN = 10
"""Gold that goes astray for which ids like it are looked for, which takes a while in a large base."""


@dataclass(frozen=True, slots=True)
class Astray:
    """Gold of a question that the base does not hold, for the first `SHOWN` with ids that may have been meant."""

    question: str
    passage: str
    near: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Arrived:
    """A question set that may be kept: the name of its file, what it will hold, and what a person should know.

    `resolved` holds the ids of gold that was given by the title of a passage, or another short name that is unique.
    """

    name: str
    data: bytes
    found: QuestionSet
    astray: tuple[Astray, ...]
    resolved: Mapping[str, str] = field(default_factory=dict)


def arrived(base: KnowledgeBase, name: str, data: bytes) -> Arrived:
    """Look at a file as a question set of the base; nothing is written.

    Raises `UsageError` for a base that takes none or a file of another kind, `BaseError` as `read_questions` does, and
    `sets.none` for a file without a question.
    """
    editable(base)
    safe = safe_name(PurePath(name.replace("\\", "/")).name)
    suffix = PurePath(safe).suffix.lower()
    if suffix not in SUFFIXES:
        raise UsageError("sets.kind", file=name, known=list(SUFFIXES))
    if len(data) > MOST_BYTES:
        raise too_large(name, len(data), MOST_BYTES)
    told: tuple[Say, ...] = ()
    if suffix == ".xlsx":
        data, told = as_csv(data, safe)
        safe = f"{safe[: -len(suffix)]}.csv"
    found = parse_questions(safe, data)
    if not found.questions:
        raise BaseError("sets.none", file=name)
    gold = dict.fromkeys(id for one in found.questions for id in one.gold)
    resolved = _resolved(base, gold)
    if resolved:
        new = with_gold(safe, data, lambda one: tuple(dict.fromkeys(resolved.get(id, id) for id in one.gold)))
        data = data if new is None else new
        found = parse_questions(safe, data)
    notices = (*((safe, say) for say in told), *found.notices)
    return Arrived(safe, data, replace(found, notices=notices), _astray(base, found), resolved)


def _resolved(base: KnowledgeBase, gold: Iterable[str]) -> dict[str, str]:
    """The ids of gold that is no id: of the only passage with that title, else of the only one whose id ends so."""
    unknown = [id for id in gold if not base.has(id)]
    if not unknown:
        return {}
    disabled = {one.id for one in base.disabled}
    names: dict[str, set[str]] = {}
    titles: dict[str, set[str]] = {}
    for one in base.passages:
        titles.setdefault(one.title.strip(), set()).add(one.id)
        head, _, label = one.id.rpartition("#")
        for name in {label, f"{head.rsplit('/', 1)[-1]}#{label}"}:
            names.setdefault(name, set()).add(one.id)
    found = {}
    for id in (id for id in unknown if id not in disabled):
        likely = titles.get(id) or names.get(id) or set()
        if len(likely) == 1:
            found[id] = next(iter(likely))
    return found


def _astray(base: KnowledgeBase, found: QuestionSet) -> tuple[Astray, ...]:
    """Gold that the base does not hold."""
    lost = [(one.question, id) for one in found.questions for id in one.gold if not base.has(id)]
    shown = list(dict.fromkeys(id for _, id in lost[:SHOWN]))
    likely = {id: tuple(base.like(id)) for id in shown}
    return tuple(Astray(question, id, likely.get(id, ())) for question, id in lost)


def keep(base: KnowledgeBase, home: Path, one: Arrived, author: str) -> tuple[Path, Version]:
    """Put a set beside the base's documents, in place of one of its name; the base's folder, and the version it is.

    Raises as `History.save` does.
    """
    folder = own_folder(base, home)
    note = Say.of("sets.note", file=one.name, count=len(one.found.questions))
    return folder, History(folder).save({f"{QUESTIONS}/{one.name}": one.data}, author, note)


def lying(base: KnowledgeBase) -> Mapping[str, int | None]:
    """How many questions each set beside a base holds, by the name of its file; `None` for one that cannot be read."""
    folder = base.path / QUESTIONS
    try:
        files = sorted(file for file in folder.iterdir() if is_set(file.name))
    except OSError:  # there is none, or the questions' own notices tell what is the matter
        return {}
    return {file.name: _counted(file) for file in files}


def _counted(file: Path) -> int | None:
    try:
        return len(read_questions(file).questions)
    except BaseError:
        return None
