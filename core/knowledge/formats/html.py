"""Web pages: what a reader sees of them, as Markdown.

Parsed by lxml, which reading Word files needs anyway: it closes the paragraphs, list items and cells that pages leave
open, as browsers do, and Python's own parser does not. Markup of a hostile page is never told, only its words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from lxml import etree, html

from core.domain import Say
from core.errors import BaseError
from core.knowledge import reading
from core.knowledge.decoding import known
from core.knowledge.formats import Options, markdown
from core.knowledge.formats.html_tables import grid, heads
from core.knowledge.formats.markdown import Block, is_chinese
from core.knowledge.formats.packages import MOST_TREE
from core.knowledge.reading import Reading, clean, too_large

_UNSEEN = tuple("script style template noscript svg iframe object audio video canvas".split())
_FURNITURE = frozenset("nav footer button select dialog".split())
_SETS_OFF = frozenset(
    "address article aside blockquote body center dd details dialog div dl dt fieldset figure footer form header "
    "hgroup html legend li main menu nav p search section summary tbody td tfoot th thead tr".split()
)
_HEADING = re.compile("h([1-6])")
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_CHARSET = re.compile(rb"<meta[^>]{0,300}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:-]+)", re.I)
_DECLARED = re.compile(r"\A\s*<\?xml[^>]*\?>")
_HEAD = 4096
_HAN = "[\u3000-\u303f\u3400-\u9fff\uff01-\uff5e]"
_BETWEEN_HAN = re.compile(rf"(?<={_HAN})[ \t]*\n\s*(?={_HAN})")
_SPACES = re.compile(r"[^\S\n]*\n\s*|\s+")
_BREAK = "\u2028"
"""Stands for `<br>` until the spaces of the source are gone."""

_MUCH = 500
"""Characters left out from which on a warning tells of them."""


def read(data: bytes, file: str, options: Options) -> Reading:
    """Read a page. Raises BaseError as `reading.read` does, `base.file.large`, `base.file.html.deep`."""
    if len(data) > MOST_TREE:
        raise too_large(file, len(data), MOST_TREE)
    source = _decoded(data, file, options.encoding)
    parser = html.HTMLParser(huge_tree=True, remove_pis=True)
    root = html.document_fromstring(_DECLARED.sub("", source.text, count=1) or "<p>", parser=parser)
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" or "depth" in entry.message for entry in parser.error_log):
        raise BaseError("base.file.html.deep", file=file)
    etree.strip_elements(root, *_UNSEEN, with_tail=False)
    try:
        text, left_out = _told(root)
    except RecursionError as error:
        raise BaseError("base.file.html.deep", file=file) from error
    told, removed = clean(text)
    warnings = (Say.of("base.file.html.left_out", file=file, count=left_out),) if left_out >= _MUCH else ()
    return source.told_as(told, removed, warnings)


def _decoded(data: bytes, file: str, encoding: str | None) -> Reading:
    """By the person's choice, the byte order mark, what the page declares where it fits, else as any text."""
    declared = _CHARSET.search(data[:_HEAD])
    marked = data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"))
    if encoding is None and declared and not marked:
        name = known(declared[1].decode("ascii"))
        if name is not None and not name.startswith("utf-16"):  # an ASCII declaration cannot be in UTF-16
            chosen = reading.read(data, file, name)
            if not chosen.cleaned and not chosen.lost:
                return chosen
    return reading.read(data, file, encoding)


def _told(root: Any) -> tuple[str, int]:
    """The page's text and how many characters of furniture were left out of it; where all is furniture, nothing is."""
    teller = _Teller(root, _FURNITURE)
    text = markdown.joined(teller.page())
    if text.strip() or not teller.left_out:
        return text, teller.left_out
    return markdown.joined(_Teller(root, frozenset()).page()), 0


