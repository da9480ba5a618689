"""Marginal gain: what each step of a run added, and what fewer tool calls would have left it knowing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import plotly.graph_objects as go
import streamlit as st
from plotly.subplots import make_subplots

from core.domain import EVIDENCE, Passage
from core.explain.gains import Gain, calls_of, dry_since, finding, gains, within
from core.runs import Run
from core.words import Words
from pages.parts import numbers
from pages.parts.charts import Column, choose, colour_of, dress, listed, safe, said, short, show, table
from pages.parts.explain.looking import CALLS, RUN_OF_GAINS
from pages.parts.explain.view import View
from pages.parts.literal import inline
from pages.parts.palette import Palette, palette

NAMED = 12
"""Passages named in one line; the rest is a count."""
PANEL, SPACE, TOP, BOTTOM = 92, 40, 34, 40
"""Pixels of a panel, between two, above the first, and below the last."""
TELLING = 0.1
"""Share of the longest bar from which on a bar of tokens or seconds has its figure above it."""
FEWEST = 6
"""Steps that the width always has room for, so that bars of a short run do not become blocks."""
FOOT = 0.2
"""Share of gold up to which a line runs at the foot of its panel."""
FIRST_BUDGET = 3
"""Tool calls at which the slider stands first."""

_ABOVE = {"textposition": "outside", "cliponaxis": False, "constraintext": "none"}

Panel = Callable[[go.Figure, int], None]
"""Draws one panel into a row of the figure."""


def draw(view: View) -> None:
    """The gains of the run chosen, first of that with most tool calls, and what a smaller budget would have left."""
    words, comparison = view.words, view.comparison
    if not comparison.runs:
        return
    run = choose(comparison, words, RUN_OF_GAINS, max(comparison.runs, key=calls_of))
    found = gains(run, view.gold)
    if not found:
        st.caption(inline(words.say(run.error) if run.error else words("ui.gains.nothing")))
        return
    told = words.say(finding(found, len(view.gold)))
    said(told, *_about(found, bool(view.gold), words))
    figure = _figure(found, bool(view.gold), colour_of(comparison, run.mode, palette()), words)
    show(figure, "gains.chart", words("ui.gains.alt", finding=told))
    table(words("ui.chart.table"), "gains.table", _table(found, run, bool(view.gold), words))
    _budget(view, run)


def _about(found: Sequence[Gain], gold: bool, words: Words) -> list[str]:
    calls = found[-1].calls > 0
    parts = [words("ui.gains.about_calls" if calls else "ui.gains.about")]
    if gold:
        parts.append(f":yellow[◆ {words('ui.chart.gold')}]")
    if all(gain.tokens is None for gain in found):
        parts.append(words("ui.gains.unknown_tokens"))
    return parts


def _figure(found: Sequence[Gain], gold: bool, own: str, words: Words) -> go.Figure:
    """Panels one below the other over the same steps: what came, how much of the gold by then, what it took."""
    colours = palette()
    panels = _panels(found, gold, own, colours, words)
    height = len(panels) * (PANEL + SPACE) - SPACE + TOP + BOTTOM
    space = SPACE / (height - TOP - BOTTOM) if len(panels) > 1 else 0
    figure = make_subplots(len(panels), 1, shared_xaxes=True, vertical_spacing=space)
    dress(figure, colours, height, top=TOP, right=8, bottom=BOTTOM, left=8)
    figure.update_layout(barmode="stack")
    ticks = found[:: 1 + len(found) // 16]
    figure.update_xaxes(range=[0.4, max(len(found), FEWEST) + 0.6], tickvals=[gain.step for gain in ticks])
    figure.update_xaxes(ticktext=[_tick(gain, found) for gain in ticks])
    figure.update_yaxes(visible=False, rangemode="tozero")
    for row, (name, panel) in enumerate(panels.items(), 1):
        panel(figure, row)
        _heading(figure, row, words(f"ui.gains.{name}"))
    _dry(figure, found, words, colours)
    return figure


def _calls(gain: Gain, found: Sequence[Gain]) -> bool:
    """Whether a step is a tool call."""
    return gain.calls > (found[gain.step - 2].calls if gain.step > 1 else 0)


def _tick(gain: Gain, found: Sequence[Gain]) -> str:
    """A step's number; below it, where the step is a tool call, that call's."""
    return f"{gain.step}<br>({gain.calls})" if _calls(gain, found) else str(gain.step)


def _panels(found: Sequence[Gain], gold: bool, own: str, colours: Palette, words: Words) -> dict[str, Panel]:
    """What can be drawn of these steps, by name: what is unknown of all of them has no panel."""
    hover = [safe(f"{gain.step} {short(words.say(gain.say), 70)}") for gain in found]
    panels: dict[str, Panel] = {"new": partial(_new, found=found, colours=colours, hover=hover)}
    if gold:
        panels["recall"] = partial(_recall, found=found, own=own, colours=colours, words=words)
    tokens = {gain.step: gain.tokens for gain in found if gain.tokens}
    if tokens:
        panels["tokens"] = partial(_bars, values=tokens, told="{:,}".format, colours=colours)
    times = {gain.step: gain.seconds for gain in found if gain.seconds}
    if times:
        panels["seconds"] = partial(_bars, values=times, told=numbers.seconds, colours=colours)
    return panels


def _heading(figure: go.Figure, row: int, text: str) -> None:
    axis = "" if row == 1 else str(row)
    place = {"xref": f"x{axis} domain", "yref": f"y{axis} domain", "x": 0, "y": 1, "xanchor": "left", "yshift": 12}
    figure.add_annotation(text=f"<b>{safe(text)}</b>", showarrow=False, yanchor="bottom", **place)


def _bars(
    figure: go.Figure, row: int, values: Mapping[int, float], told: Callable[[Any], str], colours: Palette
) -> None:
    """Bars from zero; those that weigh, and that no taller neighbour would cover, have their figure above."""
    least = TELLING * max(values.values())
    tall = {step for step, value in values.items() if value >= max(least, *(values.get(step + n, 0) for n in (-1, 1)))}
    figure.add_bar(
        x=list(values),
        y=list(values.values()),
        text=[safe(told(value)) if step in tall else "" for step, value in values.items()],
        marker_color=colours.slate,
        hoverinfo="skip",
        row=row,
        col=1,
        **_ABOVE,
    )


def _new(figure: go.Figure, row: int, found: Sequence[Gain], colours: Palette, hover: Sequence[str]) -> None:
    """New passages, the gold among them at the foot of the bar."""
    gold = [len(gain.gold) for gain in found]
    rest = [len(gain.new) - count for gain, count in zip(found, gold, strict=True)]
    texts = [_parts(len(gain.new), len(gain.gold)) for gain in found]
    bar = {"x": [gain.step for gain in found], "hovertext": hover, "hoverinfo": "text", "row": row, "col": 1}
    figure.add_bar(y=gold, marker_color=colours.gold, **bar)
    figure.add_bar(y=rest, text=texts, marker={"color": colours.slate, "opacity": 0.5}, **bar, **_ABOVE)


def _parts(new: int, gold: int) -> str:
    return f"{new}<br>◆{gold}" if gold else str(new) if new else ""


def _recall(figure: go.Figure, row: int, found: Sequence[Gain], own: str, colours: Palette, words: Words) -> None:
    """The share of gold seen until each step, and of that kept, each named where its line ends."""
    steps = [gain.step for gain in found]
    figure.update_yaxes(range=[-0.04, 1.04], row=row, col=1)
    side = {"xanchor": "right"} if len(found) >= FEWEST else {"xanchor": "left", "xshift": 8}
    end = "given" if found[-1].name == EVIDENCE else "kept"
    lines = (
        ("touched", [gain.recall or 0.0 for gain in found], {"color": own}, 12, 26),
        (end, [gain.kept_recall or 0.0 for gain in found], {"color": colours.text, "dash": "dot"}, -12, 10),
    )
    for name, shares, look, shift, at_foot in lines:
        line = {"line": {**look, "shape": "hv", "width": 2}, "mode": "lines+markers", "cliponaxis": False}
        figure.add_scatter(x=steps, y=shares, hoverinfo="skip", row=row, col=1, **line)
        text = f"{safe(words(f'ui.gains.{name}'))} {shares[-1]:.0%}"
        lift = shift if shares[-1] > FOOT else at_foot  # a label at the foot would meet the next panel's name
        place = {"x": steps[-1], "y": shares[-1], "yshift": lift, "showarrow": False, **side}
        figure.add_annotation(text=text, font={"color": look["color"]}, row=row, col=1, **place)


def _dry(figure: go.Figure, found: Sequence[Gain], words: Words, colours: Palette) -> None:
    """A line after the last step that brought something new, where others followed in vain."""
    last = dry_since(found)
    if last is None:
        return
    at = last + 0.5
    line = {"color": colours.text, "width": 1, "dash": "dash"}
    figure.add_shape(type="line", xref="x", yref="paper", x0=at, x1=at, y0=0, y1=1, line=line)
    early = at < 0.6 * len(found)
    place = {"x": at, "xref": "x", "y": 1, "yref": "paper", "xanchor": "left" if early else "right", "yshift": 12}
    figure.add_annotation(text=safe(words("ui.gains.dry")), showarrow=False, yanchor="bottom", **place)


def _table(found: Sequence[Gain], run: Run, gold: bool, words: Words) -> list[Column]:
    """What each step did, brought and took."""
    steps = [run.steps[gain.step - 1] for gain in found]
    estimated = [bool(step.usage and step.usage.estimated) for step in steps]
    tokens = [
        None if gain.tokens is None else numbers.tokens(gain.tokens, local)
        for gain, local in zip(found, estimated, strict=True)
    ]
    columns: dict[str, Sequence[str | int | None]] = {
        "calls": [gain.calls for gain in found],
        "new": [len(gain.new) for gain in found],
        "gold": [len(gain.gold) for gain in found],
        "recall": [None if gain.recall is None else f"{gain.recall:.0%}" for gain in found],
        "kept": [len(gain.kept) for gain in found],
        "tokens": tokens,
        "seconds": [numbers.seconds(gain.seconds) if gain.seconds else None for gain in found],
    }
    known = {name: values for name, values in columns.items() if gold or name not in ("gold", "recall")}
    return [
        Column(words("ui.gains.step"), [gain.step for gain in found], right=True),
        Column(words("ui.gains.what"), [words.say(gain.say) for gain in found]),
        *(Column(words(f"ui.gains.column.{name}"), values, right=True) for name, values in known.items()),
    ]


def _budget(view: View, run: Run) -> None:
    """The slider over tool calls, and what the run would have known had it ended there."""
    words, made = view.words, calls_of(run)
    key = f"{CALLS}.{run.mode}"
    if st.session_state.get(key, 1) > max(made, 2):  # at an equal budget a run may have made fewer
        del st.session_state[key]
    calls = st.slider(
        words("ui.gains.budget.label"),
        1,
        max(made, 2),
        min(FIRST_BUDGET, max(made, 1)),
        key=key,
        disabled=made < 2,
        persist_state="session",
    )
    if made < 2:
        st.caption(words("ui.gains.budget.few", calls=made))
        return
    cut = within(run, calls)
    touched = cut.touched
    kept = {id: touched[id] for step in cut.steps for id in step.kept if id in touched}
    st.markdown(f"**{words('ui.gains.budget.title', calls=calls, step=len(cut.steps))}**")
    st.markdown("\n".join(f"- {_known(name, held, view)}" for name, held in (("touched", touched), ("kept", kept))))
    st.caption(words("ui.gains.budget.note"))


def _known(name: str, held: Mapping[str, Passage], view: View) -> str:
    """How many passages it would have held, the gold among them by name, else the first by name."""
    words = view.words
    parts = [words(f"ui.gains.budget.{name}", count=len(held))]
    gold = [passage for passage in view.gold if passage.id in held]
    if view.gold:
        parts.append(words("ui.gains.budget.gold", found=len(gold), total=len(view.gold)))
    named = gold if view.gold else list(held.values())
    text = inline(" · ".join(parts))
    return f"{text}\\\n  :gray[{inline(listed(named, NAMED, words))}]" if named else text
