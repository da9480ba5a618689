"""The beginning of an answer in exactly the room that was kept for it while it streamed, at any width.

An element of our own, since only the browser knows how wide a column is. It ends with a whole line and an ellipsis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from core.domain import Citation
from pages.parts import answer
from pages.parts.element import element
from pages.parts.literal import shown

_FOLDED = element("folded", __file__, under="blocks")


@dataclass(frozen=True, slots=True)
class Note:
    """A line below an answer: an icon's name, the text, and whether it tells of something bad."""

    icon: str
    text: str
    bad: bool = False


def values(text: str, citations: Sequence[Citation], notes: Sequence[Note], colour: str, height: int) -> dict[str, Any]:
    """As much of an answer as `height` pixels hold beside its notes, which are shown whole."""
    return {
        "blocks": [asdict(block) for block in answer.blocks(text, citations)],
        "notes": [asdict(note) | {"text": shown(note.text)} for note in notes],
        "colour": colour,
        "height": height,
    }


def draw(data: dict[str, Any] | None, *, key: str) -> None:
    """Draw `values`, or nothing yet: an element that is there already shows them without a blink."""
    _FOLDED(key=key, data=data)
