"""Bringing files in: where to, which files, how each was read, how they are cut, and one button that imports them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, get_args

import streamlit as st

from core.authoring.bringing import Brought, bring
from core.authoring.importing import Batch, Same, batch, recut
from core.authoring.intake import Taken
from core.domain import Say
from core.errors import WorkbenchError
from core.knowledge.base import KnowledgeBase
from core.knowledge.loading import load_folder
from core.knowledge.reading import candidates
from core.knowledge.splitting import Splitting
from core.words import Words
from pages.parts import own
from pages.parts.frame import Frame
from pages.parts.library import arrivals, cuts, destination, saving, uploads
from pages.parts.library.destination import Destination
from pages.parts.library.uploads import Held, Tray
from pages.parts.literal import inline, short
from pages.parts.told import told

_WORKED = "importing.batch"
_SEVERAL = 20
"""Files of which each gets a choice of its own; more are chosen for together."""
_PREVIEW = 120
"""Columns of type of a text by which a person tells whether its encoding is right."""
_SAMES: tuple[Same, ...] = get_args(Same)


def draw(page: Frame) -> None:
    """The view, from where to until what came of it."""
    words = page.words
    told("import", words)
    tray = uploads.look()
    if tray.done:
        _result(page, *tray.done)
    goal = destination.choose(page)
    uploads.ask(words)
    uploads.watch(words)
    held = uploads.look().held
    if held:
        _plan(page, goal, held)


def _plan(page: Frame, goal: Destination, held: Sequence[Held]) -> None:
    """What importing would do, what is to be decided, and the button."""
    words = page.words
    splitting = st.session_state.get("importing.splitting", {}).get(goal.base.name, goal.base.splitting)
    taken = [one.taken for one in held]
    with st.container(border=True):
        first = _worked(goal.base, taken, "replace", goal.base.splitting)
        clashing = [at for at, one in enumerate(first.outcomes) if one.reason and one.reason.code == "import.replaced"]
        same = _clashes(clashing, held, words) if clashing else "replace"
        arrivals.draw(_worked(goal.base, taken, same, goal.base.splitting).outcomes, words)
        _guesses(held, words)
    with st.expander(words("ui.cuts.title"), icon=":material/content_cut:", expanded=True):
        st.caption(words("ui.cuts.about"))
        splitting = cuts.settings(goal.base, words)
        _recut(goal.base, splitting, words)
        cuts.draw(taken, splitting, words)
    _button(page, goal, taken, same, splitting)
