"""Gold passages through a draft: which ids the question sets must name afterwards, and which questions lose some."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.authoring.drafts import Draft
from core.authoring.renaming import Traced, changed_between, nearest, squeezed, swallower
from core.domain import Passage, Say
from core.errors import BaseError
from core.knowledge.annotations import text_digest
from core.knowledge.base import KnowledgeBase
from core.knowledge.ids import document_of
from core.knowledge.links import inside
from core.knowledge.quantities import stands
from core.knowledge.questions import QUESTIONS, Question, is_set, with_gold
from core.knowledge.reading import bytes_of
from core.knowledge.shelf import questions

_NAMED = 5
"""Questions named of many."""
TOLD = ("regolded", "lost", "stale", "alone")
"""What `Followed.told` may tell."""


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


@dataclass(frozen=True, slots=True)
class Unstated:
    """A question with a fact that its gold stated before and states no more: its answer is another now."""

    question: str
    fact: str


@dataclass(frozen=True)
class Followed:
    """What becomes of the gold of the questions beside a base.

    `heirs` holds the passages that stand for each that goes by another id, `files` the question sets that change, as
    they will be, by path; `alone` names those that cannot be read and stay as they are, each with why. `stale` are
    facts of questions that are no more in their gold.
    """

    heirs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    after: KnowledgeBase | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)
    regolded: tuple[Regolded, ...] = ()
    bereft: tuple[Bereft, ...] = ()
    alone: tuple[tuple[str, Say], ...] = ()
    stale: tuple[Unstated, ...] = ()

    @property
    def told(self) -> dict[str, Say]:
        """What a person should know once it is so: questions that follow, that lost gold, sets that cannot follow."""
        found = {}
        if self.regolded:
            found["regolded"] = Say.of("gold.notice.regolded", **_asked(self.regolded))
        if self.bereft:
            found["lost"] = Say.of("gold.lost", **_asked(self.bereft))
        if self.stale:
            found["stale"] = Say.of("gold.stale", **_asked(self.stale))
        if self.alone:
            found["alone"] = Say.of("gold.alone", files=[name for name, _ in self.alone])
        return found

    def gold(self, question: Question) -> tuple[str, ...]:
        """The gold of a question afterwards: of a passage that was cut, the parts that state its facts, else all."""
        return tuple(dict.fromkeys(id for places in self.places(question) for id in places))

    def places(self, question: Question) -> tuple[tuple[str, ...], ...]:
        """The same in groups: of each, any one passage will do, since nobody can tell which part was meant."""
        found: list[tuple[str, ...]] = []
        for id in question.gold:
            places = self.heirs.get(id, (id,))
            stating = [place for place in places if self._states(place, question)] if len(places) > 1 else []
            found += [(place,) for place in stating] or [places]
        return tuple(dict.fromkeys(filter(None, found)))

    def _states(self, id: str, question: Question) -> bool:
        if self.after is None or not self.after.has(id):
            return False
        text = self.after.passage(id).text
        return any(stands(fact, text) for fact in question.facts)


def _asked(found: Sequence[Bereft | Regolded | Unstated]) -> dict[str, Any]:
    """How many questions, and the first of them."""
    asked = list(dict.fromkeys(one.question for one in found))
    return {"count": len(asked), "questions": asked[:_NAMED] + ["…"] * (len(asked) > _NAMED)}


def follow(draft: Draft) -> Followed:
    """Follow the gold of the questions beside the base of a draft to where it stands in the draft; writes nothing."""
    return followed(draft.base, draft.after, draft.traced)


def followed(base: KnowledgeBase, after: KnowledgeBase, traced: Traced) -> Followed:
    """The same from a base to what it became."""
    asked = questions(base).questions
    found = _followed(base, after, traced, asked) if traced.names or traced.lost or traced.parts else Followed()
    return replace(found, stale=tuple(_stale(base, after, asked, found)))


def _stale(base: KnowledgeBase, after: KnowledgeBase, asked: Sequence[Question], found: Followed) -> Iterator[Unstated]:
    """Facts that stood in the gold of a question and do no more; a question that lost its gold is told already."""
    changed, lost = set(changed_between(base, after)), {one.question for one in found.bereft}
    touched = [one for one in asked if one.facts and any(document_of(id) in changed for id in one.gold)]
    for question in (one for one in touched if one.question not in lost):
        was = [base.passage(id).text for id in question.gold if base.has(id)]
        now = [after.passage(id).text for id in found.gold(question) if after.has(id)]
        for fact in question.facts:
            if any(stands(fact, text) for text in was) and not any(stands(fact, text) for text in now):
                yield Unstated(question.question, fact)


def _followed(base: KnowledgeBase, after: KnowledgeBase, traced: Traced, asked: Sequence[Question]) -> Followed:
    gold = {id for one in asked for id in one.gold} & {*traced.names, *traced.lost, *traced.parts}
    found = Followed(_heirs(base, after, traced, gold), after)
    lost = {id for id in gold if id in traced.lost and not found.heirs.get(id)}
    files, alone = _rewritten(base, found) if gold else ({}, ())
    told = {one: found.gold(one) for one in asked if gold & set(one.gold)}
    return Followed(
        found.heirs,
        after,
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
    for file in (file for file in files if is_set(file.name)):
        try:
            inside(file, base.path, file.name)
            new = with_gold(file.name, bytes_of(file, file.name), found.gold)
        except BaseError as unreadable:
            alone.append((file.name, unreadable.say))
            continue
        if new is not None:
            changed[f"{QUESTIONS}/{file.name}"] = new
    return changed, tuple(alone)


def _heirs(base: KnowledgeBase, after: KnowledgeBase, traced: Traced, gold: set[str]) -> dict[str, tuple[str, ...]]:
    """The ids that stand for each passage that goes by another, or is `gold` and was merged, cut or lost.

    There are none for gold that is no more where another passage has its id now.
    """
    taken = set(traced.names.values())
    found: dict[str, tuple[str, ...]] = {id: (name,) for id, name in traced.names.items()}
    if not gold:
        return found
    search = _Search(base, after, traced)
    for passage in (one for one in (*base.passages, *base.disabled) if one.id in gold):
        places = search.heirs(passage)
        if places or passage.id in taken:
            found[passage.id] = places
    return found


class _Search:
    """Looks for what became of the passages of a base."""

    def __init__(self, base: KnowledgeBase, after: KnowledgeBase, traced: Traced) -> None:
        self._traced = traced
        now = (*after.passages, *after.disabled)
        held = {one.id: text_digest(one.text) for one in (*base.passages, *base.disabled)}
        came = {self._traced.names.get(id, id): digest for id, digest in held.items()}
        self._places: dict[str, list[str]] = {}
        self._came: dict[str, list[str]] = {}
        for one in now:
            digest = text_digest(one.text)
            self._places.setdefault(digest, []).append(one.id)
            if came.get(one.id) != digest:  # its text was another, or it was not there
                self._came.setdefault(digest, []).append(one.id)
        self._known = squeezed(now)

    def heirs(self, passage: Passage) -> tuple[str, ...]:
        """The ids of what has the text of a passage, or holds it, or parts of it; none where nothing does.

        Where a change took it goes before any copy that stood there all the time.
        """
        id, traced = passage.id, self._traced
        if id in traced.lost:
            return self._lost(passage)
        own, digest = traced.names.get(id, id), text_digest(passage.text)
        if parts := [part for part in traced.parts.get(id, ()) if part in self._known]:
            return tuple(sorted({own, *parts}, key=list(self._known).index))
        came = self._came.get(digest, ())
        return (own,) if not came or own in self._places[digest] else (nearest(passage, came),)

    def _lost(self, passage: Passage) -> tuple[str, ...]:
        last, within = self._traced.lost[passage.id], self._traced.within.get(passage.id, "")
        texts = dict.fromkeys((last, passage.text))
        place = [within] if within in self._known else []
        if place and "".join(last.split()) in self._known[within]:
            return (within,)
        found = self._exact(passage, texts, self._came) or self._exact(passage, texts, self._places, passage.document)
        if found:
            return (found,)
        parts = [part for part in self._traced.parts.get(passage.id, ()) if part in self._known]
        if parts or place:
            return tuple(sorted({*parts, *place}, key=list(self._known).index))
        found = self._exact(passage, texts, self._places)
        found = found or next(filter(None, (swallower(text, self._known, passage.id) for text in texts)), "")
        return (found,) if found else ()

    def _exact(
        self, passage: Passage, texts: Mapping[str, None], places: Mapping[str, Sequence[str]], document: str = ""
    ) -> str:
        """A passage with one of the texts, where it matters of this document."""
        for text in texts:
            ids = [id for id in places.get(text_digest(text), ()) if id.startswith(f"{document}#") or not document]
            if ids:
                return nearest(passage, ids)
        return ""
