"""A whole base cut with other settings: what is known of its passages goes along with their text, piece by piece.

Ids say nothing here, since most are numbers: each passage is followed by the characters that it stands for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from core.authoring.facts import restated
from core.authoring.texts import Texts
from core.errors import BaseError
from core.knowledge.annotations import Annotation, Annotations, text_digest
from core.knowledge.base import KnowledgeBase
from core.knowledge.building import identified
from core.knowledge.loading import FACTS
from core.knowledge.splitting import Piece, Splitting

Shares = Mapping[str, Mapping[str, int]]
"""For each of some pieces, in order: how many of its characters stand in each of other pieces of the same text."""


def recut(texts: Texts, splitting: Splitting) -> None:
    """Let a base be cut with other settings, its annotations following; broken ones are left to their author."""
    try:
        notes = texts.notes
    except BaseError:
        notes = Annotations()
    kept = {}
    for document in [id for id, one in texts.base.documents.items() if one.file and notes.of(id)]:
        text = texts.text(document)[1]
        held, now = (identified(document, text, each) for each in (texts.base.splitting, splitting))
        known = notes.matched(document, [(id, piece.text) for id, piece in held.items()])
        kept[document] = list(_followed(dict(zip(held, known, strict=True)), held, now))
    if kept:
        texts.annotate(kept)
    texts.overlay[FACTS] = restated(texts.content(FACTS), {"splitting": asdict(splitting)})


def _followed(
    notes: Mapping[str, Annotation | None], held: Mapping[str, Piece], now: Mapping[str, Piece]
) -> Iterator[Annotation]:
    """What is known of the pieces that there are `now`, from what is known of those whose text they took over.

    A piece has the page of the first that has any, is as sure as the least sure, and is disabled where most of it was.
    """
    for id, shares in shared(now, held).items():
        known = [note for other in shares if (note := notes[other])]
        if not known:
            continue
        off = sum(count for other, count in shares.items() if (note := notes[other]) and note.disabled)
        sure = [one.confidence for one in known if one.confidence is not None]
        given = {name: value for one in reversed(known) for name, value in one.metadata.items()}
        yield Annotation(
            id,
            text_digest(now[id].text),
            next((one.page for one in known if one.page is not None), None),
            min(sure, default=None),
            2 * off > sum(shares.values()),
            given,
        )


@dataclass(frozen=True, slots=True)
class Heirs:
    """Where the passages of a base that was cut anew went: each is `moved` to what holds most of its text.

    Of several that moved to one passage only that which makes up most of it is itself there, the others are `gone`.
    `parts` are the other passages that hold text of one.
    """

    moved: Mapping[str, str]
    gone: frozenset[str]
    parts: Mapping[str, tuple[str, ...]]


def heirs(before: KnowledgeBase, after: KnowledgeBase) -> Heirs:
    """Follow every passage of `before`, disabled ones too, into the same documents in `after`."""
    moved: dict[str, str] = {}
    gone: set[str] = set()
    parts: dict[str, tuple[str, ...]] = {}
    for document in before.documents.values():
        text = "\n".join(document.lines)
        held, now = (identified(document.id, text, base.splitting) for base in (before, after))
        shares, back = shared(held, now), shared(now, held)
        for id, into in shares.items():
            moved[id] = heir = max(into, key=lambda other: into[other])
            if max(back[heir], key=lambda other: back[heir][other]) != id:
                gone.add(id)
            if others := tuple(other for other in into if other != heir):
                parts[id] = others
    return Heirs(moved, frozenset(gone), parts)


def shared(pieces: Mapping[str, Piece], others: Mapping[str, Piece]) -> Shares:
    """How the characters of `pieces` are dealt among `others`; both are in order and cut from one text.

    What a piece repeats of the one before counts there alone.
    """
    spans = _spans(others)
    found: dict[str, dict[str, int]] = {}
    at = 0
    for id, start, end in _spans(pieces):
        found[id] = {}
        while at < len(spans) and spans[at][1] < end:
            other, first, last = spans[at]
            if last > start:
                found[id][other] = min(end, last) - max(start, first)
            if last > end:  # the next piece has a part of it too
                break
            at += 1
    return found


def _spans(pieces: Mapping[str, Piece]) -> list[tuple[str, int, int]]:
    """Where each piece stands, without what it repeats."""
    found, reached = [], 0
    for id, piece in pieces.items():
        found.append((id, max(piece.start, reached), piece.end))
        reached = max(reached, piece.end)
    return found
