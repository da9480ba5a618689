"""Which encoding the bytes of a text are in, decided honestly.

The order of evidence: a byte order mark settles it; ASCII bytes with the escapes of an older encoding are a guess;
valid UTF-8 that holds any non-ASCII character is no accident; otherwise every candidate that decodes is scored by how
much of it is common writing, since Big5 text decodes as GB18030 without an error, into nonsense.
"""

from __future__ import annotations

import unicodedata
from codecs import lookup
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice

from core.errors import BaseError
from core.knowledge.seven_bit import CHINESE, chinese, seven_bit

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
    (b"\x84\x31\x95\x33", "gb18030"),
)
_BINARY = (b"PK\x03\x04", b"%PDF-", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\xd0\xcf\x11\xe0", b"\x1f\x8b", b"7z\xbc")
"""How files that are no text begin: ZIP (also Word and Excel), PDF, pictures, old Office, gzip, 7-Zip."""

_CONTROL = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b")) + b"\x7f"
SAMPLE = 20_000
"""Characters scored of each candidate; more does not change the decision."""

_FEW = 8
"""So many characters beyond ASCII are no accident of another encoding."""

_COMMON = 0.7
"""The least weight of common characters and their punctuation."""

_CUT = 4
"""Bytes at the end of a file that may belong to a character cut in half (GB18030's longest has four)."""

_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "iso8859-1": "cp1252", "ascii": "cp1252", "utf-8-sig": "utf-8"}
_WIDER |= {"cp950": "big5", "big5hkscs": "big5"}


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text in one encoding; `lost` characters of it could not be decoded."""

    text: str
    encoding: str
    guessed: bool = False
    lost: int = 0


def known(encoding: str) -> str | None:
    """The name under which an encoding is told here, `None` where Python has none of that name.

    What calls itself GB2312 or GBK is read as GB18030, which holds both; ISO-8859-1 as Windows-1252, as browsers do.

    >>> known("GBK"), known("UTF8"), known("iso-8859-1"), known("none")
    ('gb18030', 'utf-8', 'cp1252', None)
    """
    try:
        name = lookup(encoding).name
    except LookupError:
        return CHINESE if encoding.lower() == CHINESE else None
    return _WIDER.get(name, name)


def replaced(data: bytes, encoding: str) -> Decoded:
    """In the encoding told, whatever does not fit replaced by U+FFFD."""
    codec = "cp950" if encoding == "big5" else encoding
    text = chinese(data, "replace") if codec == CHINESE else data.decode(codec, errors="replace")
    return Decoded(text, encoding, lost=text.count("\ufffd"))


def by_mark(data: bytes) -> Decoded | None:
    """As its byte order mark says, `None` without one."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            text = data[len(mark) :].decode(encoding, errors="replace")
            return Decoded(text, encoding, lost=text.count("\ufffd"))
    return None


def unmarked(data: bytes, file: str) -> Decoded | None:
    """By what it holds; `None` where no encoding fits. Raises BaseError `base.file.binary` where it is no text."""
    if data.startswith(_BINARY):
        raise BaseError("base.file.binary", file=file)
    if wide := _wide(data):
        return wide
    if found := seven_bit(data, lambda character: _weight(character) >= _COMMON):
        return Decoded(*found, guessed=True)
    if len(data) - len(data.translate(None, _CONTROL)) > len(data) // 10:
        raise BaseError("base.file.binary", file=file)
    return _utf8(data) or _best(data)


def _wide(data: bytes) -> Decoded | None:
    """UTF-16 without its mark: recognised by NULs, which its ASCII characters and newlines bring."""
    if b"\x00" not in data:
        return None
    for encoding in ("utf-16-le", "utf-16-be"):
        text = _decode(data, encoding)
        if text and sum(map(_plain, text.text[:SAMPLE])) >= 0.9 * len(text.text[:SAMPLE]):
            return Decoded(text.text, encoding, guessed=True, lost=text.lost)
    return None


def _plain(character: str) -> bool:
    return character in "\t\r\n" or " " <= character <= "~" or _weight(character) >= _COMMON


def _utf8(data: bytes) -> Decoded | None:
    """UTF-8, also where its last character is cut or a few bytes are damaged (then marked as a guess)."""
    decoded = _decode(data, "utf-8")
    if decoded and (not decoded.lost or not decoded.text.isascii()):
        return replace(decoded, guessed=_chance(decoded.text, data))
    text = data.decode("utf-8", errors="replace")
    lost = text.count("\ufffd")
    whole = sum(character >= "\u0800" for character in text) - lost
    return Decoded(text, "utf-8", guessed=True, lost=lost) if whole > 9 * lost else None


