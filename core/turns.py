"""Whose turn it is: at most so many comparisons at once, the others in line in the order they came."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Self


class Turns:
    """The line of one server: `places` comparisons run at once. Safe to share between threads."""

    def __init__(self, places: int) -> None:
        if places < 1:
            raise ValueError(f"at least one place is needed, got {places}")
        self.places = places
        self._changed = threading.Condition()
        self._line: list[Turn] = []

    def join(self) -> Turn:
        """Stand at the end of the line; leave it with `Turn.leave`, or by using the turn as a context."""
        turn = Turn(self)
        with self._changed:
            self._line.append(turn)
        return turn

    def _leave(self, turn: Turn) -> None:
        with self._changed:
            if turn in self._line:
                self._line.remove(turn)
                self._changed.notify_all()

    def _ahead(self, turn: Turn) -> int:
        """How many must leave before it is this turn's; 0 once it may run. Call with the lock held."""
        return max(0, self._line.index(turn) - self.places + 1) if turn in self._line else 0


class Turn:
    """One comparison's place in line."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns

    @property
    def ahead(self) -> int:
        """How many must leave the line before this one may run; 0 when it may."""
        with self._turns._changed:
            return self._turns._ahead(self)

    def wait(self, seconds: float) -> int:
        """Wait up to `seconds` for this turn to come nearer; how many are still ahead."""
        with self._turns._changed:
            before = self._turns._ahead(self)
            if before:
                self._turns._changed.wait_for(lambda: self._turns._ahead(self) < before, seconds)
            return self._turns._ahead(self)

    def leave(self) -> None:
        """Give the place to the next; doing so twice is harmless."""
        self._turns._leave(self)

    def __enter__(self) -> Self:
        """Stand in line."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave, however the work ended."""
        self.leave()
