"""What a draft changes beside what its author set out to: passages that are no more, read otherwise, or renamed."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.authoring.drafts import Draft
from core.authoring.gold import Bereft, Followed, follow
from core.authoring.operations import Edit, Merge, Move, Recut, Rewrite, Split
from core.domain import Passage


@dataclass(frozen=True, slots=True)
class Consequences:
    """Passages of a draft against those of its base, disabled ones too; ids as the base has them, `added` as the draft.

    `edited` have another text, `moved` another section, `shifted` another place in theirs, `renamed` (before, after)
    another id alone; `disabled` are left out of search from now on, `enabled` no more. `gold` tells of the questions.
    """

    added: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    unmeant: tuple[str, ...] = ()
    disabled: tuple[str, ...] = ()
    enabled: tuple[str, ...] = ()
    shifted: tuple[str, ...] = ()
    gold: Followed = Followed()

    @property
    def bereft(self) -> tuple[Bereft, ...]:
        """The questions that lose a gold passage."""
        return self.gold.bereft

    @property
    def counts(self) -> dict[str, int]:
        """How many there are of each kind that there is any of."""
        kinds = ("edited", "added", "gone", "moved", "shifted", "disabled", "enabled", "renamed")
        return {kind: len(getattr(self, kind)) for kind in kinds if getattr(self, kind)}


def consequences(draft: Draft) -> Consequences:
    """What a draft changes; `unmeant` are passages that are gone or edited though no change names them.

    None are where the whole base is cut anew.
    """
    names, before = draft.names, _all(draft.base.passages + draft.base.disabled)
    after = _all(draft.after.passages + draft.after.disabled)
    kept = {id: names.get(id, id) for id in before if id not in draft.traced.lost}
    edited = tuple(id for id, name in kept.items() if after[name].text != before[id].text)
    gone = tuple(id for id in before if id not in kept)
    meant = _meant(draft)
    off, off_now = ({one.id for one in base.disabled} for base in (draft.base, draft.after))
    affected = {*gone, *edited}
    loose = [id for id in before if id in affected and names.get(id, id) not in meant and id not in meant]
    anew = any(isinstance(operation, Recut) for operation in draft.operations)
    return Consequences(
        tuple(sorted(set(after) - set(kept.values()))),
        gone,
        edited,
        tuple(id for id, name in kept.items() if after[name].section != before[id].section),
        tuple((id, name) for id, name in kept.items() if name != id),
        () if anew else tuple(loose),
        tuple(id for id, name in kept.items() if id not in off and name in off_now),
        tuple(id for id, name in kept.items() if id in off and name not in off_now),
        tuple(
            _shifted([(before[id], after[name]) for id, name in kept.items() if id not in off and name not in off_now])
        ),
        follow(draft),
    )


def _shifted(pairs: Sequence[tuple[Passage, Passage]]) -> Iterator[str]:
    """Of passages before and after, in their order before, those that stand elsewhere in the same section now.

    As few as explain the new order.
    """
    ends: list[int] = []  # of the shortest chains of each length that keep their order, where the last stands
    last: list[int] = []
    earlier: list[int] = []
    for at, (_, now) in enumerate(pairs):
        length = bisect_left(ends, now.order)
        earlier.append(last[length - 1] if length else -1)
        ends[length : length + 1], last[length : length + 1] = [now.order], [at]
    stayed: set[int] = set()
    at = last[-1] if last else -1
    while at >= 0:
        stayed.add(at)
        at = earlier[at]
    for at, (was, now) in enumerate(pairs):
        if at not in stayed and was.section == now.section:
            yield was.id


def _all(passages: tuple[Passage, ...]) -> dict[str, Passage]:
    return {passage.id: passage for passage in passages}


def _meant(draft: Draft) -> set[str]:
    """The passages that the changes name, those of documents that are taken away, and those that were merged."""
    named = {operation.id for operation in draft.operations if isinstance(operation, Edit | Split | Merge | Move)}
    dropped = {one.document for one in draft.operations if isinstance(one, Rewrite) and one.after is None}
    before = (*draft.base.passages, *draft.base.disabled)
    return named | {one.id for one in before if one.document in dropped} | set(_merged(draft))


def _merged(draft: Draft) -> Iterator[str]:
    """The passages that merges joined to one that they name: of what is in it now, one for each merge."""
    merges = Counter(operation.id for operation in draft.operations if isinstance(operation, Merge))
    within = draft.traced.within
    for id, count in merges.items():
        into = draft.names.get(id, id)
        yield from [lost for lost in draft.traced.lost if within.get(lost) == into][:count]
