"""The runner: events in order, a heartbeat, everyone stopped when the reader leaves, and one crash harming nobody."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from core.answering import answer
from core.asking import entrants
from core.bench import Bench
from core.domain import Ask, Event, Passage, Say, Step, Token
from core.errors import ModelError, UsageError
from core.modes import Mode, Why
from core.race import HEARTBEAT, Race, check_question, compare
from core.runs import Run

QUESTION = "装修前要办什么手续？"


def mode_of(name: str, run: Callable[[Bench, Ask], Iterator[Event]]) -> Mode:
    def why(bench: Bench, ask: Ask, passage: Passage, run: Run) -> Why:
        return Why({"given": False}, Say.of("stop.failed"))

    return Mode(name, 9, {"zh": {"name": name}, "en": {"name": name}}, run, why)


def quick(bench: Bench, ask: Ask) -> Iterator[Event]:
    hits = bench.retriever.keyword(ask.question, 3).hits
    yield Step("search", Say.of("step.keyword", hits=3, passages=68), hits)
    yield from answer(bench, ask, hits)


def endless(bench: Bench, ask: Ask) -> Iterator[Event]:
    while True:
        yield Token("字")
        time.sleep(0.005)


def crashing(bench: Bench, ask: Ask) -> Iterator[Event]:
    yield Token("已经说了")
    raise ZeroDivisionError("坏了 \ud800")


def refused(bench: Bench, ask: Ask) -> Iterator[Event]:
    yield from ()
    raise ModelError("embeddings.broken", reason="gone")


def leaving(bench: Bench, ask: Ask) -> Iterator[Event]:
    yield from ()
    raise SystemExit(3)


def workers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("race-")]


def settled(seconds: float) -> bool:
    """Whether every worker has ended within `seconds`."""
    until = time.perf_counter() + seconds
    while workers() and time.perf_counter() < until:
        time.sleep(0.01)
    return not workers()


def test_events_keep_their_order_and_their_times_only_grow(bench):
    run = compare(bench, [(mode_of("quick", quick), Ask(QUESTION))]).runs[0]
    assert [step.name for step in run.steps] == ["search", "evidence", "write"]
    times = [timed.at for timed in run.events]
    assert times == sorted(times) and times[-1] <= run.ended
    assert run.stop_reason == "answered"


def test_a_race_tells_which_modes_changed_and_ticks_while_nothing_happens(bench):
    def slow(bench: Bench, ask: Ask) -> Iterator[Event]:
        yield Token("先")
        time.sleep(3 * HEARTBEAT)
        yield Token("后")

    race = Race(bench, [(mode_of("quick", quick), Ask(QUESTION)), (mode_of("slow", slow), Ask(QUESTION))])
    with closing(race):
        ticks = list(race)
    assert frozenset() in ticks
    assert frozenset().union(*ticks) == {"quick", "slow"}
    assert race.run("slow").answer == "先后"


@pytest.mark.parametrize("broken", [crashing, leaving])
def test_a_mode_that_crashes_becomes_its_runs_error_and_the_others_finish(bench, broken):
    race = [(mode_of("broken", broken), Ask(QUESTION)), (mode_of("quick", quick), Ask(QUESTION))]
    first, second = compare(bench, race).runs
    assert (first.stop_reason, first.error.code) == ("failed", "run.crashed")
    assert first.error.values["kind"] in ("ZeroDivisionError", "SystemExit")
    assert second.stop_reason == "answered" and second.answer


def test_what_a_crashed_mode_had_said_is_kept(bench):
    assert compare(bench, [(mode_of("broken", crashing), Ask(QUESTION))]).runs[0].answer == "已经说了"


def test_an_error_of_the_tree_keeps_its_own_code(bench):
    run = compare(bench, [(mode_of("refused", refused), Ask(QUESTION))]).runs[0]
    assert run.error == Say.of("embeddings.broken", reason="gone")


def test_closing_stops_every_worker_within_a_second_and_marks_the_runs(bench):
    race = Race(bench, [(mode_of(f"endless{n}", endless), Ask(QUESTION)) for n in range(3)])
    ticks = iter(race)
    next(ticks)
    race.close()
    assert settled(1.0)
    assert [run.stop_reason for run in race.comparison.runs] == ["stopped"] * 3
    assert all(run.answer for run in race.comparison.runs)


def test_a_stopped_comparison_does_not_change_afterwards(bench):
    race = Race(bench, [(mode_of("endless", endless), Ask(QUESTION))])
    next(iter(race))
    race.close()
    assert settled(1.0)
    first = race.comparison
    time.sleep(0.05)
    assert race.comparison == first


def test_what_was_said_is_there_though_the_reader_never_looked(bench):
    race = Race(bench, [(mode_of("quick", quick), Ask(QUESTION))])
    race.start()
    assert settled(5.0)
    race.close()
    run = race.comparison.runs[0]
    assert run.answer and run.stop_reason == "answered"


def test_a_run_that_had_finished_before_the_stop_is_not_marked(bench):
    race = Race(bench, [(mode_of("quick", quick), Ask(QUESTION)), (mode_of("endless", endless), Ask(QUESTION))])
    for _ in race:
        if race.run("quick").ended is not None:
            race.close()
    assert [run.stop_reason for run in race.comparison.runs] == ["answered", "stopped"]


def test_modes_run_in_turn_when_asked_to(bench):
    spans: dict[str, list[float]] = {"a": [], "b": []}

    def noting(name: str) -> Callable[[Bench, Ask], Iterator[Event]]:
        def run(bench: Bench, ask: Ask) -> Iterator[Event]:
            spans[name].append(time.perf_counter())
            time.sleep(0.05)
            yield Token(name)
            spans[name].append(time.perf_counter())

        return run

    compare(bench, [(mode_of(name, noting(name)), Ask(QUESTION)) for name in spans], one_by_one=True)
    assert spans["a"][1] <= spans["b"][0]


def test_modes_still_waiting_for_their_turn_never_begin_after_a_stop(bench):
    began = []

    def noting(bench: Bench, ask: Ask) -> Iterator[Event]:
        began.append(1)
        yield Token("字")

    race = Race(
        bench, [(mode_of("endless", endless), Ask(QUESTION)), (mode_of("next", noting), Ask(QUESTION))], one_by_one=True
    )
    next(iter(race))
    race.close()
    assert settled(1.0)
    assert began == []
    assert [(run.stop_reason, run.seconds > 0.01) for run in race.comparison.runs] == [
        ("stopped", True),
        ("stopped", False),
    ]


def test_retrieval_only_ends_with_the_evidence_and_has_the_fingerprint_of_the_full_run(bench):
    chosen = entrants(QUESTION, None, None, {})
    full = compare(bench, chosen)
    short = compare(bench, chosen, retrieval_only=True)
    for one, other in zip(full.runs, short.runs, strict=True):
        assert other.steps[-1].name == "evidence" and other.answer == ""
        assert one.fingerprint == other.fingerprint
        assert [p.id for p in one.evidence] == [p.id for p in other.evidence]


def test_another_cut_or_parameter_has_another_fingerprint(bench):
    runs = [compare(bench, entrants(QUESTION, ["bm25"], k, {}), retrieval_only=True).runs[0] for k in (None, 3, 5)]
    assert len({run.fingerprint for run in runs}) == 3


def test_two_races_at_once_do_not_meet(bench):
    questions = ["装修前要办什么手续？", "影像资料要保存多久？"]
    found: dict[str, object] = {}

    def race(question: str) -> None:
        found[question] = compare(bench, entrants(question, ["bm25", "rerank"], None, {}))

    threads = [threading.Thread(target=race, args=(question,)) for question in questions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    alone = [compare(bench, entrants(question, ["bm25", "rerank"], None, {})) for question in questions]
    for question, expected in zip(questions, alone, strict=True):
        assert [run.answer for run in found[question].runs] == [run.answer for run in expected.runs]
    assert found[questions[0]].id != found[questions[1]].id


def test_no_worker_is_left_when_a_race_has_ended(bench):
    compare(bench, entrants(QUESTION, None, None, {}))
    assert settled(1.0)


@pytest.mark.parametrize(
    ("question", "code"), [("", "question.blank"), (" \n　", "question.blank"), ("长" * 10_000, "question.long")]
)
def test_a_question_that_cannot_be_asked_is_refused(bench, question, code):
    with pytest.raises(UsageError) as caught:
        Race(bench, [(mode_of("quick", quick), Ask(question))])
    assert caught.value.say.code == code


def test_bytes_that_are_no_text_become_a_visible_mark(bench):
    assert check_question(" 监控\udcff ") == "监控\ufffd"
    runs = compare(bench, entrants("监控\udcff保存多久", None, None, {})).runs
    assert [run.error for run in runs] == [None] * 3
