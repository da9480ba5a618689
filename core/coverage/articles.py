"""Which articles a base has, and which its texts refer to: what a dangling reference is told by.

Only what is surely meant for a work of the base is judged: an article of this law (本法第三条), or of a law whose
name is a title of the base (《民法典》第五百条). A bare `第三条` counts as this law's own where no other law was
named before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.domain import Passage
from core.knowledge.base import JOINT, KnowledgeBase
from core.knowledge.folding import fold, has_han
from core.knowledge.ids import label_of, unrepeated
from core.knowledge.numerals import SMALL, numeral

Number = tuple[int, int]
"""An article's number, and the one after 之 (0: none)."""

_NUMERAL = f"(?:[0-9]{{1,4}}|[{SMALL}]{{1,9}})"
_ARTICLE = re.compile(rf"第\s?({_NUMERAL})\s?条(?:之({_NUMERAL}))?(?![件线路街例款约])")
_LABEL = re.compile(rf"{_ARTICLE.pattern}(?=$|[\s:：(（【])")
_BEGINS = re.compile(rf"^[ \t#*]*{_LABEL.pattern}", re.M)

_KINDS = (
    "法|法典|条例|办法|规则|规定|解释|细则|章程|决定|规程|规范|标准|制度|公约|通则|准则|意见|协议|协定|合同|公告|批复|"
    "通知|规约|方案|宪法|修正案|议定书|纪要|附件|附表|附录|指引"
)
_OWN = re.compile(rf"本(?![市省区县州镇乡村国院部局行])[\u4e00-\u9fff]{{0,4}}?(?:{_KINDS})(?:的|中|之)?$")
_QUOTED = re.compile(r"《([^《》]{2,80})》(?:[(（][^()（）]{0,60}[)）])*(?:的|中|之)?$")
_NAMED = re.compile(rf"([\u4e00-\u9fff]{{0,40}}(?:{_KINDS}))(?:[(（][^()（）]{{0,60}}[)）])*(?:的|中|之)?$")
_VAGUE = re.compile(r"(?:该|同|上述|前述|原|旧|新|修订前的?|修改前的?)[\u4e00-\u9fff]{0,8}$")
_OTHER = re.compile(rf"《|(?<!本)(?:{_KINDS})第")
_LINK = re.compile(
    rf"(?:第?{_NUMERAL}[款项目]|[(（]{_NUMERAL}[)）]项?|前段|后段|规定|[、，,和及与或至到的~—–-]|或者|以及|直至|\s)*"
)
_AMENDING = re.compile(r"修改为|删去|增加一[条款项]|作为第|改为第")

_SECTION = re.compile(r"(?:section|article|clause|chapter|§)?\s*([0-9]+(?:\.[0-9]+)*)(?=$|[\s.:)])", re.I)
_INSIDE = re.compile(r"^[ \t#*]*([0-9]+(?:\.[0-9]+)+)\b", re.M)
_ENGLISH = re.compile(
    r"(?:\b(section|article|clause)s?|(§))\s?([0-9]+(?:\.[0-9]+)*)(?![0-9])"
    r"(?!\s*(?:\([0-9a-z]+\)\s*)*,?\s*(?:of|in|under)\s+(?!(?:this|these|the present)\b))",
    re.I,
)
_FOREIGN = re.compile(
    r"(?:['’]s|\b(?!(?:See|In|Under|And|The|If|Per|By|Where|When|Both|Only|From|To|Of|As|Unlike|Refer|Read|Follow|Step)\b)"
    r"[A-Z][A-Za-z.]*)\s+$"
)
"""What stands before a section of another work: `GDPR Article 6`, `the Act's section 8`."""


@dataclass(frozen=True, slots=True)
class Work:
    """Documents whose articles are numbered as one: a law, or a rule in several files; its name, its numbers."""

    name: str
    numbers: frozenset[Number]


@dataclass(frozen=True, slots=True)
class Reference:
    """A place where a passage refers to an article: the words, and whether any of the works meant has it."""

    words: str
    work: str
    found: bool


def number_of(passage: Passage) -> Number | None:
    """The article number that a passage is labelled with, by its title or its id; `None` where it has none."""
    for label in (passage.title, plain_label(passage)):
        if match := _LABEL.match(fold(label)[0].strip()):
            return _number(match)
    return None


def numbers_of(passage: Passage) -> Iterator[Number]:
    """The article numbers that a passage holds: its own, and those that begin a line where articles were joined."""
    if number := number_of(passage):
        yield number
    if "条" in passage.text or "條" in passage.text:
        yield from (_number(match) for match in _BEGINS.finditer(fold(passage.text)[0]))


def plain_label(passage: Passage) -> str:
    """The label in a passage's id, without what tells equal ones apart."""
    return unrepeated(label_of(passage.id))


def _number(match: re.Match[str]) -> Number:
    return numeral(match[1]), numeral(match[2]) if match[2] else 0


