"""Question sets: what is asked of a base, which passages should be found, and what an answer must state."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.domain import Say
from core.errors import BaseError
from core.json_values import mended
from core.knowledge.base import unique
from core.knowledge.reading import bytes_of, clean, read

QUESTIONS, SET_SUFFIXES = "questions", (".csv", ".jsonl")
"""Where the question sets of a base lie in its folder, and what files they are."""

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


def is_set(name: str) -> bool:
    """Whether a file of that name may hold questions."""
    return name.lower().endswith(SET_SUFFIXES)


def read_questions(path: Path) -> QuestionSet:
    """The questions of a file; as `parse_questions`."""
    return parse_questions(path.name, bytes_of(path, path.name))


def parse_questions(name: str, data: bytes) -> QuestionSet:
    """The questions of a `.csv` or `.jsonl` file with the columns id, question, kind, gold, facts, split, tags.

    Only `question` must be there. In text cells `gold` and `tags` are split at `;`, `facts` at `|`. Blank questions
    are skipped; of equal questions the first is kept and the rest are reported; a repeated id gets `~2`.
    Raises BaseError: as `read_file` does, `questions.columns` without a question column, `questions.broken` for a
    line that is no JSON object.
    """
    text = read(data, name).text
    rows = _objects(text, name) if _is_lines(name) else _cells(text, name)
    kept: dict[str, Question] = {}
    first: dict[str, str] = {}
    notices: list[tuple[str, Say]] = []
    for number, row in rows:
        question = _question(row, f"{Path(name).stem}-{number}")
        if not question.question:
            continue
        if known := first.get(question.question):
            values = {"file": name, "row": number, "question": question.question, "first": known}
            notices.append((name, Say("questions.duplicate", values)))
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


def with_gold(name: str, data: bytes, change: Callable[[Question], Sequence[str]]) -> bytes | None:
    """A file of questions in which each names the gold that `change` gives it, all other cells as they were.

    `None` where no gold changes. Raises BaseError as `read_questions` does.
    """
    text = read(data, name).text
    if _is_lines(name):
        new = "\n".join(_line_with(line, row, change) for _, line, row in _lines(text, name))
        return None if new == text else new.encode("utf-8")
    new = _cells_with(text, name, change)
    return None if new == text else new.encode("utf-8-sig")


def _is_lines(name: str) -> bool:
    return name.lower().endswith(".jsonl")


def _separator_of(text: str) -> str:
    """What separates the cells of a CSV text: comma, semicolon or tab, as its header shows."""
    return max(",;\t", key=text.lstrip().split("\n", 1)[0].count)


def _cells(text: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a CSV text, numbered from 1."""
    table = _table(text, name)
    _, header = next(table)
    names = [_named(cell) for cell in header]
    for number, row in table:
        yield number, dict(zip(names, row, strict=False))


def _table(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV text with their numbers, its header as 0."""
    rows = csv.reader(io.StringIO(text.lstrip("\n")), delimiter=_separator_of(text), strict=False)
    try:
        header = next(rows, [])
        names = [_named(cell) for cell in header]
        if "question" not in names:
            raise BaseError("questions.columns", file=name, columns=[each for each in names if each])
        yield 0, header
        for number, row in enumerate(rows, 1):
            if max(map(len, row), default=0) > _LONGEST_CELL:
                raise csv.Error(f"more than {_LONGEST_CELL} characters in one cell")
            yield number, row
    except csv.Error as error:
        raise BaseError("questions.broken", file=name, line=rows.line_num, reason=str(error)) from error


def _cells_with(text: str, name: str, change: Callable[[Question], Sequence[str]]) -> str:
    """A CSV text with other gold; the very text where none changes."""
    table = [row for _, row in _table(text, name)]
    names = [_named(cell) for cell in table[0]]
    if "gold" not in names:
        return text
    at, changed = len(names) - 1 - names[::-1].index("gold"), False
    for row in (row for row in table[1:] if len(row) > at):
        question = _question(dict(zip(names, row, strict=False)), "")
        gold = tuple(change(question)) if question.question else question.gold
        if gold != question.gold:
            row[at], changed = ";".join(gold), True
    if not changed:
        return text
    out = io.StringIO()
    csv.writer(out, delimiter=_separator_of(text), lineterminator="\n").writerows(table)
    return out.getvalue()


def _objects(text: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON Lines text, numbered by line."""
    for number, _, row in _lines(text, name):
        if row is not None:
            yield number, {_named(key): value for key, value in row.items()}


def _lines(text: str, name: str) -> Iterator[tuple[int, str, dict[str, Any] | None]]:
    """The lines of a JSON Lines text with their numbers and objects; a blank one has none."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            yield number, line, None
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BaseError("questions.broken", file=name, line=number, reason=str(error)) from error
        if not isinstance(row, dict):
            raise BaseError("questions.broken", file=name, line=number, reason=type(row).__name__)
        yield number, line, row


def _line_with(line: str, row: dict[str, Any] | None, change: Callable[[Question], Sequence[str]]) -> str:
    """A line of a JSON Lines text with other gold; the very line where it does not change."""
    keys = {_named(key): key for key in row or {}}
    if row is None or "gold" not in keys:
        return line
    question = _question({_named(key): value for key, value in row.items()}, "")
    gold = tuple(change(question)) if question.question else question.gold
    if gold == question.gold:
        return line
    value = list(gold) if isinstance(row[keys["gold"]], list) else ";".join(gold)
    told = json.dumps({**row, keys["gold"]: value}, ensure_ascii=False)
    return told if told.isascii() or mended(told) == told else json.dumps({**row, keys["gold"]: value})


def _named(column: str) -> str:
    name = column.strip().lower()
    return _COLUMNS.get(name, name)
