"""The numbers that a text states, in digits and in Chinese numerals."""

from __future__ import annotations

import math
import re

from core.knowledge.folding import fold
from core.knowledge.numerals import numeral

_ARABIC = re.compile(r"(?<![0-9.])([0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?)([百千万亿]*)")
SPOKEN = re.compile(r"[零〇一二两三四五六七八九十百千万亿]+")
"""Every run of Chinese numerals: what a source may mean as a number."""
COUNTED = re.compile(
    r"(?<![几数上])(?:一(?=个?(?:日|天|月|年|周|小时|元|倍))|[零〇一二两三四五六七八九十百千万亿]{2,}(?![要般])"
    r"|[二两三四五六七八九十百千万](?=个?(?:日|天|月|年|周|星期|小时|分钟|秒|元|倍|次|人|岁|层|级|台|户|工作日))"
    r"|[二三四五六七八九十](?=分之)|(?<=分之)[一二三四五六七八九十]|(?<=第)[一二三四五六七八九十])"
)
"""Runs that surely count something (三日, 百分之五): what a claim is held to."""
_POWERS = {"百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}


def quantities(text: str, spoken: re.Pattern[str]) -> set[float]:
    """The numbers of `text`: all in digits, with the powers after them (`3万`), and the `spoken` Chinese ones."""
    digits = ((float(m[1].replace(",", "")), m[2]) for m in _ARABIC.finditer(fold(text)[0]))
    found = {number * math.prod(_POWERS[power] for power in powers) for number, powers in digits}
    return found | {_value(run) for run in spoken.findall(text)}


def _value(text: str) -> float:
    """Value of a Chinese numeral, ten thousand and more included."""
    for power in "亿万":
        if power in text:
            above, below = text.split(power, 1)
            return (_value(above) or 1) * _POWERS[power] + _value(below)
    return numeral(text) if text else 0
