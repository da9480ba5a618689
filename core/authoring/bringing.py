"""An import from beginning to end: into a base that there is, or one that is made for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.authoring.authorship import edited
from core.authoring.bases import filled, free_name
from core.authoring.facts import checked
from core.authoring.gold import Followed
from core.authoring.history import History
from core.authoring.importing import Batch, Outcome, Same, batch
from core.authoring.intake import Taken
from core.authoring.ledger import Version
from core.authoring.names import base_name
from core.authoring.saving import editable, own_folder
from core.authoring.toml_text import dumped
from core.domain import Say
from core.errors import BaseError, ConflictError, UsageError
from core.knowledge.base import Facts, KnowledgeBase, joined
from core.knowledge.loading import FACTS, SECTIONS, load_folder
from core.knowledge.shelf import Shelf
from core.knowledge.splitting import Splitting
from core.settings import BUNDLED


@dataclass(frozen=True, slots=True)
class Brought:
    """What an import did: to each file, in which folder, and the version it made, `None` where nothing came in.

    `gold` tells what became of the gold of the questions beside the base.
    """

    outcomes: tuple[Outcome, ...]
    folder: Path
    version: Version | None
    gold: Followed = Followed()

    @property
    def came(self) -> tuple[Outcome, ...]:
        """The files that are in the base now."""
        return tuple(outcome for outcome in self.outcomes if outcome.status != "refused")


def target(home: Path, name_or_path: str) -> KnowledgeBase:
    """The base that files are to go into, an empty one of that name where there is none yet; nothing is made.

    Raises `UsageError` for a name that cannot be, a folder that holds other things, or a base that takes no files;
    `BaseError`.
    """
    try:
        base = Shelf(BUNDLED, home).load(name_or_path)
    except UsageError as unknown:
        if unknown.say.code not in ("base.unknown", "base.none_here"):
            raise
        if unknown.say.code == "base.unknown" and not any(mark in name_or_path for mark in "/\\"):
            return _on_shelf(home, name_or_path)
        path = Path(name_or_path).expanduser()
        if path.is_dir() and any(path.iterdir()):
            raise UsageError("import.occupied", path=str(path)) from unknown
        return joined(path.resolve().name, path, Facts(title=path.resolve().name), [])
    editable(base)
    return base


def _on_shelf(home: Path, name: str) -> KnowledgeBase:
    """The base that a name means once it is written as names are kept, or a new one."""
    kept = base_name(name)
    return target(home, kept) if kept != name and kept in Shelf(BUNDLED, home).names() else fresh(home, kept)


def fresh(home: Path, name: str, title: str = "", language: str = "") -> KnowledgeBase:
    """An empty base that is on no disk yet, for `bring` to make.

    Raises `UsageError` as `free_name` does, and `authoring.fact` for a language that is none.
    """
    name = free_name(home, name)
    given = checked({"title": title or name, "language": language})
    return joined(name, home / "kb" / name, Facts(**given), [])


def bring(
    home: Path,
    base: KnowledgeBase,
    taken: Sequence[Taken],
    same: Same | None = None,
    splitting: Splitting | None = None,
    author: str = "",
    language: str = "",
) -> Brought:
    """Put files that were read into a base, as one version; where none came in nothing is made or written.

    `language` is what a base that is made says of itself; left out, it goes by its text; `same` is as for `batch`.
    Raises `UsageError`, `BaseError` `import.nothing_came` where the base itself is broken,
    `ConflictError` where the base was changed meanwhile, `StoreError`; then all is as it was.
    """
    try:
        if _is_new(base):
            return _begin(base, batch(base, taken, same, splitting), author, language)
        return _join(own_folder(base, home), base, taken, same, splitting, author)
    except ConflictError:
        raise
    except BaseError as broken:
        raise BaseError("import.nothing_came", reason=broken.say.as_value()) from broken


def _join(
    folder: Path,
    base: KnowledgeBase,
    taken: Sequence[Taken],
    same: Same | None,
    splitting: Splitting | None,
    author: str,
) -> Brought:
    """Files into a base that is there."""
    lying = History(folder).files_now()  # before it is loaded: what changes in between is then noticed
    found = batch(load_folder(folder, base), taken, same, splitting, edited(folder))
    if not found.overlay or not found.came:
        return Brought(found.outcomes, folder, None)
    gold = found.gold()
    changes = {**found.overlay, **gold.files}
    expected = {path: lying.get(path) for path in changes}
    version = History(folder).save(changes, author, Say.of("import.note", files=found.came), expected)
    return Brought(found.outcomes, folder, version, gold)


def _is_new(base: KnowledgeBase) -> bool:
    """Whether there is no such base yet; one that someone made meanwhile is there, but its name is not free then."""
    return not base.cuts and not base.passages and not (base.path / FACTS).is_file()


def _begin(base: KnowledgeBase, found: Batch, author: str, language: str) -> Brought:
    """The first files of a base that there is none of yet: its folder is there with them, or not at all."""
    if not found.came:
        return Brought(found.outcomes, base.path, None)
    facts = dumped({"title": base.title} | ({"language": language} if language else {}))
    cutting = found.overlay.get(FACTS)  # it says how the base is cut
    overlay = {**found.overlay, FACTS: b"\n".join(part for part in (facts.encode(), cutting) if part)}
    with filled(base.path.resolve()) as folder:
        (folder / SECTIONS).mkdir()
        version = History(folder).save(overlay, author, Say.of("import.note", files=found.came))
    return Brought(found.outcomes, base.path, version)
