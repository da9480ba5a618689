"""The slope chart: ranks from the top, one line a passage, cut-offs dashed, a cross where gold was lost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from core.explain.flow import Flow, Line
from core.runs import Run
from core.words import Words
from pages.parts.charts import SMALL, pixels, safe, sheet, short, spread, wrapped
from pages.parts.numbers import DASH
from pages.parts.palette import Palette

KNEE = 20
"""Rank down to which every rank takes the same height; what lies deeper is drawn closer and closer."""
MOST_LINES = 60
"""Passages drawn that are neither gold nor given; the table has them all."""
MOST_NAMED = 10
"""Lines named where no passage is known as gold."""
AREA, BOTTOM, NAME = 384, 12, 17
"""Pixels of the lines from the best rank to the deepest, below them, and of a line of a stage's name above them."""
LABEL = 20
"""Pixels between two labels."""
STAGE = 8
"""Letters of a line of a stage's name."""
FEW = 10
"""Ranks up to which each is written at the axis."""
_TICKS = (1, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 100_000, 1_000_000)


@dataclass(frozen=True)
class Slope:
    """A flow as it is drawn: the run's words and colours, and how ranks become heights."""

    found: Flow
    run: Run
    words: Words
    colours: Palette
    own: str

    @property
    def deepest(self) -> int:
        """The worst rank of all."""
        return max(place for line in self.found.lines for place in line.places if place)

    def height(self, rank: float) -> float:
        """Where a rank stands below the top: even down to the knee, deeper ones by their order of magnitude."""
        if self.deepest <= 2 * KNEE or rank <= KNEE:
            return rank
        return KNEE * (1 + 0.7 * math.log10(rank / KNEE))

    @property
    def bounds(self) -> tuple[float, float]:
        """Heights of the upper and the lower edge."""
        return 0.4, self.height(max(self.deepest, 3)) + 0.6

    @property
    def others(self) -> list[Line]:
        """Lines neither gold nor given, as many as are drawn."""
        return self._rest[:MOST_LINES]

    @property
    def left_out(self) -> int:
        """How many of them are not drawn."""
        return len(self._rest) - len(self.others)

    @property
    def _rest(self) -> list[Line]:
        return [line for line in self._placed if not (line.gold or self.run.gave(line.passage.id))]

    @property
    def _placed(self) -> list[Line]:
        return [line for line in self.found.lines if any(line.places)]

    @property
    def gold(self) -> list[Line]:
        """Lines of gold."""
        return [line for line in self._placed if line.gold]

    @property
    def given(self) -> list[Line]:
        """Lines, not of gold, that reached the writer, in the order of their evidence."""
        order = {passage.id: place for place, passage in enumerate(self.run.evidence)}
        given = [line for line in self._placed if not line.gold and line.passage.id in order]
        return sorted(given, key=lambda line: order[line.passage.id])

    def figure(self) -> go.Figure:
        """The slope chart: quiet lines first, gold last and on top."""
        top = 9 + NAME * max(name.count("<br>") + 1 for name in self._stages)
        figure = sheet(self.colours, top + AREA + BOTTOM, top=top, right=self._right, bottom=BOTTOM, left=44)
        self._lines(figure, self.others, self.colours.muted, 1, 0.25 if len(self.others) > KNEE else 0.45)
        self._lines(figure, self.given, self.own, 2, 0.8)
        for line in self.gold:
            self._lines(figure, [line], self.colours.gold, 3, 1)
        self._lost(figure)
        self._cuts(figure)
        self._labels(figure)
        self._axes(figure)
        return figure

    def _lines(self, figure: go.Figure, lines: Sequence[Line], colour: str, thick: float, opacity: float) -> None:
        """Lines of one look in one trace."""
        across: list[int | None] = []
        down: list[float | None] = []
        hover: list[str] = []
        sizes: list[float] = []
        stages = range(len(self.found.stages))
        for line in lines:
            across += [*stages, None]
            down += [*(self.height(place) if place else None for place in line.places), None]
            hover += [self._hover(line)] * (len(line.places) + 1)
            sizes += [*(0 if line.gold and line.lost == at else 9 if line.gold else 3 + thick for at in stages), 0]
        symbol = "diamond" if lines and lines[0].gold else "circle"
        figure.add_scatter(
            x=across,
            y=down,
            mode="lines+markers",
            line={"color": colour, "width": thick},
            marker={"color": colour, "size": sizes, "opacity": 1, "line": {"width": 0}, "symbol": symbol},
            opacity=opacity,
            cliponaxis=False,
            hovertext=hover,
            hoverinfo="text",
        )

    def _hover(self, line: Line) -> str:
        stages = zip(self.found.stages, line.places, strict=True)
        places = [f"{safe(self.words.say(stage.say))} {place or DASH}" for stage, place in stages]
        return "<br>".join([f"<b>{safe(_title(line, 40))}</b>", *places])

    def _lost(self, figure: go.Figure) -> None:
        """A cross where the way of a gold passage ends."""
        ends = [(line.lost, line.places[line.lost]) for line in self.gold if line.lost is not None and line.lost >= 0]
        figure.add_scatter(
            x=[stage for stage, _ in ends],
            y=[self.height(place) for _, place in ends if place],
            mode="markers",
            marker={"size": 9, "symbol": "x-thin", "line": {"color": self.colours.bad, "width": 3}},
            cliponaxis=False,
            hoverinfo="skip",
        )

    @property
    def _cut(self) -> dict[int, int]:
        """How many the next stage took, by the index of each stage that has a passage below that rank."""
        found = {}
        for number, stage in enumerate(self.found.stages[:-1]):
            deepest = max((line.places[number] or 0 for line in self._placed), default=0)
            if stage.passes is not None and deepest > stage.passes:
                found[number] = stage.passes
        return found

    def _cuts(self, figure: go.Figure) -> None:
        """A dashed line below the last rank that the next stage took; its words stand at the stage's name."""
        for number, passes in self._cut.items():
            at = self.height(passes + 0.5)
            line = {"color": self.colours.text, "width": 1.5, "dash": "dash"}
            figure.add_shape(type="line", x0=number - 0.12, x1=number + 0.45, y0=at, y1=at, line=line)

    def _labels(self, figure: go.Figure) -> None:
        """The name of a line where it ends, moved apart where several would meet."""
        ends: dict[int, list[tuple[float, Line]]] = {}
        for line in self._named:
            last = max(number for number, place in enumerate(line.places) if place)
            ends.setdefault(last, []).append((self.height(line.places[last] or 1), line))
        for stage, ending in ends.items():
            ending.sort(key=lambda end: end[0])
            wanted = [self._pixels(at) for at, _ in ending]
            placed = spread(wanted, LABEL, 8, AREA - 8)
            for (at, line), want, place in zip(ending, wanted, placed, strict=True):
                colour = self.colours.gold if line.gold else self.own
                moved = {"showarrow": True, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": colour, "ax": 14}
                self._write(figure, stage, at, self._end(line), colour, ay=place - want, **moved)

    @property
    def _named(self) -> list[Line]:
        """Gold, or where none is known what was given first."""
        return self.gold[: AREA // LABEL] or self.given[:MOST_NAMED]

    def _end(self, line: Line) -> str:
        place = next(place for place in reversed(line.places) if place)
        if line.gold and line.lost is not None:
            return self.words("ui.flow.lost", name=_title(line, 12), place=place)
        return f"{_title(line, 12)} {place:,}"

    @property
    def _right(self) -> int:
        """Pixels that the names at the right edge take; those that end one stage before reach over it in part."""
        last = len(self.found.stages) - 1
        return max([16, *(22 + pixels(self._end(line)) for line in self._named if line.places[last] or last == 0)])

    def _write(self, figure: go.Figure, x: float, y: float, text: str, colour: str, **more: object) -> None:
        figure.add_annotation(
            **{
                "x": x,
                "y": y,
                "text": safe(text),
                "xanchor": "left",
                "showarrow": False,
                "font": {"color": colour, "size": SMALL},
                "bgcolor": self.colours.ground,
                "opacity": 0.92,
                "borderpad": 1,
                **more,
            }
        )

    def _pixels(self, at: float) -> float:
        top, bottom = self.bounds
        return (at - top) / (bottom - top) * AREA

    @property
    def _stages(self) -> list[str]:
        return [self._stage(number) for number in range(len(self.found.stages))]

    def _stage(self, number: int) -> str:
        """A stage's name, and below it how many went on, where that is cut by rank: no words lie over the lines."""
        name = wrapped(self.words.say(self.found.stages[number].say), STAGE)
        passes = self._cut.get(number)
        return name if passes is None else f"{name}<br>┄ {safe(self.words('ui.flow.cut', count=passes))}"

    def _axes(self, figure: go.Figure) -> None:
        last = len(self.found.stages) - 1
        figure.update_xaxes(
            side="top",
            range=[-0.15, last + (0.03 if last else 1)],
            tickvals=list(range(last + 1)),
            ticktext=self._stages,
            tickfont={"color": self.colours.text},
        )
        few = range(1, self.deepest + 1)
        ticks = few if self.deepest <= FEW else [tick for tick in _TICKS if tick <= self.deepest]
        figure.update_yaxes(
            range=list(reversed(self.bounds)),
            tickvals=[self.height(tick) for tick in ticks],
            ticktext=[f"{tick:,}" for tick in ticks],
        )


def _title(line: Line, most: int) -> str:
    return short(line.passage.title or line.passage.id, most)
