"""Rows to text: what goes on is joined, what does not is kept apart, and each line knows the page it stood on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from core.knowledge.formats.pdf_rows import CLOSED, Row, is_han, width
from core.knowledge.marks import marks
from core.knowledge.reading import Origin

_ITEM = re.compile(
    r"[•·●○■□◆◇▪▶➢✓*–—-][ \t\u3000]|[（(][一二三四五六七八九十0-9a-z]{1,3}[)）]|[一二三四五六七八九十]{1,3}、"
    r"|[0-9]{1,3}(?:[、．)）]|\.(?![0-9]))|[0-9]{1,2}(?:\.[0-9]{1,2}){1,3}[ \t\u3000]|[a-zA-Z][.)）][ \t]|[①-⑳]"
)
"""How a list item or a numbered paragraph begins."""

_MARKDOWN = re.compile(r"#{1,6}(?:\s|$)|##|```|~~~|>|[-=_*]{3,}\s*$")
_CLAUSE = re.compile(r"[，、；。,;]")
_STOP = re.compile(r"[，、；。！？：,;!?:]|[a-z]\.")
_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")
_SUFFIX = re.compile(
    r"(?!(?:act|mot|sect|opt|stat|nat|ment|port|not|cap|auct|miss|sess|vis|tens|vers|pens|less|mans)ions?(?![a-z]))"
    r"(?:[a-z]{0,4}(?:[st]ions?|it(?:y|ies))|ments?|ings?|ness|ab(?:le|ly)|ib(?:le|ly)|[ae]nces?|[ae]nts?|ously?|ively?"
    r"|al(?:ly)?|ly|eds?|ers?|[st]ional(?:ly)?)(?![A-Za-z])"
)
"""Endings that are no words by themselves: a hyphen before them only marks the end of a row."""

_INDENT = 1.4
"""Type sizes that a first row stands in; a Chinese paragraph is set in by two."""

_TITLE = 60
"""Characters of a heading, at most."""

_LARGER = 1.15
"""Times the usual type from which a row may be a heading."""

_LEAST, _MOST = 0.85, 1.18
"""Ratios of type between which two rows may be of one paragraph; a note's type is smaller, a heading's larger."""

_CUT = "<!-- cut -->"
_APART = 1.6
"""How many times the usual distance of rows may lie between two rows of one paragraph."""


@dataclass(slots=True)
class Block:
    """A paragraph, a heading, a list item or a table row, growing row by row; `level` is a heading's."""

    rows: list[Row]
    parts: list[str]
    level: int = 0
    listed: bool = False
    tabular: bool = False
    prose: bool = False

    @property
    def text(self) -> str:
        """What its rows say together."""
        return "".join(self.parts)

    @property
    def tight(self) -> bool:
        """Whether no blank line stands between it and its like."""
        return (self.listed or self.tabular) and not self.level

    @property
    def confidence(self) -> float | None:
        """The mean over its rows, by their length; `None` where nothing was recognised."""
        known = [(row.confidence, len(row.text)) for row in self.rows if row.confidence is not None]
        return sum(c * n for c, n in known) / sum(n for _, n in known) if known else None


