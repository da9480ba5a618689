"""Remembering what was worked out for an index or a tokeniser, no longer than that itself is in use."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")


class Memo(Generic[T]):
    """Values by owner and key, at most `most` for each owner: the oldest go first. Safe to share between threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._known: WeakKeyDictionary[object, dict[Hashable, T]] = WeakKeyDictionary()

    def of(self, owner: object, key: Hashable, make: Callable[[], T]) -> T:
        """The value of `key`, made where it is not known; threads that ask at once may each make it."""
        with self._lock:
            known = self._known.setdefault(owner, {})
            if key in known:
                return known[key]
        value = make()
        with self._lock:
            if len(known) >= self._most:
                known.pop(next(iter(known)))
            known[key] = value
        return value
