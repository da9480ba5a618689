"""What is to be answered next: queues and defaults, for all chat requests or only for some."""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from typing import TypeAlias

from .replies import Answer, Request, Said

Who: TypeAlias = tuple[str | None, bool | None]

FIRST_DEFAULT = Said("根据资料作答[1]。")


class Repertoire:
    """Answers by model name and by whether a request carries tools; None stands for either.

    The more exact wins: a queue before a default, the model's before everyone's, tools named before unnamed.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.forget()

    def forget(self) -> None:
        """Back to the first default, with nothing queued."""
        with self._lock:
            self._queues: defaultdict[Who, deque[Answer]] = defaultdict(deque)
            self._defaults: dict[Who, Answer] = {(None, None): FIRST_DEFAULT}

    def then(self, answers: tuple[Answer, ...], who: Who) -> None:
        """Queues the answers."""
        with self._lock:
            self._queues[who].extend(answers)

    def always(self, answer: Answer, who: Who) -> None:
        """Sets the default."""
        with self._lock:
            self._defaults[who] = answer

    def next(self, request: Request) -> Answer:
        """Takes the answer for this request."""
        candidates: list[Who] = [
            (model, tools) for model in (request.model, None) for tools in (bool(request.tools), None)
        ]
        with self._lock:
            for who in candidates:
                if self._queues[who]:
                    return self._queues[who].popleft()
            return next(self._defaults[who] for who in candidates if who in self._defaults)

    @property
    def waiting(self) -> int:
        """How many queued answers nobody has asked for yet."""
        with self._lock:
            return sum(map(len, self._queues.values()))
