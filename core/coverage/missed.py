"""The questions whose gold some mode left out, as a document, as lines, and each place in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from core.coverage.reach import Reach
from core.coverage.sought import LOST, Sought, Stood
from core.domain import Say
from core.words import Words


def say_of(stood: Stood) -> Say:
    """How far a gold passage came, in words."""
    if stood.state == "read" and stood.rank:
        return Say.of("coverage.stood.read_ranked", rank=stood.rank)
    if stood.state == "ranked":
        return Say.of("coverage.stood.ranked", rank=stood.rank)
    return Say.of(f"coverage.stood.{stood.state}")


def document(found: Reach) -> dict[str, Any]:
    """What the document tells of gold: how many questions have any, and where that of the others was lost."""
    return {
        "with_gold": len(found.sought),
        "complete": {mode: found.complete(mode) for mode in found.modes},
        "missed": [_question(each) for each in found.missed],
        "gold_not_in_base": list(found.astray),
        "without_gold": list(found.unjudged),
        "unanswerable": list(found.unanswerable),
    }


def _question(each: Sought) -> dict[str, Any]:
    gold = [
        {"passage_id": id, "modes": {mode: asdict(row[at]) for mode, row in each.stood.items()}}
        for at, id in enumerate(each.gold)
    ]
    return {"id": each.id, "question": each.question, "modes": list(each.missing), "gold": gold}


def lines(found: Reach, most: int, words: Words) -> Iterator[str]:
    """The same for a terminal: at most so many questions, the worst first."""
    missed, judged = found.missed, len(found.sought)
    if judged:
        code = "coverage.missed" if missed else "coverage.missed_none"
        yield words(code, missed=len(missed), judged=judged)
        counts = [f"{words.mode(mode)} {found.complete(mode)}" for mode in found.modes]
        yield f"  {words('coverage.complete', judged=judged, counts=counts)}"
    for each in missed[:most]:
        yield f"  {each.id}  {each.question}"
        for at, id in enumerate(each.gold):
            if any(row[at].state in LOST for row in each.stood.values()):
                places = [f"{words.mode(mode)} {words.say(say_of(row[at]))}" for mode, row in each.stood.items()]
                yield f"      {id}  {' · '.join(places)}"
    if len(missed) > most:
        yield f"  {words('coverage.more', count=len(missed) - most)}"
    if found.astray:
        yield words("coverage.astray", count=len(found.astray), ids=list(found.astray[:most]))
    for code, ids in (("unjudged", found.unjudged), ("unanswerable", found.unanswerable)):
        if ids:
            yield words(f"coverage.{code}", count=len(ids))
