"""Telling of a wait: passages being embedded for the first time are reported each second, to standard error."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from core.bench import Bench
from core.cli.output import complain
from core.words import Words

PATIENCE = 1.0
"""Seconds after which a wait is explained."""


@contextmanager
def explained(bench: Bench, words: Words) -> Iterator[None]:
    """While the body runs, say each second how far a first embedding is, if there is one."""
    vectors = bench.retriever.vectors
    if vectors is None or vectors.filled == len(vectors):
        yield
        return
    over = threading.Event()
    total = len(vectors)

    def tell(done: int) -> None:
        while not over.wait(PATIENCE):
            if vectors.filled > done:
                done = vectors.filled
                complain(words("cli.embedding", done=done, total=total))

    teller = threading.Thread(target=tell, args=(vectors.filled,), daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()
