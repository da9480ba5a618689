"""The frame of every page: language, settings, navigation and the open knowledge base.

The first visit after a server start to an address other than `/` makes Streamlit run that page's file alone, without
`app.py`. So every page calls `frame()` first: where `app.py` did not run, it runs the navigation (which then runs the
page) and stops.
"""

from __future__ import annotations

import uuid
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.archive import Archive
from core.bench import Bench, assemble
from core.domain import Say
from core.environment import load
from core.errors import UsageError, WorkbenchError
from core.knowledge.sentences import columns
from core.opened import Opened
from core.saved import Choices, Saved
from core.settings import Settings
from core.turns import Turns
from core.words import Words
from pages.parts import addressed, bases, entering, own
from pages.parts.language import language
from pages.parts.literal import inline
from pages.parts.opening import Opening, opening

_PAGES = Path(__file__).resolve().parent.parent
_PAGE = "page"
TITLE = 50
"""Pixels of a page's title on a wide screen."""


@dataclass(frozen=True)
class Frame:
    """What a page gets: words of the reader's language, the session's settings, the archive, and the base they read.

    `head` is the place of its title, beside the switch of the language, `address` that of what puts values into the
    address without an entry in the history, and `lead` that of the line below. `saved` is
    what this server keeps for everyone, `given` the variables that the environment sets. `arrived` says that the reader
    was not on this page before.
    """

    words: Words
    settings: Settings
    archive: Archive
    head: DeltaGenerator
    address: DeltaGenerator
    lead: DeltaGenerator
    base: str
    saved: Choices
    given: frozenset[str]
    arrived: bool

    @property
    def owner(self) -> str:
        """Whom comparisons of this session belong to: nobody in particular, unless the server is private."""
        if not self.settings.private:
            return ""
        return str(st.session_state.setdefault("owner", uuid.uuid4().hex))

    @property
    def reader(self) -> str | None:
        """Whose comparisons this session may open; `None`: everyone's."""
        return self.owner if self.settings.private else None

    def bench(self) -> Bench:
        """The open base with this session's models; where there is none the page ends with the reason.

        While the base opens its progress is shown.
        """
        opened = self.opened()
        try:
            return _assembled(self.settings, self.saved, opened)
        except UsageError as refused:
            with st.container(border=True):
                st.subheader(self.words("ui.settings.unfit"), anchor=False)
                st.markdown(inline(self.words.say(refused.say)))
                to_settings(self.words)
            st.stop()

    def opened(self) -> Opened:
        """The open base with its indexes, as everyone shares it; else as `bench`."""
        found = opening(self.settings, self.base)
        wait = st.empty()
        while not found.ready.wait(0.1):
            share = found.done / found.total if found.total else 0.0
            wait.progress(share, self.words("ui.base.opening", base=inline(self.base)))
        wait.empty()
        if found.opened is None:
            self._broken(found)
        return found.opened

    def line(self, text: str, *, still: bool = False) -> None:
        """The line under the page's title; how far the vectors of the base are stands in it while that takes long.

        It changes by itself unless it is to be `still`: what the browser then sends could undo what was just done.
        """
        with self.lead:
            found = opening(self.settings, self.base)
            if not self.settings.roles["embeddings"].offline:  # the vectors of this machine are not what is used
                st.caption(inline(text))
            elif found.at_work and not still:
                _changing_line(text, found, self.words)
            else:
                _line(text, found, self.words)

    def _broken(self, found: Opening) -> NoReturn:
        with st.container(border=True):
            st.subheader(self.words("ui.base.broken"), anchor=False)
            st.markdown(inline(self.words.say(found.failed)) if found.failed else "")
            st.caption(self.words("ui.base.again"))
            st.button(self.words("ui.base.retry"), icon=":material/refresh:", key="retry")
        st.stop()


@dataclass(frozen=True)
class _Assembled:
    """A bench with what it was made of: it serves until one of these changes, so that connections are reused."""

    settings: Settings
    prices: list[dict[str, Any]]
    opened: Opened
    bench: Bench


def _assembled(settings: Settings, saved: Choices, opened: Opened) -> Bench:
    """This session's bench on a base; raises `UsageError` where a role names no model."""
    kept = st.session_state.get("bench")
    made_of = (settings, saved.prices.edits)
    if isinstance(kept, _Assembled) and kept.opened is opened and (kept.settings, kept.prices) == made_of:
        return kept.bench
    bench = assemble(settings, opened)
    st.session_state["bench"] = _Assembled(*made_of, opened, bench)
    return bench


