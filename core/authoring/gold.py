"""Gold passages through a draft: which ids the question sets must name afterwards, and which questions lose some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.authoring.drafts import Draft
from core.authoring.renaming import nearest, squeezed, swallower
from core.domain import Passage
from core.knowledge.annotations import text_digest
from core.knowledge.shelf import questions


@dataclass(frozen=True, slots=True)
class Bereft:
    """A question whose gold passage, by its id in the base before, is in no passage afterwards."""

    question: str
    passage: str


def heirs(draft: Draft) -> Mapping[str, str]:
    """The id that stands for each passage of the base that goes by another, or is gold and found elsewhere by its text.

    It is empty for gold that is no more where another passage has its id now.
    """
    names, lost = draft.traced.names, draft.traced.lost
    asked = questions(draft.base).questions if names or lost else ()
    gold = {id for one in asked for id in one.gold} & {*names, *lost}
    if not gold:
        return names
    after = (*draft.after.passages, *draft.after.disabled)
    by_text: dict[str, list[str]] = {}
    for one in after:
        by_text.setdefault(text_digest(one.text), []).append(one.id)
    known = squeezed(after) if gold & set(lost) else {}
    found = dict(names)
    for passage in (one for one in (*draft.base.passages, *draft.base.disabled) if one.id in gold):
        same = by_text.get(text_digest(passage.text), ())
        if passage.id in lost:
            found[passage.id] = _heir(draft, passage, by_text, known)
        elif same and names[passage.id] not in same:
            found[passage.id] = nearest(passage, same)
    taken = set(names.values())
    return {id: name for id, name in found.items() if name or id in taken}


def bereft(draft: Draft) -> tuple[Bereft, ...]:
    """The questions beside the base that lose a gold passage by the draft, each with that passage."""
    lost = set(draft.traced.lost)
    if not lost:
        return ()
    lost -= {id for id, name in heirs(draft).items() if name}
    asked = questions(draft.base).questions
    return tuple(Bereft(question.question, id) for question in asked for id in question.gold if id in lost)


def _heir(draft: Draft, passage: Passage, by_text: Mapping[str, Sequence[str]], known: Mapping[str, str]) -> str:
    """The passage that has the text of one that is no more, or holds it within; empty where none does."""
    last = draft.traced.lost[passage.id]
    for text in (last, passage.text):
        if same := by_text.get(text_digest(text)):
            return nearest(passage, same)
    return swallower(last, known) or draft.traced.within.get(passage.id, "") or swallower(passage.text, known)
