"""The one log: on standard error, a line an event, with every key masked, also in tracebacks."""

from __future__ import annotations

import logging
import sys

from core.endpoints import masked

FORMAT = "%(levelname)s %(name)s: %(message)s"


class Masking(logging.Formatter):
    """Masks keys in all that a record becomes, its traceback included."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, masked."""
        return masked(super().format(record))


def begin() -> None:
    """Send warnings and worse of everything to standard error; doing so twice is harmless."""
    root = logging.getLogger()
    if not any(isinstance(handler.formatter, Masking) for handler in root.handlers):
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(Masking(FORMAT))
        root.addHandler(handler)
