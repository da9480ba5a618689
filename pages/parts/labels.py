"""How a passage is called where it stands among others, and what marks it."""

from __future__ import annotations

from core.domain import Passage
from core.knowledge.base import JOINT
from core.retrieval.doubt import doubted
from core.words import Words
from pages.parts.literal import inline, short
from pages.parts.numbers import share

TITLE = 60
"""Columns of type that a passage's label takes in a list or a sentence; where it opens it stands whole."""


def named(passage: Passage, *, bold: bool = False, mark: str = "") -> str:
    """A passage's label, a `mark` in Markdown, and the section path above it."""
    title = inline(passage.title or passage.id)
    title = f"**{title}**" if bold else title
    title = f"{title} {mark}" if mark else title
    return f"{title} :gray[· {inline(path)}]" if (path := above(passage)) else title


def above(passage: Passage) -> str:
    """The section path above a passage, without a heading that is its label; of a very long one its beginning.

    Plain text.
    """
    if passage.section == passage.title:
        return ""
    return short(passage.section.removesuffix(f"{JOINT}{passage.title}"), 2 * TITLE)


def titled(passage: Passage) -> str:
    """A passage's label where it stands among others: of a very long one its beginning. Plain text."""
    return short(passage.title or passage.id, TITLE)


def doubt(passage: Passage, words: Words) -> str:
    """How unsure the reading of a passage is, where that ranks it down; empty for any other. Plain text."""
    confidence = doubted(passage)
    return "" if confidence is None else words("ui.filters.unclear", share=share(confidence))


def unclear(passage: Passage, words: Words) -> str:
    """The same as a mark, in Markdown."""
    text = doubt(passage, words)
    return f":red[:material/blur_on: {inline(text)}]" if text else ""


def exactly(words: Words) -> str:
    """The mark of a hit that the question names, in Markdown."""
    return f":primary[:material/my_location: {words('exact.match')}]"
