"""Slow work beside the script: it runs in a thread of its own while the page keeps drawing, and ends when it is left.

A click starts the script anew at its next drawing; with that the work hears that it is to stop.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

GLANCE = 0.2
"""Seconds between two looks at whether the work is done."""


@contextmanager
def beside(work: Callable[[Callable[[], bool]], T]) -> Iterator[Future[T]]:
    """Work beside the script; whatever ends the block, a click too, tells the work to stop.

    `work` gets a function that says whether it is to stop.
    """
    stop = threading.Event()
    with_one = ThreadPoolExecutor(1, "beside-page")
    try:
        yield with_one.submit(work, stop.is_set)
    finally:
        stop.set()
        with_one.shutdown(wait=False)


def ticks(going: Future[T]) -> Iterator[None]:
    """Yield several times a second until the work has ended."""
    while not wait([going], GLANCE).done:
        yield
