r"""Encodings whose bytes are all ASCII, so that they pass for UTF-8: ISO-2022 (JP, KR, CN), HZ (RFC 1843), UTF-7.

What they tell themselves by, escapes and shifts, also stands in code and in formulas; so what a text says decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_JAPANESE = re.compile(rb"\x1b\$(?:[@B]|\([@DOPQ])|\x1b\([IJ]|\x1b\$A")
_KOREAN = b"\x1b$)C"
_CHINESE = re.compile(rb"\x1b\$\)A")
_SHIFTED = re.compile(rb"\x0e(?:\x0f?\x0e)*+([\x21-\x7e]*)\x0f?")
_ESCAPE = re.compile(rb"\x1b\$[)*+][AEGHIJKLM]|\x1b[NO]")
_HZ = re.compile(rb"~\{((?:[\x21-\x77][\x21-\x7e])+)~\}")
_UTF7 = re.compile(rb"\+[A-Za-z0-9+/]{3,}-?")
_PLAIN = re.compile(rb"[A-Za-z0-9_]*")
_KANA = re.compile("[\u3040-\u30ff]")
_ACCENTED = re.compile("[\xc0-\u017f]")
_FEWEST = 3
"""Characters beyond ASCII from which a text is no accident."""
_WRITING = 0.85
"""The share of them that must be common in Chinese, Japanese or western writing."""

CHINESE = "iso-2022-cn"
"""Its name; Python has no decoder for it. Only its GB 2312 is read here, not the plane of CNS 11643."""

Common = Callable[[str], bool]


def seven_bit(data: bytes, common: Common) -> tuple[str, str] | None:
    """The text of ASCII bytes that hold another encoding, and that encoding; `None` where they are plain.

    `common` tells of a character whether it is usual in Chinese text.
    """
    if not data.isascii():
        return None
    return next(((text, name) for text, name in _read(data) if name not in _DOUBTFUL or _says(text, common)), None)


_DOUBTFUL = ("hz", "utf-7")
"""Those without an escape character, which no plain text holds."""


def _read(data: bytes) -> Iterator[tuple[str, str]]:
    """What the bytes may say, the surest first."""
    names: list[str] = []
    if b"\x1b" in data:
        names += [CHINESE] if _CHINESE.search(data) else []
        names += ["iso2022_kr"] if _KOREAN in data else []
        names += ["iso2022_jp", "iso2022_jp_2", "iso2022_jp_ext", "iso2022_jp_3"] if _JAPANESE.search(data) else []
    if any(not _PLAIN.fullmatch(run[1]) for run in _HZ.finditer(data)):
        names.append("hz")
    if _UTF7.search(data):
        names.append("utf-7")
    for name in names:
        try:
            text = chinese(data) if name == CHINESE else data.decode(name)
        except UnicodeDecodeError:
            continue
        yield text.removeprefix("\ufeff"), name


def chinese(data: bytes, errors: str = "strict") -> str:
    """Decode ISO-2022-CN: between the two shifts stands GB 2312 without its high bits."""
    lifted = _SHIFTED.sub(lambda run: bytes(byte | 0x80 for byte in run[1]), data)
    return _ESCAPE.sub(b"", lifted).decode("gb2312", errors)


def _says(text: str, common: Common) -> bool:
    others = [character for character in text if character > "\x7f"]
    usual = sum(common(one) or bool(_KANA.match(one) or _ACCENTED.match(one)) for one in others)
    return len(others) >= _FEWEST and usual >= _WRITING * len(others)
