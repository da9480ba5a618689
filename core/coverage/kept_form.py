"""What is kept of a base's coverage as a value, and as the JSON it is kept in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeVar

from core.coverage.gathering import Gathered, Touched, summed
from core.coverage.needles import Needle, Needles
from core.coverage.reach import Barren, Counts, Reach
from core.coverage.sought import Sought, Stood
from core.domain import Say
from core.json_values import check, checked_time
from core.knowledge.questions import Question
from core.modes import registry

T = TypeVar("T")

FORMAT = 1
_PLAIN = ("version", "passages", "asked", "asked_under", "tested", "tested_under")


@dataclass(frozen=True, slots=True)
class Kept:
    """Results over the base of this `version`, whose passages were `passages`.

    `asked` and `tested` tell when `found` and `needles` came about (ISO, UTC; empty for what is not there),
    `asked_under` and `tested_under` under which settings. `seen` are pairs that need no further look.
    """

    version: str = ""
    passages: tuple[str, ...] = ()
    asked: str = ""
    asked_under: str = ""
    tested: str = ""
    tested_under: str = ""
    found: Gathered | None = None
    needles: Needles | None = None
    seen: frozenset[tuple[str, str]] = frozenset()


def dumped(kept: Kept) -> dict[str, Any]:
    """As JSON holds it."""
    own = {name: getattr(kept, name) for name in _PLAIN}
    found = _dump_found(kept.found, kept.passages) if kept.found else None
    needles = {**asdict(kept.needles), "notices": _says(kept.needles.notices)} if kept.needles else None
    return {"format": FORMAT, **own, "found": found, "needles": needles, "seen": sorted(kept.seen)}


def _dump_found(found: Gathered, passages: Sequence[str]) -> dict[str, Any]:
    """Counts by the passage's place, which is shorter than its id; all of them follow from those of each question."""
    at = {id: place for place, id in enumerate(passages)}
    reach = {field.name: getattr(found.reach, field.name) for field in fields(found.reach) if field.name != "counts"}
    return {
        "reach": reach
        | {
            "barren": [asdict(each) for each in found.reach.barren],
            "sought": [asdict(each) for each in found.reach.sought],
            "failures": {mode: [count, why.as_value()] for mode, (count, why) in found.reach.failures.items()},
            "refused": [[id, why.as_value()] for id, why in found.reach.refused],
        },
        "questions": [asdict(question) for question in found.questions],
        "touched": [
            {
                mode: [[at[id], each.retrieved, each.read, each.given, each.cited] for id, each in counts.items()]
                for mode, counts in touched.items()
            }
            for touched in found.touched
        ],
    }


def _says(found: Sequence[Say]) -> list[dict[str, Any]]:
    return [say.as_value() for say in found]


def loaded(raw: Mapping[str, Any]) -> Kept:
    """What JSON held, checked: every part of its type, and fitting the others.

    Raises `KeyError`, `TypeError`, `ValueError`, `IndexError` or `AttributeError` for anything else.
    """
    if raw["format"] != FORMAT:
        raise ValueError(f"format {raw['format']}")
    check(raw["passages"], list[str], "passages")
    check(raw["seen"], list[list[str]], "seen")
    passages = tuple(raw["passages"])
    kept = Kept(
        raw["version"],
        passages,
        raw["asked"],
        raw["asked_under"],
        raw["tested"],
        raw["tested_under"],
        None if raw["found"] is None else _load_found(raw["found"], passages),
        None if raw["needles"] is None else _load_needles(raw["needles"]),
        frozenset((first, second) for first, second in raw["seen"]),
    )
    check(kept, Kept)
    for time in filter(None, (kept.asked, kept.tested)):
        checked_time(time)
    if kept.found:
        _fitting(kept.found)
    if kept.needles:
        _told(kept.needles)
    return kept


def _fitting(found: Gathered) -> None:
    """Raise `ValueError` where parts tell of other modes, questions or counts than the rest does."""
    reach, modes = found.reach, set(found.reach.modes)
    _known(modes)
    whole = all(set(each.stood) == modes for each in reach.sought)
    within = [*found.touched, reach.failures, *(each.modes for each in reach.barren)]
    if not modes or not whole or any(not modes.issuperset(each) for each in within):
        raise ValueError("modes that were not asked")
    counts = [getattr(each, one.name) for of in reach.counts.values() for each in of.values() for one in fields(each)]
    if min(counts, default=0) < 0 or not 0 <= reach.asked <= reach.total or len(found.questions) != reach.asked:
        raise ValueError("counts that cannot be")
    if len(found.questions) != len(found.touched):
        raise ValueError("questions of which nothing is told")


def _told(needles: Needles) -> None:
    """Raise `ValueError` where a needle's outcomes are not those of one and the same modes, or its facts are none."""
    for each in needles.needles:
        _known(set(each.ranks))
        if not set(each.ranks) == set(each.given) == set(each.stated) or not all(each.facts):
            raise ValueError("needles of which not everything is told")


def _known(modes: AbstractSet[str]) -> None:
    if unknown := modes - set(registry()):
        raise ValueError(f"modes that there are not: {sorted(unknown)}")


def _load_found(raw: Mapping[str, Any], passages: Sequence[str]) -> Gathered:
    touched: list[Touched] = [
        {mode: {passages[_place(at)]: Counts(*counts) for at, *counts in rows} for mode, rows in each.items()}
        for each in raw["touched"]
    ]
    told = dict(raw["reach"])
    modes = tuple(told["modes"])
    values = {
        "modes": modes,
        "counts": {mode: summed(each.get(mode, {}) for each in touched) for mode in modes},
        "barren": tuple(_of(Barren, each) for each in told["barren"]),
        "sought": tuple(_sought(each) for each in told["sought"]),
        "failures": {mode: (count, _say(why)) for mode, (count, why) in told["failures"].items()},
        "refused": tuple((id, _say(why)) for id, why in told["refused"]),
        "unjudged": tuple(told["unjudged"]),
        "unanswerable": tuple(told["unanswerable"]),
        "astray": tuple(told.get("astray", ())),
    }
    return Gathered(Reach(**(told | values)), tuple(_of(Question, each) for each in raw["questions"]), tuple(touched))


def _place(at: int) -> int:
    if at < 0:
        raise ValueError("no place of a passage")
    return at


def _sought(raw: Mapping[str, Any]) -> Sought:
    stood = {mode: tuple(Stood(**each) for each in row) for mode, row in raw["stood"].items()}
    if any(len(row) != len(raw["gold"]) for row in stood.values()):
        raise ValueError("gold of which nothing is told")
    return Sought(raw["id"], raw["question"], tuple(raw["gold"]), stood)


def _load_needles(raw: Mapping[str, Any]) -> Needles:
    made = tuple(_of(Needle, each) for each in raw["needles"])
    notices = tuple(_say(each) for each in raw["notices"])
    return Needles(made, tuple(raw["without"]), raw["left"], notices, tuple(raw.get("unasked", ())))


def _of(kind: type[T], raw: Mapping[str, Any]) -> T:
    """A flat value, its lists as the tuples they were."""
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in raw.items()})


def _say(raw: Mapping[str, Any]) -> Say:
    check(raw["code"], str)
    check(raw["values"], dict)
    _spoken(list(raw["values"].values()))
    return Say(raw["code"], raw["values"])


def _spoken(values: Sequence[Any]) -> None:
    """Check what is said within what is said."""
    for value in values:
        if isinstance(value, list):
            _spoken(value)
        elif isinstance(value, dict) and set(value) == {"code", "values"}:
            _say(value)
