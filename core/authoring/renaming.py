"""Passages that go by another id after a change, and the question sets beside a base that must follow them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from core.domain import Passage
from core.errors import BaseError
from core.knowledge.annotations import text_digest
from core.knowledge.base import KnowledgeBase
from core.knowledge.questions import separator_of
from core.knowledge.reading import read

QUESTIONS = "questions"
"""The folder of a base that holds its question sets."""


def renamed(before: KnowledgeBase, after: KnowledgeBase) -> dict[str, str]:
    """The id in `after` of every passage of `before` that goes by another there, recognised by its text.

    A passage that kept its id, whatever became of its text, is itself; one that is no more is not in it.
    """
    now = {passage.id: text_digest(passage.text) for passage in _changed(after, before)}
    places: dict[str, list[str]] = {}
    for id, digest in now.items():
        places.setdefault(digest, []).append(id)
    held = {passage.id: text_digest(passage.text) for passage in _changed(before, after)}
    found = {}
    for passage in _changed(before, after):
        id, digest = passage.id, held[passage.id]
        if now.get(id) == digest:
            continue
        free = [other for other in places.get(digest, ()) if held.get(other) != digest]
        if free:
            found[id] = _nearest(passage, free)
    return found


def _changed(base: KnowledgeBase, other: KnowledgeBase) -> list[Passage]:
    """The passages of the documents that are not as they are in the other base."""
    same = {
        id for id, one in base.documents.items() if (two := other.documents.get(id)) and one.state == two.state != ""
    }
    return [passage for passage in (*base.passages, *base.disabled) if passage.document not in same]


def followed_on(names: Mapping[str, str], before: KnowledgeBase, after: KnowledgeBase) -> dict[str, str]:
    """`names`, the ids that passages of a base have in `before`, where another change leads from there to `after`.

    Change by change passages are told apart better than from beginning to end, where a text may have changed and its
    id too. A passage that is no more has the name it last had.
    """
    step = renamed(before, after)
    first = {name: id for id, name in names.items()}
    return {**names, **{first.get(id, id): name for id, name in step.items() if id in first or id not in names}}


def _nearest(passage: Passage, ids: Sequence[str]) -> str:
    """Of several passages of one text that of the same document."""
    return next((id for id in ids if id.startswith(f"{passage.document}#")), ids[0])


def followed(base: KnowledgeBase, renames: Mapping[str, str]) -> dict[str, bytes]:
    """The question sets beside a base whose gold passages go by another id now, as they should be, by path.

    Where a passage is no more and another has its id now, that is no gold.
    """
    renames = {**{id: "" for id in renames.values() if id not in renames}, **renames}
    folder = base.path / QUESTIONS
    files = sorted(folder.iterdir()) if renames and folder.is_dir() else []
    found: dict[str, bytes] = {}
    for file in (file for file in files if file.suffix.lower() in (".csv", ".jsonl") and file.is_file()):
        try:
            text = read(file.read_bytes(), file.name).text
            new = _objects(text, renames) if file.suffix.lower() == ".jsonl" else _cells(text, renames)
        except (BaseError, ValueError):  # loading the questions tells what is the matter with the file
            continue
        if new != text:
            found[f"{QUESTIONS}/{file.name}"] = new.encode("utf-8-sig" if file.suffix.lower() == ".csv" else "utf-8")
    return found


def _cells(text: str, renames: Mapping[str, str]) -> str:
    """A CSV file with other ids in its column `gold`; nothing else of it changes where no id does."""
    separator = separator_of(text)
    rows = list(csv.reader(io.StringIO(text), delimiter=separator))
    names = [name.strip().lower() for name in rows[0]] if rows else []
    if "gold" not in names:
        return text
    at, changed = names.index("gold"), False
    for row in rows[1:]:
        if len(row) > at:
            ids = [renames.get(id.strip(), id) for id in row[at].split(";")]
            changed |= (joined := ";".join(filter(None, ids))) != ";".join(filter(None, row[at].split(";")))
            row[at] = joined
    if not changed:
        return text
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _objects(text: str, renames: Mapping[str, str]) -> str:
    """A JSON Lines file with other ids under `gold`; lines without one stay as they are."""
    return "\n".join(_object(line, renames) for line in text.split("\n"))


def _object(line: str, renames: Mapping[str, str]) -> str:
    row: Any = json.loads(line) if line.strip() else None
    gold = row.get("gold") if isinstance(row, dict) else None
    ids = gold if isinstance(gold, list) else str(gold).split(";") if gold else []
    new = [found for id in ids if (found := renames.get(str(id).strip(), id))]
    if new == ids:
        return line
    return json.dumps(row | {"gold": new if isinstance(gold, list) else ";".join(new)}, ensure_ascii=False)
