"""An import from beginning to end: into a base that there is, or one that is made for it."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.authoring.bases import create
from core.authoring.folder import digests
from core.authoring.history import History
from core.authoring.importing import Batch, Outcome, Same, batch
from core.authoring.intake import Taken
from core.authoring.ledger import Version
from core.authoring.saving import editable, own_folder
from core.authoring.toml_text import dumped
from core.domain import Say
from core.errors import UsageError
from core.knowledge.base import Facts, KnowledgeBase, joined
from core.knowledge.loading import FACTS, SECTIONS, load_folder
from core.knowledge.shelf import Shelf
from core.knowledge.splitting import Splitting
from core.settings import BUNDLED


@dataclass(frozen=True, slots=True)
class Brought:
    """What an import did: to each file, in which folder, and the version it made, `None` where nothing came in."""

    outcomes: tuple[Outcome, ...]
    folder: Path
    version: Version | None


def target(home: Path, name_or_path: str) -> KnowledgeBase:
    """The base that files are to go into, an empty one of that name where there is none yet; nothing is made.

    Raises `UsageError` for a name that cannot be, or a base that takes no files; `BaseError`.
    """
    shelf = Shelf(BUNDLED, home)
    try:
        base = shelf.load(name_or_path)
    except UsageError as unknown:
        if unknown.say.code not in ("base.unknown", "base.none_here"):
            raise
        path = Path(name_or_path).expanduser()
        apart = unknown.say.code == "base.none_here" or any(mark in name_or_path for mark in "/\\")
        return joined(path.name, path if apart else home / "kb" / name_or_path, Facts(title=path.name), [])
    editable(base)
    return base


def bring(
    home: Path,
    base: KnowledgeBase,
    taken: Sequence[Taken],
    same: Same = "replace",
    splitting: Splitting | None = None,
    author: str = "",
) -> Brought:
    """Put files that were read into a base, as one version; where none came in nothing is made or written.

    Raises `UsageError`, `ConflictError` where the base was changed meanwhile, `StoreError`; then all is as it was.
    """
    is_new = not base.path.is_dir()
    folder = base.path if is_new else own_folder(base, home)
    lying = {} if is_new else digests(folder)
    found = batch(base if is_new else load_folder(folder, base), taken, same, splitting)
    if not found.changes:
        return Brought(found.outcomes, folder, None)
    if is_new:
        _make(home, base)
    count = sum(outcome.status != "refused" for outcome in found.outcomes)
    try:
        expected = {path: lying.get(path) for path in found.overlay} if not is_new else None
        version = History(folder).save(found.overlay, author, Say.of("import.note", files=count), expected)
    except BaseException:
        if is_new:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    return Brought(found.outcomes, folder, version)


def _make(home: Path, base: KnowledgeBase) -> None:
    """The folder of a base that there is none of yet: on the shelf, or where a path says."""
    if base.path.parent == home / "kb":
        create(home, base.name, base.title)
        return
    base.path.joinpath(SECTIONS).mkdir(parents=True)
    text = dumped({"title": base.title})
    base.path.joinpath(FACTS).write_text(text, encoding="utf-8", newline="\n")
