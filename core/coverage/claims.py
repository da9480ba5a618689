"""What a sentence claims: the numbers it sets and what it demands, allows or forbids, and how two claims differ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from core.coverage.hard_facts import Fact, facts_of
from core.domain import Passage
from core.knowledge.folding import fold
from core.knowledge.numerals import SMALL
from core.knowledge.sentences import HAN, sentences
from core.knowledge.sheet_rows import body_of

Modality = Literal["must", "may", "must_not", "need_not"]

_MODALS: Sequence[tuple[Modality, str]] = (
    ("must_not", r"不得|不应当?|不准|不可以|不能|禁止|严禁|\b(?:must|shall|may|should) not\b|\bcannot\b|\bnever\b"),
    ("need_not", r"无需|不必|无须|不需要?|\bneed not\b"),
    (
        "must",
        r"应当|必须|(?<![必无])须(?!知)|应(?!急|用|收|付|对|答|诉|予|邀|缴)"
        r"|\b(?:must|shall|has to|have to|is required to)\b",
    ),
    ("may", r"可以|有权|\bmay\b|\bis allowed to\b"),
)
_MODAL = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _MODALS))
_BOUND = re.compile(r"(?:以上|以下|以内|之内|内|之前|以前|前|后)")
_BEFORE, _AFTER = 8, 10
"""Characters around a number or a modal that tell what it is about."""
_FITS = 0.3
"""Share of the words around that must be the same for two numbers, or two modals, to be about the same thing."""
_SAME_DEED = 0.5
"""Share of the words after two modals that must be the same, and more, for them to be about the same deed."""
_LEANING = re.compile(
    r"^\s*(?:[（(][一二三四五六七八九十0-9]{1,3}[）)]|[0-9]+[.)]|[-*])|罚款|罚金|徒刑|拘役|货值金额|违法所得"
)
_MARKS = re.compile(r"(?:[^\w.]|_|(?<![0-9])\.|\.(?![0-9]))+")
_FIGURE = re.compile(f"[0-9{SMALL}]")
_CLAUSE = re.compile(r"[，,；;。：:]")
_RUN = re.compile(rf"(?:(?![为是]){HAN.pattern}){{2,}}")
_WORD = re.compile(r"[a-z][a-z0-9-]{2,}")
_COMMON = frozenset(
    "the and for with that this from are was has have been its any all not but when where which".split()
)


@dataclass(frozen=True, slots=True)
class Difference:
    """What two claims say differently, in their own words: a number, or a modality."""

    kind: Literal["number", "modality"]
    first: str
    second: str


@dataclass(frozen=True)
class Claim:
    """A sentence of a passage that sets a number or demands, allows or forbids something."""

    passage: Passage
    text: str

    @cached_property
    def folded(self) -> str:
        """The text as it is compared; offsets are those of the text, as characters are folded one to one."""
        folded, offsets = fold(self.text)
        return self.text.lower() if offsets is not None else folded

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """The numbers that it sets."""
        return facts_of(self.text)

    @cached_property
    def modals(self) -> tuple[tuple[Modality, int, int], ...]:
        """What it demands, allows or forbids: the kind and the span of each word that says so."""
        found: list[tuple[Modality, int, int]] = []
        for match in _MODAL.finditer(self.folded):
            name = next(name for name, _ in _MODALS if match[name])
            found.append((name, *match.span()))
        return tuple(found)

    @cached_property
    def bare(self) -> str:
        """The text with its numbers and modals masked."""
        text = self.folded
        for start, end in [*((f.start, f.end) for f in self.facts), *((a, b) for _, a, b in self.modals)]:
            text = text[:start] + "\x00" * (end - start) + text[end:]
        return text

    @cached_property
    def terms(self) -> frozenset[str]:
        """What it is about: pairs of characters of its Chinese words, and its other words."""
        return frozenset(terms(self.bare))

    @property
    def leans(self) -> bool:
        """Whether its subject stands before it: an item of a list, or what a breach costs."""
        return _LEANING.search(self.text) is not None

    @cached_property
    def plain(self) -> str:
        """Its words alone."""
        return plain(self.folded)

    @cached_property
    def stated(self) -> frozenset[tuple[float, str]]:
        """The numbers that its whole passage states."""
        return frozenset(fact.said for fact in facts_of(body_of(self.passage)))

    @cached_property
    def beside(self) -> frozenset[str]:
        """What the rest of its passage is about."""
        before, _, after = body_of(self.passage).partition(self.text)
        return frozenset(terms(fold(f"{before}\n{after}")[0]))


def claims(passage: Passage) -> Iterator[Claim]:
    """The sentences of a passage that claim something."""
    own = body_of(passage)
    for start, end in sentences(own):
        claim = Claim(passage, own[start:end])
        if claim.facts or claim.modals:
            yield claim


def terms(text: str) -> Iterator[str]:
    """Pairs of characters of the Chinese words of a folded text, and its other words."""
    for run in _RUN.findall(text):
        yield from (run[at : at + 2] for at in range(len(run) - 1))
    yield from (word for word in _WORD.findall(text) if word not in _COMMON)


def plain(folded: str) -> str:
    """A folded text without blanks, punctuation and the lines of a table."""
    return _MARKS.sub("", folded)


def said(claim: Claim, text: str) -> bool:
    """Whether a plain text holds the claim word for word, the number it begins with whole."""
    words = claim.plain
    at = text.find(words)
    while at > 0 and _FIGURE.match(text[at - 1]) and _FIGURE.match(words):
        at = text.find(words, at + 1)
    return at >= 0


def differences(one: Claim, other: Claim, anchored: bool = False) -> tuple[Difference, ...]:
    """What the two say differently about the same thing; numbers first.

    Where they are `anchored` (the same article, or below the same heading), the only number of its unit in each is
    about the same thing, whatever words stand around it.
    """
    return (*_numbers(one, other, anchored), *_modalities(one, other))


def _numbers(one: Claim, other: Claim, anchored: bool) -> Iterator[Difference]:
    """Numbers of one unit and about the same thing, where neither claim has the other's, nor both passages both."""
    ours, theirs = {fact.said for fact in one.facts}, {fact.said for fact in other.facts}
    for fact in one.facts:
        rivals = [each for each in other.facts if each.unit == fact.unit and each.said not in ours]
        if fact.said in theirs or not rivals:
            continue
        mine = _around(one.bare, fact.start, fact.end)
        best = max(rivals, key=lambda rival: _fit(mine, _around(other.bare, rival.start, rival.end)))
        alone = anchored and all([each.unit for each in claim.facts].count(fact.unit) == 1 for claim in (one, other))
        if fact.said in other.stated and best.said in one.stated:
            continue
        fits = alone or _fit(mine, _around(other.bare, best.start, best.end)) >= _FITS
        if fits and _bound(one, fact) == _bound(other, best):
            yield Difference("number", _shown(one, fact), _shown(other, best))


