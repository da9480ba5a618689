"""Exact look-ups: a question that names an article or a model number finds exactly that first.

Such passages stand before all others in every ranking; among themselves, and behind them, the usual score decides. For
an article it is the passage with that label, in the document that the question names; not those that refer to it. For a
model number it is each passage that holds it; where several are named, each that holds them all, if one does. A row of
a sheet that is the part itself stands before what only mentions it. Where a mention fits more than `MOST` passages,
those count whose own text and not only a heading names the model; where even they are too many, it singles none out
and changes nothing: article 1 of no law in particular, or a model that half a manual is about.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from core.domain import Passage
from core.knowledge.base import KnowledgeBase
from core.knowledge.entities import key_of
from core.knowledge.folding import fold
from core.knowledge.ids import label_of
from core.knowledge.spotting import Entity, Source
from core.knowledge.spotting.codes import codes, possible
from core.knowledge.spotting.references import article_key, law_key, references
from core.retrieval.memo import Memo

MOST = 10
"""Passages that one mention may put in front: half of the candidates that are reranked, so that others are left."""

NOTICED = 0.005
"""Seconds from which noting counts as work of its own."""

Positions = npt.NDArray[np.int64]
Table = dict[str, list[int]]

_LABELS: Memo[Table] = Memo(1)
_CODES: Memo[Table] = Memo(1)
_OWN_CODES: Memo[Table] = Memo(1)
_NAMES: Memo[_Names] = Memo(2_000)

_NUMBERED = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,3})*)\.?\s+\S")
_NUMBER = re.compile(r"条|條|\d")
"""What no mention is without."""
_JOINT = re.compile(r"[\s、,和及与或至到]*(?:以及|或者)?")
_CHAPTERS = re.compile(r"(?:第[0-9一二三四五六七八九十百]{1,5}[编章节]\s*)+$")
_ENDINGS = "法|条例|规定|办法|规则|细则|解释|章程|公约|规约|准则|规范|合同|协议|决定|标准"
_LEADING = re.compile("^.*(?:请问|根据|按照|依照|依据|关于|查看|这份|[,。?!:;])")
"""What may stand before a name."""
_ITSELF = re.compile(rf"(?:本|该|此|这个?|上述)(?:{_ENDINGS})的?$")
_NAMED = re.compile(rf"(?:{_ENDINGS})》?的?$")
_YEAR = re.compile("(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")
_SHORTEST = 4
"""Characters of a name from which a part of it is enough to recognise a law."""


def exact(base: KnowledgeBase, question: str, within: Positions | None = None) -> Positions:
    """Positions of the passages that the question names, ascending; `within` are those that may be looked at."""
    return exact_and_behind(base, question, within)[0]


def exact_and_behind(
    base: KnowledgeBase, question: str, within: Positions | None = None
) -> tuple[Positions, Positions]:
    """The same, and those of them that stand behind the others: they mention a part that has a row of its own."""
    allowed = None if within is None else set(within.tolist())
    found: set[int] = set()
    front: set[int] = set()
    for named, keys in _mentions(base, question):
        some = {position for position in named if allowed is None or position in allowed}
        if len(some) > MOST and keys:
            own = _table(_OWN_CODES, base, _own_codes)
            some = {position for position in some if all(position in own.get(key, ()) for key in keys)}
        if len(some) <= MOST:
            rows = {position for position in some if _is_row_of(base.passages[position], keys)}
            front |= rows or some
            found |= some
    return _positions(found), _positions(found - front)


def _is_row_of(passage: Passage, keys: Sequence[str]) -> bool:
    """Whether a passage is the row of a sheet that is called by one of these codes."""
    if passage.metadata.get("type") != "row":
        return False
    return any(code.start == 0 and code.key in keys for code in codes(Source(passage.title)))


def _positions(found: Iterable[int]) -> Positions:
    return np.array(sorted(found), dtype=np.int64)


def prepare(base: KnowledgeBase, question: str) -> float:
    """Seconds it took to note where what the question may name stands: one-time work, 0 where it was done before."""
    began = time.perf_counter()
    exact(base, question)
    spent = time.perf_counter() - began
    return spent if spent > NOTICED else 0.0


def _mentions(base: KnowledgeBase, question: str) -> Iterator[tuple[Sequence[int], Sequence[str]]]:
    """The passages that each mention of the question fits, and the keys of the codes that it names.

    Codes that some passages hold together are one mention.
    """
    if not _NUMBER.search(question):
        return
    for article in _articles(question):
        if fitting := _table(_LABELS, base, _labels).get(article.key, ()):
            yield _of_year(base, _of_law(base, fitting, article), question), ()
    held = {key: where for key in possible(question) if (where := _table(_CODES, base, _codes).get(key))}
    together = set.intersection(*map(set, held.values())) if held else set()
    if together:
        yield sorted(together), list(held)
    else:
        yield from ((where, [key]) for key, where in held.items())


def _table(memo: Memo[Table], base: KnowledgeBase, keys: Callable[[Passage], Iterable[str]]) -> Table:
    """Positions by key, made at the first question that names something of the kind."""

    def make() -> Table:
        table: Table = {}
        for passage in base.passages:
            for key in dict.fromkeys(keys(passage)):
                table.setdefault(key, []).append(passage.order)
        return table

    return memo.of(base, "table", make)


def _labels(passage: Passage) -> Iterator[str]:
    """The keys of the article that a passage is, by its title, else by the end of its id."""
    for label in (passage.title, label_of(passage.id)):
        if key := article_key(label):
            yield key
        elif passage.metadata.get("type") != "row" and (numbered := _NUMBERED.match(label)):
            yield from (f"{kind} {numbered[1]}" for kind in ("section", "clause", "article"))


def _codes(passage: Passage) -> Iterator[str]:
    """The keys of all codes that a passage holds, its headings included, and of those its author gave."""
    yield from (entity.key for entity in codes(Source(passage.indexed)))
    yield from _given_codes(passage)


def _own_codes(passage: Passage) -> Iterator[str]:
    """The keys of the codes in a passage's own text, and of those its author gave."""
    yield from (entity.key for entity in codes(Source(passage.text)))
    yield from _given_codes(passage)


