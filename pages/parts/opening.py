"""A knowledge base being opened: indexed in a thread of its own, then its vectors filled in the background.

One object a base serves every session; only its own thread ever changes it. It is made without anyone's settings, so
that nothing secret is in it, and only the embedding model of this machine, which costs nothing, works unasked.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from pathlib import Path

import streamlit as st

from core.bench import Opened, assemble, index, shelf
from core.domain import Say
from core.errors import WorkbenchError
from core.settings import BUNDLED, Settings

log = logging.getLogger(__name__)


class Opening:
    """`opened` once `ready`; `failed` says why it is not; `done` of `total` passages have what is being made."""

    def __init__(self, home: Path, name: str) -> None:
        self.ready = threading.Event()
        self.opened: Opened | None = None
        self.failed: Say | None = None
        self.filling = False
        self.done, self.total = 0, 0
        self.began = time.monotonic()
        settings = Settings(home=home)
        self._thread = threading.Thread(target=self._work, args=(settings, name), daemon=True, name=f"base-{name}")
        self._thread.start()

    def _count(self, done: int, total: int) -> None:
        self.done, self.total = done, total

    def _work(self, settings: Settings, name: str) -> None:
        try:
            self.opened = opened = index(settings, shelf(settings).load(name), self._count)
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

    def _fill(self, settings: Settings, opened: Opened) -> None:
        opened.tokeniser.warm()
        self.began, self.filling = time.monotonic(), True
        try:
            bench = assemble(settings, opened)
            for done, total in bench.fill():
                self._count(done, total)
            self.filling = False
            for _ in bench.fill_words():
                pass
        except WorkbenchError as failed:
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
def _opening(home: str, name: str, stamp: tuple[int, int]) -> Opening:
    return Opening(Path(home), name)


def opening(settings: Settings, name: str) -> Opening:
    """The opening of a base, shared by all sessions; a base that failed is tried anew the next time."""
    given = (str(settings.home), name, _stamp(settings, name))
    found = _opening(*given)
    if found.failed:
        _opening.clear(*given)
    return found


def _stamp(settings: Settings, name: str) -> tuple[int, int]:
    """Changes when a file of the base does: how many there are, and when the newest was written (nanoseconds)."""
    places = (settings.home / "kb" / name, BUNDLED / name, Path(os.path.expanduser(name)))
    folder = next((place for place in places if os.path.exists(place)), None)
    try:
        files = [folder] if folder and folder.is_file() else list(folder.rglob("*")) if folder else []
        return len(files), max((file.stat().st_mtime_ns for file in files), default=0)
    except OSError:  # a file that went while it was looked at: the next look sees the rest
        return len(files), 0
