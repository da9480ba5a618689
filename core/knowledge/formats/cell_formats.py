"""Values of cells as their sheet shows them: dates, percentages, thousands, leading zeros, units."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Literal

from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format, is_timedelta_format
from openpyxl.utils.datetime import from_excel

_COLOUR = re.compile(r"\[(?!\$)[^\]]*\]|_.|\*.")
_CURRENCY = re.compile(r"\[\$([^\]-]*)(?:-[^\]]*)?\]")
_FIGURES = re.compile(r"[#0?][#0?,]*(?:\.[#0?]*)?")
_QUOTED = re.compile(r'"([^"]*)"|\\(.)')
_OTHER = re.compile(r"[A-Za-z/@]")
_SECONDS = 86_400


_CHINESE_DATES = frozenset((*range(27, 37), *range(50, 59)))
"""Numbers of the formats that Chinese, Japanese and Korean editions have for dates and times (ECMA-376, 18.8.30)."""


@dataclass(frozen=True, slots=True)
class _Form:
    """A number format: what stands before the figures and after them, and how they are written."""

    kind: Literal["plain", "span", "moment", "number"]
    before: str = ""
    figures: str = ""
    after: str = ""


def builtin(number: int) -> str:
    """A number format that a workbook names but does not hold.

    >>> builtin(10), builtin(31), builtin(999)
    ('0.00%', 'yyyy-mm-dd', 'General')
    """
    return "yyyy-mm-dd" if number in _CHINESE_DATES else BUILTIN_FORMATS.get(number, "General")


def shown(value: float, form: str, epoch: datetime) -> str:
    """A number in the format of its cell; whatever format is not understood shows all its digits.

    >>> from openpyxl.utils.datetime import WINDOWS_EPOCH
    >>> [shown(v, f, WINDOWS_EPOCH) for v, f in ((1.0, "General"), (0.125, "0.0%"), (12345.5, "#,##0.00"), (7, "000"))]
    ['1', '12.5%', '12,345.50', '007']
    """
    found = _form(form)
    if found.kind == "span":
        return _clock(timedelta(seconds=round(value * _SECONDS)))
    if found.kind == "moment":
        return _moment(value, epoch)
    if found.kind == "plain":
        return plain(value)
    figures = _number(abs(value), found.figures, "%" in found.after)
    return f"{'-' if value < 0 else ''}{found.before}{figures}{found.after}".strip()


@lru_cache(maxsize=512)
def _form(form: str) -> _Form:
    if is_timedelta_format(form):
        return _Form("span")
    if is_date_format(form):
        return _Form("moment")
    parts = _COLOUR.sub("", _CURRENCY.sub(r'"\1"', form.split(";")[0]))
    figures = _FIGURES.search(_QUOTED.sub(lambda match: " " * len(match.group()), parts))
    if figures is None or _OTHER.search(_QUOTED.sub("", parts)):
        return _Form("plain")
    before, after = (_QUOTED.sub(r"\1\2", side) for side in (parts[: figures.start()], parts[figures.end() :]))
    return _Form("number", before, figures.group(), after)


def _number(value: float, form: str, percent: bool) -> str:
    whole, _, decimals = form.partition(".")
    value = value * 100 if percent else value
    told = f"{value:{',' if ',' in whole.rstrip(',') else ''}.{len(decimals)}f}"
    optional = len(decimals) - len(decimals.rstrip("#?"))
    for _ in range(optional):
        told = told.removesuffix("0")
    digits = told.rstrip(".") if optional else told
    return digits.zfill(len(digits) - len(digits.split(".")[0]) + whole.count("0")) if "," not in whole else digits


def plain(value: float) -> str:
    """A number with the fifteen digits that a sheet keeps, without a fraction that is none."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.15g}"


def _moment(value: float, epoch: datetime) -> str:
    try:
        moment = from_excel(value, epoch)
    except (OverflowError, ValueError):  # no day has this number: a cell so wide shows but ####
        return plain(value)
    if isinstance(moment, datetime):
        moment = (moment + timedelta(milliseconds=500)).replace(microsecond=0)
        if moment.time() == time():
            return moment.date().isoformat()
        return moment.isoformat(" ", "minutes" if not moment.second else "seconds")
    if isinstance(moment, date):
        return moment.isoformat()
    return str(moment.isoformat("minutes" if not moment.second else "seconds")) if isinstance(moment, time) else ""


def _clock(span: timedelta) -> str:
    hours, rest = divmod(int(span.total_seconds()), 3600)
    return f"{hours}:{rest // 60:02d}:{rest % 60:02d}"
