"""What a session has on its desk: an order, a race under way, or a comparison; one value under one key.

A click during a race starts the script anew while the old one may still be drawing. So the race itself lies on the
desk: whoever comes next closes it and takes what it has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from core.domain import Say
from core.errors import StoreError, WorkbenchError
from core.race import Race
from core.runs import Comparison
from pages.parts import addressed
from pages.parts.frame import Frame

_KEY = "desk"


@dataclass(frozen=True, slots=True)
class Order:
    """A question as the reader put it, not yet checked; `exact` as the server has it where it is `None`."""

    question: str
    modes: tuple[str, ...] = ()
    k: int | None = None
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    one_by_one: bool = False
    retrieval_only: bool = False
    filters: Mapping[str, str] = field(default_factory=dict)
    exact: bool | None = None


@dataclass(frozen=True, slots=True)
class Desk:
    """At most one of order, race and comparison is at work; `notice` is something to tell the reader.

    `unkept` is why the comparison could not be kept; told below it, so that what is being read does not move. `just`
    says that it ended in the run before: the browser may since have sent what the box held before it was asked.
    `named` says that the address named the comparison when the page was drawn last.
    """

    order: Order | None = None
    race: Race | None = None
    comparison: Comparison | None = None
    notice: Say | None = None
    unkept: Say | None = None
    just: bool = False
    named: bool = False


def look() -> Desk:
    """What lies on this session's desk."""
    found = st.session_state.get(_KEY)
    return found if isinstance(found, Desk) else Desk()


def put(desk: Desk) -> Desk:
    """Lay `desk` out; the same value comes back."""
    st.session_state[_KEY] = desk
    return desk


def keep(page: Frame, comparison: Comparison) -> Say | None:
    """Keep a comparison in the archive; why not, where that fails (it is still shown)."""
    try:
        page.archive.keep(comparison, page.owner)
    except StoreError as unkept:
        return unkept.say
    return None


def begun(comparison: Comparison) -> Comparison:
    """A comparison that is about to begin as one that was stopped, which is how it is found if it never ends."""
    return replace(comparison, runs=tuple(replace(run, stopped=True) for run in comparison.runs))


def announce(page: Frame, comparison: Comparison) -> None:
    """Keep a comparison that is about to begin, and let the address name it.

    So whoever loads the page anew before it ends has its question; what fails here is told when it is over.
    """
    keep(page, begun(comparison))
    point_at(page, comparison)


def settle(page: Frame) -> Desk:
    """The desk with any race that was left running closed, its part kept and marked as stopped."""
    desk = look()
    if desk.race is None:
        return desk
    desk.race.close()
    comparison = desk.race.comparison
    return put(replace(desk, race=None, comparison=comparison, unkept=keep(page, comparison)))


def follow_address(page: Frame, desk: Desk) -> Desk:
    """Open the comparison that the address names, or let the address name the one on the desk.

    Where the reader went back from a comparison to where there was none, it leaves the desk.
    """
    wanted = st.query_params.get("c")
    if desk.order is not None:
        return desk
    if desk.comparison and wanted == desk.comparison.id:
        return put(replace(desk, named=True))
    if wanted is None:
        if desk.comparison and desk.named and not page.arrived:
            return put(Desk())
        if desk.comparison:
            addressed.want("c", desk.comparison.id)
        return desk
    try:
        return put(Desk(comparison=page.archive.open(wanted, page.reader), named=True))
    except WorkbenchError as unknown:
        return Desk(notice=unknown.say)


def point_at(page: Frame, comparison: Comparison) -> None:
    """Make the comparison's permanent address the page's; what it keeps itself stands there no more.

    Who came to the page with the order has an entry in the browser's history for that already, which becomes the
    comparison's: else Back would lead to a page with nothing on it.
    """
    values = {"c": comparison.id, "q": None, "modes": None, "k": None}
    if page.arrived:
        with page.address:
            addressed.hold("address.arrived", {name: value or "" for name, value in values.items()})
    else:
        addressed.write(**values)
