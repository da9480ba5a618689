"""What a file is by its content: the first bytes, and of an archive the names of its parts."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping

from core.domain import Say
from core.errors import BaseError
from core.knowledge.formats.packages import names

_STARTS = (
    (b"\x89PNG\r\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF8", "gif"),
    (b"BM", "bmp"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
    (b"{\\rtf", "rtf"),
    (b"\x1f\x8b", "gzip"),
    (b"7z\xbc\xaf", "7z"),
    (b"Rar!\x1a", "rar"),
    (b"SQLite format 3", "sqlite"),
    (b"MZ", "program"),
    (b"\x7fELF", "program"),
)
_BARE = ("bmp", "program")
"""Kinds whose first bytes are also letters: only with a control among the next they are no text."""

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_STREAMS = (
    ("EncryptedPackage", "locked"),
    ("WordDocument", "doc"),
    ("Workbook", "xls"),
    ("PowerPoint Document", "ppt"),
)
"""The streams of a compound file that tell what it holds; a locked file of today is wrapped in one too."""

_PARTS = (("word/", "word"), ("xl/", "excel"), ("ppt/", "powerpoint"), ("META-INF/container.xml", "epub"))
_HEAD = 1024
"""Bytes of the head that are looked at; a PDF may have others before its mark (PDF 1.7, implementation note 13)."""

_HTML = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)[\s>]", re.I | re.S)
_SCRIPTS = re.compile(rb"[\x00-\x08\x0e-\x1f]")

SUFFIXES: Mapping[str, str] = {
    ".md": "text",
    ".markdown": "text",
    ".txt": "text",
    ".csv": "text",
    ".tsv": "text",
    ".jsonl": "text",
    ".ndjson": "text",
    ".html": "html",
    ".htm": "html",
    ".pdf": "pdf",
    ".docx": "word",
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".doc": "doc",
    ".xls": "xls",
}
"""The kind that a file's name promises."""

RENAMED: Mapping[str, str] = {"html": ".html", "pdf": ".pdf", "word": ".docx", "excel": ".xlsx", "text": ".txt"}
"""The suffix under which a kind can be imported."""

SAVED: Mapping[str, str] = {"doc": ".docx", "xls": ".xlsx"}
"""Old formats, and the one to save them in."""


def kind(data: bytes, file: str) -> str | None:
    """The kind of a content as the words know it under `base.kind`; `None` where it is none, or cannot be sure."""
    head = data[:_HEAD]
    if b"%PDF-" in head:  # what stands before the mark may be anything, or a text that speaks of it
        return "pdf" if head.lstrip().startswith(b"%PDF-") else None
    if head.startswith(b"PK\x03\x04"):
        return _archive(data, file)
    if head.startswith(_OLE):
        return next((kind for stream, kind in _STREAMS if stream.encode("utf-16-le") in data), "ole")
    for start, found in _STARTS:
        if head.startswith(start) and (found not in _BARE or _SCRIPTS.search(head)):
            return found
    return _written(head)


def _archive(data: bytes, file: str) -> str | None:
    try:
        parts = names(data, file)
    except BaseError:  # the reader of the format tells what is broken
        return None
    found = next((kind for start, kind in _PARTS if any(part.startswith(start) for part in parts)), None)
    return found or ("opendocument" if "mimetype" in parts else "zip")


def _written(head: bytes) -> str | None:
    wide = head.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    if _HTML.match(head.removeprefix(b"\xef\xbb\xbf") if not wide else head[2:].replace(b"\x00", b"")):
        return "html"
    return "text" if wide or not _SCRIPTS.search(head) else None


def agree(named: str, found: str | None, file: str) -> None:
    """Refuse a file that is not what its name says. What is of no known kind is left to the reader of the format.

    Raises BaseError `base.file.locked`, `base.file.old`, `base.file.disguised`.
    """
    if found == "locked":
        raise BaseError("base.file.locked", file=file)
    if found is not None and found in SAVED and (named == found or RENAMED.get(named) == SAVED[found]):
        raise BaseError("base.file.old", file=file, wanted=SAVED[found])
    if found is None or found == named or (named == "html" and found == "text"):
        return
    names, holds = (Say.of(f"base.kind.{each}").as_value() for each in (named, found))
    raise BaseError("base.file.disguised", file=file, named=names, found=holds, remedy=_remedy(found).as_value())


def _remedy(found: str) -> Say:
    if found not in RENAMED:
        return Say.of("base.remedy.none")
    if found == "html":
        return Say.of("base.remedy.html", suffix=RENAMED[found])
    return Say.of("base.remedy.rename", suffix=RENAMED[found])
