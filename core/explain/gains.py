"""Marginal gain: what each step of a run added, and what a smaller budget of calls would have left it knowing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from core.domain import EVIDENCE, Passage, Say, Step, Timed, Usage
from core.runs import Run

LOOKING = frozenset({"search", "find", "open"})
"""The steps that look for passages, whether or not they bring any."""


@dataclass(frozen=True, slots=True)
class Gain:
    """One step: its number (from 1), name and words, the tool calls made up to and with it, and what it added.

    `new` are passages no earlier step had touched, `gold` the gold among them, `kept` the ids it took as evidence.
    `looked` says whether it searched or read, in vain or not. `tokens` are the step's own as far as known, `seconds`
    its time, `at` the seconds since the run began. `recall` is the share of gold touched until then, `kept_recall` the
    share kept, and at the evidence the share given; `None` without gold.
    """

    step: int
    name: str
    say: Say
    calls: int
    new: tuple[Passage, ...]
    gold: tuple[Passage, ...]
    kept: tuple[str, ...]
    looked: bool
    tokens: int | None
    seconds: float
    at: float
    recall: float | None
    kept_recall: float | None


def gains(run: Run, gold: Sequence[Passage] = ()) -> tuple[Gain, ...]:
    """What each step up to the evidence added, the evidence included."""
    known = _Known(frozenset(passage.id for passage in gold))
    return tuple(known.add(number, at, step) for number, (at, step) in enumerate(_until_evidence(run), 1))


@dataclass(slots=True)
class _Known:
    """What a run knew after some of its steps: ids touched, ids kept (at the evidence: given), and its calls."""

    wanted: frozenset[str]
    touched: set[str] = field(default_factory=set)
    held: set[str] = field(default_factory=set)
    calls: int = 0

    def add(self, number: int, at: float, step: Step) -> Gain:
        """Take a step in, and tell what it added."""
        new = {p.id: p for p in step.touched if p.id not in self.touched}
        self.calls += step.call is not None
        self.touched |= set(new)
        self.held = {hit.passage.id for hit in step.hits} if step.name == EVIDENCE else self.held | set(step.kept)
        return Gain(
            number,
            step.name,
            step.detail,
            self.calls,
            tuple(new.values()),
            tuple(passage for passage in new.values() if passage.id in self.wanted),
            step.kept,
            _looked(step),
            _tokens(step.usage),
            step.seconds,
            at,
            self._share(self.touched),
            self._share(self.held),
        )

    def _share(self, ids: set[str]) -> float | None:
        return len(self.wanted & ids) / len(self.wanted) if self.wanted else None


def _until_evidence(run: Run) -> Iterator[tuple[float, Step]]:
    for timed in _before_writing(run.events):
        if isinstance(timed.event, Step):
            yield timed.at, timed.event


def _before_writing(events: Sequence[Timed]) -> tuple[Timed, ...]:
    """The events up to the evidence, which is the last of them where there is one."""
    end = next((n for n, t in enumerate(events, 1) if isinstance(t.event, Step) and t.event.name == EVIDENCE), None)
    return tuple(events[:end])


def _looked(step: Step) -> bool:
    """Whether a step looked for passages: it brought some, or ran and brought none; one that only reorders did not."""
    ran = step.name in LOOKING and step.detail.code != "step.refused"
    return step.name != EVIDENCE and not step.reorders and (bool(step.touched) or ran)


def _tokens(usage: Usage | None) -> int | None:
    parts = [part for part in (usage.prompt, usage.completion, usage.embedding) if part is not None] if usage else []
    return sum(parts) if parts else None


def dry_since(found: Sequence[Gain]) -> int | None:
    """The last step that brought a new passage, where steps that searched or read in vain follow; else `None`."""
    last = max((gain.step for gain in found if gain.new), default=None)
    if last is None or not any(gain.looked and gain.step > last for gain in found):
        return None
    return last


def finding(found: Sequence[Gain], gold: int) -> Say:
    """What stands out: by when the `gold` passages were seen, where there are any, and since when nothing new came."""
    dry = dry_since(found)
    parts = [_of_gold(found, gold)] if gold else []
    parts += [Say.of("gains.dry", step=dry)] if dry is not None else []
    if len(parts) == 2:
        return Say.of("finding.and", first=parts[0].as_value(), second=parts[1].as_value())
    if parts:
        return parts[0]
    count = sum(len(gain.new) for gain in found)
    return Say.of("gains.all", steps=len(found), count=count) if count else Say.of("gains.empty", steps=len(found))


def _of_gold(found: Sequence[Gain], total: int) -> Say:
    """By when the last of the gold it ever saw was seen, and how much of it was left in the end, where that is less."""
    seen = sum(len(gain.gold) for gain in found)
    if not seen:
        return Say.of("gains.none", steps=len(found), total=total)
    last = max((gain for gain in found if gain.gold), key=lambda gain: gain.step)
    told = _by_when(last, seen, total)
    kept = round((found[-1].kept_recall or 0.0) * total)
    if kept == seen:
        return told
    return Say.of("gains.given" if found[-1].name == EVIDENCE else "gains.kept", seen=told.as_value(), kept=kept)


def _by_when(last: Gain, seen: int, total: int) -> Say:
    if last.calls and seen == total:
        return Say.of("gains.calls_all", step=last.step, calls=last.calls, total=total)
    if last.calls:
        return Say.of("gains.calls", step=last.step, calls=last.calls, found=seen, total=total)
    if seen == total:
        return Say.of("gains.steps_all", step=last.step, total=total)
    return Say.of("gains.steps", step=last.step, found=seen, total=total)


def calls_of(run: Run) -> int:
    """How many tool calls a run made, those that were refused included, as its limit counts them."""
    return sum(step.call is not None for step in run.steps)


def within(run: Run, calls: int) -> Run:
    """The run cut before its call number `calls + 1`: what it would have known then. It has no answer.

    A decision after the last call stays, since it was made on what that call brought. With all calls it is the run
    without its writing, its evidence included.
    """
    if calls >= calls_of(run):
        events = _before_writing(run.events)
        return run if len(events) == len(run.events) else _cut(run, events)
    made = 0
    for number, timed in enumerate(run.events):
        if isinstance(timed.event, Step) and timed.event.call is not None:
            if made == max(calls, 0):
                return _cut(run, run.events[:number])
            made += 1
    return run


def _cut(run: Run, events: tuple[Timed, ...]) -> Run:
    return replace(run, events=events, ended=events[-1].at if events else 0.0, stopped=False, error=None)
