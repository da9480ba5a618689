"""Chinese questions from a sentence's own facts, in everyday words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.coverage.everyday import ASKED, plainly
from core.coverage.hard_facts import Fact, facts_of
from core.coverage.phrase import LONGEST, Phrased

_PAUSE = re.compile(r"[，,；;：:。]")
_RANGE = re.compile(r"(?:以上|以内)?(?:至|到|不满|—|-|~)?(?:不满|不足)?")
_SUFFIX = re.compile(r"(?P<within>以内|之内|内)|(?P<before>之前|以前|前)|(?P<after>之后|以后|后)|(?P<bound>以上|以下)")
_STANDS = re.compile(r"(?:为|是|不得(?:超过|[少高低多长短]于)|[共合]计|[修用扣收付交罚]|过|了|下|出)$")
_CLOSES = re.compile(r"(?:超过|[少高低多长短]于|满|达到?)$")
"""What stands before a number that closes its clause, or its sentence, and is what it is about."""
_LEFT = re.compile(r"^(?:但是?|并且?|且|其中|同时|也|还|又|另外)")
_MODAL = re.compile(r"(?P<who>.*?)(?:应当|应|必须|须|可以|可|要)(?:于|在)?(?P<anchor>.*)$")
_ITEM = re.compile(r"^\s*(?:[（(]?[一二三四五六七八九十0-9]{1,3}[）)、.]|[-*·|])")
_FINE = re.compile(r"(?:并?处以?|可以?处以?|并处)$")
_FINED = re.compile(r"的?(?:罚款|罚金)")
_JAILED = re.compile(r"的?(?:有期徒刑|拘役|拘留)")
_WHO = re.compile(
    r"^(?P<left>[^，以]*?)由(?P<party>(?![^，。；]{0,18}(?:向|按|直接|提请|报请|履行|应当|经))[^，。；由以]{2,18}?(?<![和并或为的依统共负有]))"
    r"(?P<deed>(?:依法|共同|负责|统一|自行|各自|自己|分别|全额|先行|另行|直接|按比例|平均)?(?:承[担受]|负责|解释|决定|批准|审批|制定|保管|管辖|召集|签署|出具|支付|享有|行使)[^，。；]*)"
)
_VAGUE = re.compile(
    r"^(?:其|该|此|上述|对其|因此|但|第.{1,2}款)|前款|前项|前条|本款|本条|本章(?!程)|下列|以下情形|为由|要[或和]|可以不能"
    r"|要在[^，]*要于|的除外|[均都](?:最多|至少)|多久的?(?:金额|工资|租金|利息|标准)"
    r"|(?:按照|依照)(?:国家|有关|本)[^，]*(?:标准|规定)$|[\"“”]"
)
"""A question that points at what stands elsewhere."""
_OPEN = re.compile(
    r"^(?:逾期|责令|由|对|难以|情节|数额|数量|差额|拒不|后果|有前款|构成|尚不|造成|或|以及|并|且|如|不符合|符合|仍|特别|经)"
)
"""A condition whose own subject stands elsewhere."""
_NOBODY = re.compile(r"^(?:具体|或|如|要|可以|可|能|经|把|从|自|在|不|没|多久|多少|几|百分之|至少|最多|应|须|并|由)")
"""A question that does not say of whom or what it asks."""
_FEWEST = 3
"""Characters of a deed that tell what is to be done."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A number with the clause around it: what stands left and right of it, and the clauses before and after."""

    left: str
    fact: str
    word: str
    suffix: re.Match[str] | None
    right: str
    before: Sequence[str]
    after: Sequence[str]


def questions(sentence: str) -> Iterator[Phrased]:
    """The questions that a sentence's facts allow."""
    if _ITEM.match(sentence):
        return
    for asked in _numbers(sentence):
        yield from _rules(asked)
    yield from _party(sentence)


def _numbers(sentence: str) -> Iterator[_Asked]:
    """Every number of a sentence, a range of two as one."""
    facts = list(facts_of(sentence))
    while facts:
        first = last = facts.pop(0)
        while facts and facts[0].unit == first.unit and _RANGE.fullmatch(sentence, last.end, facts[0].start):
            last = facts.pop(0)
        yield _asked(sentence, first, last)


def _asked(sentence: str, first: Fact, last: Fact) -> _Asked:
    cuts = [-1, *(pause.start() for pause in _PAUSE.finditer(sentence)), len(sentence)]
    clauses = [(a + 1, b) for a, b in zip(cuts, cuts[1:], strict=False)]
    at = next(n for n, (a, b) in enumerate(clauses) if a <= first.start <= b)
    start, end = clauses[at][0], max(clauses[at][1], last.end)
    suffix = _SUFFIX.match(sentence, last.end)
    stop = suffix.end() if suffix else last.end
    texts = [sentence[a:b].strip() for a, b in clauses]
    return _Asked(
        _LEFT.sub("", sentence[start : first.start].strip()),
        sentence[first.start : stop],
        ASKED.get(first.unit, "多少"),
        suffix,
        sentence[stop:end].strip(),
        texts[:at],
        [text for text in texts[at + 1 :] if text],
    )


