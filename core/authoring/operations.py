"""What an author can do to passages, each as a change of the text that its document is.

The text of a document is the truth: a passage is where the splitter cuts it, so that an edit in a text editor and one
here are the same. Where the cuts themselves are to change, a line `<!-- cut -->` or `<!-- join -->` says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from core.authoring.facts import checked
from core.authoring.inserting import CUT, JOIN, closed, insert, parted
from core.authoring.names import safe_name
from core.authoring.recutting import recut
from core.authoring.texts import Texts
from core.errors import ConflictError, UsageError
from core.knowledge.building import identified
from core.knowledge.loading import SECTIONS
from core.knowledge.splitting import Splitting

_BETWEEN = re.compile(r"\s*(?:<!--\s*(?:cut|join)\s*-->\s*)*", re.IGNORECASE)
_CUTS = re.compile(r"\s*<!--\s*cut\s*-->\s*", re.IGNORECASE)


class Operation(Protocol):
    """One change."""

    def apply(self, texts: Texts) -> None:
        """Make the change; raises `UsageError` where it cannot be, `ConflictError` where its text is another now."""
        ...


@dataclass(frozen=True, slots=True)
class Edit:
    """Give a passage another text; without any it is taken out of its document."""

    id: str
    before: str
    after: str

    def apply(self, texts: Texts) -> None:
        """As `Operation` says."""
        place = texts.found(self.id, self.before)
        head, tail = place.text[: place.piece.start], place.text[place.piece.end :]
        after = self.after.strip("\n")
        joined = f"{head}{after}{tail}" if after.strip() else closed(head, tail)
        texts.write(place.document, place.file, joined)


@dataclass(frozen=True, slots=True)
class Add:
    """Put a new passage after another one, whose source is `beside`, or at the end of a document."""

    document: str
    after: str | None
    text: str
    beside: str | None = None

    def apply(self, texts: Texts) -> None:
        """As `Operation` says."""
        if not self.text.strip():
            raise UsageError("draft.blank")
        if self.after is None:
            path, text = texts.text(self.document)
            at = len(text.rstrip())
        else:
            place = texts.found(self.after, self.beside)
            path, text, at = place.file, place.text, place.piece.end
        insert(texts, self.document, path, text, at, self.text)


@dataclass(frozen=True, slots=True)
class Split:
    """Cut a passage in two before the character `at` of its text."""

    id: str
    before: str
    at: int

    def apply(self, texts: Texts) -> None:
        """As `Operation` says."""
        place = texts.found(self.id, self.before)
        first, second = parted(self.before, self.at)
        if not first or not second:
            raise UsageError("draft.split.edge")
        start, both = place.piece.start, f"{first}\n\n{CUT}\n\n{second}"
        text = f"{place.text[:start]}{both}{place.text[place.piece.end :]}"
        if len(identified(place.document, text, texts.base.splitting)) <= len(place.pieces):
            raise UsageError("draft.split.impossible", passage=self.id)
        texts.write(place.document, place.file, text, (start, start + len(both), texts.note(place)))


@dataclass(frozen=True, slots=True)
class Merge:
    """Make one passage of a passage and the one that follows it in its document."""

    id: str
    before: str

    def apply(self, texts: Texts) -> None:
        """As `Operation` says."""
        place = texts.found(self.id, self.before)
        if place.following is None:
            raise UsageError("draft.merge.last")
        end, start = place.piece.end, max(place.piece.end, place.pieces[place.following].start)
        between = place.text[end:start]
        if not _BETWEEN.fullmatch(between):
            raise UsageError("draft.merge.heading")
        for gap in (_CUTS.sub("\n\n", between), f"\n\n{JOIN}\n\n"):
            text = f"{place.text[:end]}{gap}{place.text[start:]}"
            if len(identified(place.document, text, texts.base.splitting)) < len(place.pieces):
                texts.write(place.document, place.file, text)
                return
        raise UsageError("draft.merge.impossible", passage=self.id)


@dataclass(frozen=True, slots=True)
class Move:
    """Take a passage out of its place and put it after another one (source `beside`), or at the end of a document."""

    id: str
    before: str
    document: str
    after: str | None
    beside: str | None = None

    def apply(self, texts: Texts) -> None:
        """As `Operation` says."""
        place = texts.found(self.id, self.before)
        note = texts.note(place)
        if self.after == self.id:
            raise UsageError("draft.move.self")
        head, tail = place.text[: place.piece.start], place.text[place.piece.end :]
        without = closed(head, tail)
        if self.document != place.document:
            target = texts.found(self.after, self.beside) if self.after else None
            texts.write(place.document, place.file, without)
            path, text = texts.text(self.document)
            at = target.piece.end if target else len(text.rstrip())
        else:
            wanted = texts.found(self.after, self.beside).piece.end if self.after else len(place.text.rstrip())
            lost = len(place.text) - len(without)
            at = min(wanted if wanted <= place.piece.start else wanted - lost, len(without.rstrip()))
            path, text = place.file, without
        insert(texts, self.document, path, text, at, self.before, note)


@dataclass(frozen=True, slots=True)
class Disable:
    """Leave a passage out of every search, or take it in again; it stays in its document."""

    id: str
    before: str
    disabled: bool

    def apply(self, texts: Texts) -> None:
        """As `Operation` says."""
        place = texts.found(self.id, self.before)
        texts.annotate_one(place, replace(texts.note(place), disabled=self.disabled))


@dataclass(frozen=True, slots=True)
class Describe:
    """Give a passage metadata of its author's own, in place of what was given before."""

    id: str
    before: str
    metadata: Mapping[str, Any] = field(hash=False)

    def apply(self, texts: Texts) -> None:
        """As `Operation` says."""
        place = texts.found(self.id, self.before)
        texts.annotate_one(place, replace(texts.note(place), metadata=dict(self.metadata)))


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Give a whole document another text, headings and all; `None` before it: a new one, after it: it is no more."""

    document: str
    before: str | None
    after: str | None

    def apply(self, texts: Texts) -> None:
        """As `Operation` says."""
        if self.after is not None and not self.after.strip():
            raise UsageError("draft.blank")
        if self.before is None:
            path = f"{SECTIONS}/{safe_name(self.document)}.md"
            if self.document in texts.base.documents or texts.has(path):
                raise UsageError("draft.document_exists", document=self.document)
        else:
            path, text = texts.text(self.document)
            if text.rstrip() != self.before.rstrip():
                raise ConflictError("draft.conflict", passage=self.document, before=self.before, now=text)
        if self.after is None:
            texts.overlay[path] = None
            texts.annotate({self.document: []})
        else:
            texts.write(self.document, path, self.after)


@dataclass(frozen=True, slots=True)
class Recut:
    """Cut the whole base with other settings, `longest` and `overlap` in characters, against those that it has."""

    longest: int
    overlap: int
    longest_before: int
    overlap_before: int

    def apply(self, texts: Texts) -> None:
        """As `Operation` says."""
        checked({"splitting": {"longest": self.longest, "overlap": self.overlap}})
        now, wanted = texts.base.splitting, Splitting(self.longest, min(self.overlap, self.longest // 2))
        if now == wanted:
            return
        if now != Splitting(self.longest_before, self.overlap_before):
            raise UsageError("draft.recut.other", longest=now.longest, overlap=now.overlap)
        recut(texts, wanted)
