"""A draft becomes a version: put to the base as it lies now, and written as one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.authoring.bases import own_copy
from core.authoring.drafts import Draft, rebased
from core.authoring.history import History
from core.authoring.ledger import Version
from core.authoring.renaming import followed, renamed
from core.domain import Say
from core.errors import UsageError
from core.knowledge.base import KnowledgeBase
from core.knowledge.loading import load_folder
from core.settings import BUNDLED


@dataclass(frozen=True, slots=True)
class Saved:
    """The version that a save made, the folder it lies in, and the passages that go by another id since."""

    version: Version
    folder: Path
    renamed: Mapping[str, str]


def editable(base: KnowledgeBase) -> None:
    """Raise `UsageError` for a base that cannot be edited here: a single file, or a BEIR corpus."""
    if not base.path.is_dir() or (base.passages and not base.cuts):
        raise UsageError("draft.uneditable", base=base.title)


def own_folder(base: KnowledgeBase, home: Path) -> Path:
    """Where changes of a base go: its folder, of a bundled one its copy in the data folder."""
    bundled = base.path.resolve().parent == BUNDLED.resolve()
    return own_copy(home, base.name) if bundled else base.path


def save(draft: Draft, home: Path, author: str, note: str | Say) -> Saved:
    """Save what a draft changes, put to what lies on disk now; question sets follow passages that get another id.

    Raises `ConflictError` where the very text it changes is another now, `UsageError`, `StoreError`.
    """
    editable(draft.base)
    folder = own_folder(draft.base, home)
    lying = History(folder).files_now()  # before it is loaded: what changes in between is then noticed
    fresh = rebased(draft, load_folder(folder, draft.base))
    names = renamed(fresh.base, fresh.after)
    changes = {**fresh.overlay, **followed(fresh.base, names)}
    expected = {path: lying.get(path) for path in changes}
    return Saved(History(folder).save(changes, author, note, expected), folder, names)

