"""A PDF opened within bounds, and what one page of it holds: pieces of text with their places, pictures, drawings."""

from __future__ import annotations

import io
import logging
import re
import struct
import time
import unicodedata
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from pypdf import PageObject, PasswordType, PdfReader
from pypdf.errors import DependencyError, PyPdfError
from pypdf.generic import ContentStream, FloatObject, NameObject, PdfObject

from core.errors import BaseError
from core.knowledge.formats.pdf_radicals import unradical
from core.knowledge.formats.pdf_rows import Fragment, is_han, turned

SECONDS = 120.0
"""How long one file may take; a page of text takes some hundredths of a second."""

PAGES = 5_000
CHARACTERS = 10_000_000
"""What one file may hold; a long novel has a million."""

DRAWN = 100
"""Strokes and fills on a page from which on its text may be drawn as outlines; frames and rules are fewer."""

RAISED = (
    PyPdfError,
    DependencyError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)
"""What pypdf lets through on damaged files: it trusts types and keys that a damaged file does not have."""

_PAINTING = frozenset((b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*", b"S", b"s", b"sh"))
_EMPTY = 32
"""Bytes that nothing takes when it is compressed, by any filter."""

_MOVING = frozenset((b"Tm", b"Td", b"TD"))
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_EVEN = re.compile(r"courier|mono|monl|consol|typewriter|cmtt|menlo", re.I)
"""Fonts whose Latin letters are all 0.6 of the type wide."""

_BULLETS = dict.fromkeys((0xF0B7, 0xF0A7, 0xF0D8, 0xF0FC, 0xF06C, 0xF06E, 0xF075, 0xF076), "•")
"""Bullets of the Symbol and Wingdings fonts, which stand at private code points."""

# pypdf tells every flaw that it mends; what matters to a person is told by the warnings of the reading.
logging.getLogger("pypdf").setLevel(logging.CRITICAL + 1)


class LateError(Exception):
    """The time for a file is used up."""


@dataclass(slots=True)
class Clock:
    """Watches the time and the characters that one file may take."""

    until: float = field(default_factory=lambda: time.monotonic() + SECONDS)
    left: int = field(default_factory=lambda: CHARACTERS)

    def check(self, characters: int = 0) -> None:
        """Count characters. Raises LateError when time or characters are used up."""
        self.left -= characters
        if self.left < 0 or time.monotonic() > self.until:
            raise LateError


@dataclass(slots=True)
class Page:
    """What stands on a page (`number` from 1), in the order in which it was written.

    `unmapped` counts the characters of `letters` that the file gives no meaning to; `damaged` says that reading broke
    off. `pictures` holds where each picture was put, as matrices, by its name.
    """

    number: int
    fragments: list[Fragment] = field(default_factory=list)
    pictures: dict[str, tuple[float, ...]] = field(default_factory=dict)
    painted: int = 0
    letters: int = 0
    unmapped: int = 0
    damaged: bool = False


def opened(data: bytes, file: str) -> PdfReader:
    """Open a PDF; one that asks for no password to be read is decrypted.

    Raises BaseError: `base.pdf.no_bytes`, `base.pdf.other`, `base.pdf.password`, `base.pdf.cryptography`,
    `base.pdf.broken`, `base.pdf.malformed`, `base.pdf.many_pages`.
    """
    if not data:
        raise BaseError("base.pdf.no_bytes", file=file)
    if b"%PDF-" not in data[:1024]:
        raise BaseError("base.pdf.other", file=file)
    try:
        reader = PdfReader(io.BytesIO(data))
        locked = reader.is_encrypted and reader.decrypt("") == PasswordType.NOT_DECRYPTED
        count = 0 if locked else len(reader.pages)
    except DependencyError as error:
        raise BaseError("base.pdf.cryptography", file=file) from error
    except RAISED as error:
        raise _broken(file, error) from error
    if locked:
        raise BaseError("base.pdf.password", file=file)
    if count > PAGES:
        raise BaseError("base.pdf.many_pages", file=file, count=count, most=PAGES)
    return reader


def _broken(file: str, error: Exception) -> BaseError:
    """What to tell of an error: pypdf's own words where it has any, else that the file is malformed."""
    words = " ".join(str(error).split())[:120]
    if isinstance(error, PyPdfError) and words:
        return BaseError("base.pdf.broken", file=file, reason=words)
    return BaseError("base.pdf.malformed", file=file)


def read_page(reader: PdfReader, number: int, clock: Clock) -> Page:
    """Read one page; what it holds up to a damage is kept.

    Raises LateError when the file has taken too long.
    """
    page = Page(number)
    try:
        source = reader.pages[number - 1]
        page.damaged = not _separate(source, reader)
        source.extract_text(visitor_operand_before=_watch(page, clock), visitor_text=_collect(page, clock))
    except RAISED:
        page.damaged = True
    clock.check()
    return page


def _separate(source: PageObject, reader: PdfReader) -> bool:
    """Have every move of the pen begin a piece of its own, so that what is far apart is not taken for one text.

    pypdf ends a piece at each `cm`; one that changes nothing is put before each move. Tells whether the page could be
    unpacked at all, since pypdf takes what it cannot unpack for empty.
    """
    written = source.get("/Contents")
    if written is None:
        return True
    content = ContentStream(written.get_object(), reader, "bytes")
    still = [FloatObject(value) for value in (1, 0, 0, 1, 0, 0)]
    operations = []
    for operands, operator in content.operations:
        if operator in _MOVING:
            operations.append((still, b"cm"))
        operations.append((operands, operator))
    content.operations = operations
    source[NameObject("/Contents")] = content
    return bool(operations) or _packed(written.get_object()) <= _EMPTY


def _packed(content: PdfObject | None) -> int:
    """How many bytes a stream takes as it stands in the file."""
    out = io.BytesIO()
    if content is not None:
        content.write_to_stream(out)
    return len(out.getvalue().partition(b"stream")[2].removesuffix(b"endstream").strip())


def _watch(page: Page, clock: Clock) -> Callable[[Any, Any, Any, Any], None]:
    """Notes pictures and drawings, and that time passes."""

    def watch(operator: bytes, operands: Any, outer: Any, inner: Any) -> None:
        clock.check()
        if operator == b"Do" and operands:
            page.pictures[str(operands[0])] = tuple(map(float, outer))
        page.painted += operator in _PAINTING

    return watch


def _collect(page: Page, clock: Clock) -> Callable[[Any, Any, Any, Any, Any], None]:
    """Notes each piece of text with its place."""

    def collect(text: str, outer: Any, inner: Any, font: Any, size: Any) -> None:
        clock.check(len(text))
        if not text.strip():
            if page.fragments and "\n" in text:
                page.fragments[-1] = replace(page.fragments[-1], text=page.fragments[-1].text.rstrip("\n") + "\n")
            elif page.fragments and text:
                page.fragments.append(_placed(text, outer, inner, font, size))
            return
        shown = [character for character in text if not character.isspace()]
        text = _PAIR.sub(_joined, unradical(text).translate(_BULLETS))
        page.letters += len(shown)
        page.unmapped += sum(_unmapped(character) for character in text if character not in "\n\t\r")
        page.fragments.append(_placed(text, outer, inner, font, size))

    return collect


def _joined(pair: re.Match[str]) -> str:
    return pair.group().encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def _unmapped(character: str) -> bool:
    return character == "\ufffd" or unicodedata.category(character) in ("Cc", "Co", "Cs")


def _placed(text: str, outer: Any, inner: Any, font: Any, size: Any) -> Fragment:
    a, b, c, d, x, y = (float(value) for value in inner)
    m = [float(value) for value in outer]
    left, base, angle, scale = turned(
        (
            a * m[0] + b * m[2],
            a * m[1] + b * m[3],
            c * m[0] + d * m[2],
            c * m[1] + d * m[3],
            x * m[0] + y * m[2] + m[4],
            x * m[1] + y * m[3] + m[5],
        )
    )
    points = max(1.0, min(abs(float(size)) * scale, 500.0))
    even = font is not None and _EVEN.search(str(font.get("/BaseFont", "")))
    right = left + points * sum(1.0 if is_han(character) else 0.6 for character in text.rstrip()) if even else None
    return Fragment(text, left, base, points, angle, right, even=bool(even))


def shape(page: PageObject) -> tuple[float, float]:
    """Width and height of a page in points; A4 where it does not say."""
    try:
        return float(page.mediabox.width) or 595.0, float(page.mediabox.height) or 842.0
    except RAISED:
        return 595.0, 842.0
