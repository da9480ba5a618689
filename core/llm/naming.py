"""The codes and articles that a question names, and what the evidence has of them: its heading, a mention, a pointer.

`E47` is asked for: the passage that is headed `E47` says most, a row that holds it much, `see E47` little, and a row
that holds only `E12` belongs to another question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import chain

from core.domain import Passage
from core.knowledge.ids import label_of
from core.knowledge.spotting import Source
from core.knowledge.spotting.codes import codes, possible
from core.knowledge.spotting.references import article_key, references

HEADED, HELD, REFERRED = 1.0, 0.7, 0.3
"""How much a text says of a code: its passage is headed so, it holds it itself, it only points to where it stands."""

_POINTS = re.compile(
    r"(?:\b(?:see|cf\.?|refer(?:s|red)? to|according to|(?:listed|described) (?:in|under))"
    r"|参[见看照阅]|详?见|按照?|依[照据]|根据)"
    r"[\s:：“\"'(（《]*(?:the |error |code |part |[\u4e00-\u9fff]{1,4})?[\s“\"']*$",
    re.IGNORECASE,
)
_BEFORE = 24
"""Characters before a code in which a pointer stands."""


def named(question: str) -> dict[str, str]:
    """What a question names, by key, as it is written there; also what is a code only if the evidence holds it.

    >>> named("第十九条和 E47")
    {'第19条': '第十九条', 'e47': 'E47'}
    """
    source = Source(question)
    written = {found.key: found.text for found in chain(references(source), codes(source))}
    return {**written, **{key: key for key in possible(question) if key not in written}}


def certain(question: str) -> frozenset[str]:
    """Keys of the codes of a question that are some whatever the evidence holds."""
    return frozenset(found.key for found in codes(Source(question)))


def kind_of(key: str) -> str:
    """What the codes of one series share: the letters that they begin with; articles and plain numbers are their own.

    >>> [kind_of(key) for key in ("e47", "xr2200b", "58-9015", "第28条")]
    ['e', 'xr', '-', '条']
    """
    if article_key(key):
        return "条"
    letters = re.match("[a-z]*", key)
    return letters[0] if letters and letters[0] else "-"


def headed(passage: Passage) -> dict[str, float]:
    """What a passage is by its own heading."""
    found = {code.key: HEADED for code in codes(Source(passage.title))}
    for label in (passage.title, label_of(passage.id)):
        if key := article_key(label):
            found[key] = HEADED
    return found


def says(text: str, of_passage: Mapping[str, float]) -> dict[str, float]:
    """How much a text says of each code that it holds or that its passage is headed with, 0 to 1.

    A text that points to a code once says little of it, and an article that it names in its midst is pointed to.
    """
    source = Source(text)
    found = dict(of_passage)
    for code in codes(source):
        pointed = _POINTS.search(text[max(0, code.start - _BEFORE) : code.start])
        if code.key not in of_passage:
            found[code.key] = min(found.get(code.key, HELD), REFERRED if pointed else HELD)
    for article in references(source):
        found[article.key] = max(found.get(article.key, 0.0), REFERRED if article.start else HEADED)
    return found


def foreign(held: Iterable[str], wanted: frozenset[str]) -> bool:
    """Whether a text holds codes of a series that is asked for, and none that is; articles exclude no other."""
    held = frozenset(held)
    series = {kind for kind in map(kind_of, wanted) if kind != "条"}
    return any(
        {key for key in held if kind_of(key) == kind} and not any(kind_of(key) == kind for key in held & wanted)
        for kind in series
    )


def kept(question: Mapping[str, str], sure: frozenset[str], held: frozenset[str]) -> frozenset[str]:
    """The keys that count: those that the evidence holds, and the `sure` ones that it lacks in whatever spelling."""
    lacking = (key for key in sure - held if not any(one.startswith(key) or key.startswith(one) for one in held))
    return frozenset(key for key in question if key in held).union(lacking)
