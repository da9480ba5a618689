"""Reading what may be silent for long: the read waits in a thread of its own, so that a stop is heard at once.

An SDK's read cannot be interrupted. Here the reader waits for the next item no longer than it may be silent, and looks
every tenth of a second whether it is to stop; the connection is then closed from outside, which ends the thread.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from core.errors import StoppedError

T = TypeVar("T")

GLANCE = 0.1
"""Seconds between two looks at whether to stop."""


class Silent(Exception):
    """Nothing came for as long as may be."""


class _End:
    """The source's last word: it is dry, or it failed."""

    def __init__(self, failed: BaseException | None) -> None:
        self.failed = failed


class Pump(Generic[T]):
    """Items of `source` as they come; `abort` must make a read that waits in another thread fail soon."""

    def __init__(
        self, source: Callable[[], Iterator[T]], stopped: Callable[[], bool], idle: float, abort: Callable[[], None]
    ) -> None:
        self._items: queue.Queue[T | _End] = queue.Queue()
        self._stopped = stopped
        self._idle = idle
        self._abort = abort
        self._left = threading.Event()
        self._thread = threading.Thread(target=self._work, args=(source,), daemon=True, name="model-read")
        self._thread.start()

    def _work(self, source: Callable[[], Iterator[T]]) -> None:
        failed: BaseException | None = None
        try:
            for item in source():
                self._items.put(item)
                if self._left.is_set():  # the reader left while no connection could be closed yet
                    self._abort()
                    return
        except BaseException as raised:  # handed to the reader, who raises it
            failed = raised
        self._items.put(_End(failed))

    def __iter__(self) -> Iterator[T]:
        """Yield until the source is dry; raises what it raised, `Silent`, or `StoppedError`."""
        over = False
        try:
            while not over:
                item = self._next()
                over = isinstance(item, _End)
                if isinstance(item, _End):
                    if item.failed is not None:
                        raise item.failed
                else:
                    yield item
        finally:
            self._left.set()
            if not over:
                self._abort()

    def _next(self) -> T | _End:
        waited = 0.0
        while waited < self._idle:
            if self._stopped():
                raise StoppedError
            try:
                return self._items.get(timeout=min(GLANCE, self._idle - waited))
            except queue.Empty:
                waited += GLANCE
        raise Silent


def wait_for(call: Callable[[], T], stopped: Callable[[], bool], idle: float) -> T:
    """The result of one call, waited for in the same way; one that is left behind ends by itself."""
    return next(iter(Pump(lambda: iter([call()]), stopped, idle, lambda: None)))


def pause(seconds: float, stopped: Callable[[], bool]) -> None:
    """Wait; raises `StoppedError` as soon as it is to stop."""
    waiting = threading.Event()
    left = seconds
    while left > 0:
        if stopped():
            raise StoppedError
        waiting.wait(min(GLANCE, left))
        left -= GLANCE
