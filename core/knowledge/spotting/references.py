"""References to articles: `第六十一条` = `第61条`, `《…法》第六条之一`, `Article 12`, `Section 4.2`, `clause 3(b)`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.knowledge.folding import fold
from core.knowledge.numerals import SMALL, numeral
from core.knowledge.spotting import Entity, Source

_NUMERAL = f"(?:[0-9]{{1,5}}|[{SMALL}]{{1,8}})"
_ARTICLE = re.compile(rf"第\s?({_NUMERAL})\s?条(?:之({_NUMERAL}))?")
_LAW = re.compile(rf"《([^《》]{{2,60}})》(?:\([^()]{{1,30}}\))?\s?(?:第{_NUMERAL}[编章节]\s?)*$")
_BEFORE = 120
"""Characters before a reference in which the name of its law is looked for."""
_JOINED = re.compile(r"\s?(?:[、,和及或与至到]|以及|或者)\s?")
_ENGLISH = re.compile(
    r"(?<![A-Za-z])(?P<kind>articles?|art\.|sections?|sec\.|clauses?|§)\s?"
    r"(?P<number>[0-9]{1,4}(?:\.[0-9]{1,3}){0,4}[a-z]?(?:\s?\([a-z0-9]{1,4}\)){0,3})(?![0-9A-Za-z])"
)
_ENGLISH_LAW = re.compile(
    r"\s+of\s+the\s+((?:[A-Z][\w-]*\s+){0,6}(?:Act|Code|Law|Regulations?|Convention|Agreement))\b"
)
_KINDS = {"art.": "article", "sec.": "section", "§": "section"}
_DATED = re.compile(r"\((?:[0-9]{4}[^()]{0,12}|[^()]{0,12}(?:修正|修订|公布|施行)[^()]{0,6})\)")
_STATE = re.compile(r"^中华人民共和国(?=.)")


def law_key(name: str) -> str:
    """The same for every way of naming a law: without the state's name, date, quotes and blanks.

    >>> law_key("《中华人民共和国消防法》（2021修订）")
    '消防法'
    """
    folded = re.sub(r"[《》〈〉\s]", "", _DATED.sub("", fold(name)[0]))
    return _STATE.sub("", folded)


def article_key(text: str) -> str:
    """The key of a label such as `第六十一条` or `Article 12`; empty for what is none."""
    found = next(references(Source(text.strip())), None)
    return found.key if found and found.start == 0 else ""


def references(source: Source) -> Iterator[Entity]:
    """The article references of a text, in order; of several that are joined all belong to the law that is named."""
    if "条" in source.folded:
        yield from _chinese(source)
    if "§" in source.text or any(kind in source.folded for kind in ("artic", "art.", "secti", "sec.", "claus")):
        yield from _english(source)


def _chinese(source: Source) -> Iterator[Entity]:
    folded, law, last = source.folded, "", -1
    for match in _ARTICLE.finditer(folded):
        named = _LAW.search(folded[max(0, match.start() - _BEFORE) : match.start()]) if "》" in folded else None
        if named:
            law = law_key(named[1])
        elif last < 0 or not _JOINED.fullmatch(folded[last : match.start()]):
            law = ""
        last = match.end()
        sub = f"之{numeral(match[2])}" if match[2] else ""
        yield source.entity(f"第{numeral(match[1])}条{sub}", match.start(), match.end(), law)


def _english(source: Source) -> Iterator[Entity]:
    for match in _ENGLISH.finditer(source.folded):
        kind = _KINDS.get(match["kind"], match["kind"].rstrip("s"))
        number = "".join(match["number"].split())
        found = source.entity(f"{kind} {number}", match.start(), match.end())
        law = _ENGLISH_LAW.match(source.narrow, found.end)
        yield Entity(found.text, found.key, found.start, found.end, law[1].lower() if law else "")
