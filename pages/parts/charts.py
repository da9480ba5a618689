"""What all charts share: a quiet Plotly sheet in the theme's colours, and the same facts below it as a table.

The finding stands above a chart as text of the page, so that it wraps on a phone and is read aloud.
"""

from __future__ import annotations

import html
import math
import re
import textwrap
import unicodedata
from collections.abc import Container, Sequence
from typing import Any, NamedTuple

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.domain import Passage
from core.runs import Comparison, Run
from core.words import Words
from pages.parts.literal import inline, shown
from pages.parts.numbers import DASH
from pages.parts.palette import Palette

_MEETING = re.compile(r"(?<=[\u4e00-\u9fff])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?=[\u4e00-\u9fff])")

LONGEST = 36
"""Letters of a passage's label where several are listed."""
SMALL = 13
"""Pixels of the type in a chart."""
_PER_UNIT = 6.8
"""Pixels that half a Chinese character, or a Latin letter, takes at that size."""

_SHADE = st.components.v2.component(
    "shade",
    html='<span class="shade"></span>',
    css=".shade { color: var(--st-background-color); transition: color 1ms; }",
    js="""export default function ({ parentElement, setTriggerValue }) {
      const shade = parentElement.querySelector(".shade")
      const turned = () => setTriggerValue("turned", getComputedStyle(shade).color)
      shade.addEventListener("transitionend", turned)
      return () => shade.removeEventListener("transitionend", turned)
    }""",
)
"""Nothing to see: it has the page drawn anew when light becomes dark, since a figure keeps the colours it came with."""


def sheet(colours: Palette, height: int, *, top: int = 8, right: int = 8, bottom: int = 8, left: int = 8) -> go.Figure:
    """An empty figure of `height` pixels, its margins in pixels."""
    return dress(go.Figure(), colours, height, top=top, right=right, bottom=bottom, left=left)


def dress(
    figure: go.Figure, colours: Palette, height: int, *, top: int, right: int, bottom: int, left: int
) -> go.Figure:
    """Give a figure the theme's type and colours, and no title, legend, toolbar, nor zoom."""
    figure.update_layout(
        height=height,
        margin={"t": top, "r": right, "b": bottom, "l": left, "pad": 4},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": colours.font, "size": SMALL, "color": colours.text},
        hoverlabel={"bgcolor": colours.card, "bordercolor": colours.line, "font": {"color": colours.text}},
        showlegend=False,
        dragmode=False,
        separators=".,",
    )
    axis = {"fixedrange": True, "zeroline": False, "gridcolor": colours.line, "automargin": False}
    figure.update_xaxes(**axis, showgrid=False, tickangle=0, tickfont={"color": colours.muted})
    figure.update_yaxes(**axis, tickfont={"color": colours.muted})
    return figure


def show(figure: go.Figure, key: str, alt: str) -> None:
    """Draw a figure; `alt` says it in words."""
    config: dict[str, Any] = {"displayModeBar": False, "scrollZoom": False, "doubleClick": False}
    with st.container(gap=None):
        st.plotly_chart(figure, theme=None, key=key, config=config, alt=alt)
        _SHADE(key=f"{key}.shade", on_turned_change=_redraw)


def _redraw() -> None:
    """That the script runs is all."""


def said(finding: str, *about: str) -> None:
    """The title of a chart, which is what it shows, and below it what is drawn: `about` is Markdown.

    It is no caption, since that would fade the colours that the parts name.
    """
    parts = [part if part.startswith(":") else f":gray[{part}]" for part in about]
    with st.container(gap="xxsmall"):
        st.markdown(f"**{inline(finding)}**")
        st.markdown(f":small[{' :gray[·] '.join(parts)}]")


class Column(NamedTuple):
    """A column of a table: whole numbers, or texts; `right` for figures that are put into words. `None` is unknown."""

    label: str
    values: Sequence[str | int | None]
    right: bool = False


def table(title: str, key: str, columns: Sequence[Column]) -> None:
    """The facts of a chart, folded; it scrolls by itself, and what is unknown is a dash."""
    held = {str(number): _values(column) for number, column in enumerate(columns)}  # two stages may share a name
    looks = {
        name: st.column_config.Column(column.label, alignment="right" if column.right else None)
        for name, column in zip(held, columns, strict=True)
    }
    with st.expander(title, icon=":material/table_rows:", type="compact"):
        st.dataframe(pd.DataFrame(held), hide_index=True, column_config=looks, placeholder=DASH, key=key, alt=title)


