"""Passages that go by another id after a change, are merged into another, or cut in parts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.authoring.operations import Edit, Merge, Operation, Recut, Split
from core.authoring.recutting import heirs
from core.domain import Passage
from core.knowledge.annotations import text_digest
from core.knowledge.base import KnowledgeBase
from core.knowledge.ids import document_of

_SHORTEST = 12
"""Characters from which a text that stands within another passage is no accident."""


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


def changed_between(before: KnowledgeBase, after: KnowledgeBase) -> tuple[str, ...]:
    """The documents that are not the same in two states of a base, by name."""
    held, now = ({id: one.state for id, one in base.documents.items()} for base in (before, after))
    return tuple(sorted(id for id in {*held, *now} if held.get(id) != now.get(id)))


def _all(base: KnowledgeBase) -> list[Passage]:
    return [*base.passages, *base.disabled]


def _changed(base: KnowledgeBase, other: KnowledgeBase) -> list[Passage]:
    """The passages of the documents that are not as they are in the other base."""
    same = {
        id for id, one in base.documents.items() if (two := other.documents.get(id)) and one.state == two.state != ""
    }
    return [passage for passage in _all(base) if passage.document not in same]


@dataclass(frozen=True, slots=True)
class Traced:
    """What became of the passages of a base through changes, by the ids that they have in it.

    `names` holds those that go by another id now, `lost` the text that passages which are no more had last, `within`
    the passages that those texts were merged into, `parts` the passages that hold what was cut off from one.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    lost: Mapping[str, str] = field(default_factory=dict)
    within: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def through(self, before: KnowledgeBase, after: KnowledgeBase, last: Operation | None = None) -> Traced:
        """The same where one more change leads from `before` to `after`.

        Change by change passages are told apart better than from beginning to end, where a text may have changed and
        its id too. `last` is the change, where it is known: a passage that it edits is itself under any id.
        """
        step = _stepped(before, after, last)
        first = {name: id for id, name in self.names.items()}
        names, lost = dict(self.names), dict(self.lost)
        for passage in step.before:
            id = passage.id
            if id not in first and (id in self.names or id in self.lost):
                continue  # another one that has the id since
            origin = first.get(id, id)
            if id in step.gone:
                lost[origin] = passage.text
                names.pop(origin, None)
            else:
                names[origin] = step.moved[id]
        held = {id: step.moved[self.names.get(id, id)] for id in lost if id not in self.lost}
        for id, place in self.within.items():  # what it was merged into may have been parted since
            found = swallower(lost[id], step.new, place) if place in step.moved else ""
            held[id] = found or step.moved.get(place, place)
        parts = self._parted(step, first, {**{id: id for id in step.parts}, **names})
        return Traced({id: name for id, name in names.items() if name != id}, lost, held, parts)

    def _parted(self, step: _Step, first: Mapping[str, str], names: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
        """The passages that hold a part of one, beside the one that has its name."""
        found: dict[str, list[str]] = {}
        for id, places in self.parts.items():
            found[id] = [now for place in places for now in (step.moved.get(place, place), *step.parts.get(place, ()))]
        for id, places in step.parts.items():
            if id in first or (id not in self.names and id not in self.lost):
                found.setdefault(first.get(id, id), []).extend(places)
        told = {id: dict.fromkeys(place for place in places if place) for id, places in found.items()}
        return {
            id: tuple(kept) for id, places in told.items() if (kept := [at for at in places if at != names.get(id)])
        }


@dataclass(frozen=True, slots=True)
class _Step:
    """One change: the passages `before` it of the documents it touches, where each is `moved` to, which are `gone`.

    `parts` are new passages that hold a part of one alone; `new` the texts after it, as `squeezed` gives them.
    """

    before: Sequence[Passage]
    new: Mapping[str, str]
    moved: Mapping[str, str]
    gone: frozenset[str]
    parts: Mapping[str, tuple[str, ...]]


def _stepped(before: KnowledgeBase, after: KnowledgeBase, last: Operation | None) -> _Step:
    if isinstance(last, Recut):
        found = heirs(before, after)
        return _Step(_all(before), squeezed(_all(after)), found.moved, found.gone, found.parts)
    renames = {**_relabelled(before, after, last), **renamed(before, after)}
    old, now, taken = _changed(before, after), _changed(after, before), set(renames.values())
    new = squeezed(now)
    gone = frozenset(one.id for one in old if one.id not in renames and (one.id in taken or not holds(after, one.id)))
    moved = {one.id: renames.get(one.id, one.id) for one in old if one.id not in gone}
    into = moved.get(last.id, "") if isinstance(last, Merge) else ""
    merged = {into: new[into]} if into in new else {}
    for one in (one for one in old if one.id in gone):
        moved[one.id] = swallower(one.text, merged, shortest=1) or swallower(one.text, new, one.id)
    fresh = {id: new[id] for id in new if id not in {name for id, name in moved.items() if id not in gone}}
    cut = {last.id} if isinstance(last, Split) else set[str]()
    return _Step(old, new, moved, gone, dict(_parts(old, new, moved, fresh, cut)) if fresh else {})


def _parts(
    old: Sequence[Passage],
    new: Mapping[str, str],
    moved: Mapping[str, str],
    fresh: Mapping[str, str],
    cut: Collection[str],
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Passages that lost text, each with the new ones that hold some of it; of a `cut` one also a few characters."""
    for passage in old:
        whole = "".join(passage.text.split())
        if new.get(moved[passage.id]) == whole:
            continue
        least = 1 if passage.id in cut else _SHORTEST
        if found := tuple(id for id, text in fresh.items() if least <= len(text) < len(whole) and text in whole):
            yield passage.id, found


def squeezed(passages: Sequence[Passage]) -> dict[str, str]:
    """Texts without their blanks, by id."""
    return {one.id: "".join(one.text.split()) for one in passages}


def swallower(text: str, known: Mapping[str, str], beside: str = "", shortest: int = _SHORTEST) -> str:
    """The passage with the shortest text that holds a text within its own; `known` as `squeezed` gives them.

    One of the document of the passage `beside` goes first. Empty where none does, or the text says too little.
    """
    wanted = "".join(text.split())
    found = [id for id, whole in known.items() if wanted in whole] if len(wanted) >= shortest else []
    document = document_of(beside)
    return min(found, key=lambda id: (document_of(id) != document, len(known[id]))) if found else ""


def _relabelled(before: KnowledgeBase, after: KnowledgeBase, last: Operation | None) -> dict[str, str]:
    """The new id of a passage that was given another text and with it another label."""
    if not isinstance(last, Edit) or holds(after, last.id) or not last.after.strip():
        return {}
    wanted = text_digest(last.after)
    new = [one for one in _changed(after, before) if not holds(before, one.id)]
    found = next((one.id for one in new if text_digest(one.text) == wanted), None)
    return {last.id: found} if found else {}


def nearest(passage: Passage, ids: Sequence[str]) -> str:
    """Of several passages of one text that of the same document."""
    return next((id for id in ids if id.startswith(f"{passage.document}#")), ids[0])
