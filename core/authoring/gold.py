"""Gold passages through a draft: which ids the question sets must name afterwards, and which questions lose some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.authoring.drafts import Draft
from core.authoring.renaming import QUESTIONS, nearest, squeezed, swallower
from core.domain import Passage, Say
from core.errors import BaseError
from core.knowledge.annotations import text_digest
from core.knowledge.base import KnowledgeBase
from core.knowledge.links import inside
from core.knowledge.quantities import stands
from core.knowledge.questions import Question, with_gold
from core.knowledge.reading import bytes_of
from core.knowledge.shelf import questions


@dataclass(frozen=True, slots=True)
class Bereft:
    """A question whose gold passage, by its id in the base before, is in no passage afterwards."""

    question: str
    passage: str


@dataclass(frozen=True, slots=True)
class Regolded:
    """A question whose gold goes by other ids afterwards: `before` in the base, `after` in the draft."""

    question: str
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True)
class Followed:
    """What becomes of the gold of the questions beside a base.

    `heirs` holds the passages that stand for each that goes by another id, `files` the question sets that change, as
    they will be, by path; `alone` names those that cannot be read and stay as they are, each with why.
    """

    heirs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    after: KnowledgeBase | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)
    regolded: tuple[Regolded, ...] = ()
    bereft: tuple[Bereft, ...] = ()
    alone: tuple[tuple[str, Say], ...] = ()

    def gold(self, question: Question) -> tuple[str, ...]:
        """The gold of a question afterwards: of a passage that was cut, the parts that state its facts, else all."""
        found: list[str] = []
        for id in question.gold:
            places = self.heirs.get(id, (id,))
            stating = [place for place in places if self._states(place, question)] if len(places) > 1 else []
            found += stating or places
        return tuple(dict.fromkeys(found))

    def _states(self, id: str, question: Question) -> bool:
        if self.after is None or not self.after.has(id):
            return False
        text = self.after.passage(id).text
        return any(stands(fact, text) for fact in question.facts)


def follow(draft: Draft) -> Followed:
    """Follow the gold of the questions beside the base of a draft to where it stands in the draft; writes nothing."""
    traced = draft.traced
    if not (traced.names or traced.lost or traced.parts):
        return Followed()
    asked = questions(draft.base).questions
    gold = {id for one in asked for id in one.gold} & {*traced.names, *traced.lost, *traced.parts}
    found = Followed(_heirs(draft, gold), draft.after)
    lost = {id for id in gold if id in traced.lost and not found.heirs.get(id)}
    files, alone = _rewritten(draft.base, found) if gold else ({}, ())
    told = {one: found.gold(one) for one in asked if gold & set(one.gold)}
    return Followed(
        found.heirs,
        draft.after,
        files,
        tuple(Regolded(one.question, one.gold, new) for one, new in told.items() if new != one.gold),
        tuple(Bereft(one.question, id) for one in asked for id in one.gold if id in lost),
        alone,
    )


def _rewritten(base: KnowledgeBase, found: Followed) -> tuple[dict[str, bytes], tuple[tuple[str, Say], ...]]:
    """The question sets whose gold changes, by path; and those that nobody can read, with the reason."""
    folder = base.path / QUESTIONS
    changed: dict[str, bytes] = {}
    alone: list[tuple[str, Say]] = []
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    for file in (file for file in files if file.suffix.lower() in (".csv", ".jsonl")):
        try:
            inside(file, base.path, file.name)
            new = with_gold(file.name, bytes_of(file, file.name), found.gold)
        except BaseError as unreadable:
            alone.append((file.name, unreadable.say))
            continue
        if new is not None:
            changed[f"{QUESTIONS}/{file.name}"] = new
    return changed, tuple(alone)


def _heirs(draft: Draft, gold: set[str]) -> dict[str, tuple[str, ...]]:
    """The ids that stand for each passage of the base that goes by another, or is gold and was merged, cut or lost.

    There are none for gold that is no more where another passage has its id now.
    """
    traced, taken = draft.traced, set(draft.traced.names.values())
    found: dict[str, tuple[str, ...]] = {id: (name,) for id, name in traced.names.items()}
    search = _Search(draft) if gold else None
    for passage in (one for one in (*draft.base.passages, *draft.base.disabled) if search and one.id in gold):
        places = search.heirs(passage) if search else ()
        if places or passage.id in taken:
            found[passage.id] = places
    return found


class _Search:
    """Looks for what became of passages of a draft's base."""

    def __init__(self, draft: Draft) -> None:
        self._traced = draft.traced
        after = (*draft.after.passages, *draft.after.disabled)
        held = {one.id: text_digest(one.text) for one in (*draft.base.passages, *draft.base.disabled)}
        came = {self._traced.names.get(id, id): digest for id, digest in held.items()}
        self._places: dict[str, list[str]] = {}
        self._came: dict[str, list[str]] = {}
        for one in after:
            digest = text_digest(one.text)
            self._places.setdefault(digest, []).append(one.id)
            if came.get(one.id) != digest:  # its text was another, or it was not there
                self._came.setdefault(digest, []).append(one.id)
        self._known = squeezed(after)

    def heirs(self, passage: Passage) -> tuple[str, ...]:
        """The ids of what has the text of a passage, or holds it, or parts of it; none where nothing does.

        Where a change took it goes before any copy that stood there all the time.
        """
        id, traced = passage.id, self._traced
        if id in traced.lost:
            found = self._lost(passage)
            return (found,) if found else ()
        own, digest = traced.names.get(id, id), text_digest(passage.text)
        if parts := [part for part in traced.parts.get(id, ()) if part in self._known]:
            return tuple(sorted({own, *parts}, key=list(self._known).index))
        came = self._came.get(digest, ())
        return (own,) if not came or own in self._places[digest] else (nearest(passage, came),)

    def _lost(self, passage: Passage) -> str:
        last, within = self._traced.lost[passage.id], self._traced.within.get(passage.id, "")
        texts = dict.fromkeys((last, passage.text))
        merged = within if within in self._known and "".join(last.split()) in self._known[within] else ""
        return (
            merged
            or self._exact(passage, texts, self._came)
            or self._exact(passage, texts, self._places, passage.document)
            or next((part for part in self._traced.parts.get(passage.id, ()) if part in self._known), "")
            or (within if within in self._known else "")
            or self._exact(passage, texts, self._places)
            or next(filter(None, (swallower(text, self._known, passage.id) for text in texts)), "")
        )

    def _exact(
        self, passage: Passage, texts: Mapping[str, None], places: Mapping[str, Sequence[str]], document: str = ""
    ) -> str:
        """A passage with one of the texts, where it matters of this document."""
        for text in texts:
            ids = [id for id in places.get(text_digest(text), ()) if id.startswith(f"{document}#") or not document]
            if ids:
                return nearest(passage, ids)
        return ""