class Composer:
    """Joins the rows of a whole document; what it goes by is measured on all of them."""

    def __init__(self, rows: list[Row]) -> None:
        self._rows = rows
        self._texts = [_plain(row.text) for row in rows]
        found = [mark for mark in marks(self._texts) if mark.end - mark.first == 1]
        self._starts = {mark.first for mark in found}
        self._headings = {mark.first for mark in found if mark.kind == "heading" and mark.level != 1}
        sizes: Counter[float] = Counter()
        for row in rows:
            sizes[round(row.size * 2) / 2] += len(row.text)
        self._body = max(sizes, key=lambda size: sizes[size], default=12.0)
        self._wrapping = {_column(row) for row in rows if _wraps(row)}
        self._crowd = Counter(_column(row) for row in rows if _fills(row))
        self._words = Counter(word.lower() for row in rows for word in _WORD.findall(row.text))
        self._tabular = {at for at, (a, b) in enumerate(pairwise(rows)) if _aligned(a, b)}
        self._tabular |= {at + 1 for at in self._tabular}
        code = {at for at, row in enumerate(rows) if row.even}
        if 2 * len(code) < len(rows):
            self._tabular |= code

    def blocks(self) -> list[Block]:
        """The document's parts in order."""
        found: list[Block] = []
        for at, row in enumerate(self._rows):
            if at and self._goes_on(found[-1], at):
                self._join(found[-1], row, self._texts[at])
            else:
                listed = _ITEM.match(self._texts[at]) is not None
                found.append(Block([row], [self._texts[at]], listed=listed, tabular=at in self._tabular))
        self._level(found)
        return found

    def _goes_on(self, block: Block, at: int) -> bool:
        """Whether a row continues `block`, which the row before it belongs to."""
        before, row = self._rows[at - 1], self._rows[at]
        if (before.confidence is None) != (row.confidence is None):
            return False
        text = self._texts[at - 1].rstrip()
        if at in self._starts or at - 1 in self._headings or {at, at - 1} & self._tabular or _ITEM.match(row.text):
            return False
        if self._texts[at] != row.text or self._texts[at - 1] != before.text:
            return False
        if row.angle != before.angle or not _LEAST < row.size / before.size < _MOST:
            return False
        ended = text[-1:] in CLOSED or text.endswith(".")
        block.prose = block.prose or _STOP.search(text) is not None
        prose = block.prose or _one_sentence(text, self._texts[at])
        if before.page != row.page or (before.margin, before.edge) != (row.margin, row.edge):
            return prose and not ended and not _stands_in(row) and row.size < _LARGER * self._body
        hangs = block.listed and row.left > block.rows[0].left
        if not 0 < before.base - row.base < _APART * row.pitch:
            return False
        if _stands_in(row) and not _stands_in(before) and not hangs:
            return False
        if ended:
            return _full(before, row) and not _stands_in(row) and _column(row) in self._wrapping
        if prose:
            return _full(before, row) or _CLAUSE.search(text) is not None
        return is_han(text[-1:]) and _fills(before) and self._crowd[_column(row)] > 1

    def _join(self, block: Block, row: Row, text: str) -> None:
        block.rows.append(row)
        last = block.parts[-1]
        before = last.rstrip()
        digits = before[-1:].isdigit() and text[:1].isdigit() and sum(map(is_han, before)) > len(before) / 2
        if is_han(before[-1:]) and is_han(text[:1]) or digits:
            last = before
        elif before.endswith(("-", "\u00ad")) and not is_han(text[:1]):
            last = self._mended(before, text)
        elif not is_han(before[-1:]) and not is_han(text[:1]):
            last = before + " "
        block.parts[-1:] = [last, text]

    def _mended(self, before: str, text: str) -> str:
        """The start of a word over two rows, without its hyphen where document or ending shows it to be none."""
        if before.endswith("\u00ad"):
            return before[:-1]
        head, tail = re.search(r"[A-Za-z]*-$", before), re.match(r"[a-z]+", text)
        if head is None or len(head.group()) < 3 or tail is None:
            return before
        whole, kept = (head.group()[:-1] + tail.group()).lower(), (head.group() + tail.group()).lower()
        plain = self._words[whole] > 0 or (_SUFFIX.match(tail.group()) is not None and not self._words[kept])
        return before[:-1] if plain else before

    def _level(self, found: list[Block]) -> None:
        """Headings by their type: larger than the text, short, and without a stop."""
        large = [block for block in found if self._heads(block)]
        if len(large) * 2 > len(found):
            return
        sizes = sorted({round(block.rows[0].size * 2) / 2 for block in large}, reverse=True)
        for block in large:
            block.level = min(3, 1 + sizes.index(round(block.rows[0].size * 2) / 2))

    def _heads(self, block: Block) -> bool:
        first = block.rows[0]
        large = first.size >= _LARGER * self._body and first.confidence is None and first.angle == 0
        short = len(block.text) <= _TITLE and block.text[-1:] not in "。；;，,.:："
        return large and short and not block.tabular and not marks([block.text]) and block.text == block.text.lstrip()


def _plain(text: str) -> str:
    """A row that Markdown would read as a heading, fence or rule is set in by four, which makes it literal."""
    return "    " + text if _MARKDOWN.match(text) else text


def _stands_in(row: Row) -> bool:
    return row.left > row.margin + _INDENT * row.size


def _column(row: Row) -> tuple[int, float, float]:
    return row.page, row.margin, row.edge


def _one_sentence(before: str, text: str) -> bool:
    """Whether two rows are of one sentence rather than two titles: by punctuation, or by how the second begins."""
    return _STOP.search(text) is not None or (text[:1].islower() and not is_han(before[-1:]))


def _fills(row: Row) -> bool:
    """Whether it leaves no room for one more character."""
    return row.right > row.edge - 0.9 * row.size


def _wraps(row: Row) -> bool:
    """Whether it reaches the end of its column in the middle of a sentence."""
    return row.right > row.edge - 2 * row.size and row.text[-1:] not in CLOSED and not row.text.endswith(".")


def _aligned(row: Row, after: Row) -> bool:
    """Whether two rows are those of a table: cells that begin one below the other."""
    if len(row.cells) < 2 or len(after.cells) < 2 or row.page != after.page:
        return False
    starts = [cell.left for cell in row.cells[1:]]
    return any(abs(cell.left - start) <= row.size for cell in after.cells[1:] for start in starts)


def _full(row: Row, after: Row) -> bool:
    """Whether the first word of the next row would not have fitted: a row ends there because it is full."""
    word = after.text[:1] if is_han(after.text[:1]) else after.text.split(" ", 1)[0]
    room = 2 * row.size if is_han(row.text[-1:]) else 0.08 * (row.edge - row.margin)
    return row.right + row.size * width(word) + room >= row.edge


def composed(rows: list[Row]) -> tuple[str, tuple[Origin, ...]]:
    """The text of all rows, paragraphs apart by a blank line, and on which page its lines stood.

    What was recognised is cut from what was text: a passage is of one page and as sure as it can be.
    """
    lines: list[str] = []
    origins: list[Origin] = []
    tight = False
    recognised: bool | None = None
    for block in Composer(rows).blocks() if rows else []:
        if recognised not in (None, block.confidence is not None):
            lines += ["", _CUT]
            tight = False
        recognised = block.confidence is not None
        if lines and not (tight and block.tight):
            lines.append("")
        lines.append("#" * block.level + " " * bool(block.level) + block.text.rstrip())
        tight = block.tight
        origins.append(Origin(len(lines), len(lines), block.rows[0].page, block.confidence))
    return "\n".join(lines) + "\n" if lines else "", tuple(_merged(origins))


def _merged(origins: list[Origin]) -> Iterator[Origin]:
    """Neighbours of one page as one, unless they tell how surely they were read."""
    current: Origin | None = None
    for origin in origins:
        if current and current.page == origin.page and current.confidence is None and origin.confidence is None:
            current = Origin(current.first, origin.last, current.page)
            continue
        if current:
            yield current
        current = origin
    if current:
        yield current
