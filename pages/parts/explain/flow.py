"""Rank flow: each passage's way through the rankings of one run, and where a cut ended it."""

from __future__ import annotations

import streamlit as st

from core.explain.flow import Flow, Line
from core.runs import Comparison
from core.words import Words
from pages.parts.charts import Column, choose, colour_of, listed, passages, said, show, table
from pages.parts.explain.looking import RUN_OF_FLOW
from pages.parts.explain.slope import Slope
from pages.parts.explain.view import View
from pages.parts.literal import inline
from pages.parts.palette import palette
from pages.parts.sources import COLOURS

NAMED = 8
"""Passages named in one line; the table has them all."""


def draw(view: View) -> None:
    """The flow of the run chosen, first of that with most stages."""
    words, comparison = view.words, view.comparison
    flows = {run.mode: view.flow(run) for run in comparison.runs}
    if not flows:
        return
    deepest = max(comparison.runs, key=lambda run: len(flows[run.mode].stages))
    run = choose(comparison, words, RUN_OF_FLOW, deepest)
    found = flows[run.mode]
    if not any(place for line in found.lines for place in line.places):
        st.caption(inline(words.say(run.error) if run.error else words("ui.flow.nothing")))
        return
    colours = palette()
    slope = Slope(found, run, words, colours, colour_of(comparison, run.mode, colours))
    finding = words.say(found.finding)
    said(finding, *_about(slope, comparison))
    show(slope.figure(), "flow.chart", words("ui.flow.alt", finding=finding))
    _beside(found, words)
    table(words("ui.chart.table"), "flow.table", _table(found, words))


def _about(slope: Slope, comparison: Comparison) -> list[str]:
    """What is drawn, each kind of line named in its colour."""
    words, found = slope.words, slope.found
    colour = COLOURS[next(n for n, run in enumerate(comparison.runs) if run.mode == found.mode)]
    parts = [words("ui.flow.about")]
    if slope.gold:
        parts.append(f":yellow[◆ {words('ui.chart.gold')}]")
    if slope.given:
        parts.append(f":{colour}[● {words('ui.flow.given')}]")
    if slope.others:
        parts.append(words("ui.flow.others"))
    if slope.left_out:
        parts.append(words("ui.flow.left_out", count=slope.left_out))
    return parts


def _beside(found: Flow, words: Words) -> None:
    """Gold that has no place in any ranking, and so no line."""
    nowhere = [line.passage for line in found.lines if line.gold and not any(line.places)]
    if nowhere:
        st.caption(inline(words("ui.flow.nowhere", count=len(nowhere), names=listed(nowhere, NAMED, words))))


def _table(found: Flow, words: Words) -> list[Column]:
    """Each passage's place in every stage, and where it ended."""
    lines = found.lines
    gold = {line.passage.id for line in lines if line.gold}
    stages = [
        Column(words.say(stage.say), [line.places[number] for line in lines], right=True)
        for number, stage in enumerate(found.stages)
    ]
    end = Column(words("ui.flow.end"), [_ended(found, line, words) for line in lines])
    return [*passages([line.passage for line in lines], gold, words), *stages, end]


def _ended(found: Flow, line: Line, words: Words) -> str:
    """Where a passage's way ended, and whether a cut by rank ended it."""
    if line.lost is None:
        return words("ui.flow.arrived")
    if line.lost < 0:
        return words("ui.flow.unranked")
    stage = found.stages[line.lost]
    place = line.places[line.lost]
    code = "cut_off" if stage.passes is not None and place and place > stage.passes else "passed_over"
    return words(f"ui.flow.{code}", stage=words.say(stage.say), count=stage.passes)
