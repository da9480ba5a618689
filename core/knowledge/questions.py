"""Question sets: what is asked of a base, which passages should be found, and what an answer must state."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.domain import Say
from core.errors import BaseError
from core.knowledge.base import unique
from core.knowledge.reading import clean, read_file

_COLUMNS = {"_id": "id", "text": "question", "query": "question", "answer": "facts", "问题": "question"}
"""Other names under which columns come."""

_LONGEST_CELL = 131_072
"""Characters of a CSV cell: what `csv` refuses by itself, unless another reader has set its limit higher."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a set.

    `gold` holds the ids of the passages that should be found, `facts` what an answer must state, `split` the half it
    belongs to (`tune` or `dev` for tuning). `grades` holds the judgement of each gold passage where a set grades them.
    """

    id: str
    question: str
    kind: str = ""
    gold: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    split: str = ""
    tags: tuple[str, ...] = ()
    grades: Mapping[str, int] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions in file order, with what a person should know of them: (file, notice)."""

    questions: tuple[Question, ...] = ()
    notices: tuple[tuple[str, Say], ...] = ()

    def __add__(self, other: QuestionSet) -> QuestionSet:
        """Both sets, one after the other."""
        return QuestionSet(self.questions + other.questions, self.notices + other.notices)


def read_questions(path: Path) -> QuestionSet:
    """Read a `.csv` or `.jsonl` file with the columns id, question, kind, gold, facts, split, tags.

    Only `question` must be there. In text cells `gold` and `tags` are split at `;`, `facts` at `|`. Blank questions
    are skipped; of equal questions the first is kept and the rest are reported; a repeated id gets `~2`.
    Raises BaseError: as `read_file` does, `questions.columns` without a question column, `questions.broken` for a
    line that is no JSON object.
    """
    rows = _objects(path) if path.suffix.lower() == ".jsonl" else _cells(path)
    kept: dict[str, Question] = {}
    first: dict[str, str] = {}
    notices: list[tuple[str, Say]] = []
    for number, row in rows:
        question = _question(row, f"{path.stem}-{number}")
        if not question.question:
            continue
        if known := first.get(question.question):
            values = {"file": path.name, "row": number, "question": question.question, "first": known}
            notices.append((path.name, Say("questions.duplicate", values)))
            continue
        question = replace(question, id=unique(question.id, kept))
        kept[question.id] = question
        first[question.question] = question.id
    return QuestionSet(tuple(kept.values()), tuple(notices))


def _question(row: Mapping[str, Any], number: str) -> Question:
    def text(name: str) -> str:
        value = row.get(name)
        return clean(str(value))[0].strip() if value is not None else ""

    def many(name: str, separator: str) -> tuple[str, ...]:
        value = row.get(name)
        parts = value if isinstance(value, list) else text(name).split(separator)
        return tuple(part for part in (clean(str(part))[0].strip() for part in parts) if part)

    return Question(
        text("id") or number,
        text("question"),
        text("kind"),
        many("gold", ";"),
        many("facts", "|"),
        text("split"),
        many("tags", ";"),
    )


def separator_of(text: str) -> str:
    """What separates the cells of a CSV text: comma, semicolon or tab, as its header shows."""
    return max(",;\t", key=text.lstrip().split("\n", 1)[0].count)


def _cells(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a CSV file, numbered from 1; separated by comma, semicolon or tab, as its header shows."""
    text = read_file(path).text
    rows = csv.reader(io.StringIO(text.lstrip("\n")), delimiter=separator_of(text), strict=False)
    try:
        names = [_named(cell) for cell in next(rows, [])]
        if "question" not in names:
            raise BaseError("questions.columns", file=path.name, columns=[name for name in names if name])
        for number, row in enumerate(rows, 1):
            if max(map(len, row), default=0) > _LONGEST_CELL:
                raise csv.Error(f"more than {_LONGEST_CELL} characters in one cell")
            yield number, dict(zip(names, row, strict=False))
    except csv.Error as error:
        raise BaseError("questions.broken", file=path.name, line=rows.line_num, reason=str(error)) from error


def _objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON Lines file, numbered by line."""
    for number, line in enumerate(read_file(path).text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BaseError("questions.broken", file=path.name, line=number, reason=str(error)) from error
        if not isinstance(row, dict):
            raise BaseError("questions.broken", file=path.name, line=number, reason=type(row).__name__)
        yield number, {_named(name): value for name, value in row.items()}


def _named(column: str) -> str:
    name = column.strip().lower()
    return _COLUMNS.get(name, name)
