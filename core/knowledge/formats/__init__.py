"""Files of every kind to text: each format is one module that turns bytes into a `Reading`.

size -> suffix: who reads it -> content: is it what the name says -> the format's reader, imported when first needed
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePosixPath
from types import MappingProxyType

from core.errors import BaseError, WorkbenchError
from core.knowledge.formats.kinds import SUFFIXES, agree, kind
from core.knowledge.reading import Reading, too_large

MOST_BYTES = 100_000_000
"""The largest file that is read, in bytes."""

_REASON = 160
"""Characters of what a library said that are passed on."""


@dataclass(frozen=True, slots=True)
class Options:
    """How files are to be read: the `encoding` of texts where a person chose one, whether pictures of pages are."""

    encoding: str | None = None
    scanned: bool = True


Read = Callable[[bytes, str, Options], Reading]
"""Bytes, the file's name (for its suffix and for messages), options; raises `BaseError`."""


def _by(module: str, function: str = "read") -> Read:
    """The reader of a format, whose libraries are loaded when a file first asks for it."""

    def read(data: bytes, file: str, options: Options) -> Reading:
        reader: Read = getattr(import_module(f"{__name__}.{module}"), function)
        return reader(data, file, options)

    return read


_FORMATS: Mapping[str, Read] = MappingProxyType(
    {
        ".md": _by("text"),
        ".markdown": _by("text"),
        ".txt": _by("text"),
        ".pdf": _by("pdf", "read_pdf"),
        ".docx": _by("word"),
        ".xlsx": _by("sheets", "read_workbook"),
        ".xlsm": _by("sheets", "read_workbook"),
        ".csv": _by("sheets", "read_csv"),
        ".tsv": _by("sheets", "read_csv"),
        ".html": _by("html"),
        ".htm": _by("html"),
        ".jsonl": _by("jsonl"),
        ".ndjson": _by("jsonl"),
    }
)


def formats() -> Mapping[str, Read]:
    """How files are read, by suffix in lower case (`.pdf`)."""
    return _FORMATS


def read_source(data: bytes, file: str, options: Options = Options()) -> Reading:
    """Read a file by what its name and its content say it is.

    Raises `BaseError`: `base.file.large`, `base.file.empty`, `base.file.unsupported` for a format nobody reads here,
    `base.file.old` for one to save anew, `base.file.disguised` where the content is of another kind than the name says,
    `base.file.broken` for whatever a library cannot make of it, and what the reader of the format raises.
    """
    if len(data) > MOST_BYTES:
        raise too_large(file, len(data), MOST_BYTES)
    suffix = PurePosixPath(file).suffix.lower()
    if suffix not in SUFFIXES:
        raise BaseError("base.file.unsupported", file=file, known=sorted(_FORMATS))
    if not data:
        raise BaseError("base.file.empty", file=file)
    agree(SUFFIXES[suffix], kind(data, file), file)
    reader = _FORMATS.get(suffix)
    if reader is None:
        raise BaseError("base.file.unsupported", file=file, known=sorted(_FORMATS))
    reading = _guarded(reader, data, file, options)
    if not reading.text.strip():
        raise _blank(reading, file)
    return reading


def _guarded(reader: Read, data: bytes, file: str, options: Options) -> Reading:
    try:
        return reader(data, file, options)
    except WorkbenchError:
        raise
    except Exception as error:
        said = " ".join(str(error).split())[:_REASON]
        raise BaseError("base.file.broken", file=file, reason=said or type(error).__name__) from error


def _blank(reading: Reading, file: str) -> BaseError:
    """Why nothing came out: what the reader warned of, if it did."""
    for warning in reading.warnings:
        return BaseError(warning.code, **warning.values)
    return BaseError("base.file.empty", file=file)
