"""Taking text out of a document and putting it in, so that it is cut where its author wants it cut."""

from __future__ import annotations

import re

from core.authoring.texts import Texts
from core.errors import UsageError
from core.knowledge.annotations import Annotation
from core.knowledge.building import identified

CUT, JOIN = "<!-- cut -->", "<!-- join -->"
"""What an author's own cut, and the want of one, are written as in a document."""
_DIRECTIVES = re.compile(r"\s*(?:<!--\s*(?:cut|join)\s*-->\s*)+", re.IGNORECASE)


def parted(text: str, at: int) -> tuple[str, str]:
    """The text before and after a cut; a directive that the cut falls into, or stands beside, is no more."""
    beside = (m for m in _DIRECTIVES.finditer(text) if m.start() <= at <= m.end())
    start, end = next((match.span() for match in beside), (at, at))
    return text[:start].rstrip(), text[end:].lstrip()


def closed(head: str, tail: str) -> str:
    """The text around what was taken out, one blank line between."""
    if not head.strip() or not tail.strip():
        return (head.rstrip() or tail.lstrip("\n")) + ("\n" if head.strip() else "")
    return f"{head.rstrip()}\n\n{tail.lstrip(chr(10))}"


def insert(
    texts: Texts, document: str, path: str, text: str, at: int, new: str, note: Annotation | None = None
) -> None:
    """Put `new` into a document's text at `at`, as passages of its own: cuts are written where it would grow together.

    Raises `UsageError` where it cannot stand there by itself.
    """
    splitting = texts.base.splitting
    wanted = len(identified(document, text, splitting))
    head, tail, body = text[:at].rstrip(), text[at:].lstrip("\n"), new.strip("\n")
    for before, after in (("", ""), (f"{CUT}\n\n", ""), ("", f"\n\n{CUT}"), (f"{CUT}\n\n", f"\n\n{CUT}")):
        start = len(head) + 2 * bool(head) + len(before)
        put = "\n\n".join(part for part in (head, f"{before}{body}{after}", tail) if part)
        pieces = identified(document, put, splitting).values()
        stands = any(piece.start == start for piece in pieces) and not any(
            piece.start < start < piece.end or piece.start < start + len(body) < piece.end for piece in pieces
        )
        if stands and len(pieces) > wanted:
            heirs = (start, start + len(body), note) if note else None
            texts.write(document, path, put, heirs)
            return
    raise UsageError("draft.add.impossible", document=document)
