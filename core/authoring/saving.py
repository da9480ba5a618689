"""A draft becomes a version: put to the base as it lies now, and written as one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.authoring.bases import own_copy
from core.authoring.drafts import Draft, rebased
from core.authoring.gold import Bereft, Followed, follow
from core.authoring.history import History
from core.authoring.ledger import Version
from core.authoring.renaming import changed_between
from core.domain import Say
from core.errors import UsageError
from core.knowledge.base import KnowledgeBase
from core.knowledge.loading import load_folder
from core.settings import BUNDLED


@dataclass(frozen=True, slots=True)
class Saved:
    """The version that a save made, the folder it lies in, and the passages that go by another id since.

    `others` names the documents that someone else has changed since the draft was begun; `copied` says that the base is
    a bundled one, of which there is a copy since this save. `gold` tells what became of the questions' gold.
    """

    version: Version
    folder: Path
    renamed: Mapping[str, str]
    others: tuple[str, ...] = ()
    copied: bool = False
    gold: Followed = Followed()

    @property
    def bereft(self) -> tuple[Bereft, ...]:
        """The questions whose gold passage is no more."""
        return self.gold.bereft


def editable(base: KnowledgeBase) -> None:
    """Raise `UsageError` for a base that cannot be edited here: a single file, or a BEIR corpus."""
    if not base.path.is_dir() or (base.passages and not base.cuts):
        raise UsageError("draft.uneditable", base=base.title)


def is_editable(base: KnowledgeBase) -> bool:
    """Whether it can be edited here."""
    try:
        editable(base)
    except UsageError:
        return False
    return True


def bundled(base: KnowledgeBase) -> bool:
    """Whether a base lies where this program does, so that its first save makes a copy."""
    return base.path.resolve().parent == BUNDLED.resolve()


def own_folder(base: KnowledgeBase, home: Path) -> Path:
    """Where changes of a base go: its folder, of a bundled one its copy in the data folder."""
    return own_copy(home, base.name) if bundled(base) else base.path


def save(draft: Draft, home: Path, author: str, note: str | Say) -> Saved:
    """Save what a draft changes, put to what lies on disk now; question sets follow passages that get another id.

    A gold passage that was merged into another is followed there; of one that is no more the question is told.

    Raises `ConflictError` where the very text it changes is another now, `UsageError`, `StoreError`.
    """
    editable(draft.base)
    exists = (home / "kb" / draft.base.name).is_dir()
    folder = own_folder(draft.base, home)
    lying = History(folder).files_now()  # before it is loaded: what changes in between is then noticed
    fresh = rebased(draft, load_folder(folder, draft.base))
    gold = follow(fresh)
    changes = {**fresh.overlay, **gold.files}
    expected = {path: lying.get(path) for path in changes}
    version = History(folder).save(changes, author, note, expected)
    others = changed_between(draft.base, fresh.base)
    names = {id: places[0] if places else "" for id, places in {**_named(fresh), **gold.heirs}.items()}
    return Saved(version, folder, names, others, bundled(draft.base) and not exists, gold)


def _named(draft: Draft) -> dict[str, tuple[str, ...]]:
    return {id: (name,) for id, name in draft.names.items()}