def to_settings(words: Words) -> None:
    """A link to the settings page."""
    st.page_link("pages/settings.py", label=words("ui.settings.to"), icon=":material/settings:")


def _line(text: str, found: Opening, words: Words) -> None:
    filling = words("ui.base.filling", done=found.done, total=found.total) if found.slow else ""
    title = found.opened.base.title if found.opened else ""
    long = inline(title) if columns(title) > bases.WHOLE else None  # the choice beside it shows its beginning
    st.caption(" · ".join(part for part in (inline(text), filling) if part), help=long)


@st.fragment(run_every=1.0)
def _changing_line(text: str, found: Opening, words: Words) -> None:
    """Redrawn by itself, without stopping a race and without moving what stands below."""
    _line(text, found, words)


@st.cache_resource(show_spinner=False)
def turns(places: int) -> Turns:
    """The one line of this server."""
    return Turns(places)


_current: ContextVar[Frame | None] = ContextVar("frame", default=None)


def navigate() -> None:
    """Draw the frame and run the page of this address."""
    settings, saved, refused = _settings()
    addressed.begin()
    with st.container(gap="xsmall"):
        with st.container(
            horizontal=True, wrap=False, vertical_alignment="center", horizontal_alignment="distribute", gap="small"
        ):
            left = st.container(width="stretch", gap=None)
            head, address = left.empty(), left.container(gap=None)
            with address:
                entering.draw()
            head.space(TITLE)  # until the page says its title, the switch stands where it will stay
            spoken = language(settings.language if settings else "zh")
        below = st.container(horizontal=True, vertical_alignment="center", gap="small")
    words = Words(spoken)
    st.set_page_config(
        page_title=words("ui.title"),
        layout="wide",
        menu_items={"About": words("ui.about")},
        page_icon=str(_PAGES / "parts" / "icon.svg"),
    )
    page = st.navigation(_pages(words), position="top")
    if settings is None:
        st.error(inline(words.say(refused)) if refused else "", icon=":material/error:")
        return
    with below:
        base = bases.choose(settings, words)
        lead = st.container(width="stretch")
    _moved(settings, words)
    arrived = st.session_state.get(_PAGE) != page.url_path
    st.session_state[_PAGE] = page.url_path
    bases.warn(settings, words, arrived=arrived)
    given = frozenset(own.given())
    token = _current.set(
        Frame(words, settings, Archive(settings.home), head, address, lead, base, saved, given, arrived)
    )
    try:
        page.run()
    finally:
        _current.reset(token)
        addressed.settle(address)


def _pages(words: Words) -> list[st.Page]:
    """The pages, each at its file's stem; the first also at the root, so that both addresses of it work."""
    compare, name, icon = _PAGES / "compare.py", words("ui.compare.name"), ":material/view_column:"
    return [
        st.Page(compare, title=name, icon=icon, url_path="start", default=True),
        st.Page(compare, title=name, icon=icon, url_path="compare", visibility="hidden"),
        st.Page(_PAGES / "library.py", title=words("ui.library.name"), icon=":material/menu_book:"),
        st.Page(_PAGES / "coverage.py", title=words("ui.coverage.name"), icon=":material/grid_view:"),
        st.Page(_PAGES / "learn.py", title=words("ui.learn.name"), icon=":material/school:"),
        st.Page(_PAGES / "settings.py", title=words("ui.settings.name"), icon=":material/settings:"),
    ]


def frame() -> Frame:
    """The frame around the page that calls it; runs the navigation where `app.py` did not."""
    found = _current.get()
    if found is None:
        navigate()
        st.stop()
    return found


def _settings() -> tuple[Settings | None, Choices, Say | None]:
    """The settings in force and what was saved, or why they cannot be."""
    try:
        settings = load(secrets=own.secrets())
        saved = Saved(settings.home).load()
        return own.in_force(settings, saved, own.given()), saved, None
    except WorkbenchError as refused:
        return None, Choices(), refused.say


def _moved(settings: Settings, words: Words) -> None:
    """Say once a session that the data folder is not in the checkout."""
    if settings.home_moved and "told_moved" not in st.session_state:
        st.session_state["told_moved"] = True
        st.toast(inline(words("settings.home_moved", path=str(settings.home))), icon=":material/folder:")
