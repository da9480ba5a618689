"""What was found stays in the data folder: a page loaded anew shows it, with its time and what has changed since."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.bench import Bench
from core.coverage import kept
from core.coverage.gathering import Gathered
from core.coverage.kept import Kept
from core.domain import Say
from core.errors import StoreError
from core.knowledge.base import KnowledgeBase
from core.knowledge.questions import Question, QuestionSet
from core.words import Words
from pages.parts import own
from pages.parts.coverage import work
from pages.parts.coverage.work import Work
from pages.parts.frame import Frame
from pages.parts.literal import inline
from pages.parts.numbers import local


@dataclass(frozen=True, slots=True)
class Place:
    """Where it is kept: for which base and reader, and under which settings; made by the script, used beside it."""

    base: KnowledgeBase
    home: Path
    owner: str
    settings: str

    @classmethod
    def of(cls, page: Frame, bench: Bench) -> Place:
        """The place of a session."""
        return cls(bench.base, page.settings.home, page.owner, settings_of(bench))

    def keep(self, **values: Any) -> Say | None:
        """Keep these results beside what else holds of the same state of the base; why not, where that fails."""
        return self._change(lambda lying: replace(lying, **values))

    def mark(self, pair: tuple[str, str], *, seen: bool) -> Say | None:
        """Keep that a pair needs no further look, or does again; why not, where that fails."""
        return self._change(lambda lying: replace(lying, seen=lying.seen | {pair} if seen else lying.seen - {pair}))

    def _change(self, make: Callable[[Kept], Kept]) -> Say | None:
        def made(lying: Kept) -> Kept:
            if lying.version != self.base.version:
                passages = tuple(passage.id for passage in self.base.passages)
                lying = Kept(self.base.version, passages, seen=lying.seen)
            return make(lying)

        try:
            kept.change(self.base, self.home, self.owner, made)
        except StoreError as refused:
            return refused.say
        return None


def settings_of(bench: Bench) -> str:
    """What decides how passages are ranked, beside the modes: vectors, BM25, exact look-ups."""
    return f"{bench.space} {bench.retriever.bm25} {bench.settings.exact}"


def follow(page: Frame, bench: Bench) -> Work:
    """What is known of the base: by this session, else what was kept last."""
    if not work.has(page.base):
        found = kept.recall(bench.base, page.settings.home, page.owner)
        work.put(page.base, _recalled(found, bench.base) if isinstance(found, Kept) else Work())
        if isinstance(found, Say):
            own.say(work.PLACE, found)
    return work.settle(page.base)


def _recalled(found: Kept, base: KnowledgeBase) -> Work:
    """What was kept, over the passages of the base that were there then."""
    if found.version != base.version:
        then = frozenset(found.passages)
        base = replace(base, passages=tuple(passage for passage in base.passages if passage.id in then))
    return Work(
        base=base,
        version=found.version,
        asked=found.asked,
        asked_under=found.asked_under,
        tested=found.tested,
        tested_under=found.tested_under,
        found=found.found,
        needles=found.needles,
        seen=found.seen,
    )


def changes(known: Work, bench: Bench, now: QuestionSet) -> Iterator[str]:
    """What has changed since the questions were asked: the names of it."""
    if known.stale(bench.base):
        yield "base"
    if known.found and _other(known.found, now.questions):
        yield "questions"
    if known.asked_under and known.asked_under != settings_of(bench):
        yield "settings"


def _other(found: Gathered, now: Sequence[Question]) -> bool:
    """Whether other questions would be asked now, or other passages be sought for them."""
    then, same = (
        [(question.id, question.question, question.gold) for question in some]
        for some in (found.questions, now[: len(found.questions)])
    )
    return then != same or found.reach.total != len(now)


def told(known: Work, words: Words) -> str:
    """When, in which modes and with how many passages the questions were asked; Markdown."""
    if known.found is None or not known.asked:
        return ""
    reach = known.found.reach
    modes = inline(words.join([words.mode(mode) for mode in reach.modes]))
    code = "ui.coverage.from_k" if reach.k else "ui.coverage.from"
    return words(code, time=local(known.asked, words), modes=modes, k=reach.k)