def _given_codes(passage: Passage) -> Iterator[str]:
    given = getattr(passage.metadata, "given", passage.metadata).get("models", ())
    yield from (key_of(str(model)) for model in ([given] if isinstance(given, str) else given))


@dataclass(frozen=True, slots=True)
class _Article:
    """An article that a question names: `law` as it is quoted, `before` what stands in front of an unquoted one."""

    key: str
    law: str
    before: str


def _articles(question: str) -> Iterator[_Article]:
    last: Entity | None = None
    before = ""
    for found in references(Source(question)):
        joined = last is not None and _JOINT.fullmatch(question[last.end : found.start])
        if not joined:
            before = _CHAPTERS.sub("", fold(question[: found.start])[0].strip())
        yield _Article(found.key, found.law, before)
        last = found


def _of_law(base: KnowledgeBase, positions: Sequence[int], article: _Article) -> Sequence[int]:
    """Those of the positions that stand in the law that the question names; all where it names none."""
    passages = [base.passages[position] for position in positions]
    documents_held = {passage.document for passage in passages}
    names = {held: _NAMES.of(base, held, partial(_names, base, held)) for held in documents_held}
    documents = _quoted(names, article.law) if article.law else _unquoted(names, article.before)
    return positions if documents is None else [p.order for p in passages if p.document in documents]


def _of_year(base: KnowledgeBase, positions: Sequence[int], question: str) -> Sequence[int]:
    """Of several editions of a law the one whose year the question tells, where it tells one."""
    years = _YEAR.findall(question)
    told = [p for p in positions if any(year in base.passages[p].document for year in years)]
    return told or positions


@dataclass(frozen=True, slots=True)
class _Names:
    """What a document is called: its `own` names, and those of what it is part of."""

    own: frozenset[str]
    whole: frozenset[str]


def _names(base: KnowledgeBase, document: str) -> _Names:
    *folders, last = document.split("/")
    label, held = base.of_document(document)[0].title, base.documents.get(document)
    titles = [last, *([held.title] if held else []), *([] if article_key(label) else [label])]
    return _Names(frozenset(map(law_key, titles)) - {""}, frozenset(map(law_key, [*folders, base.title])) - {""})


def _quoted(names: dict[str, _Names], law: str) -> set[str]:
    """The documents of a quoted name: that are called so, else that belong to it, else one a part of the other."""
    own = {document for document, known in names.items() if law in known.own}
    whole = {document for document, known in names.items() if law in known.whole}
    parts = {document for document, known in names.items() if any(_alike(law, name) for name in known.own)}
    return own or whole or parts


def _alike(one: str, other: str) -> bool:
    return min(len(one), len(other)) >= _SHORTEST and (one in other or other in one)


def _unquoted(names: dict[str, _Names], before: str) -> set[str] | None:
    """The documents whose name, the longest first, or whose name's end stands right before the article.

    `None` where no law is named.
    """
    text = law_key(before).removesuffix("的")
    fitting = {
        name: {document for document, known in names.items() if name in known.own | known.whole}
        for known in names.values()
        for name in known.own | known.whole
        if text.endswith(name)
    }
    if fitting:
        return fitting[max(fitting, key=len)]
    bare = _LEADING.sub("", text)
    ending = {held for held, known in names.items() if any(name.endswith(bare) for name in known.own | known.whole)}
    if len(bare) > 1 and ending:
        return ending
    return set() if _NAMED.search(text) and not _ITSELF.search(text) else None
