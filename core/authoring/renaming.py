"""Passages that go by another id after a change, and the question sets beside a base that must follow them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.domain import Passage
from core.errors import BaseError
from core.knowledge.annotations import text_digest
from core.knowledge.base import KnowledgeBase
from core.knowledge.questions import separator_of
from core.knowledge.reading import read

_SHORTEST = 12
"""Characters from which a text that stands within another passage is no accident."""
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
            found[id] = nearest(passage, free)
    return found


def holds(base: KnowledgeBase, id: str) -> bool:
    """Whether a base has a passage of that id, also a disabled one."""
    return base.has(id) or any(passage.id == id for passage in base.disabled)


def _changed(base: KnowledgeBase, other: KnowledgeBase) -> list[Passage]:
    """The passages of the documents that are not as they are in the other base."""
    same = {
        id for id, one in base.documents.items() if (two := other.documents.get(id)) and one.state == two.state != ""
    }
    return [passage for passage in (*base.passages, *base.disabled) if passage.document not in same]


@dataclass(frozen=True, slots=True)
class Traced:
    """What became of the passages of a base through changes, by the ids that they have in it.

    `names` holds those that go by another id now, `lost` the text that passages which are no more had last, `within`
    the passages that those texts were merged into.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    lost: Mapping[str, str] = field(default_factory=dict)
    within: Mapping[str, str] = field(default_factory=dict)

    def through(self, before: KnowledgeBase, after: KnowledgeBase, edited: tuple[str, str] | None = None) -> Traced:
        """The same where one more change leads from `before` to `after`.

        Change by change passages are told apart better than from beginning to end, where a text may have changed and
        its id too. `edited` is the id of a passage that this change gave another text: it is itself under any id.
        """
        step = {**_relabelled(before, after, edited), **renamed(before, after)}
        first = {name: id for id, name in self.names.items()}
        names, lost, taken = dict(self.names), dict(self.lost), set(step.values())
        moved: dict[str, str] = {}
        new = squeezed(_changed(after, before))
        for passage in _changed(before, after):
            id = passage.id
            gone = id not in step and (id in taken or not holds(after, id))
            moved[id] = swallower(passage.text, new) if gone else step.get(id, id)
            if id not in first and (id in self.names or id in self.lost):
                continue  # another one that has the id since
            origin = first.get(id, id)
            if gone:
                lost[origin] = passage.text
                names.pop(origin, None)
            else:
                names[origin] = moved[id]
        held = {id: moved[self.names.get(id, id)] for id in lost if id not in self.lost}
        for id, place in self.within.items():  # what it was merged into may have been parted since
            found = swallower(lost[id], new) if place in moved else ""
            held[id] = found or moved.get(place, place)
        return Traced({id: name for id, name in names.items() if name != id}, lost, held)


def squeezed(passages: Sequence[Passage]) -> dict[str, str]:
    """Texts without their blanks, by id."""
    return {one.id: "".join(one.text.split()) for one in passages}


def swallower(text: str, known: Mapping[str, str]) -> str:
    """The passage with the shortest text that holds a text within its own; `known` as `squeezed` gives them.

    Empty where none does, or the text says too little.
    """
    wanted = "".join(text.split())
    found = [id for id, whole in known.items() if wanted in whole] if len(wanted) >= _SHORTEST else []
    return min(found, key=lambda id: len(known[id])) if found else ""


def _relabelled(before: KnowledgeBase, after: KnowledgeBase, edited: tuple[str, str] | None) -> dict[str, str]:
    """The new id of a passage that was given another text and with it another label."""
    if edited is None or holds(after, edited[0]) or not edited[1].strip():
        return {}
    wanted = text_digest(edited[1])
    new = [one for one in _changed(after, before) if not holds(before, one.id)]
    found = next((one.id for one in new if text_digest(one.text) == wanted), None)
    return {edited[0]: found} if found else {}


def nearest(passage: Passage, ids: Sequence[str]) -> str:
    """Of several passages of one text that of the same document."""
    return next((id for id in ids if id.startswith(f"{passage.document}#")), ids[0])


def followed(base: KnowledgeBase, renames: Mapping[str, str]) -> dict[str, bytes]:
    """The question sets beside a base whose gold passages go by another id now, as they should be, by path.

    What is renamed to nothing is no gold any more.
    """
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
