"""What a draft would change before it is saved: the question set asked of both bases, retrieval only.

For every question and mode: which passages reach the writer, where the first gold passage ranks, and how much of the
gold is given, before and after. Passages are the same where their text is, whatever became of their ids.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from core.asking import entrants
from core.authoring.renaming import renamed
from core.bench import Bench
from core.errors import StoppedError
from core.knowledge.questions import Question
from core.ports import never
from core.race import compare
from core.runs import Run

Places = Sequence[Sequence[str]]
"""Gold as groups of passages: of each, any one will do."""
Verdict = Literal["better", "worse", "other", "same"]
_ORDER: tuple[Verdict, ...] = ("worse", "better", "other")
"""What is told, in this order."""


@dataclass(frozen=True, slots=True)
class Found:
    """What one mode made of a question: ids `given` in order, the best `rank` of its `gold`, the share of it given."""

    given: tuple[str, ...]
    rank: int | None
    recall: float | None
    gold: int = 0


@dataclass(frozen=True, slots=True)
class Effect:
    """One question under one mode, before and after; ids are those of the draft where it has the passage."""

    question: Question
    mode: str
    before: Found
    after: Found

    @property
    def verdict(self) -> Verdict:
        """Better or worse by the gold that is given, then by its best rank; else `other` or `same`."""
        was, now = (_worth(found) for found in (self.before, self.after))
        if was != now:
            return "better" if now > was else "worse"
        return "same" if self.before.given == self.after.given else "other"

    @property
    def reordered(self) -> bool:
        """Whether the same passages are given in another order."""
        return self.before.given != self.after.given and not (self.came or self.went)

    @property
    def came(self) -> tuple[str, ...]:
        """Passages that are given now and were not."""
        return tuple(id for id in self.after.given if id not in self.before.given)

    @property
    def went(self) -> tuple[str, ...]:
        """Passages that were given and are not now."""
        return tuple(id for id in self.before.given if id not in self.after.given)


@dataclass(frozen=True, slots=True)
class Impact:
    """All effects that are not nothing, worse ones first, and of how many questions and modes."""

    effects: tuple[Effect, ...]
    questions: int
    modes: tuple[str, ...]

    @property
    def counts(self) -> dict[Verdict, int]:
        """Questions by what becomes of them: worse where they are so under any mode, else better, else other."""
        found: dict[str, Verdict] = {}
        for effect in self.effects:  # worse ones come first
            found.setdefault(effect.question.id, effect.verdict)
        told = {verdict: list(found.values()).count(verdict) for verdict in _ORDER}
        return {**told, "same": self.questions - len(found)}


def _worth(found: Found) -> tuple[float, float]:
    return found.recall or 0.0, -(found.rank or math.inf)


def impact(
    before: Bench,
    after: Bench,
    questions: Sequence[Question],
    modes: Sequence[str],
    k: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    stopped: Callable[[], bool] = never,
    followed: Callable[[Question], Places] | None = None,
) -> Impact:
    """Ask both benches; `progress` hears of questions done, (done, total).

    `followed` tells the gold of a question afterwards, where passages were merged or cut: for each the passages of
    which any one will do; else texts tell it.

    Raises `UsageError` for modes that there are not, `StoppedError` where it was stopped.
    """
    same = renamed(before.base, after.base)
    effects: list[Effect] = []
    for done, question in enumerate(questions):
        if stopped():
            raise StoppedError
        gold = followed(question) if followed else [(same.get(id, id),) for id in question.gold]
        effects += _effects(before, after, question, modes, k, same, gold)
        if progress is not None:
            progress(done + 1, len(questions))
    told = [effect for effect in effects if effect.verdict in _ORDER]
    told.sort(key=lambda effect: _ORDER.index(effect.verdict))
    return Impact(tuple(told), len(questions), tuple(modes))


def _effects(
    before: Bench,
    after: Bench,
    question: Question,
    modes: Sequence[str],
    k: int | None,
    same: Mapping[str, str],
    gold: Places,
) -> Iterator[Effect]:
    """One question under every mode."""
    asked = [entrants(question.question, modes, k, {}) for _ in (before, after)]
    was, now = (
        compare(bench, entered, retrieval_only=True, one_by_one=True)
        for bench, entered in zip((before, after), asked, strict=True)
    )
    held = [(same.get(id, id),) for id in question.gold]
    for old, new in zip(was.runs, now.runs, strict=True):
        yield Effect(question, old.mode, _found(old, held, same), _found(new, gold, {}))


def _found(run: Run, gold: Places, same: Mapping[str, str]) -> Found:
    """What a run gave and where its gold ranks."""
    ranked = [same.get(passage.id, passage.id) for passage in run.ranking]
    given = [same.get(passage.id, passage.id) for passage in run.evidence]
    ranks = [ranked.index(id) + 1 for places in gold for id in places if id in ranked]
    share = sum(any(id in given for id in places) for places in gold) / len(gold) if gold else None
    return Found(tuple(given), min(ranks, default=None), share, len(gold))
