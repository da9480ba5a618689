"""Numbers as lists show them: `第三条`, `（二）`, `IV`, `③`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

_DIGITS = "零一二三四五六七八九"
_LEGAL = "零壹贰叁肆伍陆柒捌玖"
_STEMS = "甲乙丙丁戊己庚辛壬癸"
_BRANCHES = "子丑寅卯辰巳午未申酉戌亥"
_ROMAN = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL")) + (
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
)


def chinese(number: int, digits: str = _DIGITS, units: tuple[str, ...] = ("千", "百", "十", "")) -> str:
    """A number up to 9,999 in Chinese; a larger one in figures.

    >>> chinese(12), chinese(105), chinese(230)
    ('十二', '一百零五', '二百三十')
    """
    if not 0 < number < 10_000:
        return digits[0] if number == 0 else str(number)
    parts: list[str] = []
    gap = False
    for figure, unit in zip(f"{number:04d}", units, strict=True):
        if figure == "0":
            gap = bool(parts)
            continue
        parts += [digits[0] if gap else "", digits[int(figure)], unit]
        gap = False
    told = "".join(parts)
    return told.removeprefix("一") if told.startswith("一十") else told


def _legal(number: int) -> str:
    return chinese(number, _LEGAL, ("仟", "佰", "拾", ""))


def _figures(number: int) -> str:
    return "".join("〇一二三四五六七八九"[int(figure)] for figure in str(number))


def _roman(number: int) -> str:
    told = ""
    for value, letters in _ROMAN:
        while number >= value and number < 4000:
            told += letters
            number -= value
    return told or str(number)


def _letters(number: int) -> str:
    """As word processors count on after z: aa, bb, cc."""
    return chr(ord("A") + (number - 1) % 26) * ((number - 1) // 26 + 1) if 0 < number < 781 else str(number)


def _run(first: str, most: int) -> Callable[[int], str]:
    """Characters that stand one after the other, as ①②③ do."""
    return lambda number: chr(ord(first) + number - 1) if 0 < number <= most else str(number)


def _of(characters: str) -> Callable[[int], str]:
    return lambda number: characters[number - 1] if 0 < number <= len(characters) else str(number)


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"


def _wide(number: int) -> str:
    return "".join(chr(ord("０") + int(figure)) for figure in str(number))


_SHAPES: Mapping[str, Callable[[int], str]] = {
    "decimalZero": lambda number: f"{number:02d}",
    "upperRoman": _roman,
    "lowerRoman": lambda number: _roman(number).lower(),
    "upperLetter": _letters,
    "lowerLetter": lambda number: _letters(number).lower(),
    "ordinal": _ordinal,
    "chineseCounting": chinese,
    "chineseCountingThousand": chinese,
    "japaneseCounting": chinese,
    "taiwaneseCounting": chinese,
    "taiwaneseCountingThousand": chinese,
    "ideographDigital": _figures,
    "japaneseDigitalTenThousand": _figures,
    "taiwaneseDigital": _figures,
    "chineseLegalSimplified": _legal,
    "japaneseLegal": _legal,
    "ideographLegalTraditional": _legal,
    "ideographTraditional": _of(_STEMS),
    "ideographZodiac": _of(_BRANCHES),
    "decimalFullWidth": _wide,
    "decimalFullWidth2": _wide,
    "decimalEnclosedCircle": _run("①", 20),
    "decimalEnclosedCircleChinese": _run("①", 20),
    "decimalEnclosedParen": _run("⑴", 20),
    "decimalEnclosedFullstop": _run("⒈", 20),
    "ideographEnclosedCircle": _run("㊀", 10),
}
"""How a number is written, by the name of ECMA-376 (17.18.59); every other format is told in figures."""


def shaped(number: int, shape: str) -> str:
    """A number (from 0) in a format of word processors.

    >>> shaped(3, "chineseCountingThousand"), shaped(4, "lowerRoman"), shaped(2, "decimal")
    ('三', 'iv', '2')
    """
    return _SHAPES.get(shape, str)(number)
