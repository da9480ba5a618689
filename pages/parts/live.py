"""A race on the page: the line before it, its columns while it runs, and what stays when it ends or is stopped."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.asking import entrants
from core.bench import Bench
from core.errors import UsageError
from core.race import Race
from core.turns import Turn
from core.words import Words
from pages.parts import filtering, result
from pages.parts.column import Column
from pages.parts.desk import Desk, Order, announce, keep, look, put
from pages.parts.frame import Frame, turns
from pages.parts.sources import Reading


def run(page: Frame, bench: Bench, order: Order) -> None:
    """Run an order to its end, drawing it; leaves a comparison on the desk, or the reason why there is none."""
    try:
        if not order.modes:
            raise UsageError("mode.none")
        filters = filtering.checked(order.filters, bench.base)
        chosen = entrants(order.question, order.modes, order.k, order.parameters, filters)
    except UsageError as refused:
        put(replace(look(), order=None, notice=refused.say))
        st.rerun()
    bench = bench if order.exact is None else looking_up(bench, order.exact)
    race = Race(bench, chosen, retrieval_only=order.retrieval_only, one_by_one=order.one_by_one)
    announce(page, race.comparison)
    with turns(page.settings.concurrent).join() as turn:
        stand_in_line(turn, st.empty(), page.words)
        _drive(page, bench, race)
    put(Desk(comparison=race.comparison, unkept=keep(page, race.comparison), just=True))
    st.rerun()


def looking_up(bench: Bench, exact: bool) -> Bench:
    """The bench with exact look-ups or without, whatever the server has."""
    if exact == bench.settings.exact:
        return bench
    retriever = bench.retriever.ranking_by(bench.retriever.bm25, exact)
    return replace(bench, retriever=retriever, settings=replace(bench.settings, exact=exact))


def stand_in_line(turn: Turn, room: DeltaGenerator, words: Words) -> None:
    """Show the place in line in `room` until it is this comparison's turn."""
    ahead = turn.wait(0)
    while ahead:
        room.info(words("ui.line", ahead=ahead), icon=":material/hourglass_top:")
        ahead = turn.wait(0.2)
    room.empty()


def _drive(page: Frame, bench: Bench, race: Race) -> None:
    """Draw the race until it ends; one cut short is closed and kept as far as it came."""
    words = page.words
    comparison = race.comparison
    result.head(comparison, words)
    result.alone(None, words)
    drawn = result.columns(comparison, words)
    result.clear_tail()
    reading = replace(Reading.of(comparison, words, bench), bench=None, live=True)
    put(Desk(race=race))
    _redraw(drawn, race, reading)
    over = False
    with closing(race):
        try:
            for _ in race:
                _redraw(drawn, race, replace(reading, runs=race.comparison.runs))
            over = True
        finally:
            if not over:
                race.close()
                keep(page, race.comparison)


def _redraw(drawn: dict[str, Column], race: Race, reading: Reading) -> None:
    for run in reading.runs:
        if run.mode in drawn:
            drawn[run.mode].draw(run, race.clock(run.mode), reading)
