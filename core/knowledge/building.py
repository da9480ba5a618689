"""How one source file becomes a document with its passages.

Reading (text) -> pieces -> annotations -> Cut (a document and its passages)
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from core.domain import Passage, Say
from core.knowledge.annotations import Annotation, Annotations
from core.knowledge.base import JOINT, Cut, Document, unique
from core.knowledge.metadata import Metadata
from core.knowledge.reading import Origin, Reading
from core.knowledge.sheet_rows import label_of_row, sheets_of, title_of_row
from core.knowledge.splitting import Piece, Splitting, split

_USUAL = Splitting()
_NONE = Annotations()
_NUMBERING = re.compile(r"^[0-9]+[-_. ]+(?=\S)")
_QUOTED = re.compile(r"^[ \t]*>", re.MULTILINE)
_UNSEARCHED = ("heading", "note")
"""Kinds of pieces that become no passage."""
_NAMED = 10
"""Lines named of many."""


def cut_document(
    id: str,
    reading: Reading,
    file: str,
    splitting: Splitting = _USUAL,
    annotations: Annotations = _NONE,
    taken: Container[str] = (),
    state: str = "",
) -> Cut:
    """Cut the text of `file`; `id` is its path below the source folder without suffix, `/` between folders.

    An id that is `taken` gets `~2`. `state` is what the document keeps of what it was made from.
    """
    if not reading.text.strip():
        return Cut(file, unread=Say.of("base.file.empty", file=file))
    id = unique(unicodedata.normalize("NFC", id), taken)
    pieces = split(reading.text, splitting)
    top = next((piece.path[0] for piece in pieces if piece.level == 1 and piece.path), "")
    title = top or _NUMBERING.sub("", id.rsplit("/", 1)[-1])
    lines = tuple(reading.text.removesuffix("\n").split("\n"))
    document = Document(id, title, lines, reading.encoding, file, state)
    kept = _identified(id, pieces)
    notes = annotations.matched(id, [(name, piece.text) for name, piece in kept.items()])
    outermost = title if not top or _titled(pieces) else ""
    passages = list(_passages(document, kept, notes, outermost, reading.origins))
    return Cut(
        file,
        document,
        tuple(passage for passage in passages if passage.order >= 0),
        tuple(passage for passage in passages if passage.order < 0),
        warnings=noticed(reading, file),
    )


def _titled(pieces: Sequence[Piece]) -> bool:
    """Whether a document opens with a heading of the first level that another follows at once: it heads them all."""
    levels = [piece.level for piece in pieces if piece.kind != "note"][:2]
    return levels == [1, 1]


def noticed(reading: Reading, file: str) -> tuple[Say, ...]:
    """What a person should look at in a file as it was read."""
    found = list(reading.warnings)
    if reading.guessed:
        found.append(Say.of("base.file.guessed", file=file, encoding=reading.encoding))
    if reading.lost:
        lines = [*map(str, reading.lost[:_NAMED]), *(["…"] if len(reading.lost) > _NAMED else [])]
        found.append(Say.of("base.file.lost", file=file, count=len(reading.lost), lines=lines))
    if reading.cleaned:
        found.append(Say.of("base.file.cleaned", file=file, count=reading.cleaned))
    return tuple(found)


def asides(text: str, splitting: Splitting = _USUAL) -> tuple[str, ...]:
    """The quotations of a document that are in no passage, since they stand before the first of its articles."""
    if not _QUOTED.search(text):
        return ()
    return tuple(piece.text for piece in split(text, splitting) if piece.kind == "note" and _QUOTED.match(piece.text))


def identified(document: str, text: str, splitting: Splitting = _USUAL) -> dict[str, Piece]:
    """The pieces of a document that become passages, by the passages' ids, in order."""
    return _identified(document, split(text, splitting))


def _identified(document: str, pieces: Sequence[Piece]) -> dict[str, Piece]:
    """An id for each piece that becomes a passage: its label or its number, never the same twice."""
    found: dict[str, Piece] = {}
    repeats: dict[str, int] = {}
    sheets = sheets_of(pieces)
    for number, piece in enumerate((piece for piece in pieces if piece.kind not in _UNSEARCHED), 1):
        label = label_of_row(piece, sheets) if piece.kind == "row" else piece.label
        id = wanted = f"{document}#{label or number}"
        while id in found:  # counted on from the last repeat: a file of forms may have thousands of one label
            repeats[wanted] = repeats.get(wanted, 1) + 1
            id = f"{wanted}~{repeats[wanted]}"
        found[id] = piece
    return found


def _passages(
    document: Document,
    pieces: Mapping[str, Piece],
    notes: Sequence[Annotation | None],
    outermost: str,
    origins: Sequence[Origin],
) -> Iterable[Passage]:
    """The passages of a document, those that are disabled with the order -1."""
    order = 0
    for (id, piece), note in zip(pieces.items(), notes, strict=True):
        path = piece.path or (document.title,)
        path = (outermost, *piece.path) if outermost not in ("", *path[:1]) else path
        page, confidence = _origin(piece, origins)
        given: dict[str, Any] = {} if confidence is None else {"confidence": confidence}
        if note:
            page, given = note.page or page, given | note.given
        disabled = note is not None and note.disabled
        section = JOINT.join(path)
        yield Passage(
            id,
            document.id,
            section,
            _title(piece),
            piece.text,
            -1 if disabled else order,
            page,
            (piece.first, piece.last),
            Metadata(piece.kind, piece.text, section, given, document.id),
        )
        order += not disabled


def _title(piece: Piece) -> str:
    """What a passage is called: a row by what it holds, an article by its number, all else by its heading."""
    if piece.kind == "row":
        return title_of_row(piece)
    return piece.label or (piece.path[-1] if piece.path else "")


def _origin(piece: Piece, origins: Sequence[Origin]) -> tuple[int | None, float | None]:
    """The source page a piece begins on, and the least confidence that any of its lines was read with."""
    touched = [origin for origin in origins if origin.first <= piece.last and origin.last >= piece.first]
    pages = [origin.page for origin in touched if origin.page is not None]
    sure = [origin.confidence for origin in touched if origin.confidence is not None]
    return (pages[0] if pages else None), (min(sure) if sure else None)