def works(base: KnowledgeBase) -> Mapping[str, Work]:
    """The work of each document of a base, by document.

    The documents of a folder are one work where no article number stands in two of them, else each title is one.
    """
    groups: dict[str, list[str]] = {}
    numbers = {document: _numbers(base.of_document(document)) for document in base.documents}
    for folder, documents in _by_folder(base.documents).items():
        held = [number for document in documents for number in numbers[document]]
        one = 0 < len(held) == len(set(held))
        for document in documents:
            groups.setdefault(f"{folder}/" if one else _title(base, document), []).append(document)
    found: dict[str, Work] = {}
    for documents in groups.values():
        together = frozenset(number for document in documents for number in numbers[document])
        found |= dict.fromkeys(documents, Work(_name(base, documents), together))
    return found


def _name(base: KnowledgeBase, documents: Sequence[str]) -> str:
    """What documents are called together: their title where all have one, else their folder, or the base itself."""
    titles = {_title(base, document) for document in documents}
    if len(titles) == 1:
        return titles.pop()
    return documents[0].rpartition("/")[0].rpartition("/")[2] or base.title


def _by_folder(documents: Mapping[str, object]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for document in documents:
        found.setdefault(document.rpartition("/")[0], []).append(document)
    return found


def _numbers(passages: Sequence[Passage]) -> frozenset[Number]:
    return frozenset(number for passage in passages for number in numbers_of(passage))


def _sections(passages: Sequence[Passage]) -> Iterator[str]:
    """Numbers of headed sections (`4.2 Cleaning`, `Article 3`), also those that begin a line of a text."""
    for passage in passages:
        own = () if passage.metadata.get("type") == "row" else (passage.title,)
        for heading in (*passage.section.split(JOINT), *own):
            if match := _SECTION.match(heading.strip()):
                yield match[1]
        if not has_han(passage.text[:50]):
            yield from _INSIDE.findall(passage.text)


def _title(base: KnowledgeBase, document: str) -> str:
    passages = base.of_document(document)
    return base.documents[document].title if passages else document


class References:
    """Finds the references of a base's passages and whether they lead anywhere."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._works = works(base)
        self._named: dict[str, list[Work]] = {}
        for work in dict.fromkeys(self._works.values()):
            self._named.setdefault(_short(work.name), []).append(work)
        self._named.pop("", None)
        self._sections = {document: frozenset(_sections(base.of_document(document))) for document in base.documents}
        self._beside: dict[str, set[str]] = {}
        for document, sections in self._sections.items():
            self._beside.setdefault(document.rpartition("/")[0], set()).update(sections)

    def of(self, passage: Passage) -> tuple[Reference, ...]:
        """The references of a passage that are surely meant for a work of this base."""
        own = self._works.get(passage.document)
        if own is None:
            return ()
        return (*self._articles(fold(passage.text)[0], own), *self._english(passage, own))

    def _articles(self, text: str, own: Work) -> Iterator[Reference]:
        if "第" not in text or _AMENDING.search(text):
            return
        meant: Sequence[Work] = ()
        end: int | None = None
        for match in _ARTICLE.finditer(text):
            if not match.start():
                continue  # the passage's own label
            if end is None or not _LINK.fullmatch(text, end, match.start()):
                meant = self._meant(text[: match.start()], own)
            end = match.end()
            if known := [work for work in meant if work.numbers]:
                number = _number(match)
                yield Reference(match[0], known[0].name, any(number in work.numbers for work in known))

    def _meant(self, before: str, own: Work) -> Sequence[Work]:
        """The works that an article named after these words may be of; none where that is not sure."""
        if _OWN.search(before):
            return (own,)
        if quoted := _QUOTED.search(before):
            return self._named.get(_short(quoted[1]), ())
        if _VAGUE.search(before):
            return ()
        if named := _NAMED.search(before):
            return next((found for name, found in self._named.items() if named[1].endswith(name)), ())
        return () if _OTHER.search(before) else (own,)

    def _english(self, passage: Passage, own: Work) -> Iterator[Reference]:
        """`Section 4.2` in a document that numbers its sections; one that another document beside it has is found."""
        if len(self._sections[passage.document]) < 2:
            return
        known = self._beside[passage.document.rpartition("/")[0]]
        for match in _ENGLISH.finditer(passage.text):
            if not _FOREIGN.search(passage.text, 0, match.start()):
                found = any(section == match[3] or section.startswith(f"{match[3]}.") for section in known)
                yield Reference(match[0], own.name, found)


def _short(title: str) -> str:
    """A title as texts name it: without the country, its year and brackets.

    Unlike `law_key` without every bracket, since one part of an interpretation is mostly named as the whole.
    """
    return re.sub(r"[(（].*?[)）]|\s|^中华人民共和国", "", fold(title)[0])