class _Teller:
    """Walks through a page: words gather until something begins that stands by itself."""

    def __init__(self, root: Any, furniture: frozenset[str]) -> None:
        self._root = root
        self._furniture = furniture
        self._chinese = is_chinese(root.text_content())
        self._words: list[str] = []
        self._blocks: list[Block] = []
        self._pictures: set[str] = set()
        self.left_out = 0

    def page(self) -> list[Block]:
        """The whole page, under its title where it has no heading of the first rank."""
        title = self._root.findtext(".//title")
        blocks = self._within(self._root)
        first = self._root.find(".//h1")
        if title and title.strip() and (first is None or not first.text_content().strip()):
            blocks.insert(0, markdown.heading(1, title))
        return blocks

    def _within(self, element: Any) -> list[Block]:
        """The blocks of an element alone."""
        return self._apart(self._walk, element)

    def _apart(self, tell: Callable[[Any], None], element: Any) -> list[Block]:
        kept, self._words, self._blocks = (self._words, self._blocks), [], []
        tell(element)
        self._flush()
        blocks = self._blocks
        self._words, self._blocks = kept
        return blocks

    def _walk(self, element: Any) -> None:
        self._words.append(element.text or "")
        for child in element:
            if isinstance(child.tag, str):
                self._element(child)
            self._words.append(child.tail or "")

    def _element(self, element: Any) -> None:
        tag = element.tag
        if tag == "head":
            return
        if self._drops(element):
            self.left_out += len(" ".join(element.text_content().split()))
        elif tag == "br":
            self._words.append(_BREAK)
        elif tag == "img":
            self._picture(element)
        elif tag in _TELLERS or _HEADING.fullmatch(tag):
            self._flush()
            self._blocks += list(_TELLERS.get(tag, _Teller._heading)(self, element))
        elif tag in _SETS_OFF:
            self._flush()
            self._walk(element)
            self._flush()
        else:
            self._walk(element)

    def _drops(self, element: Any) -> bool:
        """Whether an element belongs to the site, not to the page, or is not shown at all."""
        if element.tag in self._furniture:
            return not (element.tag == "footer" and any(element.iterancestors("blockquote", "figure")))
        return element.get("hidden") is not None or _HIDING.search(element.get("style") or "") is not None

    def _flush(self) -> None:
        words = squeezed("".join(self._words))
        self._words = []
        if words in self._pictures:
            self._blocks.append(Block("picture", words))
        elif words:
            self._blocks.append(markdown.text(words))

    def _heading(self, element: Any) -> Iterator[Block]:
        if words := " ".join(block.text for block in self._within(element)):
            yield markdown.heading(int(element.tag[1]), words)

    def _picture(self, element: Any) -> None:
        """A picture among words stands among them; one without a word on it decorates."""
        if alt := (element.get("alt") or "").strip():
            told = markdown.picture(alt, self._chinese).text
            self._pictures.add(told)
            self._words.append(told)

    def _figure(self, element: Any) -> Iterator[Block]:
        """Pictures and what is said of them, next to each other."""
        yield from self._within(element)

    def _caption(self, element: Any) -> Iterator[Block]:
        yield Block("caption", "\n".join(block.text for block in self._within(element)))

    def _code(self, element: Any) -> Iterator[Block]:
        for line in element.iter("br"):
            line.text = "\n"
        if words := element.text_content().rstrip():
            yield markdown.code(words)

    def _list(self, element: Any) -> Iterator[Block]:
        """Items with their numbers; what lies deeper in an item is indented."""
        start = element.get("start") or "1"
        number = int(start) if element.tag == "ol" and re.fullmatch("-?[0-9]{1,6}", start) else 1
        for child in element:
            if not isinstance(child.tag, str):
                continue
            if child.tag in ("ul", "ol"):  # a list set beside the item it belongs to
                yield from (Block("list", _indented(block.text)) for block in self._list(child))
            elif child.tag == "li":
                yield from self._item(child, f"{number}." if element.tag == "ol" else "-")
                number += 1
            else:
                yield from self._apart(self._element, child)

    def _item(self, element: Any, mark: str) -> Iterator[Block]:
        blocks = self._within(element)
        if blocks and blocks[0].kind in ("text", "picture"):
            yield Block("list", f"{mark} {_indented(blocks[0].text).lstrip()}")
            blocks = blocks[1:]
        elif blocks:
            yield Block("list", mark)
        yield from (Block("list", _indented(block.text)) for block in blocks)

    def _terms(self, element: Any) -> Iterator[Block]:
        """A glossary: each term, what it means below it."""
        yield from (Block("list", block.text) for block in self._within(element))

    def _table(self, element: Any) -> Iterator[Block]:
        for caption in element.iterchildren("caption"):
            yield from self._caption(caption)
        cells = list(element.iter("td", "th"))
        if len(cells) == 1 or any(cell.find(".//table") is not None for cell in cells):  # a table that lays out a page
            for cell in (cell for cell in cells if next(cell.iterancestors("table")) is element):
                yield from self._within(cell)
            return
        rows = grid(element, lambda cell: "\n".join(block.text for block in self._within(cell)))
        yield from markdown.table(rows, heads(element))


_TELLERS = {
    "figure": _Teller._figure,
    "figcaption": _Teller._caption,
    "pre": _Teller._code,
    "ul": _Teller._list,
    "ol": _Teller._list,
    "dl": _Teller._terms,
    "table": _Teller._table,
}


def squeezed(words: str) -> str:
    r"""Text as a page shows it: its source's spaces and line ends are one space, between Chinese characters none.

    >>> squeezed("  退货\n  政策 applies\n here ")
    '退货政策 applies here'
    """
    words = _SPACES.sub(" ", _BETWEEN_HAN.sub("", words.replace(_BREAK, "\x00")))
    return re.sub(" ?\x00 ?", "\n", words).strip()


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" if line else line for line in text.split("\n"))
