"""Records: what is kept is what was, whatever stood in it; what cannot be read is refused in words."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.asking import entrants
from core.domain import Ask, BaseInfo, Call, Hit, Passage, Say, Step, Timed, Token, Usage
from core.errors import StoreError
from core.race import Race, compare
from core.records import SCHEMA, dump, load
from core.runs import Comparison, Run

BASE = BaseInfo("b", "库", "0123", 1, "t")
HOSTILE = "<script>alert('1')</script> $a$ \0 \u202e \ud800 \x1b[31m \"'\\ {x} %s 🙂"


def through_json(comparison: Comparison) -> Comparison:
    return load(json.loads(json.dumps(dump(comparison))))


def comparison_of(*runs: Run, question: str = "问") -> Comparison:
    return Comparison("c1", question, "2025-01-01T00:00:00+00:00", BASE, {"writer": "offline"}, runs)


def hostile_run() -> Run:
    passage = Passage(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, 0, 3, (1, 2), {"type": HOSTILE})
    step = Step(
        "search",
        Say.of("step.search", queries=[HOSTILE], odd=[HOSTILE, 1, None, True]),
        hits=(Hit(passage, 1, 0.1 + 0.2, {"bm25": 1e-300}),),
        seen=(passage,),
        kept=(HOSTILE,),
        call=Call("search", {"queries": [HOSTILE], "filters": {"type": "case"}}, HOSTILE),
        output=HOSTILE,
        reorders=True,
        seconds=1 / 3,
        times={"once": 2 / 3},
        usage=Usage(1, None, 3, None, 1, True),
        error=Say.of("tool.unknown", tool=HOSTILE, known=[]),
        stop="call_limit",
    )
    events = (Timed(1 / 7, step), Timed(2 / 7, Token(HOSTILE)), Timed(3 / 7, Token(HOSTILE, "reasoning")))
    return Run("m", Ask(HOSTILE, None, {"k": 5, "ranking": "bm25"}), BASE, events, 4 / 7)


@pytest.mark.parametrize(
    "run",
    [
        hostile_run(),
        replace(hostile_run(), error=Say.of("run.crashed", kind="X", reason=HOSTILE)),
        replace(hostile_run(), stopped=True),
        replace(hostile_run(), ended=None),
        Run("m", Ask("问"), BASE),
    ],
    ids=["whole", "failed", "stopped", "running", "nothing yet"],
)
def test_a_comparison_comes_back_as_it_was(run):
    kept = comparison_of(run, question=HOSTILE)
    back = through_json(kept)
    assert back == kept
    assert back.runs[0].stop_reason == kept.runs[0].stop_reason


def test_a_real_comparison_comes_back_with_all_that_follows_from_it(bench):
    kept = compare(bench, entrants("影像资料要保存多久？", None, None, {}))
    back = through_json(kept)
    assert back == kept
    for one, other in zip(kept.runs, back.runs, strict=True):
        assert (one.fingerprint, one.usage, one.new, one.seconds) == (
            other.fingerprint,
            other.usage,
            other.new,
            other.seconds,
        )


def test_a_race_cut_short_comes_back_as_stopped(bench):
    race = Race(bench, entrants("影像资料要保存多久？", ["bm25"], None, {}))
    race.close()
    assert through_json(race.comparison).runs[0].stop_reason == "stopped"


def test_the_text_of_a_passage_stands_once_in_a_record(bench):
    kept = compare(bench, entrants("影像资料要保存多久？", None, None, {}), retrieval_only=True)
    text = kept.runs[0].evidence[0].text
    assert json.dumps(dump(kept)["passages"], ensure_ascii=False).count(text) == 1


def test_a_record_of_a_newer_version_is_refused_in_words():
    with pytest.raises(StoreError) as caught:
        load({**dump(comparison_of(hostile_run())), "schema": SCHEMA + 1})
    assert caught.value.say == Say.of("store.newer", found=SCHEMA + 1, known=SCHEMA)


@pytest.mark.parametrize(
    "broken", [{}, [], "text", None, {"schema": "one"}, {"schema": SCHEMA}, {"schema": SCHEMA, "base": 3}]
)
def test_a_broken_record_is_refused_in_words(broken):
    with pytest.raises(StoreError) as caught:
        load(broken)
    assert caught.value.say.code == "store.record.broken"


def test_a_record_that_lost_a_part_is_refused_in_words():
    whole = dump(comparison_of(hostile_run()))
    for lost in ("passages", "runs", "question"):
        with pytest.raises(StoreError):
            load({name: value for name, value in whole.items() if name != lost})
    with pytest.raises(StoreError):
        load({**whole, "passages": {}})


def damaged():
    """A whole record with one place of it wrong, each with what stands there instead."""
    step, token = ("runs", 0, "events", 0), ("runs", 0, "events", 1)
    passage, hit = ("passages", HOSTILE), (*step, "hits", 0)
    wrong = {
        ("runs",): ([], {}, "x", None),
        ("runs", 0, "mode"): (None, 3),
        ("created",): (None, 3, "yesterday"),
        ("id",): (None, 3),
        ("question",): (None, [], 3),
        ("settings",): (None, [], "x", {"k1": "x"}, {"b": 7}, {"variant": "x"}, {"time_limit": None}, {"prices": []}),
        ("base", "passages"): ("x", None, 1.5, True),
        ("base", "version"): (None, 3),
        (*passage, "section"): (None, 3, []),
        (*passage, "order"): (None, "x", 0.5),
        (*passage, "lines"): ([1], [1, "x"], 3),
        (*passage, "metadata"): (None, []),
        ("runs", 0, "ask", "question"): (None, 3),
        ("runs", 0, "ask", "k"): ("x", 1.5),
        ("runs", 0, "ask", "parameters"): (None, [], "x"),
        ("runs", 0, "ended"): ("x", []),
        ("runs", 0, "stopped"): (None, "x"),
        (*step, "at"): (None, "x"),
        (*step, "step"): (None, 3),
        (*step, "detail"): (None, {"code": None, "values": {}}, {"code": "x", "values": []}),
        (*step, "detail", "values", "queries"): (None, 3, [5]),
        (*step, "times"): (None, [], {"once": "x"}),
        (*step, "usage"): ({"prompt": "x"}, {"calls": None}, {"other": 1}, "x"),
        (*step, "stop"): ("x", 3),
        (*step, "kept"): ([3], None),
        (*step, "seconds"): (None, "x"),
        (*hit, "rank"): (None, "x"),
        (*hit, "scores"): (None, [], {"bm25": None}),
        (*token, "token"): (None, 3),
        (*token, "kind"): (None, "x"),
    }
    return [pytest.param(path, value, id=f"{path[-1]} {value!r}") for path, all in wrong.items() for value in all]


@pytest.mark.parametrize(("path", "value"), damaged())
def test_a_record_with_one_wrong_value_is_refused_in_words(path, value):
    record = json.loads(json.dumps(dump(comparison_of(hostile_run()))))
    place = record
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    with pytest.raises(StoreError) as caught:
        load(record)
    assert caught.value.say.code == "store.record.broken"


def test_more_runs_than_there_are_places_are_refused():
    with pytest.raises(StoreError):
        load(dump(comparison_of(*[replace(hostile_run(), mode=f"m{number}") for number in range(5)])))


def test_a_run_with_half_a_character_in_it_has_a_fingerprint():
    run = replace(hostile_run(), ask=Ask("问", None, {"ranking": "\ud800"}))
    assert len(run.fingerprint) == 12 and run.fingerprint != hostile_run().fingerprint


@pytest.mark.parametrize("value", ["x", None, True])
def test_a_parameter_of_another_type_than_its_mode_declares_is_refused(value):
    run = replace(hostile_run(), mode="bm25", ask=Ask("问", None, {"k": value}))
    with pytest.raises(StoreError):
        through_json(comparison_of(run))
