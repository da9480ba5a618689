"""What stands out in a rank flow, as one sentence: a passage lifted over a cut, one lost at it, or all gold given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.domain import Passage, Say

if TYPE_CHECKING:
    from core.explain.flow import Line, Stage

Move = tuple[int, int, int]
"""The place before, the place after, and the index of the stage that moved it."""


def finding(stages: Sequence[Stage], lines: Sequence[Line], rankings: int) -> Say:
    """What stands out; the first `rankings` stages rank, and the one after them is the evidence, where it came so far.

    Of gold: what was lifted over the cut, and what was lost; that all of it was given. Without gold the biggest rise.
    """
    if len(stages) == rankings:
        return Say.of("finding.unfinished")
    found, given = stages[0].ranked, stages[rankings].ranked
    if not found:
        return Say.of("finding.nothing")
    gold = [line for line in lines if line.gold]
    if gold:
        return _of_gold(stages, gold, rankings, given)
    if not given:
        return Say.of("finding.none_given", found=found)
    return _risen(stages, lines, rankings, given) or _taken(stages, rankings, given)


def _of_gold(stages: Sequence[Stage], gold: Sequence[Line], rankings: int, given: int) -> Say:
    lost = [line for line in gold if line.places[rankings] is None]
    lifted = _risen(stages, [line for line in gold if line not in lost], rankings, given, over=given)
    if not lost:
        whole = Say.of("finding.all", gold=len(gold)) if len(gold) > 1 else None
        return lifted or whole or Say.of("finding.only", passage=_named(gold[0].passage))
    told = _lost(stages, lost, len(gold), rankings)
    if lifted is None:
        return told
    rest = told if len(lost) == 1 else Say.of("finding.rest", lost=len(lost), gold=len(gold))
    return Say.of("finding.and", first=lifted.as_value(), second=rest.as_value())


def _risen(stages: Sequence[Stage], lines: Sequence[Line], rankings: int, given: int, over: int = 0) -> Say | None:
    """The biggest rise in one stage of a passage that was given, from a place beyond `over`; `None` without one."""
    best: tuple[Move, Passage] | None = None
    for line in () if stages[0].gathers else lines:
        for at in range(1, rankings):
            before, after = line.places[at - 1], line.places[at]
            if line.places[rankings] is None or before is None or after is None:
                continue
            if before > max(after, over) and (best is None or before - after > best[0][0] - best[0][1]):
                best = (before, after, at), line.passage
    if best is None:
        return None
    (before, after, at), passage = best
    code = "finding.lifted" if before > given else "finding.risen"
    values = {"stage": stages[at].say.as_value(), "passage": _named(passage), "before": before, "after": after}
    return Say(code, values)


def _lost(stages: Sequence[Stage], lost: Sequence[Line], gold: int, rankings: int) -> Say:
    """Where gold was lost: the one that was gone first, with its place; how many others went with it."""
    first = min(lost, key=lambda line: (line.lost, next((place for place in line.places if place is not None), 0)))
    told = _loss(stages, first, rankings)
    if len(lost) == 1:
        return told
    code = "finding.several" if len(lost) < gold else "finding.none"
    return Say(code, {"lost": len(lost), "gold": gold, "example": told.as_value()})


def _loss(stages: Sequence[Stage], line: Line, rankings: int) -> Say:
    at, name = line.lost, _named(line.passage)
    if at is None or at < 0:
        return Say.of("finding.unfound", passage=name)
    stage, rank = stages[at], line.places[at]
    if stage.passes is None:
        if stage.gathers:
            return Say.of("finding.unkept", passage=name)
        return Say.of("finding.dropped", passage=name, stage=stage.say.as_value(), rank=rank)
    code = "finding.cut" if at + 1 == rankings else "finding.outside"
    return Say(code, {"passage": name, "stage": stage.say.as_value(), "rank": rank, "passes": stage.passes})


def _taken(stages: Sequence[Stage], rankings: int, given: int) -> Say:
    """How the evidence came about where nothing rose: the first of a ranking, or what was chosen of all found."""
    if not rankings or stages[rankings - 1].passes is None:
        return Say.of("finding.picked", given=given, found=stages[0].ranked)
    return Say.of("finding.first", given=given, stage=stages[rankings - 1].say.as_value())


def _named(passage: Passage) -> str:
    return passage.title or passage.id
