"""Parties: who has rights and duties, by the words for roles and by what names of organisations end with."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from core.knowledge.spotting import Entity, Source

_MOST = 14
"""Characters before the ending of a company's name."""
_SUFFIX = r"(?:Inc|Ltd|LLC|LLP|GmbH|AG|PLC|Plc|plc|Corp|Corporation|Limited|Pty|S\.A|N\.V|B\.V)"
_COMPANY = re.compile(rf"(?<![A-Za-z])(?:[A-Z][\w&'-]*,?\s(?:&\s)?){{1,5}}{_SUFFIX}(?![A-Za-z])")
_NAMED = re.compile("有限|集团|合伙|事务所|[省市县区].{0,8}[局厅会院府]")
_ENDING = re.compile(rf"{_SUFFIX}(?![A-Za-z])")


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Chinese roles, Chinese names of companies and offices, English roles."""
    words = tomllib.loads(Path(__file__).with_name("parties.toml").read_text(encoding="utf-8"))
    roles = "|".join(sorted(words["roles_zh"].split(), key=len, reverse=True))
    own = rf"(?:[\u4e00-\u9fff](?<![{words['not_in_names_zh']}]))"
    company = rf"{own}{{2,{_MOST}}}(?:{'|'.join(words['companies_zh'].split())})"
    office = rf"{own}{{2,3}}[省市县区]{own}{{0,8}}?(?:{'|'.join(words['offices_zh'].split())})"
    english = re.compile(rf"(?<![a-z])the ({'|'.join(words['roles_en'].split())})(?![a-z])")
    return re.compile(roles), re.compile(f"{company}|{office}"), english


def parties(source: Source) -> Iterator[Entity]:
    """The parties of a text, in order; their keys are their folded names."""
    roles, names, english = _patterns()
    folded = source.folded
    if not folded.isascii():
        yield from (source.entity(match.group(), *match.span()) for match in roles.finditer(folded))
        if _NAMED.search(folded):
            yield from (source.entity(match.group(), *match.span()) for match in names.finditer(folded))
    if "the " in folded:
        for match in english.finditer(folded):
            yield source.entity(match[1], match.start(1), match.end(1))
    if source.latin and _ENDING.search(source.narrow):
        for match in _COMPANY.finditer(source.narrow):
            yield source.same_place(" ".join(match.group().lower().split()), match.start(), match.end())
