"""Part numbers of digits alone (`58-9015`): a label before one decides, else its shape and what stands around it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.knowledge.spotting import Entity, Source

_PART = re.compile(
    r"(?<![A-Za-z0-9.@&?%+\\~$¥€£-])(?<![^0-9]/)(?<![A-Za-z0-9_]=)(?<![A-Za-z0-9]_)(?<![0-9][:*])(?<!第)(?<!第 )"
    r"(?:(?<![0-9],)|(?![0-9]{3}-))(?P<first>[0-9]{2,5})-(?P<second>[0-9]{3,6})"
    r"(?![A-Za-z0-9%‰°℃\\~-]|[_*.@][A-Za-z0-9]|/[A-Za-z]|(?<=-[0-9]{3}),[0-9]{3}(?![0-9-]))"
)
"""Two numbers and a hyphen, grown together with nothing; `1,280-2,560` are thousands."""
_FEWEST_DIGITS = 6
_LOOKED_AT = 24
_LINK = (
    r"(?:号码?|编[号码]|代码)?(?:\s?(?:nos?\.?|numbers?|code))?"
    r"[^0-9A-Za-z\u4e00-\u9fff\n]{0,6}(?:(?:是|为|is)[ :]{0,2})?"
)
_SURE = re.compile(
    r"(?:型号|[货料件图款]号|编[号码]|[零配备部]件|物料|(?<![a-z])(?:parts?|models?|skus?|item|nos?\.|№|p/?n|mpn))"
    rf"{_LINK}$",
    re.IGNORECASE,
)
"""A label that says that a part number follows."""
_OTHER = re.compile(
    r"(?:电话|手机|座机|传真|热线|专线|分机|客服|致电|(?<![调划])拨[打号通]?|号码|[账帐卡户工学区房室]号|[账帐]户|邮编|邮政编码|邮箱"
    r"|身份证|证件|文章|刊号|门牌|房间|单元|地址|范围|区间|微信|(?<![a-z])(?:tel|telephone|phone|mobile|fax|hotline|call|dial|zip|ssn|is[bs]n|qq"
    r"|account|acct|card|room|pages?|pp?|lines?|from|between)\.?)"
    rf"{_LINK}(?:[0-9+()-]{{1,6}}\s)?$",
    re.IGNORECASE,
)
"""A label of another number, or of a range."""
_JOINT = re.compile("[ \t,、;/&和与及或至到]*(?:(?:and|or) )?")
"""What stands between the numbers of one list, which have its label in common."""
_COUNTED = re.compile(
    r" ?(?:[百千万亿美港欧页款章年月日周人个件层次级度岁秒室栋幢弄]|号[楼房]|单元"
    r"|元(?!件|器)|条(?![码形])|名(?!称)|位(?![于置])|台(?!账)|户(?!外)|天(?!线)|小时|分钟|平方|立方|公里|公斤|(?:[kmcµ]?[mglwv]|k?hz|min|bar|rpm|k?pa"
    r"|bce?|ad|(?:hour|day|week|month|year|minute|second|page|item|piece|people|person|drink|word|euro|dollar)s?)(?![a-z]))",
    re.IGNORECASE,
)
"""What follows a range of numbers, a flat or a house, never a part number."""
_STANDARD = re.compile(r"(?<![A-Za-z])(?:GB|ISO|IEC|EN|DIN|JG|JGJ|CJJ|DB|GA|ASTM)(?:/T)? $")
"""The letters of a standard: `GB 7588-2003` is a code of its own."""
_GROUPED = re.compile(r"(?:(?<![0-9])[0-9]{3}-[0-9]+ [0-9]{3}|[0-9]+-[0-9]+ [0-9]{4})[0-9]*(?![0-9]|[.,][0-9])")
"""Digits in groups, as telephone numbers have them; a price has its unit or its decimals."""
_MONTHS = 12
_LONG_DASHES = frozenset("‒–—―−")
"""Dashes that say from … to …; a part number has a hyphen."""
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")


def part_numbers(source: Source) -> Iterator[Entity]:
    """Six digits and more in two groups that a label calls a part, or that nothing shows to be something else."""
    text = source.narrow
    told: bool | None = None
    end = -1
    for match in _PART.finditer(text):
        before = text[max(0, match.start() - _LOOKED_AT) : match.start()]
        if end < 0 or not _JOINT.fullmatch(text, end, match.start()):
            told = _told(before)
        end = match.end()
        shaped = told is None and not _ranged(source, match) and _is_part(match["first"], match["second"])
        if (told or shaped) and not (_COUNTED.match(text, end) or _STANDARD.search(before) or _years(match)):
            yield source.same_place(match.group(), match.start(), end)


def _told(before: str) -> bool | None:
    """Whether the label that ends `before` is one of parts; of two, as in `身份证编号`, the longer is meant."""
    sure, other = _SURE.search(before), _OTHER.search(before)
    if sure and other:
        return sure.start() < other.start()
    return True if sure else False if other else None


def _ranged(source: Source, match: re.Match[str]) -> bool:
    """Whether a number without a label is written as a range or a telephone number is."""
    if source.text[match.end("first")] in _LONG_DASHES:
        return True
    grouped = _GROUPED.match(source.narrow, match.start())
    return grouped is not None and not _COUNTED.match(source.narrow, grouped.end())


def _years(match: re.Match[str]) -> bool:
    return bool(_YEAR.fullmatch(match["first"]) and _YEAR.fullmatch(match["second"]))


def _is_part(first: str, second: str) -> bool:
    """Whether two numbers make a part number: no first and last (of one length in order, or both round), no year."""
    low, high = int(first), int(second)
    if len(first) + len(second) < _FEWEST_DIGITS or _YEAR.fullmatch(first):
        return False
    if _YEAR.fullmatch(second) and (low <= _MONTHS or len(first) > 3):  # 12-2019, 7588-2003
        return False
    rising = len(first) == len(second) and low < high
    return not rising and not (low % 10 == 0 and high % 10 == 0 and first[0] != "0")