def _values(column: Column) -> Any:
    if any(isinstance(value, str) for value in column.values):
        return [f"{value:,}" if isinstance(value, int) else value and shown(value) for value in column.values]
    return pd.array(list(column.values), dtype="Int64")


def passages(held: Sequence[Passage], gold: Container[str], words: Words) -> tuple[Column, Column]:
    """The columns that say which passages the rows are about, and which are gold."""
    names = [p.title if p.title == p.section else f"{p.title or p.id} · {p.section}" for p in held]
    marks = [f"◆ {words('yes')}" if passage.id in gold else "" for passage in held]
    return Column(words("ui.chart.passage"), names), Column(words("ui.chart.gold"), marks)


def listed(held: Sequence[Passage], most: int, words: Words) -> str:
    """The labels of the first passages, and how many more there are."""
    names = words.join([short(passage.title or passage.id, LONGEST) for passage in held[:most]])
    return f"{names} {words('ui.chart.more', count=len(held) - most)}" if len(held) > most else names


def choose(comparison: Comparison, words: Words, key: str, default: Run) -> Run:
    """The run to look at, by its mode's name; nothing to choose where there is one."""
    runs = {run.mode: run for run in comparison.runs}
    if len(runs) == 1:
        return default
    chosen = st.segmented_control(
        words("ui.chart.run"),
        list(runs),
        default=default.mode,
        format_func=words.mode,
        key=key,
        required=True,
        label_visibility="collapsed",
        persist_state="session",
        wrap=True,
    )
    return runs.get(chosen or default.mode, default)


def colour_of(comparison: Comparison, mode: str, colours: Palette) -> str:
    """The colour of a mode's place in a comparison."""
    return colours.places[next(n for n, run in enumerate(comparison.runs) if run.mode == mode)]


def width(text: str) -> int:
    """How wide a text is: a Chinese character counts two, a Latin letter one.

    >>> width("第3条")
    5
    """
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def pixels(text: str) -> int:
    """About how many pixels a line of text takes in a chart."""
    return round(width(text) * _PER_UNIT)


def spaced(text: str) -> str:
    """Text with a blank wherever Chinese and Latin letters or figures meet.

    >>> spaced("只有BM25找到") == "只有 BM25 找到"
    True
    """
    return _MEETING.sub(" ", text)


def short(text: str, most: int = 16) -> str:
    """A label on one line, cut with an ellipsis where it is wider than `most` letters.

    >>> short("第二十八条"), short("A title that goes on", 8)
    ('第二十八条', 'A title…')
    """
    text = " ".join(shown(text).split())
    if width(text) <= most:
        return text
    while width(text) >= most:
        text = text[:-1]
    return f"{text.rstrip()}…"


def safe(text: str) -> str:
    """Text for a Plotly label, which reads a few HTML tags.

    >>> safe("<b>5 & 6")
    '&lt;b&gt;5 &amp; 6'
    """
    return html.escape(text, quote=False)


def wrapped(text: str, most: int = 11) -> str:
    """A Plotly label in lines of about `most` letters; Chinese is cut into lines of one length.

    >>> wrapped("Given to the writer"), wrapped("关键词检索", 8)
    ('Given to<br>the writer', '关键词<br>检索')
    """
    if not text.isascii() and " " not in text:
        most = math.ceil(len(text) / math.ceil(width(text) / most))
    return "<br>".join(map(safe, textwrap.wrap(text, most, break_long_words=" " not in text)))


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places at least `gap` apart, close to those wanted, in the order given (ascending), between `low` and `high`.

    Where all do not fit they end up evenly spaced.

    >>> spread([10, 12, 40], 8, 0, 50)
    [10, 18, 40]
    """
    if len(wanted) > 1:
        gap = min(gap, (high - low) / (len(wanted) - 1))
    places: list[float] = []
    for at in wanted:
        places.append(max(at, places[-1] + gap) if places else max(at, low))
    for number in range(len(places) - 1, -1, -1):
        most = high if number == len(places) - 1 else places[number + 1] - gap
        places[number] = min(places[number], most)
    return places
