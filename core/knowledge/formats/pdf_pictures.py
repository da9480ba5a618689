"""The pictures of a page that holds no text, upright and with the place where they stand."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pypdf import PageObject

from core.knowledge.formats.pdf_pages import RAISED, Page, shape
from core.knowledge.formats.scanned import Box

if TYPE_CHECKING:
    from PIL.Image import Image

_MOST = 50_000_000
"""Pixels of a picture that is read: a page of A4 at 600 dots an inch has 35 million."""

_LEAST = 100
"""Pixels of a side under which a picture is an ornament."""


def has_pictures(source: PageObject) -> bool:
    """Whether any picture stands on the page that is large enough to hold text."""
    try:
        return any(_size(source, key) is not None for key in source.images.keys())
    except RAISED:
        return True


def pictures(source: PageObject, page: Page) -> Iterator[tuple[Image, Box]]:
    """Each picture, turned as the page shows it, with its box.

    What is too large or cannot be decoded is left out, so that its page stays one that holds nothing.
    """
    try:
        keys = [key for key in source.images.keys() if (size := _size(source, key)) and size[0] * size[1] <= _MOST]
    except RAISED:
        return
    for key in keys:
        try:
            image = source.images[key].image
            turned = None if image is None else _upright(image, source, page.pictures.get(_name(key)))
        except RAISED:
            continue
        if turned is not None:
            yield turned


def _name(key: Any) -> str:
    return key if isinstance(key, str) else str(key[-1])


def _size(source: PageObject, key: Any) -> tuple[int, int] | None:
    """Width and height in pixels as the file declares them; `None` of an ornament."""
    item: Any = source
    for name in [key] if isinstance(key, str) else key:
        if name.startswith("~"):
            return (_LEAST, _LEAST)
        item = item["/Resources"]["/XObject"][name].get_object()
    width, height = int(item["/Width"]), int(item["/Height"])
    return (width, height) if min(width, height) >= _LEAST else None


def _upright(image: Image, source: PageObject, matrix: tuple[float, ...] | None) -> tuple[Image, Box]:
    """The picture as the page shows it; where it or the page is turned, its box is the whole page."""
    width, height = shape(source)
    placed = matrix is not None and len(matrix) == 6
    a, b, c, d, x, y = matrix if placed and matrix is not None else (width, 0.0, 0.0, height, 0.0, 0.0)
    rotation = int(source.rotation or 0)
    angle = round(math.degrees(math.atan2(b, a)) / 90) * 90 - rotation
    if angle % 360:
        image = image.rotate(angle, expand=True)
    if angle % 360 or rotation % 360 or not (a > 0 and d > 0):
        return image, (0.0, 0.0, *((height, width) if rotation % 180 else (width, height)))
    return image, (x, y, a, d)
