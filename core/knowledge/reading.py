"""Bytes to text: newlines are made one kind, unusable characters are counted, what is a guess is told as one."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from core.domain import Say
from core.errors import BaseError, reason_of
from core.knowledge.decoding import SAMPLE, Decoded, by_mark, known, replaced, score_of, unmarked

_PREVIEW = 300
"""Characters of a text by which a person tells whether its encoding is right."""

_OFFERED = ("utf-8", "gb18030", "big5", "utf-16-le", "utf-16-be", "cp1252")
_NONSENSE = 0.15
"""A score that only text in another encoding has."""

_NEWLINES = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
_UNUSABLE = re.compile(
    r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff]+"
)
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """An encoding that a file may have: how its text begins in it, and how well that reads, from 0 to 1."""

    encoding: str
    preview: str
    score: float


@dataclass(frozen=True, slots=True)
class Origin:
    """Where lines `first` to `last` (from 1) of a text stood in its source: the page (from 1), how surely it was read.

    `confidence` is the mean of what a character recogniser told of the lines, from 0 to 1; `None` where none took part.
    """

    first: int
    last: int
    page: int | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    r"""A file's text, newlines all `\n`, with how it was read.

    `guessed` asks for a person's eye: another encoding cannot be ruled out. `cleaned` counts the characters that
    were removed, `lost` names the lines of the file (from 1) with bytes that could not be decoded. What is no plain
    text is told as Markdown; `origins` says where its lines come from, in order, and `warnings` what a person should
    know of it.
    """

    text: str
    encoding: str
    guessed: bool = False
    cleaned: int = 0
    origins: tuple[Origin, ...] = ()
    warnings: tuple[Say, ...] = ()
    lost: tuple[int, ...] = ()

    def told_as(self, text: str, removed: int = 0, warnings: tuple[Say, ...] = ()) -> Reading:
        """What was read of the same bytes, told as another text, of which more characters were `removed`."""
        return replace(self, text=text, cleaned=self.cleaned + removed, warnings=warnings)


def read_file(path: Path) -> Reading:
    """Read a text file.

    Raises BaseError: `base.file.unreadable` when the system refuses it, `base.file.binary` when it holds no text,
    `base.file.undecodable` when no known encoding fits.
    """
    return read(bytes_of(path, path.name), path.name)


def too_large(file: str, size: int, most: int) -> BaseError:
    """That a file has more bytes than are read, told in megabytes, its size rounded up."""
    return BaseError("base.file.large", file=file, size=-(-size // _MEGABYTE), most=most // _MEGABYTE)


def bytes_of(path: Path, file: str) -> bytes:
    """What a file holds. Raises BaseError `base.file.unreadable`, which names it as `file`."""
    try:
        return path.read_bytes()
    except OSError as refused:
        raise BaseError("base.file.unreadable", file=file, reason=reason_of(refused)) from refused


def read(data: bytes, file: str, encoding: str | None = None) -> Reading:
    """Decode `data`; `encoding`, where a person chose one, overrules all but a byte order mark.

    `file` only names it in errors.

    Raises BaseError as `read_file` does.
    """
    decoded = decode(data, file, encoding)
    text, removed = clean(decoded.text)
    return decoded.told_as(text, removed)


def decode(data: bytes, file: str, encoding: str | None = None) -> Reading:
    """As `read`, but every character as it came: for formats with line ends of their own."""
    found = by_mark(data)
    if found is None and encoding is None:
        found = unmarked(data, file)
    elif found is None and encoding is not None:
        name = known(encoding)
        found = None if name is None else replaced(data, name)
    if found is None:
        raise BaseError("base.file.undecodable", file=file)
    return Reading(found.text, found.encoding, found.guessed, lost=_lost(found) if found.lost else ())


def _lost(decoded: Decoded) -> tuple[int, ...]:
    """The lines on which something could not be decoded; a character that the end of the file cuts leaves no mark."""
    lines = decoded.text.split("\n")
    return tuple(number for number, line in enumerate(lines, 1) if "\ufffd" in line) or (len(lines),)


def candidates(data: bytes) -> tuple[Candidate, ...]:
    """Encodings in which `data` may be text, the likeliest first, for a person to choose from where it was a guess.

    A byte order mark leaves one. What cannot be decoded, or is nonsense, is left out; none where it is no text.
    """
    marked = by_mark(data)
    if marked:
        return (_candidate(marked, 1.0),)
    try:
        decided = unmarked(data, "")
    except BaseError:
        return ()
    if decided is None:
        return ()
    found = {decided.encoding: _candidate(decided, 1.0 if not decided.guessed else max(0.5, _likely(decided)))}
    others = [
        replaced(data, name) for name in _OFFERED if name not in found and not (data.isascii() and name != "utf-8")
    ]
    ranked = sorted(((_likely(other), other) for other in others), key=lambda pair: -pair[0])
    return (*found.values(), *(_candidate(other, score) for score, other in ranked if score > _NONSENSE))


def _likely(decoded: Decoded) -> float:
    """How well a text reads, from 0 to 1: Latin letters with accents count half, what is lost counts against it."""
    sample = decoded.text[:SAMPLE]
    others = [character for character in sample if character > "\x7f"]
    latin = sum("\xc0" <= character < "\u0180" and character.isalpha() for character in others)
    score = score_of(sample) + (latin / 2 - 2 * sample.count("\ufffd")) / max(1, len(others))
    return min(1.0, max(0.0, score if others else 1.0))


def _candidate(decoded: Decoded, score: float) -> Candidate:
    return Candidate(decoded.encoding, clean(decoded.text[:_PREVIEW])[0], round(score, 2))


def clean(text: str) -> tuple[str, int]:
    r"""Make newlines `\n` and take out what no page can show (NUL, controls, lone surrogates); also their number.

    Between two Latin letters or digits U+FFFD takes their place, so that `F\x0013` does not pass for `F13`.

    >>> clean("编号\x00F\x0013\r\n")
    ('编号F�13\n', 2)
    """
    text = _NEWLINES.sub("\n", text.removeprefix("\ufeff"))
    removed = 0

    def stand_in(match: re.Match[str]) -> str:
        nonlocal removed
        removed += len(match.group())
        before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
        visible = match.group()[0] not in "\x1b\ufeff"
        return "\ufffd" if visible and _latin(before) and _latin(after) else ""

    return _UNUSABLE.sub(stand_in, text), removed


def _latin(character: str) -> bool:
    return character.isascii() and character.isalnum()
