"""The catalogue: every code that core speaks in, and every visible string of the app, in Chinese and English.

Sentences stand in the files of `zh/` and `en/`, by what speaks them; a mode's own words come from its file. Records
keep codes, so switching the language leaves nothing behind.

A hole may carry the words that go with its number, one | many: `{count:passage|passages}` shows `1 passage` or
`3 passages`, `{count:is|are}` shows `1 is`. A language without such forms writes the hole alone.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from core.domain import Say
from core.modes import registry
from core.settings import Language

LANGUAGES: tuple[Language, ...] = ("zh", "en")


@cache
def catalogue(language: Language) -> Mapping[str, str]:
    """All texts of one language by dotted code, the modes' own under `<mode id>.` and `mode.<mode id>.`."""
    texts: dict[str, str] = {}
    for path in sorted(Path(__file__).with_name(language).glob("*.toml")):
        texts |= _flat("", tomllib.loads(path.read_text(encoding="utf-8")))
    for mode in registry().values():
        for name, text in mode.words[language].items():
            texts[name if "." in name else f"mode.{mode.id}.{name}"] = text
    return texts


def _flat(prefix: str, table: Mapping[str, Any]) -> list[tuple[str, str]]:
    found = []
    for name, value in table.items():
        code = f"{prefix}{name}"
        found += _flat(f"{code}.", value) if isinstance(value, Mapping) else [(code, str(value))]
    return found


class Words:
    """Puts codes into sentences of one language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._texts = catalogue(language)

    def __call__(self, code: str, **values: Any) -> str:
        """The text of `code` with its values; an unknown code shows itself, so that nothing is ever hidden."""
        template = self._texts.get(code)
        if template is None:
            return f"{code} {values}" if values else code
        given = {name: _Shown.of(self._shown(value), value) for name, value in values.items()}
        return Formatter().vformat(template, (), _Given(given))

    def say(self, say: Say) -> str:
        """The sentence of a `Say`."""
        return self(say.code, **say.values)

    def mode(self, mode: str, name: str = "name") -> str:
        """A word of a mode: its name, its about, a parameter's label. A mode that is gone shows its id."""
        return self._texts.get(f"mode.{mode}.{name}", mode if name == "name" else "")

    def join(self, items: list[Any] | tuple[Any, ...]) -> str:
        """Items of a list in one line."""
        return ("、" if self.language == "zh" else ", ").join(str(item) for item in items)

    def _shown(self, value: Any) -> str:
        if isinstance(value, list | tuple):
            return self.join([self._shown(item) for item in value])
        if value is None:
            return "—"
        if isinstance(value, Mapping) and set(value) == {"code", "values"}:  # what was said, within what is said
            return self(value["code"], **value["values"])
        if isinstance(value, bool):
            return self("yes" if value else "no")
        if isinstance(value, int):
            return f"{value:,}"
        if isinstance(value, float):
            return f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"
        return str(value)


class _Shown(str):
    """A value as it is shown, that knows whether it is the number one."""

    single: bool

    @classmethod
    def of(cls, text: str, value: object) -> _Shown:
        """`text` stands for `value`."""
        shown = cls(text)
        shown.single = value == 1 and isinstance(value, int) and not isinstance(value, bool)
        return shown

    def __format__(self, forms: str) -> str:
        """Followed by the form that goes with the number: one | many."""
        if not forms:
            return str(self)
        one, _, many = forms.partition("|")
        return f"{self!s} {one if self.single else many}"


class _Given(dict[str, _Shown]):
    """A sentence that names a value it was not given shows a dash."""

    def __missing__(self, name: str) -> _Shown:
        return _Shown.of("—", None)
