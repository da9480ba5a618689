"""A BEIR folder as a knowledge base: `corpus.jsonl` (or `.gz`), `queries.jsonl`, `qrels/*.tsv`.

Ids stay as they are; what stands before `|` in an id is its document. Documents are made when they are asked for,
since a corpus may hold a hundred thousand of one passage each.
"""

from __future__ import annotations

import errno
import gzip
import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from core.domain import Passage, Say
from core.errors import BaseError
from core.knowledge.base import Document, Facts, KnowledgeBase, assemble, unique
from core.knowledge.metadata import Metadata
from core.knowledge.questions import Question
from core.knowledge.reading import clean

_ARTICLE_LABEL = re.compile(r"第[^|]{1,12}条(?:之[^|]{1,3})?")


CORPUS = ("corpus.jsonl", "corpus.jsonl.gz")
"""Under which names a corpus lies in its folder."""


def corpus_file(folder: Path) -> Path | None:
    """The corpus of a BEIR folder, `None` where it has none."""
    return next((path for name in CORPUS if os.path.isfile(path := folder / name)), None)


def load_beir(
    folder: Path,
    name: str,
    facts: Facts | None = None,
    words: Iterable[str] = (),
    unread: Iterable[tuple[str, Say]] = (),
) -> KnowledgeBase:
    """Load a corpus; 100,000 short passages take a few seconds.

    A line that is no JSON object with `_id` and `text` is left out and listed in `unread`.
    Raises BaseError: `base.file.unreadable` for a file that cannot be read (or unpacked), `base.corpus.broken` when
    no line of it is a passage.
    """
    path = corpus_file(folder)
    if path is None:
        raise BaseError("base.file.unreadable", file=f"{folder.name}/corpus.jsonl", reason=os.strerror(errno.ENOENT))
    corpus = _Corpus(path)
    if corpus.unread and not corpus.passages:
        raise BaseError("base.corpus.broken", **corpus.unread[0][1].values)
    documents = _Documents(corpus.passages)
    lost = [*unread, *corpus.unread]
    return assemble(name, folder, facts or Facts(), corpus.passages, documents, words, lost, corpus.warnings)


class _Corpus:
    """The passages of a corpus file, and what could not be taken from it."""

    def __init__(self, path: Path) -> None:
        self.passages: list[Passage] = []
        self.unread: list[tuple[str, Say]] = []
        self.warnings: list[tuple[str, Say]] = []
        self._file = path.name
        self._ids: set[str] = set()
        self._next_line: dict[str, int] = {}
        self._cleaned = 0
        for number, line in _lines(path):
            try:
                self._add(*_fields(line), dirty="\\u" in line or not line.rstrip("\r\n").isprintable())
            except (ValueError, RecursionError) as error:
                say = Say.of("base.corpus.line", file=path.name, line=number, reason=str(error))
                self.unread.append((path.name, say))
        if self._cleaned:
            self.warnings.append((path.name, Say.of("base.file.cleaned", file=path.name, count=self._cleaned)))

    def _add(self, id: str, title: str, text: str, section: str, *, dirty: bool) -> None:
        if dirty:  # looking at the whole line once is far cheaper than cleaning each of its texts
            id, title, text, section = (self._clean(part) for part in (id, title, text, section))
        if not (title + text).strip():
            self.unread.append((self._file, Say.of("base.passage.blank", file=self._file, id=id)))
            return
        id = id if id not in self._ids else unique(id, self._ids)
        self._ids.add(id)
        document, _, label = id.partition("|")
        kind = "article" if _ARTICLE_LABEL.match(label) else "paragraph"
        metadata = Metadata(kind, text, section, document=document)
        first = self._next_line.get(document, 1) + bool(label)
        last = first + text.count("\n")
        self._next_line[document] = last + 2
        order = len(self.passages)
        self.passages.append(Passage(id, document, section, title, text, order, None, (first, last), metadata))

    def _clean(self, text: str) -> str:
        text, count = clean(text)
        self._cleaned += count
        return text


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8-sig") as file:
            yield from ((number, line) for number, line in enumerate(file, 1) if not line.isspace())
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise BaseError("base.file.unreadable", file=path.name, reason=str(error)) from error


def _fields(line: str) -> tuple[str, str, str, str]:
    """Id, title, text and section of a corpus line. Raises ValueError where they are not there."""
    row = json.loads(line)
    id = row.get("_id") if isinstance(row, dict) else None
    if isinstance(id, bool) or not isinstance(id, str | int) or id == "" or not isinstance(row.get("text"), str):
        raise ValueError("_id, text")
    metadata = row.get("metadata")
    section = metadata.get("section") if isinstance(metadata, dict) else None
    return str(row["_id"]), str(row.get("title") or ""), row["text"], str(section or "")


class _Documents(Mapping[str, Document]):
    """Documents made on demand from their passages: each passage's label, its lines, a blank line."""

    def __init__(self, passages: list[Passage]) -> None:
        self._passages: dict[str, list[Passage]] = {}
        for passage in passages:
            self._passages.setdefault(passage.document, []).append(passage)

    def __getitem__(self, id: str) -> Document:
        passages = self._passages[id]
        lines: list[str] = []
        for passage in passages:
            label = passage.id.partition("|")[2]
            lines += [label] if label else []
            lines += [*passage.text.split("\n"), ""]
        return Document(id, passages[0].title or id.rsplit("/", 1)[-1], tuple(lines[:-1]))

    def __iter__(self) -> Iterator[str]:
        return iter(self._passages)

    def __len__(self) -> int:
        return len(self._passages)


def read_beir_questions(folder: Path) -> tuple[Question, ...]:
    """The judged queries of a BEIR folder, one for each split it is in; all queries where there are no judgements.

    `gold` holds the ids judged above 0, best first. Raises BaseError `questions.broken` for a line that cannot be read.
    """
    texts = {id: text for id, _, text, _ in _rows(folder / "queries.jsonl")}
    judged = sorted((folder / "qrels").glob("*.tsv"))
    if not judged:
        return tuple(Question(id, text) for id, text in texts.items())
    found = []
    for path in judged:
        for id, grades in _judgements(path).items():
            if id in texts:
                gold = tuple(sorted((known for known in grades if grades[known] > 0), key=lambda known: -grades[known]))
                found.append(Question(id, texts[id], gold=gold, split=path.stem, grades=grades))
    return tuple(found)


def _rows(path: Path) -> Iterator[tuple[str, str, str, str]]:
    for number, line in _lines(path):
        try:
            yield _fields(line)
        except (ValueError, RecursionError) as error:
            raise BaseError("questions.broken", file=path.name, line=number, reason=str(error)) from error


def _judgements(path: Path) -> dict[str, dict[str, int]]:
    """Grades by query and passage: `query passage grade`, or TREC's `query 0 passage grade`; a header is skipped."""
    found: dict[str, dict[str, int]] = {}
    for number, line in _lines(path):
        cells = line.rstrip("\r\n").split("\t")
        grade = cells[-1].strip()
        if len(cells) not in (3, 4) or not re.fullmatch(r"-?[0-9]{1,9}", grade):
            if number == 1:
                continue
            raise BaseError("questions.broken", file=path.name, line=number, reason=line.strip()[:80])
        found.setdefault(cells[0], {})[cells[-2]] = int(grade)
    return found
