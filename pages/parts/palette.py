"""The theme's colours as hex values, for what is drawn outside Markdown: they stand in the theme, and only there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import streamlit as st

from pages.parts.sources import COLOURS

Kind = Literal["light", "dark"]

_SLATE = 5
"""Its place in the theme's list for charts, behind the places of a comparison and the spare one."""


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours by what they mean, each as `#RRGGBB`; `places` are those of a comparison, in its order.

    `slate` is for what belongs to no mode, or to several. `font` is the theme's list of families.
    """

    ground: str
    card: str
    text: str
    muted: str
    line: str
    gold: str
    bad: str
    slate: str
    places: tuple[str, ...]
    font: str


def palette() -> Palette:
    """The colours of the theme that the reader sees."""
    return of("dark" if st.context.theme.type == "dark" else "light")


def of(kind: Kind) -> Palette:
    """The colours of the light or the dark theme."""

    def colour(name: str) -> str:
        return str(st.get_option(f"theme.{kind}.{name}"))

    return Palette(
        ground=colour("backgroundColor"),
        card=colour("secondaryBackgroundColor"),
        text=colour("textColor"),
        muted=colour("grayTextColor"),
        line=colour("borderColor"),
        gold=colour("yellowColor"),
        bad=colour("redTextColor"),
        slate=str(st.get_option(f"theme.{kind}.chartCategoricalColors")[_SLATE]),
        places=tuple(colour(f"{place}TextColor") for place in COLOURS),
        font=str(st.get_option("theme.font")),
    )
