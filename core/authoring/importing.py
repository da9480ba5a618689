"""Files into a knowledge base: each is read by itself, so that one that cannot be never stops the rest.

incoming -> readings (slow: pages may have to be recognised) -> a batch (what the base would be) -> saved as one version

What comes in is kept as text below `sections`, so that its author can go on editing it; what was no text is Markdown
that names its source in front.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from core.authoring.folder import Files
from core.authoring.intake import Taken
from core.authoring.names import safe_name
from core.authoring.toml_text import with_values
from core.domain import Say
from core.knowledge.annotations import ANNOTATIONS, Annotation, Annotations, text_digest
from core.knowledge.base import Cut, KnowledgeBase
from core.knowledge.building import cut_document
from core.knowledge.loading import FACTS, SECTIONS, SUFFIXES, load_folder
from core.knowledge.reading import Reading
from core.knowledge.sources import fronted, source_of
from core.knowledge.splitting import Splitting

Same = Literal["replace", "keep", "skip"]
"""What becomes of a file whose document is there already with other content."""

@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file: how many passages its `document` has, and what a person should know."""

    file: str
    status: Literal["imported", "warned", "refused"]
    reason: Say | None = None
    encoding: str = ""
    passages: int = 0
    warnings: tuple[Say, ...] = ()
    document: str = ""


@dataclass(frozen=True, slots=True)
class Batch:
    """What importing would do: to each file, to the base's files (`overlay`), and to the base as a whole."""

    outcomes: tuple[Outcome, ...]
    overlay: Files
    base: KnowledgeBase

    @property
    def changes(self) -> bool:
        """Whether anything would be saved."""
        return bool(self.overlay)


def batch(
    base: KnowledgeBase, taken: Sequence[Taken], same: Same = "replace", splitting: Splitting | None = None
) -> Batch:
    """What the base would be with these files; nothing is written.

    Of a document that is there with the same content nothing changes. A `splitting` of its own cuts the whole base anew.
    """
    desk = _Desk(base, same, splitting or base.splitting)
    if splitting is not None and splitting != base.splitting:
        desk.overlay[FACTS] = _with_splitting(base, splitting)
    placed = [desk.place(one) for one in taken]
    after = load_folder(base.path, base, desk.overlay) if desk.overlay else base
    cuts = {cut.file: cut for cut in after.cuts}
    return Batch(
        tuple(_outcome(one, path, say, cuts) for one, (path, say) in zip(taken, placed, strict=True)),
        desk.overlay,
        after,
    )


class _Desk:
    """Gives every file its place below `sections`."""

    def __init__(self, base: KnowledgeBase, same: Same, splitting: Splitting) -> None:
        self.overlay: dict[str, bytes | None] = {}
        self._base = base
        self._same = same
        self._splitting = splitting
        self._documents = {document.file: document for document in base.documents.values()}
        self._given: set[str] = set()
        self._notes: dict[str, list[Annotation]] = {}

    def place(self, one: Taken) -> tuple[str, Say | None]:
        """Path below `sections` for a file, and what a person should know of that; empty where it has none."""
        if one.reading is None or not one.reading.text.strip():
            return "", None
        wanted = _path(one.name)
        path, say = self._free(wanted, one)
        if say is not None and say.code == "import.skipped":
            return path, say
        self._given.add(path)
        text, origins = fronted(one.reading, one.name if not one.name.lower().endswith(SUFFIXES) else "")
        content = f"{text.rstrip()}\n".encode()
        if path in self._documents and self._content(path) == content:
            return path, Say.of("import.unchanged", file=one.name)
        self.overlay[f"{SECTIONS}/{path}"] = content
        self._annotate(path, replace(one.reading, text=text, origins=origins))
        return path, say

    def _free(self, wanted: str, one: Taken) -> tuple[str, Say | None]:
        """Where the file may lie: where one of its name lies already, as was asked for."""
        path, repeat = wanted, 1
        while path in self._given or self._foreign(path, one):
            repeat += 1
            path = f"{wanted[: -len(Path(wanted).suffix)]}~{repeat}{Path(wanted).suffix}"
        if path != wanted:
            return path, Say.of("import.beside", file=one.name, name=path)
        if path not in self._documents or self._same == "replace":
            return path, Say.of("import.replaced", file=one.name) if path in self._documents else None
        return path, Say.of("import.skipped", file=one.name)

    def _foreign(self, path: str, one: Taken) -> bool:
        """Whether another file's document lies there: of another source, or one that both are to be kept beside."""
        there = self._documents.get(path)
        if there is None:
            return False
        source = "" if one.name.lower().endswith(SUFFIXES) else one.name
        if source_of(there.lines) != source:
            return True
        return self._same == "keep" and one.reading is not None and not self._holds(path, one)

    def _holds(self, path: str, one: Taken) -> bool:
        """Whether the document there is what this file would become."""
        assert one.reading is not None
        text, _ = fronted(one.reading, "" if one.name.lower().endswith(SUFFIXES) else one.name)
        return self._content(path) == f"{text.rstrip()}\n".encode()

    def _content(self, path: str) -> bytes:
        return (self._base.path / SECTIONS / path).read_bytes()

    def _annotate(self, path: str, reading: Reading) -> None:
        """Keep of which page each passage is, and how surely it was read, where the source tells."""
        document = path[: -len(Path(path).suffix)]
        passages = cut_document(document, reading, path, self._splitting).passages if reading.origins else ()
        found = [Annotation(p.id, text_digest(p.text), p.page, p.metadata.get("confidence")) for p in passages]
        file = self._base.path / ANNOTATIONS
        known = self.overlay.get(ANNOTATIONS) or (file.read_bytes() if file.is_file() else b"")
        notes = Annotations.decoded(known.decode("utf-8", "replace"))
        if found or notes.of(document):
            self.overlay[ANNOTATIONS] = notes.replaced({document: found}).encoded()


def _with_splitting(base: KnowledgeBase, splitting: Splitting) -> bytes:
    """The base's `kb.toml` with other settings of cutting."""
    file = base.path / FACTS
    before = read(file.read_bytes(), FACTS).text if file.is_file() else ""
    return with_values(before, {"splitting": asdict(splitting)}).encode()


def _path(name: str) -> str:
    """Where a file goes below `sections`: texts keep their suffix, the others become Markdown."""
    safe = safe_name(name)
    suffix = Path(safe).suffix
    return safe if suffix.lower() in SUFFIXES else f"{safe[: -len(suffix)] if suffix else safe}.md"


def _outcome(one: Taken, path: str, say: Say | None, cuts: Mapping[str, Cut]) -> Outcome:
    """What became of a file."""
    if one.reading is None:
        return Outcome(one.name, "refused", one.refused)
    cut = cuts.get(path)
    if cut is None or cut.document is None:
        return Outcome(one.name, "refused", Say.of("base.file.empty", file=one.name), one.reading.encoding)
    warnings = list(one.reading.warnings)
    if one.reading.guessed:
        warnings.append(Say.of("base.file.guessed", file=one.name, encoding=one.reading.encoding))
    if one.reading.cleaned:
        warnings.append(Say.of("base.file.cleaned", file=one.name, count=one.reading.cleaned))
    if not cut.passages:
        warnings.append(Say.of("import.no_passages", file=one.name))
    skipped = say is not None and say.code == "import.skipped"
    status: Literal["imported", "warned"] = "warned" if warnings or skipped else "imported"
    return Outcome(one.name, status, say, one.reading.encoding, len(cut.passages), tuple(warnings), cut.document.id)
