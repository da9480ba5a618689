"""`python -m core`: the engine without a browser."""

import signal
import sys
from types import FrameType


def _leave(number: int, frame: FrameType | None) -> None:
    """End as on Ctrl-C: what runs is stopped, and what a model has said is paid for."""
    sys.exit(128 + number)


for name in ("SIGTERM", "SIGHUP"):
    if hasattr(signal, name):  # Windows has no SIGHUP
        signal.signal(getattr(signal, name), _leave)

try:
    from core.cli import main

    sys.exit(main())
except KeyboardInterrupt:
    sys.exit(130)
