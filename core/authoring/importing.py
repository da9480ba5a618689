"""Files into a knowledge base: each is read by itself, so that one that cannot be never stops the rest.

incoming -> readings (slow: pages may have to be recognised) -> a batch (what the base would be) -> saved as one version

What comes in is kept as text below `sections`, so that its author can go on editing it; what was no text is Markdown
that names its source in front.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from typing import Literal

from core.authoring.authorship import signed
from core.authoring.drafts import Draft
from core.authoring.folder import Files, folded
from core.authoring.gold import Followed, followed
from core.authoring.intake import Same, Taken
from core.authoring.ledger import Version
from core.authoring.names import safe_name
from core.authoring.operations import Recut
from core.authoring.places import alike, holds, is_odd, is_text, parents, path_of, source
from core.authoring.renaming import changed_between
from core.domain import Say
from core.errors import BaseError
from core.knowledge.annotations import ANNOTATIONS, Annotation, Annotations, text_digest
from core.knowledge.base import Cut, KnowledgeBase
from core.knowledge.building import asides, cut_document, noticed
from core.knowledge.ids import document_of
from core.knowledge.loading import SECTIONS, load_folder
from core.knowledge.reading import Reading, read
from core.knowledge.shelf import questions
from core.knowledge.sources import fronted, source_of
from core.knowledge.splitting import Splitting

__all__ = ["Batch", "Outcome", "Same", "Status", "batch", "changed"]

Status = Literal["imported", "warned", "refused"]
_NONE: Mapping[str, Version] = {}
_SHOWN = 40
"""Characters shown of a quotation."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file: how many passages its `document` has, and what a person should know."""

    file: str
    status: Status
    reason: Say | None = None
    encoding: str = ""
    passages: int = 0
    warnings: tuple[Say, ...] = ()
    document: str = ""


@dataclass(frozen=True, slots=True)
class Batch:
    """What importing would do: to each file, to the base's files (`overlay`), and to the base as a whole.

    `begun` is the base before it, cut anew where that was asked for.
    """

    outcomes: tuple[Outcome, ...]
    overlay: Files
    base: KnowledgeBase
    begun: Draft = field(repr=False)

    @property
    def came(self) -> int:
        """How many files would be in the base then."""
        return sum(outcome.status != "refused" for outcome in self.outcomes)

    def gold(self) -> Followed:
        """What becomes of the gold of the questions beside the base; it is followed where a document of it changes."""
        before = self.begun.base
        asked = {document_of(id) for question in questions(before).questions for id in question.gold}
        if not asked & set(changed_between(before, self.base)):
            return Followed()
        return followed(before, self.base, self.begun.traced.through(self.begun.after, self.base))


def batch(
    base: KnowledgeBase,
    taken: Sequence[Taken],
    same: Same | None = "replace",
    splitting: Splitting | None = None,
    edited: Mapping[str, Version] = _NONE,
) -> Batch:
    """What the base would be with these files; nothing is written.

    Of a document that is there with the same text nothing changes. A `splitting` of its own cuts the whole base anew.
    Without a choice what is there is replaced, but where it was `edited` since it came in both are kept.
    """
    begun = Draft(base)
    if splitting is not None and splitting != base.splitting:
        begun = begun.with_(Recut(*astuple(splitting), *astuple(base.splitting)))
    desk = _Desk(begun.after, same, begun.overlay, edited)
    placed = [desk.place(one) for one in taken]
    after = load_folder(base.path, begun.after, desk.overlay) if desk.overlay else base
    cuts = {cut.file: cut for cut in after.cuts}
    outcomes = (
        _outcome(one, path, say, cuts, path in desk.unnoted) for one, (path, say) in zip(taken, placed, strict=True)
    )
    return Batch(tuple(outcomes), desk.overlay, after, begun)


def changed(base: KnowledgeBase, after: Batch, splitting: Splitting) -> tuple[int, int]:
    """How many passages of documents that do not come in would be no more, and how many new, since all is cut anew."""
    if splitting == base.splitting:
        return 0, 0
    came = {outcome.document for outcome in after.outcomes}
    held, now = (
        {(passage.id, passage.text) for passage in one.passages if passage.document not in came}
        for one in (base, after.base)
    )
    return len(held - now), len(now - held)


