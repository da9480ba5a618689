"""A draft: what a base would be with changes that are not saved yet.

Every change names what it found, so that it can be put to a base that has moved on meanwhile, and is refused where the
very words it changes are others now.

base on disk + operations -> overlay (files as they would be) -> base as it would be
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from core.authoring.operations import Edit, Operation, Rewrite
from core.authoring.renaming import Traced
from core.authoring.texts import Place, Texts
from core.errors import ConflictError, UsageError
from core.knowledge.annotations import Annotation
from core.knowledge.base import KnowledgeBase
from core.knowledge.loading import load_folder

Choice = Literal["mine", "theirs"]
"""What is to become of a change that clashes: it is made all the same, or dropped."""
_NOTHING: Mapping[int, Choice] = {}


@dataclass(frozen=True)
class Draft:
    """Changes to `base`, in order; `overlay` holds the files they touch as they would be, by path below its folder.

    `before` is the base as it would be without the last change, `trace` what had become of its passages by then.
    """

    base: KnowledgeBase
    operations: tuple[Operation, ...] = ()
    overlay: Mapping[str, bytes | None] = field(default_factory=dict)
    before: KnowledgeBase | None = field(default=None, repr=False)
    trace: Traced = field(default_factory=Traced, repr=False)

    @cached_property
    def after(self) -> KnowledgeBase:
        """The base as it would be."""
        return load_folder(self.base.path, self.before or self.base, self.overlay) if self.overlay else self.base

    @cached_property
    def traced(self) -> Traced:
        """What becomes of the passages of `base`."""
        if self.before is None:
            return self.trace
        return self.trace.through(self.before, self.after, self.operations[-1])

    @property
    def names(self) -> Mapping[str, str]:
        """The ids of passages that go by another in the draft, by those they have in `base`."""
        return self.traced.names

    @property
    def texts(self) -> Texts:
        """Its documents as they would be."""
        return Texts(self.after, self.overlay)

    def place(self, id: str) -> Place:
        """Where a passage of the draft, also a disabled one, stands in its document; raises `UsageError`."""
        return self.texts.place(id)

    def note(self, id: str) -> Annotation:
        """What is known of a passage beside its text; raises `UsageError`."""
        texts = self.texts
        return texts.note(texts.place(id))

    def with_(self, operation: Operation) -> Draft:
        """The draft with one more change.

        Raises `UsageError` for a change that cannot be made, `ConflictError` where what it changes is other text now.
        """
        texts = self.texts
        operation.apply(texts)
        return Draft(self.base, (*self.operations, operation), texts.overlay, self.after, self.traced)

    def without_last(self) -> Draft:
        """The draft before its last change."""
        return rebased(self, self.base, self.operations[:-1])

    @property
    def changed(self) -> bool:
        """Whether anything would be saved."""
        return bool(self.operations)


@dataclass(frozen=True, slots=True)
class Clash:
    """The change with that number (from 0) that a base does not take, and why."""

    number: int
    operation: Operation
    error: UsageError | ConflictError

    @property
    def now(self) -> str | None:
        """The text that stands now where the change was to be made, `None` where there is none."""
        now = self.error.say.values.get("now")
        return str(now) if now is not None else None

    @property
    def before(self) -> str:
        """The text that the change was made for."""
        return str(self.error.say.values.get("before") or "")

    @property
    def mine(self) -> str:
        """The text that the change would leave there; that it was made for where it changes none."""
        if isinstance(self.operation, Edit | Rewrite):
            return self.operation.after or ""
        return self.before

    @property
    def over(self) -> tuple[Operation, ...]:
        """What makes the change all the same, over the text that stands there now; nothing where it cannot be."""
        operation, now = self.operation, self.now
        if now is None:
            return ()
        if isinstance(operation, Edit | Rewrite):
            return (replace(operation, before=now),)
        return (Edit(str(self.error.say.values["passage"]), now, self.before), operation)


def carried(draft: Draft, base: KnowledgeBase, choices: Mapping[int, Choice] = _NOTHING) -> tuple[Draft, Clash | None]:
    """The changes of a draft put to `base`, which may have moved on, up to the first that clashes with it.

    `choices` say what becomes of those that clash, by their number.
    """
    anew = Draft(base)
    for number, operation in enumerate(draft.operations):
        try:
            anew = anew.with_(operation)
        except (ConflictError, UsageError) as error:
            clash = Clash(number, operation, error)
            if number not in choices:
                return anew, clash
            for other in clash.over if choices[number] == "mine" else ():
                anew = anew.with_(other)
    return anew, None


def rebased(draft: Draft, base: KnowledgeBase, operations: tuple[Operation, ...] | None = None) -> Draft:
    """The changes of a draft, or others in their place, put to `base`; raises as `Draft.with_` does."""
    anew, clash = carried(draft if operations is None else replace(draft, operations=operations), base)
    if clash:
        raise clash.error
    return anew
