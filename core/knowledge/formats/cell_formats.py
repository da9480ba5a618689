"""Values of cells as their sheet shows them: dates, percentages, thousands, leading zeros, units."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta

from openpyxl.styles.numbers import is_date_format, is_timedelta_format
from openpyxl.utils.datetime import from_excel

_COLOUR = re.compile(r"\[(?!\$)[^\]]*\]|_.|\*.")
_CURRENCY = re.compile(r"\[\$([^\]-]*)(?:-[^\]]*)?\]")
_FIGURES = re.compile(r"[#0?][#0?,]*(?:\.[#0?]*)?")
_QUOTED = re.compile(r'"([^"]*)"|\\(.)')
_OTHER = re.compile(r"[A-Za-z/@]")
_SECONDS = 86_400


def shown(value: float, form: str, epoch: datetime) -> str:
    """A number in the format of its cell; whatever format is not understood shows all its digits.

    >>> from openpyxl.utils.datetime import WINDOWS_EPOCH
    >>> [shown(v, f, WINDOWS_EPOCH) for v, f in ((1.0, "General"), (0.125, "0.0%"), (12345.5, "#,##0.00"), (7, "000"))]
    ['1', '12.5%', '12,345.50', '007']
    """
    if is_timedelta_format(form):
        return _clock(timedelta(seconds=round(value * _SECONDS)))
    if is_date_format(form):
        return _moment(value, epoch)
    section = form.split(";")[0]
    parts = _COLOUR.sub("", _CURRENCY.sub(r'"\1"', section))
    figures = _FIGURES.search(_QUOTED.sub(lambda match: " " * len(match.group()), parts))
    if figures is None or _OTHER.search(_QUOTED.sub("", parts)):
        return plain(value)
    before, after = (_QUOTED.sub(r"\1\2", side) for side in (parts[: figures.start()], parts[figures.end() :]))
    return f"{'-' if value < 0 else ''}{before}{_number(abs(value), figures.group(), '%' in after)}{after}".strip()


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
