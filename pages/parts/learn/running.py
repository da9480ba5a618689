"""Running a question for the Learn page: in line like everyone, left at once by a click, nothing paid for unasked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

import streamlit as st

from core.asking import entrants
from core.bench import Bench, assemble
from core.errors import UsageError
from core.race import Race
from core.runs import Comparison
from core.settings import ROLES, Role
from core.words import Words
from pages.parts import result
from pages.parts.frame import Frame, turns
from pages.parts.literal import inline
from pages.parts.live import stand_in_line
from pages.parts.opening import opening


def run(
    page: Frame,
    bench: Bench,
    question: str,
    *,
    retrieval_only: bool = False,
    cut_short: Callable[[Comparison], object] = lambda _: None,
) -> Comparison:
    """Put a question to the modes that Compare begins with and wait, telling how long it has taken.

    `cut_short` gets what there is where the reader leaves before the end. A question that no mode takes is told, and
    the page ends there.
    """
    try:
        asked = entrants(question, None, None, {})
    except UsageError as refused:  # a question of a set may be longer than any that is typed
        st.error(inline(page.words.say(refused.say)), icon=":material/error:")
        st.stop()
    race = Race(bench, asked, retrieval_only=retrieval_only)
    room = st.empty()
    with turns(page.settings.concurrent).join() as turn:
        stand_in_line(turn, room, page.words)
        _wait(race, room, page.words, cut_short)
    room.empty()
    return race.comparison


def _wait(
    race: Race, room: st.delta_generator.DeltaGenerator, words: Words, cut_short: Callable[[Comparison], object]
) -> None:
    over = False
    with closing(race):
        try:
            for _ in race:
                passed = f"{race.comparison.seconds:.1f} s"
                room.info(words("ui.learn.running", seconds=passed), icon=":material/hourglass_top:")
            over = True
        finally:
            if not over:
                race.close()
                cut_short(race.comparison)


def free(bench: Bench, *, retrieval_only: bool = False) -> bool:
    """Whether a run calls no model beyond this machine's own."""
    roles = [role for role in ROLES if role != "writer" or not retrieval_only]
    return all(bench.settings.roles[role].offline for role in roles)


def price(bench: Bench, words: Words, *, retrieval_only: bool = False) -> None:
    """Say what a run would call; nothing where it calls nothing."""
    if not free(bench, retrieval_only=retrieval_only):
        who = result.doers({**bench.recorded, "retrieval_only": retrieval_only}, words)
        st.caption(f":material/payments: {inline(words('ui.learn.calls', who=who))}")


def offline(page: Frame, bench: Bench) -> Bench:
    """The same base with everything done on this machine, whatever the session has chosen."""
    opened = opening(page.settings, page.base).opened
    if free(bench) or opened is None:
        return bench
    return assemble(replace(page.settings, roles=dict.fromkeys(ROLES, Role())), opened)
