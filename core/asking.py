"""From what a user gave to what a race takes: modes, cut and parameters checked once for app and command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.domain import Ask, Parameter
from core.errors import UsageError
from core.modes import MOST_MODES, Mode, choose
from core.race import check_question
from core.retrieval.filters import OPEN, Filters
from core.settings import LARGEST_CUT


def entrants(
    question: str,
    modes: Sequence[str] | None,
    k: int | None,
    given: Mapping[str, Mapping[str, Any]],
    filters: Filters = OPEN,
) -> list[tuple[Mode, Ask]]:
    """Each mode with its question; `given` holds parameter values by mode id. Raises `UsageError`."""
    question = check_question(question)
    chosen = choose(modes)
    if len(chosen) > MOST_MODES:
        raise UsageError("mode.many", most=MOST_MODES, given=len(chosen))
    if k is not None:
        check_cut(k)
    for name in given:
        choose([name])
    return [(mode, Ask(question, k, checked(mode, given.get(mode.id, {})), filters.given)) for mode in chosen]


def check_cut(k: int) -> int:
    """An evidence cut that makes sense; raises `UsageError` for any other."""
    if not 1 <= k <= LARGEST_CUT:
        raise UsageError("parameter.range", name="k", low=1, high=LARGEST_CUT, value=k)
    return k


def checked(mode: Mode, given: Mapping[str, Any]) -> dict[str, Any]:
    """Parameter values in their types and bounds, all of them, defaults filled in; raises `UsageError`."""
    known = {parameter.name: parameter for parameter in mode.parameters}
    for name in given:
        if name not in known:
            raise UsageError("parameter.unknown", name=f"{mode.id}.{name}", known=list(known))
    values = {name: given.get(name, parameter.default) for name, parameter in known.items()}
    return {name: checked_value(f"{mode.id}.{name}", known[name], value) for name, value in values.items()}


def checked_value(name: str, parameter: Parameter, value: Any) -> Any:
    """A value in its parameter's type and bounds; raises `UsageError`, which calls it `name`."""
    if parameter.choices:
        if str(value) not in parameter.choices:
            raise UsageError("parameter.choice", name=name, choices=list(parameter.choices), value=value)
        return str(value)
    if isinstance(parameter.default, bool):
        if str(value).lower() not in ("true", "false", "1", "0"):
            raise UsageError("parameter.choice", name=name, choices=["true", "false"], value=value)
        return str(value).lower() in ("true", "1")
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    low, high = parameter.low, parameter.high
    if not (low is None or number >= low) or not (high is None or number <= high) or number != number:
        raise UsageError("parameter.range", name=name, low=low, high=high, value=value)
    if isinstance(parameter.default, int):
        if number != int(number):
            raise UsageError("parameter.whole", name=name, value=value)
        return int(number)
    return number


def parse_pairs(pairs: Sequence[str]) -> dict[str, dict[str, str]]:
    """`mode.name=value` pairs of a command line, by mode; raises `UsageError` for another form."""
    given: dict[str, dict[str, str]] = {}
    for pair in pairs:
        left, found, value = pair.partition("=")
        mode, dot, name = left.strip().partition(".")
        if not (found and dot and mode and name):
            raise UsageError("parameter.form", value=pair)
        given.setdefault(mode, {})[name] = value.strip()
    return given


def mode_ids(text: str | None) -> list[str] | None:
    """Mode ids of a comma-separated text; `None` when it names none. Raises `UsageError` when it is blank."""
    if text is None:
        return None
    ids = [part.strip() for part in text.split(",") if part.strip()]
    if not ids:
        raise UsageError("mode.none")
    return ids
