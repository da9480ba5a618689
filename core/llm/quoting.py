"""What of a passage can be quoted, and how a quote and the part of the question above it are written."""

from __future__ import annotations

import re
from itertools import accumulate, groupby

from core.domain import Passage
from core.knowledge.sentences import HAN, LONG, columns, sentences
from core.knowledge.sheet_rows import quotable as quotable_row
from core.knowledge.tables import table_heads

SHORT = 180
"""Columns (Han count two) up to which a paragraph is quoted whole."""

BREAK = re.compile(r"\s*[\n\r\u2028\u2029\x0b\x0c\x85]\s*")
_PAIRS = ("“”", "「」", "『』")
_QUOTE_MARKS = re.compile("[“”「」『』]")
_PLAIN = str.maketrans(dict(zip("[]【】［］`", "()()()'", strict=True)) | dict.fromkeys("*_~$<>#|\\", " "))


def quotable(passage: Passage) -> list[str]:
    """What can be quoted of a passage: short paragraphs whole, else sentences; headings only where nothing else is.

    Of a table its rows; what heads it is a heading, the line below that nothing. Of a row of a sheet all its cells.
    """
    if passage.metadata.get("type") == "row":
        return quotable_row(passage, LONG)
    text = passage.text
    found: list[str] = []
    headings: list[str] = []
    heads = table_heads(text.split("\n"))
    for line, group in groupby(sentences(text), key=lambda span: text.count("\n", 0, span[0])):
        spans = list(group)
        if line - 1 in heads:
            continue
        start, end = spans[0][0], spans[-1][1]
        lead = text[text.rfind("\n", 0, start) + 1 : start].lstrip()
        head = lead.startswith("#") or line in heads or text[start:end] == passage.title
        into = headings if head else found
        into += [text[start:end]] if columns(text[start:end]) <= SHORT else [text[a:b] for a, b in spans]
    return found or headings


def joint(line_break: re.Match[str]) -> str:
    """What joins two lines: nothing between Han characters, else a space."""
    around = line_break.string[line_break.start() - 1 : line_break.start()], line_break.string[line_break.end() :][:1]
    return "" if all(HAN.match(character) for character in around) else " "


def quoted(text: str) -> str:
    """`text` between quotation marks that nothing inside it can close, so that no source forges a mark."""
    for pair in _PAIRS:
        depths = list(accumulate((c == pair[0]) - (c == pair[1]) for c in text))
        if not depths or (min(depths) >= 0 and depths[-1] == 0):
            return f"{pair[0]}{text}{pair[1]}"
    return f"“…{max(_QUOTE_MARKS.split(text), key=len).strip()}…”"


def label(aspect: str) -> str:
    """A part of the question for display: one line, at most 40 characters, nothing that reads as a mark or markup."""
    plain = " ".join(aspect.translate(_PLAIN).split())
    return plain if len(plain) <= 40 else f"{plain[:39]}…"
