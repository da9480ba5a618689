"""Comparisons as plain JSON values and back: what the archive keeps, with every passage's text once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any, get_type_hints

from core.domain import Ask, BaseInfo, Call, Event, Hit, Passage, Say, Step, Timed, Token, Usage
from core.errors import StoreError, UsageError
from core.json_values import check
from core.knowledge.metadata import recorded
from core.modes import MOST_MODES, registry
from core.retrieval.filters import Filters
from core.retrieval.formula import Bm25
from core.runs import Comparison, Run
from core.settings import BM25, Settings

SCHEMA = 1
"""Version of the record's shape; a newer one is refused in words."""


def dump(comparison: Comparison) -> dict[str, Any]:
    """A comparison as values that `json` can write."""
    return {
        "schema": SCHEMA,
        "id": comparison.id,
        "question": comparison.question,
        "created": comparison.created,
        "base": asdict(comparison.base),
        "settings": dict(comparison.settings),
        "passages": {p.id: _dump_passage(p) for run in comparison.runs for s in run.steps for p in s.touched},
        "runs": [_dump_run(run) for run in comparison.runs],
    }


def load(record: Mapping[str, Any]) -> Comparison:
    """The comparison of a record; raises `StoreError` for one of a newer version or a broken one."""
    try:
        if record["schema"] > SCHEMA:
            raise StoreError("store.newer", found=record["schema"], known=SCHEMA)
        base = BaseInfo(**record["base"])
        passages = {key: _load_passage(value) for key, value in record["passages"].items()}
        runs = tuple(_load_run(run, base, passages) for run in record["runs"])
        found = Comparison(record["id"], record["question"], record["created"], base, record["settings"], runs)
        check(found, Comparison)
        _check_meaning(found)
        return found
    except (KeyError, TypeError, ValueError, AttributeError, UsageError) as broken:
        raise StoreError("store.record.broken", reason=repr(broken)) from broken


_SETTINGS = get_type_hints(Settings)
_TOLD = {"queries": list[str] | tuple[str, ...], "left": Mapping | None}
"""What modes read again of what their steps told, by name."""


def _check_meaning(comparison: Comparison) -> None:
    """Raise `TypeError` or `ValueError` for what has the right shape but could not have been recorded."""
    if not 1 <= len(comparison.runs) <= MOST_MODES:
        raise ValueError(f"{len(comparison.runs)} runs")
    datetime.fromisoformat(comparison.created)
    settings = comparison.settings
    for name in settings.keys() & {"budget_tokens", "time_limit", "exact", *BM25}:
        check(settings[name], _SETTINGS[name], name)
    Bm25(**{name: settings[name] for name in BM25 if name in settings})
    check(settings.get("prices", {}), Mapping[str, Any], "prices")
    for run in comparison.runs:
        Filters.of(run.ask.filters)
        for told in (step.detail.values for step in run.steps):
            for name in told.keys() & _TOLD.keys():
                check(told[name], _TOLD[name], name)
        known = registry()[run.mode].parameters if run.mode in registry() else ()
        for parameter in known:
            check(run.ask.parameters.get(parameter.name, parameter.default), type(parameter.default), parameter.name)


def _dump_passage(passage: Passage) -> dict[str, Any]:
    values = {field.name: getattr(passage, field.name) for field in fields(passage)}
    return {**values, "metadata": recorded(passage.metadata)}


def _load_passage(value: Mapping[str, Any]) -> Passage:
    lines = tuple(value["lines"]) if value["lines"] else None
    return Passage(**{**value, "lines": lines})


def _dump_run(run: Run) -> dict[str, Any]:
    return {
        "mode": run.mode,
        "ask": {
            "question": run.ask.question,
            "k": run.ask.k,
            "parameters": dict(run.ask.parameters),
            "filters": dict(run.ask.filters),
        },
        "events": [{"at": t.at, **_dump_event(t.event)} for t in run.events],
        "ended": run.ended,
        "stopped": run.stopped,
        "error": _dump_say(run.error),
    }


def _load_run(value: Mapping[str, Any], base: BaseInfo, passages: Mapping[str, Passage]) -> Run:
    events = tuple(Timed(event["at"], _load_event(event, passages)) for event in value["events"])
    return Run(
        value["mode"],
        Ask(**value["ask"]),
        base,
        events,
        value["ended"],
        value["stopped"],
        _load_say(value["error"]),
    )


def _dump_say(say: Say | None) -> dict[str, Any] | None:
    return say.as_value() if say else None


def _load_say(value: Mapping[str, Any] | None) -> Say | None:
    return Say(value["code"], value["values"]) if value else None


def _dump_event(event: Event) -> dict[str, Any]:
    if isinstance(event, Token):
        return {"token": event.text, "kind": event.kind}
    return {
        "step": event.name,
        "detail": _dump_say(event.detail),
        "hits": [{"id": h.passage.id, "rank": h.rank, "score": h.score, "scores": dict(h.scores)} for h in event.hits],
        "seen": [passage.id for passage in event.seen],
        "kept": list(event.kept),
        "call": asdict(event.call) if event.call else None,
        "output": event.output,
        "reorders": event.reorders,
        "seconds": event.seconds,
        "times": dict(event.times),
        "usage": asdict(event.usage) if event.usage else None,
        "error": _dump_say(event.error),
        "stop": event.stop,
        "sent": dict(event.sent),
    }


def _load_event(value: Mapping[str, Any], passages: Mapping[str, Passage]) -> Event:
    if "token" in value:
        return Token(value["token"], value["kind"])
    detail = _load_say(value["detail"])
    if detail is None:
        raise ValueError("a step without detail")
    return Step(
        value["step"],
        detail,
        hits=tuple(Hit(passages[h["id"]], h["rank"], h["score"], h["scores"]) for h in value["hits"]),
        seen=tuple(passages[key] for key in value["seen"]),
        kept=tuple(value["kept"]),
        call=Call(**value["call"]) if value["call"] else None,
        output=value["output"],
        reorders=value["reorders"],
        seconds=value["seconds"],
        times=value["times"],
        usage=Usage(**value["usage"]) if value["usage"] else None,
        error=_load_say(value["error"]),
        stop=value["stop"],
        sent=value.get("sent", {}),
    )
