"""Pictures of pages to text, where the optional packages for it are installed (RapidOCR; requirements-scanned.txt).

Its models lie in its wheel and are named one by one, so that nothing is ever fetched.
"""

from __future__ import annotations

import math
import re
import threading
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from core.knowledge.formats.pdf_rows import Fragment, Row, rows
from core.knowledge.marks import marks
from core.knowledge.numerals import SMALL

if TYPE_CHECKING:
    from PIL.Image import Image

SURE = 0.85
"""Mean confidence of a page under which it is pointed out; clean scans stand above .95, specked ones at .88."""

_DOTS = 120.0
"""Dots an inch under which a scan is coarse: its letters are then less high than what the recogniser was trained on."""

_SIDE = 1600
"""Pixels of the long side in which text is looked for: 140 dots an inch of A4. The default blows small pictures up."""

_TYPE = 0.8
"""The size of type as a share of a box around its row."""

_NUMBERED = re.compile(rf"第[0-9{SMALL}]+(?:[条章节编](?:之[一二三四五六七八九十]+)?)(?=[^\s，,、])")

Box = tuple[float, float, float, float]
"""Left, bottom, width and height in points."""

_LOCK = threading.Lock()


def available() -> bool:
    """Whether the packages that read pictures are installed, with their models."""
    try:
        package, *_ = map(import_module, ("rapidocr", "onnxruntime", "cv2"))
    except ImportError:
        return False
    return len(_models(package)) == 3


def _models(package: ModuleType) -> dict[str, str]:
    """The models for finding, turning and reading rows of text that the wheel brings."""
    folder = Path(str(package.__file__)).with_name("models")
    found = {part: sorted(folder.glob(f"*_{part.lower()}_*.onnx")) for part in ("Det", "Cls", "Rec")}
    return {f"{part}.model_path": str(paths[0]) for part, paths in found.items() if paths}


@cache
def _engine() -> Any:
    package = import_module("rapidocr")
    sizes = {"Det.limit_type": "max", "Det.limit_side_len": _SIDE}
    return package.RapidOCR(params={"Global.log_level": "critical", **sizes, **_models(package)})


def recognise(picture: Image, page: int, box: Box) -> list[Row]:
    """The rows of text on a picture that lies on a page within `box`.

    Each has its confidence. One picture is read at a time.
    """
    clear = _cleared(picture.convert("RGB"), box)
    with _LOCK:
        result = _engine()(np.asarray(clear)[:, :, ::-1].copy())
    if result.txts is None:
        return []
    found = [
        _fragment(corners, text, score, clear.size, box)
        for corners, text, score in zip(result.boxes, result.txts, result.scores, strict=True)
    ]
    return _set_apart(rows(_levelled(found), page))


def _cleared(picture: Image, box: Box) -> Image:
    """A coarse scan enlarged, and its specks smoothed; others as they are."""
    from PIL import Image as Images
    from PIL import ImageFilter

    dots = 72 * picture.width / max(box[2], 1.0)
    if dots >= _DOTS:
        return picture
    times = min(3, math.ceil(_DOTS / max(dots, 1.0)))
    larger = picture.resize((picture.width * times, picture.height * times), Images.Resampling.BICUBIC)
    return larger.filter(ImageFilter.MedianFilter(5 if times > 2 else 3))


def _fragment(corners: Any, text: str, score: float, size: tuple[int, int], box: Box) -> Fragment:
    left, bottom, width, height = box
    xs = [left + float(x) * width / size[0] for x, _ in corners]
    ys = [bottom + height - float(y) * height / size[1] for _, y in corners]
    tall = (max(ys) - min(ys)) or 1.0
    return Fragment(text + "\n", min(xs), min(ys) + 0.2 * tall, _TYPE * tall, 0, max(xs), round(float(score), 3))


def _levelled(fragments: list[Fragment]) -> list[Fragment]:
    """From the top down and left to right; boxes beside each other count as one row."""
    rowed: list[list[Fragment]] = []
    for fragment in sorted(fragments, key=lambda f: -f.base):
        if rowed and rowed[-1][0].base - fragment.base < 0.5 * min(rowed[-1][0].size, fragment.size):
            rowed[-1].append(fragment)
        else:
            rowed.append([fragment])
    return [
        Fragment(f.text, f.left, row[0].base, f.size, 0, f.right, f.confidence)
        for row in rowed
        for f in sorted(row, key=lambda f: f.left)
    ]


def _set_apart(found: list[Row]) -> list[Row]:
    """The blank after an article's or a chapter's number, which the recogniser leaves out, put back."""
    apart: list[Row] = []
    for row in found:
        first, text = row.cells[0], row.cells[0].text
        match = _NUMBERED.match(text)
        if match:
            spaced = f"{match.group()} {text[match.end() :]}"
            before = [apart[-1].text] if apart else []
            if any(mark.first == len(before) for mark in marks([*before, spaced])):
                row = replace(row, cells=(replace(first, text=spaced), *row.cells[1:]))
        apart.append(row)
    return apart
