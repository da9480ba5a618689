"""Passages that are sure to be on one subject whatever their words: one article in two versions, or one heading.

Words alone do not tell it where a text is short (`保修期为24个月`) or its words stand everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from core.coverage.articles import number_of
from core.coverage.headings import subject
from core.domain import Passage
from core.knowledge.base import KnowledgeBase
from core.knowledge.folding import fold
from core.knowledge.spotting import Source
from core.knowledge.spotting.codes import codes

_VERSION = re.compile(
    r"[(（\[【].*?[)）\]】]|\b(?:v|ver|version|rev|edition|draft|old|new)\b\.? ?[\d.]*|[\d.年月日_/-]+"
    r"|第?[一二三四五六七八九十]+版|修[订正改]版?|试行|暂行|草案|旧版?|新版?|版本?|\s"
)
_EVERYWHERE = re.compile(
    "总则|附则|其[他它]|概述|说明|目的|范围|定义|法律.任|罚则|附录|备注|简介|前言|notes|introduction|overview|general|scope"
    "|definitions|other|miscellaneous|appendix|summary"
)
"""Headings that stand in every document and name no subject."""
_CROWD = 12
"""Passages that may share an anchor; more say that it names no subject."""


def anchored(base: KnowledgeBase) -> Iterator[tuple[Passage, Passage]]:
    """Pairs of passages of different documents that share an anchor, the earlier first, each once.

    Those that name models, but none in common, are on different subjects.
    """
    held: dict[tuple[str, ...], list[Passage]] = {}
    for passage in base.passages:
        for anchor in _anchors(base, passage):
            held.setdefault(anchor, []).append(passage)
    known: set[tuple[str, str]] = set()
    for passages in held.values():
        for one, other in combinations(passages, 2) if len(passages) <= _CROWD else ():
            ids = one.id, other.id
            if one.document != other.document and ids not in known and not _apart(base, one, other):
                known.add(ids)
                yield one, other


def _anchors(base: KnowledgeBase, passage: Passage) -> Iterator[tuple[str, ...]]:
    """The article within all versions of its work; the heading that it stands below."""
    heading = fold(subject(passage))[0]
    if work := version_free(base.documents[passage.document].title or passage.document):
        number = number_of(passage)
        if number:
            yield "article", work, str(number)
    if heading and not _EVERYWHERE.fullmatch(heading) and version_free(heading) != work:
        yield "heading", heading


def version_free(title: str) -> str:
    """A title without what tells its versions apart.

    >>> version_free("售后规定（2022年版）") == version_free("售后规定 新版 2024")
    True
    """
    return _VERSION.sub("", fold(title.rpartition("/")[2])[0])


def _apart(base: KnowledgeBase, one: Passage, other: Passage) -> bool:
    """Whether both name models and none in common, by their document's title, their headings or their text."""
    named = [
        {code.key for code in codes(Source(f"{base.documents[p.document].title}\n{p.section}\n{p.text}"))}
        for p in (one, other)
    ]
    return all(named) and not named[0] & named[1]
