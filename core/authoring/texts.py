"""The documents of a base while a draft changes them: where its passages stand in them, and what is known of those."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from core.errors import ConflictError, UsageError
from core.knowledge.annotations import ANNOTATIONS, Annotation, Annotations, text_digest
from core.knowledge.base import KnowledgeBase
from core.knowledge.building import identified
from core.knowledge.ids import document_of, near
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

    def content(self, path: str) -> bytes | None:
        """What a file of the base holds, `None` where there is none."""
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
        return path, read(self.content(path) or b"", known.file).text

    def passages(self, document: str) -> tuple[str, ...]:
        """The ids of a document's passages in order, disabled ones too; raises `UsageError` as `text` does."""
        return tuple(identified(document, self.text(document)[1], self.base.splitting))

    def has(self, path: str) -> bool:
        """Whether there is such a file."""
        return self.content(path) is not None

    def place(self, id: str) -> Place:
        """Where a passage, also a disabled one, stands; raises `UsageError` where there is none."""
        place = self._document(id)
        if id not in place.pieces:
            like = near(id, list(place.pieces))
            raise UsageError("passage.unknown" if like else "passage.unlike", id=id, near=like)
        return place

    def _document(self, id: str) -> Place:
        """The document that an id names, cut into its pieces, whether or not one of them has the id."""
        document = document_of(id)
        path, text = self.text(document)
        return Place(document, path, text, identified(document, text, self.base.splitting), id)

    def write(self, document: str, path: str, text: str, heirs: tuple[int, int, Annotation] | None = None) -> None:
        """Let a document's file hold `text`, and its annotations follow its passages.

        `heirs` are the passages that begin in a span of the text: what nothing else is known of gets that annotation.
        """
        held = self._held(document, path)
        self.overlay[path] = f"{text.rstrip()}\n".encode() if text.strip() else None
        pieces = identified(document, text, self.base.splitting)
        kept = self._matched(document, pieces, held)
        if heirs is not None:
            first, last, note = heirs
            for id, piece in pieces.items():
                if id not in kept and first <= piece.start < last:
                    kept[id] = replace(note, id=id, text=text_digest(piece.text))
        self._note(document, kept)

    def _held(self, document: str, path: str) -> frozenset[str]:
        """What recognises the passages that a document's file holds now; none where there is no such file."""
        data = self.content(path)
        pieces = identified(document, read(data, path).text, self.base.splitting) if data else {}
        return frozenset(text_digest(piece.text) for piece in pieces.values())

    def _matched(
        self, document: str, pieces: Mapping[str, Piece], held: frozenset[str] = frozenset()
    ) -> dict[str, Annotation]:
        """What is known of the pieces of a document, under the ids and texts that they have now.

        A piece that was `held` before under another id is itself: it takes over nothing from the one whose id it got.
        """
        digests = {id: text_digest(piece.text) for id, piece in pieces.items()}
        found = self.notes.matched(document, [(id, piece.text) for id, piece in pieces.items()])
        return {
            id: replace(note, id=id, text=digest)
            for (id, digest), note in zip(digests.items(), found, strict=True)
            if note is not None and (note.text == digest or digest not in held)
        }

    def _note(self, document: str, kept: Mapping[str, Annotation]) -> None:
        if kept or self.notes.of(document):
            self.annotate({document: kept.values()})

    @property
    def notes(self) -> Annotations:
        """The annotations as the draft has them."""
        return Annotations.decoded((self.content(ANNOTATIONS) or b"").decode("utf-8", "replace"))

    def annotate(self, documents: Mapping[str, Iterable[Annotation]]) -> None:
        """Let these documents have these annotations, and no others."""
        new = self.notes.replaced(documents).encoded()
        if new or (self.base.path / ANNOTATIONS).is_file():
            self.overlay[ANNOTATIONS] = new or None
        else:
            self.overlay.pop(ANNOTATIONS, None)

    def note(self, place: Place) -> Annotation:
        """What is known of a passage."""
        blank = Annotation(place.id, text_digest(place.piece.text))
        return self._matched(place.document, place.pieces).get(place.id, blank)

    def annotate_one(self, place: Place, note: Annotation) -> None:
        """Let one passage have this annotation; the others of its document keep theirs."""
        self._note(place.document, {**self._matched(place.document, place.pieces), place.id: note})

    def found(self, id: str, before: str | None) -> Place:
        """Where the passage stands whose source is `before`, also where it goes by another id now; any, for `None`.

        Raises `ConflictError` where that text is there no more, or more than once.
        """
        if before is None:
            return self.place(id)
        place = self._document(id)
        if id in place.pieces and place.source == before:
            return place
        same = [other for other in place.pieces if replace(place, id=other).source == before]
        if len(same) == 1:
            return replace(place, id=same[0])
        now = place.source if id in place.pieces else None
        raise ConflictError("draft.conflict" if now else "draft.gone", passage=id, before=before, now=now)
