"""Question sets of a base that come from outside: looked at first, then kept beside its documents as a version."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory

from core.authoring.history import History
from core.authoring.ledger import Version
from core.authoring.names import safe_name
from core.authoring.renaming import QUESTIONS
from core.authoring.saving import editable, own_folder
from core.domain import Say
from core.errors import BaseError, UsageError
from core.knowledge.base import KnowledgeBase
from core.knowledge.formats import MOST_BYTES
from core.knowledge.formats.packages import check
from core.knowledge.formats.workbook import Sheet, Workbook
from core.knowledge.ids import near
from core.knowledge.questions import QuestionSet, read_questions

SUFFIXES = (".csv", ".jsonl", ".xlsx")
"""Files that a question set comes in; of a workbook the first sheet with a column of questions is kept as CSV."""
_QUESTION = ("question", "query", "text", "问题")


@dataclass(frozen=True, slots=True)
class Astray:
    """Gold of a question that the base does not hold, with ids that may have been meant."""

    question: str
    passage: str
    near: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Arrived:
    """A question set that may be kept: the name of its file, what it will hold, and what a person should know."""

    name: str
    data: bytes
    found: QuestionSet
    astray: tuple[Astray, ...]


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
        raise BaseError("base.file.large", file=name, size=len(data) // 1_000_000, most=MOST_BYTES // 1_000_000)
    if suffix == ".xlsx":
        safe, data = f"{safe[: -len(suffix)]}.csv", _as_csv(data, safe)
    found = _read(safe, data)
    if not found.questions:
        raise BaseError("sets.none", file=name)
    ids = [passage.id for passage in base.passages]
    known = set(ids)
    astray = (
        Astray(one.question, id, tuple(near(id, ids))) for one in found.questions for id in one.gold if id not in known
    )
    return Arrived(safe, data, found, tuple(astray))


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
        files = sorted(file for file in folder.iterdir() if file.suffix.lower() in (".csv", ".jsonl"))
    except OSError:  # there is none, or the questions' own notices tell what is the matter
        return {}
    return {file.name: _counted(file) for file in files}


def _counted(file: Path) -> int | None:
    try:
        return len(read_questions(file).questions)
    except BaseError:
        return None


def _read(name: str, data: bytes) -> QuestionSet:
    with TemporaryDirectory() as room:
        file = Path(room) / name
        file.write_bytes(data)
        return read_questions(file)


def _as_csv(data: bytes, file: str) -> bytes:
    """The first sheet with a column of questions; raises `BaseError`."""
    check(data, file)
    workbook = Workbook(data, file)
    try:
        sheets = [sheet for sheet in workbook.sheets() if sheet.rows]
    finally:
        workbook.close()
    for sheet in sheets:
        rows = list(_rows(sheet))
        if any(cell.strip().lower() in _QUESTION for cell in rows[0]):
            out = io.StringIO()
            csv.writer(out, lineterminator="\n").writerows(rows)
            return out.getvalue().encode("utf-8-sig")
    columns = [cell for sheet in sheets[:1] for cell in next(_rows(sheet)) if cell]
    raise BaseError("questions.columns", file=file, columns=columns)


def _rows(sheet: Sheet) -> Iterator[list[str]]:
    width = max(max(cells, default=0) for cells in sheet.rows.values())
    for _, cells in sorted(sheet.rows.items()):
        yield [str(cells.get(column, "")) for column in range(1, width + 1)]
