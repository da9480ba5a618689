"""What was found out of a base's coverage, kept in the data folder: a reload, or a restart, still shows it.

One file for each base and reader holds what was found last. It tells the base's version, the questions, the modes and
the settings that it holds of, so that what has changed since can be told. It is replaced in one step; one that is
damaged, or of a newer version, is left alone and counts as none.
"""

from __future__ import annotations

import json
import logging
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

from core.coverage.gathering import Gathered, Touched, summed
from core.coverage.needles import Needle, Needles
from core.coverage.reach import Barren, Counts, Reach
from core.coverage.sought import Sought, Stood
from core.domain import Say
from core.errors import StoreError, reason_of
from core.json_values import check, read_json
from core.knowledge.base import KnowledgeBase
from core.knowledge.questions import Question

T = TypeVar("T")

_LOG = logging.getLogger(__name__)
FOLDER = "coverage"
"""Where they lie in the data folder."""
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Kept:
    """Results over the base of this `version`, whose passages were `passages`, under these `settings`.

    `asked` and `tested` tell when `found` and `needles` came about (ISO, UTC; empty for what is not there). `seen` are
    pairs that need no further look.
    """

    version: str = ""
    passages: tuple[str, ...] = ()
    settings: str = ""
    asked: str = ""
    tested: str = ""
    found: Gathered | None = None
    needles: Needles | None = None
    seen: frozenset[tuple[str, str]] = frozenset()


def keep(kept: Kept, base: KnowledgeBase, home: Path, owner: str = "") -> None:
    """Put it in the place of what lay there. Raises `StoreError` `coverage.unkept` where it cannot be written."""
    path = _path(base, home, owner)
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".new", delete=False) as file:
            temporary = file.name
            file.write(json.dumps(_dump(kept), ensure_ascii=False).encode("utf-8", "replace"))
        os.replace(temporary, path)
    except OSError as refused:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise StoreError("coverage.unkept", path=str(path.parent), reason=reason_of(refused)) from refused


def recall(base: KnowledgeBase, home: Path, owner: str = "") -> Kept | None:
    """What was kept of a base last; `None` where nothing was, or where it cannot be read (logged)."""
    path = _path(base, home, owner)
    try:
        raw = read_json(path.read_text(encoding="utf-8"))
        if raw["format"] != _FORMAT:
            raise ValueError(f"format {raw['format']}")
        return _load(raw)
    except FileNotFoundError:
        return None
    except (OSError, KeyError, TypeError, ValueError, IndexError, AttributeError) as damaged:
        _LOG.warning("what is known of the coverage in %s cannot be used: %r", path, damaged)
        return None


def _path(base: KnowledgeBase, home: Path, owner: str) -> Path:
    key = f"{base.path.resolve()}\0{owner}".encode("utf-8", "surrogateescape")
    return home / FOLDER / f"{blake2b(key, digest_size=12).hexdigest()}.json"


def _dump(kept: Kept) -> dict[str, Any]:
    own = {name: getattr(kept, name) for name in ("version", "passages", "settings", "asked", "tested")}
    found = _dump_found(kept.found, kept.passages) if kept.found else None
    needles = {**asdict(kept.needles), "notices": _says(kept.needles.notices)} if kept.needles else None
    return {"format": _FORMAT, **own, "found": found, "needles": needles, "seen": sorted(kept.seen)}


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


def _load(raw: Mapping[str, Any]) -> Kept:
    passages = tuple(raw["passages"])
    kept = Kept(
        raw["version"],
        passages,
        raw["settings"],
        raw["asked"],
        raw["tested"],
        _load_found(raw["found"], passages) if raw["found"] else None,
        _load_needles(raw["needles"]) if raw["needles"] else None,
        frozenset((first, second) for first, second in raw["seen"]),
    )
    for value, wanted in ((kept.passages, tuple[str, ...]), (kept.found, Gathered | None)):
        check(value, wanted)
    check(kept.needles, Needles | None)
    return kept


def _load_found(raw: Mapping[str, Any], passages: Sequence[str]) -> Gathered:
    touched: list[Touched] = [
        {mode: {passages[at]: Counts(*counts) for at, *counts in rows} for mode, rows in each.items()}
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
    }
    return Gathered(Reach(**(told | values)), tuple(_of(Question, each) for each in raw["questions"]), tuple(touched))


def _sought(raw: Mapping[str, Any]) -> Sought:
    stood = {mode: tuple(Stood(**each) for each in row) for mode, row in raw["stood"].items()}
    if any(len(row) != len(raw["gold"]) for row in stood.values()):
        raise ValueError("gold of which nothing is told")
    return Sought(raw["id"], raw["question"], tuple(raw["gold"]), stood)


def _load_needles(raw: Mapping[str, Any]) -> Needles:
    made = tuple(_of(Needle, each) for each in raw["needles"])
    return Needles(made, tuple(raw["without"]), raw["left"], tuple(_say(each) for each in raw["notices"]))


def _of(kind: type[T], raw: Mapping[str, Any]) -> T:
    """A flat value, its lists as the tuples they were."""
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in raw.items()})


def _say(raw: Mapping[str, Any]) -> Say:
    return Say(raw["code"], raw["values"])