def _rules(asked: _Asked) -> Iterator[Phrased]:
    """The question of a number: a fine, a sentence, a deadline, or the clause with a question word in its place."""
    condition = condition_of(asked.before)
    fined, jailed = _FINED.match(asked.right), _JAILED.match(asked.right)
    if fined or jailed:
        if condition and (_FINE.search(asked.left) or jailed):
            yield _made(f"{condition}，会{'罚多少钱' if fined else '判多久'}", asked, 3)
        return
    if asked.suffix and asked.suffix["before"] and len(asked.right) >= _FEWEST and not asked.right.endswith("的"):
        yield from _ahead(asked, condition)
    elif asked.suffix and asked.suffix["within"] and len(asked.right) >= _FEWEST and not asked.right.endswith("的"):
        yield from _within(asked, condition)
    else:
        yield from _in_place(asked, condition)


def _ahead(asked: _Asked, condition: str) -> Iterator[Phrased]:
    """`租客应当在搬走三日前通知房东` → `租客通知房东，要在搬走前多久？`."""
    modal = _MODAL.match(asked.left)
    who, anchor = (modal["who"], modal["anchor"]) if modal else ("", asked.left.removeprefix("在").removeprefix("于"))
    anchor = anchor.removesuffix("的")
    asks = f"要在{anchor}前多久" if anchor else "要提前多久"
    yield _made(_joined(condition if not who else "", f"{who}{asked.right}，{asks}"), asked, 4)


def _within(asked: _Asked, condition: str) -> Iterator[Phrased]:
    """`商家应当在三日内答复顾客` → `商家多久之内要答复顾客？`."""
    modal = _MODAL.match(asked.left)
    if modal is None:
        return
    anchor = re.sub(r"(?:之日起|起)?(?:的|在)?$", "", modal["anchor"])
    since = f"从{anchor.removeprefix('自')}起" if anchor else ""
    may = "可以" if "可" in asked.left[len(modal["who"]) :][:2] else "要"
    yield _made(_joined(condition, f"{modal['who']}{since}多久之内{may}{asked.right}"), asked, 4)


def _in_place(asked: _Asked, condition: str) -> Iterator[Phrased]:
    """The clause with the question word where the number stood; a condition goes on to what follows from it."""
    word = asked.word
    if asked.suffix and asked.suffix["after"]:
        word += "之后"
    elif asked.suffix and asked.suffix["within"]:
        word += "之内"
    clause = f"{asked.left}{word}{asked.right}"
    if clause.endswith("的") and asked.after and len(asked.after[0]) >= _FEWEST:
        yield _made(f"{clause[:-1]}，{asked.after[0]}", asked, 3)
    elif not asked.right and (_STANDS.search(asked.left) or (not asked.after and _CLOSES.search(asked.left))):
        yield _made(_joined(condition, clause), asked, 3)


def _party(sentence: str) -> Iterator[Phrased]:
    """`本章程由董事会解释` → `本章程由谁解释？`."""
    clauses = [clause.strip() for clause in _PAUSE.split(sentence)]
    for at, clause in enumerate(clauses):
        match = _WHO.match(clause)
        if match and not clause.endswith("的") and not _VAGUE.search(match["party"]):
            left = _LEFT.sub("", match["left"])
            condition = condition_of(clauses[:at])
            question = plainly(_joined(condition, f"{left}由谁{match['deed']}"))
            if not (_VAGUE.search(question) or _NOBODY.match(question) or plainly(match["party"]) in question):
                yield Phrased(f"{question}？", match["party"], 2)


def points_elsewhere(question: str) -> bool:
    """Whether it speaks of what stands in another sentence or passage."""
    return _VAGUE.search(question) is not None


def condition_of(before: Sequence[str]) -> str:
    """The condition before a clause (it ends with 的), with the clauses that lead to it; empty where it has none."""
    ends = [at for at, clause in enumerate(before) if clause.endswith("的") and len(clause) > 4]
    if not ends:
        return ""
    fines = [at for at, clause in enumerate(before[: ends[-1]]) if "处" in clause]
    stated = [at for at, clause in enumerate(before[: ends[-1]]) if facts_of(clause)]
    first = max((at + 1 for at in (*ends[:-1], *fines, *stated)), default=0)
    clauses = list(before[first : ends[-1] + 1])
    if _OPEN.match(clauses[-1]) and len(clauses) < 2:
        return ""
    joined = "，".join(clauses)[:-1]
    return "" if len(joined) > LONGEST or _OPEN.match(joined) else _LEFT.sub("", joined)


def _joined(condition: str, asks: str) -> str:
    return f"{condition}，{asks}" if condition and condition not in asks else asks


def _made(question: str, asked: _Asked, weight: int) -> Phrased:
    """The question in everyday words; empty where it would ask about what stands elsewhere."""
    plain = plainly(question)
    return Phrased("" if _VAGUE.search(plain) or _NOBODY.match(plain) else f"{plain}？", asked.fact, weight)
