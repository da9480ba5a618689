"""Amounts of money, shares, dates, and periods: each with one key for all ways of writing it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from math import prod

from core.knowledge.numerals import LARGE, ONES, SMALL, TENS, numeral
from core.knowledge.quantities import SPOKEN, quantities
from core.knowledge.spotting import Entity, Source

_ARABIC = r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]{2}(?![0-9])|[0-9]+(?:\.[0-9]+)?"
"""Also as the continent writes it: `1.280,50`."""
_DIGIT = "〇零一二三四五六七八九"
_HAN = f"[{SMALL}{LARGE}]+(?:点[{_DIGIT}]+[百千万亿]*)?"
_CURRENCIES = {
    "¥": "CNY",
    "cny": "CNY",
    "rmb": "CNY",
    "人民币": "CNY",
    "元": "CNY",
    "圆": "CNY",
    "yuan": "CNY",
    "美元": "USD",
    "美金": "USD",
    "块钱": "CNY",
    "$": "USD",
    "us$": "USD",
    "usd": "USD",
    "dollar": "USD",
    "港元": "HKD",
    "港币": "HKD",
    "hk$": "HKD",
    "hkd": "HKD",
    "欧元": "EUR",
    "€": "EUR",
    "eur": "EUR",
    "euro": "EUR",
    "£": "GBP",
    "gbp": "GBP",
    "英镑": "GBP",
    "日元": "JPY",
}
_POWERS: dict[str, int] = {
    "": 1,
    "百": 100,
    "千": 1000,
    "万": 10_000,
    "百万": 1_000_000,
    "千万": 10_000_000,
    "亿": 100_000_000,
}
_POWERS |= {"thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
_POWERS |= {"k": 1000, "m": 1_000_000, "bn": 1_000_000_000}
_FORMAL = str.maketrans("壹贰叁肆伍陆柒捌玖拾佰仟", "一二三四五六七八九十百千")
"""How amounts are written in contracts, so that nobody adds a stroke."""
_UNIT_OF_MONEY = "元|圆|块钱|美元|美金|港元|港币|欧元|英镑|日元"
_MONEY = re.compile(
    rf"(?<![0-9.])(?:(?P<sign>us\$|hk\$|[¥$€£]|(?:cny|rmb|usd|hkd|eur|gbp|人民币)(?![a-z]))\s?)?(?<![几数0-9.])"
    rf"(?:(?P<arabic>{_ARABIC})(?:\s?(?P<power>百万|千万|[百千万亿]|thousand|million|billion)|\s?(?P<short>k|m|bn)(?![a-z/²³]))?"
    rf"|(?P<han>{_HAN}))"
    rf"(?:\s?(?P<unit>{_UNIT_OF_MONEY}|(?:us\s)?(?:yuan|dollar|euro)s?\b|(?:cny|rmb|usd|hkd|eur|gbp)\b))?"
)
_PRICED = re.compile(
    rf"[(/](?:单位:?\s?)?(?P<power>百万|千万|[百千万亿])?(?P<unit>{_UNIT_OF_MONEY}|(?:cny|rmb|usd|hkd|eur|gbp)|[¥$€£])"
    rf"(?:/[^()/:\n]{{1,6}})?\)?\s?:\s?(?P<arabic>{_ARABIC})(?![0-9.,]*[^\s0-9.,;、。)])"
)
"""A cell of a column whose name tells the currency: `单价（元）：1280`."""
_SHARE = re.compile(
    rf"(?<![0-9.])(?P<arabic>{_ARABIC})\s?(?P<sign>%|‰|per ?cent\b)|(?P<of>百|千)分之(?P<han>{_HAN}|{_ARABIC})"
)
_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in _MONTHS) + "|sept"
_DATES = (
    re.compile(
        r"(?<![0-9.])(?P<y>(?:1[6-9]|20)[0-9]{2})(?P<s>[-/.])(?P<m>[01]?[0-9])(?P=s)(?P<d>[0-3]?[0-9])(?![0-9])"
    ),
    re.compile(
        r"(?<![0-9])(?P<y>(?:1[6-9]|20)[0-9]{2})\s?年\s?(?P<m>[01]?[0-9])\s?月(?:\s?(?P<d>[0-3]?[0-9])\s?[日号])?"
    ),
    re.compile(
        rf"(?P<y>[{_DIGIT}]{{4}})年(?P<m>[一二三四五六七八九十]{{1,2}})月(?:(?P<d>[一二三四五六七八九十]{{1,3}})[日号])?"
    ),
    re.compile(
        rf"(?<![0-9])(?P<d>[0-3]?[0-9])(?:st|nd|rd|th)?\s(?P<m>{_MONTH})\.?,?\s(?P<y>(?:1[6-9]|20)[0-9]{{2}})(?![0-9])"
    ),
    re.compile(
        rf"(?<![a-z])(?P<m>{_MONTH})\.?\s(?P<d>[0-3]?[0-9])(?:st|nd|rd|th)?,?\s(?P<y>(?:1[6-9]|20)[0-9]{{2}})(?![0-9])"
    ),
)
_UNITS = {
    "秒": "second",
    "秒钟": "second",
    "分钟": "minute",
    "小时": "hour",
    "工作日": "workday",
    "交易日": "trading day",
    "自然日": "day",
    "日历日": "day",
    "日历天": "day",
    "季度": "quarter",
    "日": "day",
    "天": "day",
    "周": "week",
    "星期": "week",
    "月": "month",
    "年": "year",
}
_PERIOD = re.compile(
    rf"(?<![0-9.第几数周期每月年{SMALL}])(?:(?P<arabic>[0-9]{{1,4}}(?:\.[0-9]+)?)|(?P<han>[{SMALL}]+)|(?<![上下前后大小多])(?P<half>半))"
    rf"\s?(?:\((?:[0-9]{{1,4}}|[{SMALL}]{{1,6}})\)\s?)?(?:(?P<some>个)\s?(?P<more>半)?)?"
    r"(?P<unit>工作日|交易日|自然日|日历[日天]|小时|分钟|秒钟?|日|天|周(?!岁)|星期|季度|月|年)(?![份历初末底度级代岁用常报记板])"
    r"(?P<rest>半(?![数年月天日个小]))?"
)
_WORD = "|".join([*sorted(ONES, key=len, reverse=True), *TENS])
_ENGLISH_PERIOD = re.compile(
    rf"(?<![0-9a-z.:-])(?:(?P<arabic>[0-9]{{1,4}}(?:\.[0-9]+)?)|(?P<half>half\san?)"
    rf"|(?P<word>(?:{_WORD})(?:[- ](?:{_WORD}))?))"
    r"(?:\s?\([0-9]{1,4}\))?[\s-](?:(?P<work>business|working|trading)\s|calendar\s)?"
    r"(?P<unit>second|minute|hour|day|week|month|quarter|year)s?(?![a-z])"
)
_SHORT = {"h": "hour", "hr": "hour", "min": "minute", "s": "second", "sec": "second", "yr": "year", "wk": "week"}
_SHORT_PERIOD = re.compile(
    r"(?<![0-9A-Za-z.,:/-])(?P<arabic>[0-9]{1,4}(?:\.[0-9]+)?)(?:\s?(?P<unit>h|hr|min|sec|yr|wk)s?|\s(?P<second>s))"
    r"(?![A-Za-z0-9/²³'-])"
)
"""Small letters only: `5 S` and `20 H` are something else, and so is `1990s`."""


def _plain(value: float) -> str:
    return f"{round(value, 6):.15g}"


def _spoken(text: str) -> float:
    """The value of a number in digits or in Chinese numerals; 0 for what is none, such as a bare 万."""
    if text[0].isdigit():
        continental = "," in text and "." in text and text.index(".") < text.index(",")
        return float(text.replace(".", "").replace(",", ".") if continental else text.replace(",", ""))
    whole, _, part = text.partition("点")
    if not whole.strip("万亿"):
        return 0.0
    digits = part.rstrip("百千万亿")
    value = quantities(whole, SPOKEN).pop() + sum(numeral(digit) / 10**place for place, digit in enumerate(digits, 1))
    return float(value * prod(_POWERS[power] for power in part[len(digits) :]))


def amounts(source: Source) -> Iterator[Entity]:
    """Money (`50000 CNY`)."""
    folded = source.folded.translate(_FORMAL)
    if re.search(r"[元圆¥$€£]|人民币|港币|英镑|块钱|美金|cny|rmb|usd|hkd|eur|gbp|yuan|dollar", folded):
        for match in _MONEY.finditer(folded):
            if currency := _currency(match):
                value = _spoken(match["arabic"] or match["han"]) * _POWERS[match["power"] or match["short"] or ""]
                if value:
                    yield source.entity(f"{_plain(value)} {currency}", match.start(), match.end())
        for match in _PRICED.finditer(folded):
            value = _spoken(match["arabic"]) * _POWERS[match["power"] or ""]
            yield source.entity(f"{_plain(value)} {_CURRENCIES[match['unit']]}", *match.span("arabic"))


def _currency(match: re.Match[str]) -> str:
    """The unit decides, then the sign before the number; empty where neither stands there."""
    unit = re.sub(r"^us\s|s$", "", match["unit"] or "")
    return _CURRENCIES.get(unit) or _CURRENCIES.get(match["sign"] or "", "")


def shares(source: Source) -> Iterator[Entity]:
    """Parts of a hundred (`5 %`), those of a thousand too."""
    folded = source.folded.translate(_FORMAL)
    if re.search(r"[%‰]|分之|per ?cent", folded):
        for match in _SHARE.finditer(folded):
            small = match["sign"] == "‰" or match["of"] == "千"
            value = _spoken(match["arabic"] or match["han"]) / (10 if small else 1)
            yield source.entity(f"{_plain(value)} %", match.start(), match.end())


def dates(source: Source) -> Iterator[Entity]:
    """Days as `2010-12-23` and months of a year as `2010-12`; what the calendar does not have is none."""
    folded = source.folded
    if not re.search(r"[0-9〇零一二]{4}", folded):
        return
    for pattern in _DATES:
        for match in pattern.finditer(folded):
            if key := _iso(match):
                yield source.entity(key, match.start(), match.end())


def _iso(match: re.Match[str]) -> str:
    year = match["y"] if match["y"].isascii() else "".join(str(max(0, _DIGIT.index(c) - 1)) for c in match["y"])
    try:
        month = _month(match["m"])
        day = int(_spoken(match["d"])) if match["d"] else 0
        made = date(int(year), month, day or 1)
    except ValueError:
        return ""
    return made.isoformat() if day else made.isoformat()[:7]


def _month(text: str) -> int:
    return next((n for n, name in enumerate(_MONTHS, 1) if name.startswith(text[:3])), 0) or int(_spoken(text))


def periods(source: Source) -> Iterator[Entity]:
    """How long (`30 day`, `3 month`, `5 workday`): numbers of units, no days of a calendar."""
    folded = source.folded
    taken = [(found.start, found.end) for found in dates(source)] if "年" in folded or "月" in folded else []
    for match in _PERIOD.finditer(folded):
        found = source.entity(f"{_plain(_length(match))} {_UNITS[match['unit']]}", match.start(), match.end())
        if _counts(match) and not any(start < found.end and found.start < end for start, end in taken):
            yield found
    if re.search(r"(?:second|minute|hour|day|week|month|quarter|year)s?(?![a-z])", folded):
        yield from _english_periods(source)
    if source.latin:
        for match in _SHORT_PERIOD.finditer(source.narrow):
            unit = _SHORT[match["unit"] or match["second"]]
            yield source.same_place(f"{_plain(float(match['arabic']))} {unit}", match.start(), match.end())


def _length(match: re.Match[str]) -> float:
    """How many units, halves included: `半年`, `一年半`, `两个半月`."""
    number = match["arabic"] or match["han"]
    return (_spoken(number) if number else 0.5) + (0.5 if match["more"] or match["rest"] else 0)


def _counts(match: re.Match[str]) -> bool:
    """Whether a number and a unit are a length of time: `3月` is a month of the year, `2010年` a year."""
    if not _length(match):
        return False
    if match["unit"] in ("月", "季度"):
        return bool(match["some"] or match["half"])
    return match["unit"] != "年" or not (match["arabic"] and len(match["arabic"]) == 4)


def _english_periods(source: Source) -> Iterator[Entity]:
    for match in _ENGLISH_PERIOD.finditer(source.folded):
        unit = match["unit"]
        if match["work"] and unit == "day":
            unit = "trading day" if match["work"] == "trading" else "workday"
        value = 0.5 if match["half"] else float(match["arabic"]) if match["arabic"] else _worded(match["word"])
        yield source.entity(f"{_plain(value)} {unit}", match.start(), match.end())


def _worded(text: str) -> float:
    return float(sum(ONES.get(word, 0) or TENS.get(word, 0) for word in re.split("[- ]", text)))
