"""The numbers that a text states, in digits and in Chinese numerals."""

from __future__ import annotations

import math
import re

from core.knowledge.folding import fold
from core.knowledge.numerals import LARGE, SMALL, numeral

_ARABIC = re.compile(r"(?<![0-9.])([0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?)([百千万亿]*)")
SPOKEN = re.compile(f"[{SMALL}{LARGE}]+")
"""Every run of Chinese numerals: what a source may mean as a number."""
COUNTED = re.compile(
    rf"(?<![几数上])(?:一(?=个?(?:日|天|月|年|周|星期|小时|分钟|秒|元|块钱|倍|工作日|自然日|交易日))|[{SMALL}{LARGE}]{{2,}}(?![要般])"
    r"|[二两三四五六七八九十百千万](?=个?(?:日|天|月|年|周|星期|季度|小时|分钟|秒|元|块钱|[美港日欧]元|英镑|倍|次|人|岁|层|级|台|户"
    r"|工作日|自然日|交易日))"
    r"|[二三四五六七八九十](?=分之)|(?<=分之)[一二三四五六七八九十]|(?<=第)[一二三四五六七八九十])"
)
"""Runs that surely count something (三日, 百分之五): what a claim is held to."""
_POWERS = {"百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}


def quantities(text: str, spoken: re.Pattern[str]) -> set[float]:
    """The numbers of `text`: all in digits, with the powers after them (`3万`), and the `spoken` Chinese ones."""
    digits = ((float(m[1].replace(",", "")), m[2]) for m in _ARABIC.finditer(fold(text)[0]))
    found = {number * math.prod(_POWERS[power] for power in powers) for number, powers in digits}
    return found | {_value(run) for run in spoken.findall(text)}


def stands(fact: str, text: str) -> bool:
    """Whether a fact stands in a text word for word: numbers in digits or in Chinese, blanks and width aside.

    A number is not found within a longer one.

    >>> stands("三日内", "须在 3 日内退还"), stands("三日内", "须在十三日内退还")
    (True, False)
    """
    said = re.escape(_digits(fact))
    return bool(said) and re.search(rf"(?<![0-9.](?=[0-9])){said}(?!(?<=[0-9])[0-9])", _digits(text)) is not None


def _digits(text: str) -> str:
    """A text folded, without blanks, its Chinese numerals in digits, without separators of thousands."""
    digits = SPOKEN.sub(lambda run: f"{_value(run[0]):g}", fold(text)[0])
    return re.sub(r"\s|(?<=[0-9]),(?=[0-9]{3})", "", digits)


def _value(text: str) -> float:
    """Value of a Chinese numeral, ten thousand and more included."""
    for power in "亿万":
        if power in text:
            above, below = text.split(power, 1)
            return (_value(above) or 1) * _POWERS[power] + _value(below)
    return numeral(text) if text else 0
