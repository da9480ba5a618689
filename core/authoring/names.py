"""Names that come from outside: what an uploaded file may be called, and what a knowledge base may."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from core.errors import UsageError

LONGEST_FILE = 200
"""Bytes of one part of a path: file systems take 255, and endings are added."""
LONGEST_PATH = 800
"""Bytes of a whole path below `sections`."""
LONGEST_NAME, LONGEST_NAME_BYTES = 80, 200
"""Characters and bytes of a base's name."""

_RESERVED = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=[ .]|$)", re.IGNORECASE)
"""Names that Windows keeps for devices, whatever suffix follows."""
_DRIVE = re.compile(r"^[A-Za-z]:")
_UNFIT = re.compile(r'[<>:"|?*]')
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,10}$")


def safe_name(raw: str) -> str:
    r"""A relative path below `sections`, `/` between folders, for a file that came as `raw`, a name or a path.

    It climbs nowhere, no system refuses it, it is never empty, and it is its own safe name. What is too long is cut
    between characters and told apart by a digest.

    >>> safe_name("..\\制度\\CON.md"), safe_name("C:/a/第一章?.txt "), safe_name("../..")
    ('制度/CON_.md', 'a/第一章_.txt', 'unnamed-0cfd1c')
    """
    whole = _DRIVE.sub("", raw.replace("\\", "/"))
    parts = [part for part in map(_part, whole.split("/")) if part]
    if not parts:
        return f"unnamed-{_short(raw)}"
    path = "/".join(parts)
    if len(path.encode()) <= LONGEST_PATH:
        return path
    return _cut(parts[-1], LONGEST_FILE, path)


def base_name(raw: str) -> str:
    """The name of a base as it is kept, composed and without blanks around it.

    Raises UsageError: `authoring.name.empty`, `.long`, `.start` (a dot, a tilde or a hyphen first), `.reserved`, or
    `.character` for what a folder's name cannot hold everywhere.
    """
    name = unicodedata.normalize("NFC", raw).strip()
    if not name:
        raise UsageError("authoring.name.empty")
    odd = next((c for c in name if c in '/\\<>:"|?*' or _invisible(c) or c == "\ufffd"), None)
    if odd is not None:
        shown = f"U+{ord(odd):04X}" if _invisible(odd) else odd
        raise UsageError("authoring.name.character", character=shown)
    if len(name) > LONGEST_NAME or len(name.encode()) > LONGEST_NAME_BYTES:
        raise UsageError("authoring.name.long", most=LONGEST_NAME, bytes=LONGEST_NAME_BYTES)
    if name[0] in ".~-" or name.endswith("."):
        raise UsageError("authoring.name.start", name=name)
    if _RESERVED.match(name):
        raise UsageError("authoring.name.reserved", name=name)
    return name


def _part(raw: str) -> str:
    """One name of a path; empty where nothing of it can stay."""
    text = "".join(map(_seen, unicodedata.normalize("NFC", raw)))
    text = unicodedata.normalize("NFC", _UNFIT.sub("_", text)).strip().lstrip(". ").rstrip(". ")
    if match := _RESERVED.match(text):
        text = f"{match[0]}_{text[match.end() :]}"
    return _cut(text, LONGEST_FILE, text) if len(text.encode()) > LONGEST_FILE else text


def _seen(character: str) -> str:
    """What stays of a character; any blank is a space, or words would run together."""
    if _invisible(character) and character not in "\t\n\v\f\r":
        return ""
    return " " if character.isspace() else character


def _invisible(character: str) -> bool:
    """Controls, marks of direction and joining, halves of characters, and what stands for nothing."""
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _cut(name: str, most: int, whole: str) -> str:
    """`name` in at most `most` bytes, with a digest of `whole` before its suffix."""
    match = _SUFFIX.search(name)
    suffix = match[0] if match else ""
    ending = f"-{_short(whole)}{suffix}"
    stem = name.removesuffix(suffix).encode()[: most - len(ending.encode())].decode(errors="ignore")
    return f"{stem.rstrip('. ')}{ending}"


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]
