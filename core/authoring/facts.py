"""What `kb.toml` says of a base, written with care: checked first, its comments and other keys left as they are."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.authoring.folder import content, digest
from core.authoring.history import History
from core.authoring.ledger import Version
from core.authoring.toml_text import with_values
from core.domain import Say
from core.errors import BaseError, StoreError, UsageError, reason_of
from core.knowledge.facts import BOUNDS
from core.knowledge.loading import FACTS
from core.knowledge.reading import read

_LONGEST_TEXT = 2_000
"""Characters of a title or a description."""


def write_facts(
    folder: Path,
    facts: Mapping[str, Any],
    author: str,
    note: str | Say | None = None,
    expected: Mapping[str, str | None] | None = None,
) -> Version:
    """Set what `kb.toml` says (`None`: no more), its comments and other keys left as they are, as a version.

    `facts` may hold title, language, description, licence (text), fictional (true or false), and splitting, a mapping
    of longest and overlap (characters). Raises UsageError `authoring.fact` for a value that cannot be, BaseError
    `base.toml.unreadable` for a file that is no TOML, and what `History.save` does.
    """
    given = checked(facts)
    try:
        before = content(folder, FACTS)
        new = restated(before, given)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BaseError("base.toml.unreadable", path=str(folder / FACTS), reason=str(error)) from error
    except OSError as error:
        raise StoreError("authoring.unreadable", path=str(folder / FACTS), reason=reason_of(error)) from error
    note = Say.of("authoring.note.facts") if note is None else note
    found = None if before is None else digest(before)
    return History(folder).save({FACTS: new}, author, note, {FACTS: found, **(expected or {})})


def restated(before: bytes | None, values: Mapping[str, Any]) -> bytes:
    """A `kb.toml` with other values, as `with_values` sets them, its line ends as they are; `None`: there was none."""
    text = with_values(read(before or b"", FACTS).text, values)
    return (text.replace("\n", "\r\n") if before and b"\r\n" in before else text).encode()


def checked(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts, text in its one form; raises UsageError `authoring.fact`."""
    found: dict[str, Any] = {}
    for key, value in facts.items():
        kind = _KINDS.get(key)
        if kind is None or not (value is None or kind(value)):
            raise UsageError("authoring.fact", key=key, value=str(value)[:80])
        found[key] = value.strip() if isinstance(value, str) else value
    return found


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST_TEXT and "\0" not in value


def _is_language(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch("[a-z]{2,3}(-[A-Za-z0-9]{1,8})*|", value) is not None


def _is_splitting(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        key in BOUNDS and (n is None or (type(n) is int and BOUNDS[key][0] <= n <= BOUNDS[key][1]))
        for key, n in value.items()
    )


_KINDS = {
    "title": _is_text,
    "language": _is_language,
    "description": _is_text,
    "licence": _is_text,
    "fictional": lambda value: isinstance(value, bool),
    "splitting": _is_splitting,
}
