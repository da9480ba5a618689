"""Text of documents, titles, quotes and questions, shown exactly as it is.

Streamlit reads Markdown in most places. A backslash takes the meaning from a punctuation mark, but what works on
finished text (links from bare addresses, `:emoji:`, arrows) still acts; an empty directive between the characters
takes that too. Nothing is added that a reader could see or copy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.knowledge.sentences import columns

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_ACTING = re.compile(r"(?<=[:@<>~\-])(?=.)|(?<=.)(?=@)|(?<=[wW])(?=[wW])", re.DOTALL)
_NOTHING = ":gray[]"
_UNSHOWABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_BLANKS = re.compile(r"^[ \t]+|(?<=[ \t])[ \t]+|\t", re.MULTILINE)
_HARD_BREAK = "\\\n"
_PARAGRAPH = re.compile(r"\n[ \t\u00a0]*\n[ \t\n]*")


def shown(text: str) -> str:
    """`text` without what a browser cannot show, or what turns the text around it.

    Control characters, direction overrides and lone surrogates become `\ufffd`.
    """
    return _UNSHOWABLE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


HEADING = 240
"""Columns of type (two for a Chinese character) that a question takes as a heading."""


def heading(question: str) -> str:
    """A question as Markdown for a heading: of a very long one its beginning, so that it does not fill the page."""
    return inline(short(question, HEADING))


def short(text: str, most: int) -> str:
    """`text` in at most `most` columns of type (two for a Chinese character), an ellipsis where it was longer.

    >>> short("装修前要办什么手续？", 12), short("How long?", 12)
    ('装修前要办…', 'How long?')
    """
    if columns(text) <= most:
        return text
    return text[: next(n for n in range(min(len(text), most), -1, -1) if columns(text[:n]) < most)] + "…"


def inline(text: str) -> str:
    r"""Markdown that shows `text` literally on one line, also in a label.

    >>> print(inline("$5 *x*"))
    \$5 \*x\*
    """
    return _escaped(" ".join(shown(text).split()))


def literal(text: str) -> str:
    """Markdown that shows `text` literally with its line breaks and blanks."""
    return highlighted(text, ())


def highlighted(text: str, spans: Iterable[tuple[int, int]], colour: str = "yellow") -> str:
    """As `literal`, with the spans (ordered, apart from one another) on a coloured ground.

    Spans are positions in `text`; a span over a line break is marked line by line.
    """
    text = _UNSHOWABLE.sub("\ufffd", text).replace("\r", "\n")
    text = _BLANKS.sub(lambda run: "\u00a0" * len(run.group()), text)
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        pieces.append(_block(text[at:start]))
        pieces += [_marked(part, colour) for part in re.split(r"(\n+)", text[start:end]) if part]
        at = end
    pieces.append(_block(text[at:]))
    return "".join(pieces).strip("\n").removesuffix("\\")


def _marked(part: str, colour: str) -> str:
    return _block(part) if part.isspace() else f":{colour}-background[{_escaped(part)}]"


def _block(text: str) -> str:
    """Lines become hard breaks, empty lines paragraphs."""
    paragraphs = _PARAGRAPH.split(text)
    return "\n\n".join(_HARD_BREAK.join(map(_escaped, paragraph.split("\n"))) for paragraph in paragraphs)


def _escaped(text: str) -> str:
    return _NOTHING.join(_PUNCTUATION.sub(r"\\\1", piece) for piece in _ACTING.split(text))
