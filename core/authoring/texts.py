"""The documents of a base while a draft changes them: where its passages stand in them, and what is known of those."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from core.errors import ConflictError, UsageError
from core.knowledge.annotations import ANNOTATIONS, Annotation, Annotations, document_of, text_digest
from core.knowledge.base import KnowledgeBase
from core.knowledge.building import identified
from core.knowledge.loading import SECTIONS
from core.knowledge.reading import read
from core.knowledge.splitting import Piece


@dataclass(frozen=True, slots=True)
class Place:
    """Where a passage stands: its document's file, the text of it, and the piece that the passage is."""

    document: str
    file: str
    text: str
    pieces: Mapping[str, Piece]
    id: str

    @property
    def piece(self) -> Piece:
        """The passage's own piece."""
        return self.pieces[self.id]

    @property
    def source(self) -> str:
        """The passage as it stands in its document."""
        return self.text[self.piece.start : self.piece.end]

    @property
    def following(self) -> str | None:
        """The id of the passage after it in the document, `None` for the last."""
        ids = list(self.pieces)
        at = ids.index(self.id) + 1
        return ids[at] if at < len(ids) else None


class Texts:
    """The documents of a base as a draft has them, being changed; `overlay` holds the files that are not as on disk."""

    def __init__(self, base: KnowledgeBase, overlay: Mapping[str, bytes | None]) -> None:
        self.base = base
        self.overlay = dict(overlay)

    def _read(self, path: str) -> bytes | None:
        if path in self.overlay:
            return self.overlay[path]
        file = self.base.path / path
        return file.read_bytes() if file.is_file() else None

    def text(self, document: str) -> tuple[str, str]:
        """Path and text of a document; raises `UsageError` where there is none that could be edited."""
        known = self.base.documents.get(document)
        if known is None or not known.file:
            raise UsageError("draft.document", document=document)
        path = f"{SECTIONS}/{known.file}"
        return path, read(self._read(path) or b"", known.file).text

    def place(self, id: str) -> Place:
        """Where a passage, also a disabled one, stands; raises `UsageError` where there is none."""
        document = document_of(id)
        path, text = self.text(document)
        pieces = identified(document, text, self.base.splitting)
        if id not in pieces:
            self.base.passage(id)  # tells which are near
        return Place(document, path, text, pieces, id)

    def write(self, document: str, path: str, text: str, heirs: tuple[int, int, Annotation] | None = None) -> None:
        """Let a document's file hold `text`, and its annotations follow its passages.

        `heirs` are the passages that begin in a span of the text: what nothing else is known of gets that annotation.
        """
        self.overlay[path] = f"{text.rstrip()}\n".encode()
        pieces = identified(document, text, self.base.splitting)
        known = self.notes.matched(document, [(id, piece.text) for id, piece in pieces.items()])
        kept = []
        for (id, piece), note in zip(pieces.items(), known, strict=True):
            inherits = heirs is not None and note is None and heirs[0] <= piece.start < heirs[1]
            found = heirs[2] if heirs is not None and inherits else note
            if found is not None:
                kept.append(replace(found, id=id, text=text_digest(piece.text)))
        if kept or self.notes.of(document):
            self.annotate({document: kept})

    @property
    def notes(self) -> Annotations:
        """The annotations as the draft has them."""
        return Annotations.decoded((self._read(ANNOTATIONS) or b"").decode("utf-8", "replace"))

    def annotate(self, documents: Mapping[str, Iterable[Annotation]]) -> None:
        """Let these documents have these annotations, and no others."""
        self.overlay[ANNOTATIONS] = self.notes.replaced(documents).encoded()

    def note(self, place: Place) -> Annotation:
        """What is known of a passage."""
        found = self.notes.matched(place.document, [(id, piece.text) for id, piece in place.pieces.items()])
        known = found[list(place.pieces).index(place.id)]
        return replace(known or Annotation("", ""), id=place.id, text=text_digest(place.piece.text))

    def annotate_one(self, note: Annotation) -> None:
        """Let one passage have this annotation."""
        document = document_of(note.id)
        others = [one for one in self.notes.of(document) if one.id != note.id]
        self.annotate({document: [*others, note]})

    def found(self, id: str, before: str) -> Place:
        """Where a passage stands, if it is still the text that the change was made for; else `ConflictError`."""
        place = self.place(id)
        if place.source != before:
            raise ConflictError("draft.conflict", passage=id, before=before, now=place.source)
        return place
