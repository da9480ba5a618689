"""A draft: what a base would be with changes that are not saved yet.

Every change names what it found, so that it can be put to a base that has moved on meanwhile, and is refused where the
very words it changes are others now.

base on disk + operations -> overlay (files as they would be) -> base as it would be
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from core.authoring.operations import Operation
from core.authoring.texts import Texts
from core.knowledge.base import KnowledgeBase
from core.knowledge.loading import load_folder


@dataclass(frozen=True)
class Draft:
    """Changes to `base`, in order; `overlay` holds the files they touch as they would be, by path below its folder."""

    base: KnowledgeBase
    operations: tuple[Operation, ...] = ()
    overlay: Mapping[str, bytes | None] = field(default_factory=dict)
    before: KnowledgeBase | None = field(default=None, repr=False)

    @cached_property
    def after(self) -> KnowledgeBase:
        """The base as it would be."""
        return load_folder(self.base.path, self.before or self.base, self.overlay) if self.overlay else self.base

    def with_(self, operation: Operation) -> Draft:
        """The draft with one more change.

        Raises `UsageError` for a change that cannot be made, `ConflictError` where what it changes is other text now.
        """
        texts = Texts(self.after, self.overlay)
        operation.apply(texts)
        return replace(self, operations=(*self.operations, operation), overlay=texts.overlay, before=self.after)

    def without_last(self) -> Draft:
        """The draft before its last change."""
        return rebased(self, self.base, self.operations[:-1])

    @property
    def changed(self) -> bool:
        """Whether anything would be saved."""
        return bool(self.operations)


def rebased(draft: Draft, base: KnowledgeBase, operations: tuple[Operation, ...] | None = None) -> Draft:
    """The changes of a draft put to `base`, which may have moved on; raises as `Draft.with_` does."""
    anew = Draft(base)
    for operation in draft.operations if operations is None else operations:
        anew = anew.with_(operation)
    return anew
