"""A knowledge base being opened: indexed in a thread of its own, then its vectors filled in the background.

One object a base serves every session; only its own thread ever changes it. It is made without anyone's settings, so
that nothing secret is in it, and only the embedding model of this machine, which costs nothing, works unasked.
"""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path

import streamlit as st

from core.bench import assemble
from core.domain import Say
from core.errors import StoppedError, WorkbenchError
from core.knowledge.loading import stamp
from core.opened import Opened, index, load, shelf, warm
from core.settings import Settings

log = logging.getLogger(__name__)


class Opening:
    """`opened` once `ready`; `failed` says why it is not; `done` of `total` passages have what is being made.

    Of `before`, the same base as it last was, all is taken over that has not changed.
    """

    def __init__(self, home: Path, name: str, before: Opening | None = None) -> None:
        self.ready = threading.Event()
        self.opened: Opened | None = None
        self.failed: Say | None = None
        self.filling = False
        self.done, self.total = 0, 0
        self.began = time.monotonic()
        self.superseded = threading.Event()
        settings = Settings(home=home)
        work = (settings, name, before)
        self._thread = threading.Thread(target=self._work, args=work, daemon=True, name=f"base-{name}")
        self._thread.start()

    def _count(self, done: int, total: int) -> None:
        self.done, self.total = done, total

    def _work(self, settings: Settings, name: str, before: Opening | None) -> None:
        try:
            self.opened = opened = self._open(settings, name, before)
        except WorkbenchError as refused:
            self.failed = refused.say
            return
        except Exception as crashed:
            log.exception("base %s cannot be opened", name)
            self.failed = Say.of("ui.base.crashed", kind=type(crashed).__name__, reason=str(crashed)[:300])
            return
        finally:
            self.ready.set()
        self._fill(settings, opened)

    def _open(self, settings: Settings, name: str, before: Opening | None) -> Opened:
        known = before.opened if before else None
        base = load(settings, name, known.base if known else None)
        if before is None or known is None or known.base.words != base.words:
            return index(settings, base, self._count)
        before.superseded.set()
        return known.revised(base, settings)

    def _fill(self, settings: Settings, opened: Opened) -> None:
        opened.tokeniser.warm()
        warm(settings.cache)
        self.began, self.filling = time.monotonic(), True
        try:
            bench = assemble(settings, opened)
            for done, total in bench.fill(self.superseded.is_set):
                self._count(done, total)
            self.filling = False
            for _ in bench.fill_words():
                if self.superseded.is_set():
                    break
        except StoppedError:
            log.info("base %s has changed; what it lacks is computed for what it is now", opened.base.name)
        except WorkbenchError as failed:
            if threading.main_thread().is_alive():  # else the process ends, and nothing is the matter
                log.warning("vectors cannot be filled: %s", failed)
        finally:
            self.filling = False

    @property
    def at_work(self) -> bool:
        """Whether anything may still change."""
        return self._thread.is_alive()

    @property
    def slow(self) -> bool:
        """Whether filling has gone on for more than a second, so that a reader should see how far it is."""
        return self.filling and self.total > 0 and time.monotonic() - self.began > 1.0


@st.cache_resource(max_entries=8, show_spinner=False)
def _latest(home: str, name: str) -> list[Opening]:
    """Where the last opening of a base is kept, for the next to go on from."""
    return []


@st.cache_resource(max_entries=8, show_spinner=False)
def _opening(home: str, name: str, stamped: str) -> Opening:
    last = _latest(home, name)
    last[:] = [Opening(Path(home), name, last[0] if last else None)]
    return last[0]


def opening(settings: Settings, name: str) -> Opening:
    """The opening of a base, shared by all sessions; a base that failed is tried anew the next time."""
    try:
        stamped = stamp(shelf(settings).where(name))
    except WorkbenchError:  # no such base: its opening tells it
        stamped = ""
    given = (str(settings.home), name, stamped)
    found = _opening(*given)
    if found.failed:
        _opening.clear(*given)
    return found
