"""Elements of our own: plain values in, text set as text, styles of their own that follow the theme."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

Element = Callable[..., Any]


def element(name: str, file: str, *, inside: str = "", under: str = "") -> Element:
    """The element whose script and styles stand beside the module `file`, as one `div` with its class `name`.

    `inside` is what the `div` holds at first; `under` is the stem of a script and styles beside it that come before.
    """
    stems = [Path(file).with_name(stem) for stem in (under, Path(file).stem) if stem]
    js, css = (
        "\n".join(stem.with_suffix(f".{kind}").read_text(encoding="utf-8") for stem in stems) for kind in ("js", "css")
    )
    return st.components.v2.component(name, html=f'<div class="{name}">\n{inside}</div>', css=css, js=js)
