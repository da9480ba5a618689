"""Numerals: Chinese ones as they stand in article numbers, and the words that English counts with."""

from __future__ import annotations

SMALL = "零〇一二两三四五六七八九十百千"
"""The characters of a numeral below ten thousand, for patterns."""
LARGE = "万亿"
"""Those that multiply what stands before them; `quantities.py` reads them."""

ONES = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
"""English words for the numbers below twenty."""
TENS = {word: 10 * n for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
"""English words for the tens from twenty on."""

_DIGITS = {c: v for v, cs in enumerate(("零〇", "一", "二两", "三", "四", "五", "六", "七", "八", "九")) for c in cs}
_DIGITS_READ = 12
"""Digits of a numeral that count, from its end: no article has more, and Python refuses thousands."""
_UNITS = {"十": 10, "百": 100, "千": 1000}


def numeral(text: str) -> int:
    """Value of a numeral in Arabic digits or Chinese characters below ten thousand.

    >>> [numeral(t) for t in ("61", "六十一", "一百零三", "十", "二〇二四")]
    [61, 61, 103, 10, 2024]
    """
    if text.isdigit() and text.isascii():
        return int(text[-_DIGITS_READ:])
    if not any(character in _UNITS for character in text):
        return int("".join(str(_DIGITS[character]) for character in text[-_DIGITS_READ:]))
    total = digit = 0
    for character in text:
        if character in _UNITS:
            total += (digit or 1) * _UNITS[character]
            digit = 0
        else:
            digit = _DIGITS[character]
    return total + digit
