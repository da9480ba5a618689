"""Model numbers and other codes: of letters and digits (`XR-2200`, `xr2200`, `GB/T 7588.1`), of digits (`58-9015`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.knowledge.spotting import Entity, Source
from core.knowledge.spotting.part_numbers import part_numbers

_JOINED = re.compile(
    r"(?<![A-Za-z0-9_./@&=?%\\-])[A-Za-z](?=[A-Za-z0-9_/.-]*[0-9])[A-Za-z0-9]{0,11}(?:(?:[-_/][A-Za-z0-9]{1,12})|\.[0-9]+){0,4}"
    r"(?![A-Za-z0-9]|\.[A-Za-z]{2,4}\b|[-_/@][A-Za-z0-9]|://)"
)
_SPACED = re.compile(
    r"(?<![A-Za-z0-9_./@-])(?P<letters>[A-Z]{2,5}(?:/[A-Z])?) (?P<digits>[0-9]{2,}[A-Z]{0,2}(?:[-.][0-9]+){0,3})"
    r"(?![A-Za-z0-9%]|[-.][A-Za-z0-9]|,[0-9])"
)
_PAIR = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z]{1,8}(?:/[A-Za-z])?[ _-][0-9]{1,6}[A-Za-z]{0,3}(?:[-.][0-9]+)*(?![A-Za-z0-9])"
)
_TYPED = re.compile(r"(?<![0-9-])([0-9]{2,5})[ -]([0-9]{3,6})(?![0-9])")
_SEPARATORS = re.compile(r"[-_/\s]")
_EDITION = re.compile(r"(?<=[0-9])-(?:19|20)[0-9]{2}$")
"""The year of a standard's edition, which is mostly left out when the standard is named."""
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_NO_LETTERS = frozenset(
    "am and art article at ch chapter chf clause clauses cny covid ed eur euro euros fax fig figure for from fy gbp "
    "hkd http https in jpy jul jun law line lines may mid no non nos number of or over p page pages para part phase "
    "plus pm post pp pre q qq rmb sec section st step sub tab table tel the to top under up us usd utf vat ver "
    "version vol volume within wk year".split()
)
"""Words and abbreviations before a number that make no model of it."""
_LABELS = frozenset("acct code id isbn issn item model mpn part pin pn ref sku sn ssn zip".split())
"""What says, a blank before it, whose number follows."""


def codes(source: Source) -> Iterator[Entity]:
    """The codes of a text: letters and at least two digits, or six digits and more with a hyphen among them."""
    yield from _lettered(source)
    yield from part_numbers(source)


def _lettered(source: Source) -> Iterator[Entity]:
    """Letters first; a blank before the digits only after capitals."""
    if not source.latin:
        return
    for match in _JOINED.finditer(source.narrow):
        if _is_code(match.group()):
            yield source.same_place(code_key(match.group()), match.start(), match.end())
    for match in _SPACED.finditer(source.narrow):
        if match["letters"].lower() not in _NO_LETTERS | _LABELS and not _YEAR.fullmatch(match["digits"]):
            yield source.same_place(code_key(match.group()), match.start(), match.end())


def _is_code(text: str) -> bool:
    letters = re.split("[^A-Za-z]", text, maxsplit=1)[0].lower()
    digits = sum(map(str.isdigit, text))
    if digits < 2 or letters in _NO_LETTERS or len(letters) > 8:
        return False
    return digits < 12 and not (len(text) > 12 and "-" not in text and "/" not in text)


def code_key(text: str) -> str:
    """The same for every way of writing a code; a point within a number stays, the year of an edition does not.

    >>> [code_key(text) for text in ("XR-2200", "xr 2200", "GB/T 7588.1")]
    ['xr2200', 'xr2200', 'gbt7588.1']
    """
    return _SEPARATORS.sub("", _EDITION.sub("", Source(text).narrow)).lower()


def possible(text: str) -> list[str]:
    """Keys of all that may be a code in a question, in whatever case it is typed: what a base holds decides."""
    source = Source(text)
    found = [entity.key for entity in codes(source)]
    found += [code_key(match.group()) for match in _PAIR.finditer(source.narrow)]
    found += [f"{match[1]}-{match[2]}" for match in _TYPED.finditer(source.narrow)]
    return list(dict.fromkeys(found))