def _bound(claim: Claim, fact: Fact) -> str:
    """Which side of a number is meant; a period that says none is one within which something is done."""
    bound = _BOUND.match(claim.folded, fact.end)
    return bound[0][-1].replace("内", "") if bound else ""


def _shown(claim: Claim, fact: Fact) -> str:
    bound = _BOUND.match(claim.folded, fact.end)
    return claim.text[fact.start : bound.end() if bound else fact.end]


def _modalities(one: Claim, other: Claim) -> Iterator[Difference]:
    """Modals about the same deed that do not agree."""
    for kind, start, end in one.modals:
        mine = _deed(one.bare, end)
        fitting = [(_fit(mine, _deed(other.bare, b), 1), rival, other.text[a:b]) for rival, a, b in other.modals]
        fit, rival, said = max(fitting, default=(0.0, kind, ""))
        if fit > _SAME_DEED and rival != kind and not any(same == kind and share == fit for share, same, _ in fitting):
            yield Difference("modality", one.text[start:end], said)


def _around(text: str, start: int, end: int) -> set[str]:
    return set(terms(text[max(0, start - _BEFORE) : start])) | set(terms(text[end : end + _AFTER]))


def _deed(text: str, end: int) -> set[str]:
    """What follows a modal in its clause."""
    return set(terms(_CLAUSE.split(text[end : end + _AFTER], maxsplit=1)[0]))


def _fit(one: set[str], other: set[str], least: int = 2) -> float:
    """Share of the smaller that both have, where they have at least `least` in common."""
    common = len(one & other)
    return common / min(len(one), len(other)) if common >= least else 0.0
