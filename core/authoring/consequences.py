"""What a draft changes beside what its author set out to: passages that are no more, read otherwise, or renamed."""

from __future__ import annotations

from dataclasses import dataclass

from core.authoring.drafts import Draft
from core.authoring.gold import Bereft, bereft
from core.authoring.operations import Edit, Merge, Move, Split
from core.domain import Passage


@dataclass(frozen=True, slots=True)
class Consequences:
    """Passages of a draft against those of its base, disabled ones too; ids as the base has them, `added` as the draft.

    `edited` have another text, `moved` another section, `renamed` (before, after) another id alone. `bereft` are
    questions that lose a gold passage.
    """

    added: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    unmeant: tuple[str, ...] = ()
    bereft: tuple[Bereft, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """How many there are of each kind that there is any of."""
        kinds = ("edited", "added", "gone", "moved", "renamed")
        return {kind: len(getattr(self, kind)) for kind in kinds if getattr(self, kind)}


def consequences(draft: Draft) -> Consequences:
    """What a draft changes; `unmeant` are passages that are gone or edited though no change names them."""
    names, before = draft.names, _all(draft.base.passages + draft.base.disabled)
    after = _all(draft.after.passages + draft.after.disabled)
    kept = {id: names.get(id, id) for id in before if id not in draft.traced.lost}
    edited = tuple(id for id, name in kept.items() if after[name].text != before[id].text)
    gone = tuple(id for id in before if id not in kept)
    meant = _meant(draft)
    affected = {*gone, *edited}
    loose = [id for id in before if id in affected and names.get(id, id) not in meant and id not in meant]
    swallowed = sum(isinstance(operation, Merge) for operation in draft.operations)
    return Consequences(
        tuple(sorted(set(after) - set(kept.values()))),
        gone,
        edited,
        tuple(id for id, name in kept.items() if after[name].section != before[id].section),
        tuple((id, name) for id, name in kept.items() if name != id),
        tuple(loose) if len(loose) > swallowed else (),
        bereft(draft),
    )


def _all(passages: tuple[Passage, ...]) -> dict[str, Passage]:
    return {passage.id: passage for passage in passages}


def _meant(draft: Draft) -> set[str]:
    """The passages that the changes name."""
    return {operation.id for operation in draft.operations if isinstance(operation, Edit | Split | Merge | Move)}