class _Desk:
    """Gives every file its place below `sections`."""

    def __init__(self, base: KnowledgeBase, same: Same | None, overlay: Files, edited: Mapping[str, Version]) -> None:
        self.overlay = dict(overlay)
        self._base = base
        self._same = same
        self._edited = edited
        self._lying = {folded(cut.file): cut for cut in base.cuts}
        self.unnoted: set[str] = set()
        self._given: set[str] = set()
        self._folders = {parent for path in self._lying for parent in parents(path)}

    def place(self, one: Taken) -> tuple[str, Say | None]:
        """Path below `sections` for a file, and what a person should know of that; empty where it has none."""
        if one.reading is None or not one.reading.text.strip():
            return "", None
        text, origins = fronted(one.reading, source(one) if not is_text(one) else "")
        same = one.same or self._same
        path = self._free(one, text, same)
        self._given.add(folded(path))
        self._folders.update(parents(folded(path)))
        there = self._lying.get(folded(path))
        path = there.file if there else path  # it keeps the case of its name
        if there is not None and holds(there, text):
            return path, Say.of("import.unchanged")
        if there is not None and same == "skip":
            return "", Say.of("import.skipped")
        self.overlay[f"{SECTIONS}/{path}"] = f"{text.rstrip()}\n".encode()
        self._annotate(path, replace(one.reading, text=text, origins=origins))
        if there is not None:
            return path, Say.of("import.replaced")
        return path, self._beside(one, path, same)

    def _beside(self, one: Taken, path: str, same: Same | None) -> Say | None:
        """That a file lies under another name than its own, and for whose edit it made room."""
        wanted = path_of(one.name)
        if path == wanted:
            return Say.of("import.renamed", name=path) if is_odd(one.name) else None
        there = self._lying.get(folded(wanted))
        version = self._edited.get(f"{SECTIONS}/{there.file}") if there and same is None else None
        if version is None:
            return Say.of("import.beside", name=path)
        return Say.of("import.beside_edited", name=path, who=signed(version), when=version.created)

    def _free(self, one: Taken, text: str, same: Same | None) -> str:
        """Where the file may lie: where one of its name lies already, or where none does."""
        wanted = path_of(one.name)
        if any(parent in self._lying or parent in self._given for parent in parents(folded(wanted))):
            wanted = safe_name(wanted.replace("/", "_"))  # a file lies where its folder would
        return next(path for path in alike(wanted) if self._may(path, one, text, same))

    def _may(self, path: str, one: Taken, text: str, same: Same | None) -> bool:
        """Whether a file may lie there: nothing does, or what it was before, unless both are to be kept."""
        if folded(path) in self._given or folded(path) in self._folders:
            return False
        there = self._lying.get(folded(path))
        if there is None:
            return True
        if source_of(there.document.lines if there.document else ()) != source(one):
            return False
        both = same == "keep" or (same is None and f"{SECTIONS}/{there.file}" in self._edited)
        return not both or holds(there, text)

    def _annotate(self, path: str, reading: Reading) -> None:
        """Keep of which page each passage is, how surely it was read, and what an author said of one that stays."""
        document = path[: -len(Path(path).suffix)]
        file = self._base.path / ANNOTATIONS
        try:
            known = self.overlay.get(ANNOTATIONS) or (file.read_bytes() if file.is_file() else b"")
            notes = Annotations.decoded(read(known, ANNOTATIONS).text if known else "")
        except (BaseError, OSError):  # what is in it is its author's to mend, so it is left as it is
            if reading.origins:
                self.unnoted.add(path)
            return
        if not reading.origins and not notes.of(document):
            return
        passages = cut_document(document, reading, path, self._base.splitting).passages
        before = notes.matched(document, [(passage.id, passage.text) for passage in passages])
        found = [
            Annotation(
                passage.id,
                text_digest(passage.text),
                passage.page,
                passage.metadata.get("confidence"),
                bool(old and old.disabled),
                old.metadata if old else {},
            )
            for passage, old in zip(passages, before, strict=True)
        ]
        self.overlay[ANNOTATIONS] = notes.replaced({document: found}).encoded()


def _outcome(one: Taken, path: str, say: Say | None, cuts: Mapping[str, Cut], unnoted: bool) -> Outcome:
    """What became of a file."""
    if one.reading is None:
        return Outcome(one.name, "refused", one.refused)
    cut = cuts.get(path)
    if cut is None or cut.document is None:
        return Outcome(one.name, "refused", say or Say.of("base.file.empty", file=one.name), one.reading.encoding)
    warnings = list(noticed(one.reading, one.name))
    if quoted := asides(one.reading.text):
        values = {"file": one.name, "count": len(quoted), "text": _beginning(quoted[0])}
        warnings.append(Say("import.aside", values))
    if not cut.passages and not cut.disabled:
        warnings.append(Say.of("import.no_passages", file=one.name))
    if unnoted:
        warnings.append(Say.of("import.unnoted", file=one.name, beside=ANNOTATIONS))
    status: Status = "warned" if warnings else "imported"
    return Outcome(one.name, status, say, one.reading.encoding, len(cut.passages), tuple(warnings), cut.document.id)


def _beginning(quotation: str) -> str:
    """The first words of a quotation, without its marks."""
    text = " ".join(line.lstrip(" >") for line in quotation.split("\n")).strip()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
