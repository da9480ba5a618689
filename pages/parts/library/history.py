"""Skeleton."""

from __future__ import annotations

from core.bench import Bench
from pages.parts.frame import Frame


def draw(page: Frame, bench: Bench) -> None:
    """Skeleton."""
    raise NotImplementedError