def _chance(text: str, data: bytes) -> bool:
    """Whether the few characters there are may be valid UTF-8 by accident, as GBK's `诈` (D5 A9) is `թ`."""
    others = list(islice((character for character in text[:SAMPLE] if character > "\x7f"), _FEW))
    if not 0 < len(others) < _FEW or not all("\u0180" <= character < "\u0800" for character in others):
        return False
    legacy = _decode(data, "gb18030")
    return legacy is not None and score_of(legacy.text) >= 0.9


def _decode(data: bytes, encoding: str) -> Decoded | None:
    """Strict decoding; a character cut in half by the end of the file is dropped and counted."""
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError as error:
        whole = error.start
    return Decoded(data[:whole].decode(encoding), encoding, lost=1) if len(data) - whole < _CUT else None


def _best(data: bytes) -> Decoded | None:
    """The candidate whose text reads best; sure only when it is long enough and far ahead of the next."""
    ranked = sorted(((score_of(c.text), c) for c in _candidates(data)), key=lambda pair: -pair[0])
    if not ranked or ranked[0][0] < 0.4:
        return _western(data)
    score, best = ranked[0]
    other = next((s for s, c in ranked[1:] if c.text != best.text), -1.0)
    letters = sum(character > "\x7f" for character in best.text[:SAMPLE])
    sure = letters >= 8 and score >= 0.8 and score - other >= 0.25 and not best.lost
    return Decoded(best.text, best.encoding, guessed=not sure, lost=best.lost)


def _candidates(data: bytes) -> Iterator[Decoded]:
    found = [_decode(data, "gb18030"), _decode(data, "cp950") or _decode(data, "big5hkscs")]
    if len(data) % 2 == 0:
        found += [_decode(data, "utf-16-le"), _decode(data, "utf-16-be")]
    if not any(found):
        found = [_damaged(data, "gb18030"), _damaged(data, "cp950")]
    for decoded in found:
        if decoded:
            name = "big5" if decoded.encoding in ("cp950", "big5hkscs") else decoded.encoding
            yield Decoded(decoded.text, name, lost=decoded.lost)


def _damaged(data: bytes, encoding: str) -> Decoded | None:
    """Decoding that stands up to a few bad bytes, at most one in fifty characters."""
    text = data.decode(encoding, errors="replace")
    lost = text.count("\ufffd")
    return Decoded(text, encoding, lost=lost) if lost * 50 <= sum(c > "\x7f" for c in text) else None


def _western(data: bytes) -> Decoded | None:
    """Windows-1252 as the last resort: mostly ASCII, and every other character a Latin letter or a typographic mark."""
    decoded = _decode(data, "cp1252")
    others = [character for character in decoded.text if character > "\x7f"] if decoded else []
    if decoded is None or len(others) > 0.3 * len(decoded.text):
        return None
    readable = all(character.isalpha() or character in "‘’“”–—…•€£©®°§«»¿¡\xa0" for character in others)
    return Decoded(decoded.text, "cp1252", guessed=True) if readable else None


def score_of(text: str) -> float:
    """Mean weight of the non-ASCII characters of a sample: about 1 for writing, under .4 for nonsense."""
    weights = [_weight(character) for character in text[:SAMPLE] if character > "\x7f"]
    return sum(weights) / len(weights) if weights else 0.0


@cache
def _weight(character: str) -> float:
    """How likely a character is in real text, from 1 to −2.

    1 common Han, 0.7 punctuation, 0.2 rare Han, 0 scripts that Chinese text seldom holds, −2 what no text holds.
    Common means level 1 of GB 2312 or of Big5; both standards put their everyday characters there.
    """
    if _level_one(character, "gb2312", 0xB0, 0xD7) or _level_one(character, "big5", 0xA4, 0xC6):
        return 1.0
    if "\u3000" <= character <= "\u303f" or "\uff01" <= character <= "\uff5e" or "\u2010" <= character <= "\u2027":
        return 0.7
    if unicodedata.category(character) in ("Co", "Cn", "Cc", "Cs"):
        return -2.0
    return 0.2 if unicodedata.category(character) == "Lo" and character >= "\u3400" else 0.0


def _level_one(character: str, standard: str, low: int, high: int) -> bool:
    if not "\u4e00" <= character <= "\u9fff":
        return False
    code = character.encode(standard, errors="ignore")
    return len(code) == 2 and low <= code[0] <= high
