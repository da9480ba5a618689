"""Office files are ZIP archives of XML: what they would unpack to is bounded before anything is parsed."""

from __future__ import annotations

import re
from io import BytesIO
from zipfile import BadZipFile, ZipFile

from core.errors import BaseError

MOST_UNPACKED = 400_000_000
"""Bytes that all parts of a file may have together; a workbook of two million filled cells has about a quarter."""

MOST_TREE = 80_000_000
"""Bytes of XML that may be held as a tree, which takes about ten times as much memory; a book has a tenth of it."""

_MOST_RATIO = 250
"""How many times its packed size a large part may have: office XML reaches about 30, a bomb 1,000."""

_LARGE = 10_000_000
_HEAD = 65_536
"""Bytes of an XML part in which its first element must begin; a document type, and with it entities, stands before."""

_MEGABYTE = 1_000_000
_ELEMENT = re.compile(rb"<[A-Za-z_]")


def names(data: bytes, file: str) -> list[str]:
    """Names of the parts of an archive. Raises BaseError `base.file.broken`."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            return archive.namelist()
    except (BadZipFile, ValueError, NotImplementedError, OSError) as error:
        raise BaseError("base.file.broken", file=file, reason=str(error)) from error


def check(data: bytes, file: str, most_xml: int = MOST_UNPACKED) -> None:
    """Refuse an office file that unpacks to too much or whose XML declares entities.

    Raises BaseError: `base.file.broken`; `base.file.bomb` (size in megabytes); `base.file.entities`;
    `base.file.strict` for the variant of the format that no library reads.
    """
    names(data, file)
    with ZipFile(BytesIO(data)) as archive:
        parts = archive.infolist()
        total = sum(part.file_size for part in parts)
        xml = [part for part in parts if part.filename.lower().endswith((".xml", ".rels"))]
        swollen = any(part.file_size > max(_LARGE, _MOST_RATIO * part.compress_size) for part in parts)
        if swollen or total > MOST_UNPACKED or sum(part.file_size for part in xml) > most_xml:
            raise BaseError("base.file.bomb", file=file, size=round(total / _MEGABYTE))
        for part in xml:
            with archive.open(part) as stream:
                _check_head(stream.read(_HEAD), file, part.filename)


def _check_head(head: bytes, file: str, part: str) -> None:
    head = head.replace(b"\x00", b"")  # UTF-16, in which the names of XML are ASCII with NULs
    element = _ELEMENT.search(head)
    prolog = head[: element.start()] if element else head
    if b"<!DOCTYPE" in prolog or b"<!ENTITY" in prolog or (element is None and len(head) > _HEAD // 4):
        raise BaseError("base.file.entities", file=file)
    if part == "_rels/.rels" and b"purl.oclc.org/ooxml" in head:
        raise BaseError("base.file.strict", file=file)
