"""The drafts of a session, one a base: what a click puts into one, and how it keeps up with a base that moves on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import streamlit as st

from core.authoring.consequences import Consequences, consequences
from core.authoring.drafts import Choice, Clash, Draft, carried
from core.authoring.operations import Operation
from core.authoring.renaming import changed_between, holds, renamed
from core.bench import Bench, assemble
from core.coverage.impact import Impact
from core.domain import Say
from core.errors import WorkbenchError
from core.knowledge.base import KnowledgeBase
from pages.parts import addressed, own
from pages.parts.frame import Frame

_KEY = "drafts"
AUTHOR = "draft.author"
"""The widget that holds the author's name, kept for the session."""
PANEL = "draft.panel"
"""The widget that opens a panel of the draft."""
PLACE = "editing"
"""Where the page answers to a change that could not be made."""


@dataclass(frozen=True)
class Work:
    """A draft with what was worked out from it.

    `clash` is the change that the base as it is `now` does not take, `choices` say what becomes of those before it;
    `benches` are that of the base and that of the draft.
    """

    draft: Draft
    clash: Clash | None = None
    now: KnowledgeBase | None = None
    choices: Mapping[int, Choice] = field(default_factory=dict)
    benches: tuple[Bench, Bench] | None = None
    told: Consequences | None = None
    impact: Impact | None = None


def _all() -> Mapping[str, Work]:
    found = st.session_state.get(_KEY)
    return found if isinstance(found, dict) else {}


def get(name: str) -> Work | None:
    """The work on the base of that name, if there is any."""
    return _all().get(name)


def put(name: str, work: Work | None) -> None:
    """Keep it; what changes nothing is none."""
    others = {other: kept for other, kept in _all().items() if other != name}
    st.session_state[_KEY] = {**others, name: work} if work and work.draft.changed else others


def current(name: str, base: KnowledgeBase) -> Work | None:
    """The work on a base, put to it as it is now; where that was changed meanwhile, it is said."""
    work = get(name)
    decided = work is not None and bool(work.choices) and not work.clash
    if work is None or (work.draft.base is base and not decided) or (work.clash and work.now is base):
        return work
    draft, clash = carried(work.draft, base, work.choices)
    if clash:
        plain = work.draft if work.draft.overlay else Draft(base, work.draft.operations)  # nothing of it stands yet
        work = replace(work, draft=plain, clash=clash, now=base)
    else:
        if others := changed_between(work.draft.base, base):
            own.say("draft", Say.of("ui.draft.others", documents=list(others)))
        work = Work(draft)
    put(name, work)
    return get(name)


def change(name: str, base: KnowledgeBase, made: Callable[[], Operation]) -> bool:
    """Put a change into the draft, and tell whether it is in; why one cannot be is said."""
    before = (get(name) or Work(Draft(base))).draft
    try:
        after = before.with_(made())
        put(name, Work(after))
        _follow(before.after, after.after)
    except WorkbenchError as refused:
        own.say(PLACE, refused.say)
        return False
    return True


def _follow(before: KnowledgeBase, after: KnowledgeBase) -> None:
    """Keep the address at the passage that is read, or leave it where that is no more."""
    opened = st.query_params.get("p")
    if not opened:
        return
    name = renamed(before, after).get(opened, opened)
    addressed.write(p=name if holds(after, name) else None)


def undo(name: str) -> None:
    """Take back the last change."""
    work = get(name)
    if work:
        put(name, Work(work.draft.without_last()))


def discard(name: str) -> None:
    """Forget the draft; the next one begins with no panel open."""
    put(name, None)
    st.session_state[PANEL] = None


def resume(name: str, base: KnowledgeBase, operations: tuple[Operation, ...]) -> None:
    """Go on with changes that were made in another session; the first that the base does not take is a clash."""
    draft, clash = carried(Draft(base, operations), base)
    put(name, Work(Draft(base, operations), clash, base) if clash else Work(draft))


def rename(name: str, new: str) -> None:
    """Let the work on a base go on under its new name."""
    work = get(name)
    if work:
        put(name, None)
        put(new, work)


def choose(name: str, number: int, choice: Choice) -> None:
    """Say what becomes of a change that clashes."""
    work = get(name)
    if work:
        put(name, replace(work, choices={**work.choices, number: choice}, clash=None, now=None))


def told(name: str, work: Work) -> Consequences:
    """What the draft changes, worked out once."""
    if work.told is not None:
        return work.told
    found = consequences(work.draft)
    put(name, replace(get(name) or work, told=found))
    return found


def bench_of(page: Frame, bench: Bench, work: Work | None) -> Bench:
    """The bench of the draft, made once; without one that of the base."""
    if work is None:
        return bench
    if work.benches and work.benches[0] is bench:
        return work.benches[1]
    made = assemble(page.settings, page.opened().revised(work.draft.after, page.settings))
    put(page.base, replace(get(page.base) or work, benches=(bench, made)))
    return made
