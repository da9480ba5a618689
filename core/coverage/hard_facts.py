"""Hard facts of a text: numbers that count something, with their unit, whichever way they are written.

`core.knowledge.spotting.figures` finds what a passage can be filtered by and is strict; here persons, floors and parts
count too, and a month counts by itself, since one sentence is held against another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.knowledge.folding import fold
from core.knowledge.numerals import LARGE, ONES, SMALL, TENS
from core.knowledge.quantities import SPOKEN, quantities, stands

_UNITS: Mapping[str, str] = {
    form: unit
    for unit, forms in {
        "workday": "个工作日 工作日",
        "day": "个自然日 自然日 日 天",
        "month": "个月 月",
        "year": "周年 年",
        "week": "个星期 星期 周",
        "quarter": "个季度",
        "hour": "个小时 小时 个钟头 钟头",
        "minute": "分钟",
        "second": "秒钟 秒",
        "yuan": "元",
        "eur": "欧元",
        "usd": "美元",
        "hkd": "港元 港币",
        "%": "%",
        "times": "倍",
        "occasion": "次",
        "person": "人 名 位",
        "age": "周岁 岁",
        "metre": "米",
        "mm": "毫米",
        "cm": "厘米",
        "square metre": "平方米",
        "cubic metre": "立方米",
        "kilometre": "公里 千米",
        "kg": "公斤 千克",
        "g": "克",
        "mg": "毫克",
        "litre": "升",
        "ml": "毫升",
        "w": "瓦",
        "kw": "千瓦",
        "kwh": "千瓦时",
        "v": "伏",
        "mpa": "兆帕",
        "hz": "赫兹",
        "tonne": "吨",
        "°c": "摄氏度 °c",
        "household": "户",
        "firm": "家",
        "copy": "份",
        "storey": "层",
        "unit": "台",
        "piece": "件 块 张 支 根",
        "set": "套 组",
        "page": "页",
        "lesson": "学时 课时",
    }.items()
    for form in forms.split()
}
_ENGLISH_UNITS: Mapping[str, str] = {
    "working day": "workday",
    "business day": "workday",
    "percent": "%",
    "times": "times",
    "people": "person",
    **{
        unit: unit for unit in "day month year week hour minute second person metre kg bar mm cm ml drink cycle".split()
    },
    **{"hr": "hour", "min": "minute", "quarter": "quarter", "page": "page", "piece": "piece"},
    **dict(zip("m l g kw w v ma °c % rpm mg".split(), "metre litre g kw w v ma °c % rpm mg".split(), strict=True)),
    **{unit: unit for unit in "kwh mpa kpa hz khz mhz ghz db ppm".split()},
}
_COUNTED = frozenset(
    {
        "person",
        "household",
        "firm",
        "copy",
        "storey",
        "unit",
        "occasion",
        "times",
        "month",
        "week",
        "piece",
        "set",
    }
)
"""Units whose single one (一人, 一次) mostly counts nothing."""
_ENGLISH_NUMBERS: Mapping[str, int] = {
    **{word: value for word, value in ONES.items() if value},
    **TENS,
    "forty-five": 45,
    "hundred": 100,
}
_CURRENCIES = {"€": "eur", "$": "usd", "£": "gbp", "¥": "yuan"}
TIMES = frozenset({"day", "workday", "month", "quarter", "year", "week", "hour", "minute", "second"})
MONEY = frozenset({*_CURRENCIES.values(), "hkd"})
"""Units of time and of money, as questions ask for them: how long, how much."""

_DIGITS = r"[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?"
_HAN = SMALL + LARGE


def _any(forms: Iterable[str]) -> str:
    return "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))


_FACT = re.compile(
    rf"(?P<part>[{_HAN}]{{1,3}}分之[{_HAN}]{{1,4}})"
    rf"|(?P<money>[€$£¥])\s?(?P<amount>{_DIGITS})"
    rf"|(?<![第点0-9.{_HAN}几数同])(?P<number>{_DIGITS}[百千万亿]*|[{_HAN}]+)\s?(?P<unit>{_any(_UNITS)})(?!性|度|[a-z])"
    rf"|(?<![a-z0-9.,-])(?P<count>{_DIGITS}|(?:{_any(_ENGLISH_NUMBERS)})(?![a-z]))[\s-]?"
    rf"(?P<measure>{_any(_ENGLISH_UNITS)})s?(?![a-z0-9])"
)
_DATE = re.compile(
    rf"[0-9{_HAN}]{{2,4}}年(?:[0-9{_HAN}]{{1,3}}月(?:[0-9{_HAN}]{{1,3}}日)?|度)|[0-9{_HAN}]{{1,3}}月[0-9{_HAN}]{{1,3}}日|[0-9〇]{{4}}年"
)
_AROUND = re.compile(
    r"[\s内前后以上下之为满超过不少于多于低于高于最短长至达约.的]|within|before|after|at least|at most|least|most"
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A number that counts something: its span in the text (characters, end exclusive), its value, its unit."""

    start: int
    end: int
    value: float
    unit: str

    @property
    def said(self) -> tuple[float, str]:
        """What it states, however it is written."""
        return self.value, self.unit


def facts_of(text: str) -> tuple[Fact, ...]:
    """The hard facts of a text in order; dates and article numbers are none.

    >>> [(fact.value, fact.unit) for fact in facts_of("三十日内，罚款2,000元；within thirty days")]
    [(30.0, 'day'), (2000.0, 'yuan'), (30.0, 'day')]
    """
    folded, offsets = fold(text)
    hidden = _DATE.sub(lambda date: "\x00" * len(date[0]), folded)
    found = []
    for match in _FACT.finditer(hidden):
        value, unit = _said(match)
        if value is None or (unit in _COUNTED and value < 2 and match["unit"]):
            continue
        start, end = match.span()
        if offsets is not None:
            start, end = offsets[start], offsets[end - 1] + 1
        found.append(Fact(start, end, value, unit))
    return tuple(found)


def _said(match: re.Match[str]) -> tuple[float | None, str]:
    if match["part"]:
        whole, part = (_number(side) for side in match["part"].split("分之"))
        if not whole or part is None:
            return None, ""
        return (part, "%") if whole == 100 else (part / whole, "part")
    if match["money"]:
        return _number(match["amount"]), _CURRENCIES[match["money"]]
    if match["unit"]:
        return _number(match["number"]), _UNITS[match["unit"]]
    count = match["count"]
    spelt = _ENGLISH_NUMBERS.get(count)
    return _number(count) if spelt is None else float(spelt), _ENGLISH_UNITS[match["measure"]]


def _number(text: str) -> float | None:
    found = quantities(text, SPOKEN)
    return float(found.pop()) if len(found) == 1 else None


def states(text: str, fact: str) -> bool:
    """Whether a text states a fact: its words stand in it, or it is a number and the text has the same one.

    Blanks, width, traditional characters and the way a number is written make no difference.

    >>> states("须在 30 日内退还", "三十日内"), states("三日内", "三十日内")
    (True, False)
    """
    if stands(fact, text):
        return True
    wanted = facts_of(fact)
    rest = fact
    for each in reversed(wanted):
        rest = rest[: each.start] + rest[each.end :]
    if not wanted or _AROUND.sub("", fold(rest)[0]):
        return False
    return {each.said for each in wanted} <= {each.said for each in facts_of(text)}
