"""Skeleton."""

from __future__ import annotations

from pages.parts.frame import Frame


def draw(page: Frame) -> None:
    """Skeleton."""
    raise NotImplementedError
