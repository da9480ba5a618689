"""Questions where no sentence has a form of its own: a row of a table, a named value, a date, a model, who is bound."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.coverage import phrasing_zh
from core.coverage.column_names import is_name, is_thing, tells
from core.coverage.everyday import ASKED, plainly
from core.coverage.hard_facts import MONEY, TIMES, facts_of
from core.coverage.headings import subject
from core.coverage.phrase import Phrased
from core.domain import Passage
from core.knowledge.base import JOINT
from core.knowledge.folding import has_han
from core.knowledge.spotting import Source
from core.knowledge.spotting.codes import codes
from core.knowledge.spotting.figures import dates
from core.knowledge.spotting.parties import parties
from core.knowledge.spotting.references import references

_RULE = re.compile(r"^[\s|:\-]+$")
_NAMED = re.compile(
    r"^\s*(?:[-*·•]|\d{1,2}[.)、])?\s*(?P<name>[^：:|。；，,;\\]{2,20})[：:]\s*(?P<value>[^\n\\]{1,40})$", re.M
)
_SAYS = re.compile(
    r"(?:将|请|如下|以下|下列|不得|可以|应当|必须|(?<![等高低大小多少])于)|[0-9〇零一二三四五六七八九十]+[年月日号]"
)
"""What makes the words before a colon a sentence, and no name of a value."""
_LONGEST = 40
"""Characters of a cell that are a fact to be stated, and no text."""
_MEASURED = (
    "期限?|时限|时间|时长|周期|间隔|工期|保修|质保|寿命|价格?|单价|费[用]?|租金|押金|定金|保证金|违约金|金额|总额|限额|额度?|"
    "率|比例|成数|数量?|量|次数|人数|年龄|温度|湿度|压力|重量|载荷|载重|长度|宽度|高度|深度|厚度|直径|距离|面积|容积|容量|"
    "速度|转速|功率|电压|电流|频率|浓度|噪[声音]|上限|下限|标准"
)
_VALUE = re.compile(
    rf"^(?P<name>[\u4e00-\u9fffA-Za-z0-9]{{0,14}}?(?:{_MEASURED}))(?:每[日天月年次人户台件])?"
    r"(?P<bound>(?:[最至][长短多少高低])?(?:为|是|不得?超过|不得?少于|不得?低于)?)$"
)
_PRICED = re.compile(r"^[\u4e00-\u9fffA-Za-z0-9]{2,14}$")
_NO_NAME = re.compile(
    r"(?<![响供反相])应|须|不得|可以|自|从|由|向|并|按|以|扣|付|缴|退|处|罚|超过|少于|低于|高于|达|满|每|或|和|及"
)
_FIGURE = re.compile(r"[0-9][0-9.,]*(?![0-9A-Za-z./-])")
_EVERY = re.compile(r"^(?P<what>[\u4e00-\u9fffA-Za-z0-9]{2,20}?)(?:应当?|须|要|必须)?每(?:隔)?$")
_CLAUSE = re.compile(r"[，,；;：:。]")
_OPEN_END = re.compile(r"(?:的|后|时|前|起|规定|为由|[0-9A-Za-z])$")
"""How a clause ends that another goes on with."""
_NO_WHO = re.compile(r"如|没有|依照|依据|根据|按照|仍|不|有")
"""What a clause begins with whose own subject stands elsewhere."""
_ITEM = re.compile(r"\s*[（(|]")
_LEAST = 2
"""Characters of a deed that stands behind its period."""
_SENTENCE = re.compile(r"[^。！？!?\n]+")
_BOUND = re.compile(
    r"^(?P<who>[\u4e00-\u9fff]{2,12}?)?(?P<modal>不得|应当|必须|可以|有权)(?P<deed>[^，,；;：:。]{4,48})$"
)
_PERSON = re.compile(
    r"(?:[人方者员主户师]|单位|(?<!作)业|公司|机构|机关|部门|政府|委员会|法院|检察院|租客|房东|商家|门店|会|局|院|学校|银行|家长)$"
)
_NOBODY = re.compile(r"^(?:其|该|此|但|也|还|并|或|如|且|同时|因|不|未|有|由|在|对|自|经)|的|规定|情形")
_COURT = re.compile(
    r"^(?:不予|予以)?(?:受理|驳回|裁定|支持|列为|将.{2,40}列为|确认|追加|准许|认.{1,2}有效|通知其|判决|判令|撤销)"
)
_AUTHORITY = re.compile(r"法院|机构|机关|部门|政府|委员会|检察院|局$")
"""What only an authority does: where it stands unnamed, the party that a sentence opens with is not meant."""
_EMPTY = re.compile(
    r"^(?:按照|依照|根据|依据)[^，]*(?:规定|约定|要求)?$|^(?:及时|依法)?采取(?:相应|必要|有效)?(?:的)?措施$|[内前后时起]$"
    r"|^在[^，]{2,20}(?:现场|处|中|上|下|里)$|^(?:会同|凭)[^，]{2,16}$"
)
"""Deeds that say nothing of what is to be done."""
_WHOSE = re.compile("(?<![尤极及与])其(?![他它中余次])")
"""A deed that leans on whoever was named before."""
_SHORT = 10
"""Characters of a deed below which it takes its heading to tell what is asked."""
_ENGLISH_BOUND = re.compile(
    r"^(?P<the>The|An?|Each|Every) (?P<who>[a-z][a-z ]{2,28}?) (?P<modal>must not|must|shall not|shall|may not)"
    r" (?P<deed>[^,;:()]{12,120})$"
)
_POINTS = re.compile(r"\b(?:it|they|this|these|that|those|its|their)\b")


def questions(passage: Passage, text: str) -> Iterator[Phrased]:
    """The questions that the passage allows whose own `text` is given, without its label."""
    about, work = subject(passage), passage.section.split(JOINT)[0]
    about = about if is_name(about) else ""
    yield from _cells(text, about)
    yield from _named(text, about, row=passage.metadata.get("type") == "row")
    if has_han(text):
        for sentence in _SENTENCE.findall(text):
            yield from _valued(sentence.strip(), about)
            yield from _spotted(sentence.strip(), about, work)
            yield from _bound(sentence.strip(), about)
    else:
        for sentence in re.split(r"(?<=[.!?])\s+|\n", text):
            yield from _english_bound(sentence.strip().rstrip("."))


def _cells(text: str, about: str) -> Iterator[Phrased]:
    """`| 更换灯管 | 80元 |` below `| 项目 | 价格 |` → `更换灯管的价格是多少？`."""
    head: Sequence[str] = ()
    for line in text.split("\n"):
        if not line.lstrip().startswith("|"):
            head = ()
        elif not head:
            head = _parted(line)
        elif not _RULE.match(line):
            cells = list(zip(head, _parted(line), strict=False))
            at = next((at for at, cell in enumerate(cells) if is_thing(*cell)), len(cells))
            for name, cell in cells[at + 1 :]:
                if tells(name) and _checkable(cell) and cell != cells[at][1]:
                    yield _of_row(cells[at][1], name, cell, about)


def _parted(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _checkable(value: str) -> bool:
    """Whether a cell or value is a figure or a code, so that an answer can be held to it."""
    if not 0 < len(value) <= _LONGEST or "\\" in value:
        return False
    return any(map(str.isdigit, value)) or bool(facts_of(value))


def _of_row(first: str, name: str, value: str, about: str) -> Phrased:
    """What is asked of one cell; a figure before what only names something."""
    weight = int(value[:1].isdigit() or value[:1] in "€$£¥" or bool(facts_of(value)))
    if has_han(f"{first}{name}"):
        return Phrased(f"{first}的{name}是{_asked(value)}？", value, weight)
    where = f"In {about}, what" if about else "What"
    return Phrased(f"{where} is listed under {name} for {first}?", value, weight)


def _asked(value: str) -> str:
    """The question word for a value."""
    facts = facts_of(value)
    if len(facts) == 1 and facts[0].start == 0:
        return ASKED.get(facts[0].unit, "多少")
    return "多少" if _FIGURE.match(value) else "什么"


def _named(text: str, about: str, *, row: bool) -> Iterator[Phrased]:
    """`名称：扶梯` then `价格：80元` → `扶梯的价格是多少钱？`; where no name stands first, of what the heading says.

    A row is asked for by what it calls its thing, not by a title that may hold the answer.
    """
    found = [match for match in _NAMED.finditer(text) if not match["value"].startswith("//")]
    plain = [match for match in found if not _checkable(match["value"].strip())]
    whole = len(found) > 1 and plain and (row or plain[0] == found[0])
    of = plain[0]["value"].strip() if whole and is_thing(plain[0]["name"], plain[0]["value"]) else about
    for match in found:
        name, value = match["name"].strip(), match["value"].strip().rstrip("。.;；")
        if (
            of
            and tells(name)
            and _checkable(value)
            and of not in name
            and not _SAYS.search(name)
            and not facts_of(name)
        ):
            yield _of_row(of, name, value, "")


def _valued(sentence: str, about: str) -> Iterator[Phrased]:
    """`保修期为24个月` below the heading 售后 → `关于售后，保修期是多久？`."""
    for fact in facts_of(sentence):
        start = max((m.end() for m in _CLAUSE.finditer(sentence, 0, fact.start)), default=0)
        left, said = sentence[start : fact.start].strip(), sentence[fact.start : fact.end]
        right = _CLAUSE.split(sentence[fact.end :], maxsplit=1)[0].strip()
        word = ASKED.get(fact.unit, "多少")
        asks = ""
        if every := _EVERY.match(left):
            asks = f"{every['what']}{word}{right}" if len(right) >= _LEAST and fact.unit in TIMES else ""
        elif not left and right.startswith("内") and len(right) > _LEAST and start:
            asks = f"{_CLAUSE.split(sentence[: start - 1])[-1].strip()}，{word}之{right}"
        elif re.fullmatch(r"(?:以?内|以上|以下|[/／每].{1,4})?", right) and (name := _name(left, fact.unit)):
            asks = f"{name}是{word}"
        if asks and not asks.endswith("的") and not phrasing_zh.points_elsewhere(asks):
            yield Phrased(_headed(f"{asks}？", about), said, 2)


def _name(left: str, unit: str) -> str:
    """What a number at the end of its clause is the measure, or the price, of; empty where that is not sure."""
    if (named := _VALUE.match(left)) and not _NO_NAME.search(named["name"]):
        return named["name"]
    return left if unit in MONEY and _PRICED.match(left) and not _NO_NAME.search(left) else ""


def _headed(question: str, about: str) -> str:
    """The question with what it is about before it, unless it says so itself."""
    return f"关于{about}，{question}" if about and about not in question else question


def _spotted(sentence: str, about: str, work: str) -> Iterator[Phrased]:
    """What asks for the one date, model or article that a clause names."""
    if _ITEM.match(sentence) or sentence.startswith("违反"):
        return
    source = Source(sentence)
    for rule, asks, weight in ((dates, "哪一天", 1), (codes, "哪个型号", 1), (references, "哪一条", 0)):
        found = list(rule(source))
        if len(found) != 1:
            continue
        start = max((m.end() for m in _CLAUSE.finditer(sentence, 0, found[0].start)), default=0)
        left = re.sub(r"[自於于]$", "从" if rule is dates else "", sentence[start : found[0].start].strip())
        right = re.sub(r"^(?:型号?|日)", "", _CLAUSE.split(sentence[found[0].end :], maxsplit=1)[0].strip())
        asked = f"{left}{asks}{right}"
        if (
            len(left) >= _LEAST
            and not _NO_WHO.match(left)
            and not _OPEN_END.search(right)
            and not phrasing_zh.points_elsewhere(asked)
        ):
            yield Phrased(_headed(f"{asked}？", work if "本" in left else about), found[0].text, weight)


def _bound(sentence: str, about: str) -> Iterator[Phrased]:
    """`租客不得饲养宠物` → `谁不能饲养宠物？`; the party may stand before a condition."""
    if _ITEM.match(sentence):
        return
    first = next((party.text for party in parties(Source(sentence)) if party.start == 0), "")
    clauses = [clause.strip() for clause in _CLAUSE.split(sentence)]
    for at, clause in enumerate(clauses):
        match = _BOUND.match(clause)
        first = "" if clauses[0].removeprefix(first)[:1] in tuple("、和与或及") else first
        who = (match["who"] or (first if at else "")) if match else ""
        if not match or not _PERSON.search(who) or _NOBODY.search(who) or _no_deed(match["deed"], who, match["who"]):
            continue
        asks = plainly(f"谁{match['modal']}{match['deed']}")
        condition = _under(clauses[:at], who)
        asks = f"{condition}，{asks}" if condition else asks
        if not phrasing_zh.points_elsewhere(asks) and (condition or not _WHOSE.search(match["deed"])):
            short = not condition and len(match["deed"]) < _SHORT
            yield Phrased(_headed(f"{asks}？", about if short else ""), who, 1)


def _no_deed(deed: str, who: str, named: str | None) -> bool:
    """Whether what is to be done is not said here, or is surely done by another than the party told."""
    if deed.endswith("的") or _EMPTY.search(deed):
        return True
    return not named and _COURT.match(deed) is not None and not _AUTHORITY.search(who)


def _under(before: Sequence[str], who: str) -> str:
    """The condition under which someone is bound, without who that is."""
    clauses = [before[0].removeprefix(who), *before[1:]] if before else []
    return phrasing_zh.condition_of(clauses) or (clauses[-1] if clauses and clauses[-1].endswith("时") else "")


def _english_bound(sentence: str) -> Iterator[Phrased]:
    """`The tenant must return the keys` → `Who must return the keys?`; of a thing: what must."""
    match = _ENGLISH_BOUND.match(sentence)
    if match and not _POINTS.search(sentence):
        person = next(parties(Source(sentence)), None)
        asks = "Who" if person and person.start == len(match["the"]) + 1 else "What"
        yield Phrased(f"{asks} {match['modal']} {match['deed']}?", match["who"], 1)
