"""Playback: every step in the order of the clock, and each run as it stood at a moment."""

from __future__ import annotations

from itertools import pairwise

import pytest

from core.asking import entrants
from core.domain import Say, Usage
from core.explain.playback import moments, until
from core.modes import registry
from core.race import compare
from tests.explain.made import comparison, evidence, run, search


@pytest.fixture(scope="module", params=[False, True], ids=["at once", "one by one"])
def whole(request, bench):
    chosen = entrants("影像资料要保存多久？", list(registry())[:4], None, {})
    return compare(bench, chosen, one_by_one=request.param)


def test_every_step_and_every_end_is_a_moment_in_the_order_of_the_clock(whole):
    found = moments(whole)
    assert [m.at for m in found] == sorted(m.at for m in found)
    for ran in whole.runs:
        own = [m for m in found if m.mode == ran.mode]
        assert [m.step for m in own] == [*range(1, len(ran.steps) + 1), len(ran.steps)]
        assert [m.say for m in own[:-1]] == [step.detail for step in ran.steps]
        assert own[-1].say.code == f"stop.{ran.stop_reason}"


def test_at_its_end_a_comparison_is_itself_and_at_its_start_nothing(whole):
    assert until(whole, moments(whole)[-1].at) == whole
    assert all(not ran.events and ran.ended is None for ran in until(whole, -1.0).runs)


def test_at_each_moment_its_step_has_happened_and_later_ones_have_not(whole):
    for moment in moments(whole):
        then = until(whole, moment.at)
        ran = next(ran for ran in then.runs if ran.mode == moment.mode)
        assert len(ran.steps) >= moment.step
        assert all(
            part.events == full.events[: len(part.events)] for part, full in zip(then.runs, whole.runs, strict=True)
        )


def test_time_only_adds(whole):
    for before, after in pairwise(moments(whole)):
        first, second = until(whole, before.at), until(whole, after.at)
        for one, other in zip(first.runs, second.runs, strict=True):
            assert len(one.events) <= len(other.events) and (one.ended is None or other.ended is not None)


def test_runs_that_went_one_after_the_other_begin_where_the_one_before_ended():
    one, two = run(search(1), evidence(1), mode="a"), run(search(2), mode="b")
    told = [(m.mode, m.at) for m in moments(comparison(one, two, one_by_one=True))]
    assert told == [("a", 1.0), ("a", 2.0), ("a", 2.5), ("b", 3.5), ("b", 4.0)]
    then = until(comparison(one, two, one_by_one=True), 2.6)
    assert then.runs[0] == one and then.runs[1].events == ()


def test_pieces_of_the_answer_come_when_they_were_said():
    then = until(comparison(run(search(1), evidence(1), "一", "二")), 3.0)
    assert then.runs[0].answer == "一" and then.runs[0].ended is None
    assert then.runs[0].stop_reason is None and then.runs[0].usage == Usage()


def test_a_stop_or_a_failure_has_not_happened_before_its_time():
    for ran in (run(search(1), stopped=True), run(search(1), error=Say.of("run.crashed", kind="X", reason="y"))):
        assert until(comparison(ran), 1.2).runs[0].stop_reason is None
        assert until(comparison(ran), 1.5).runs[0] == ran
    assert moments(comparison(ran))[-1].say.code == "run.crashed"


def test_a_run_that_failed_at_once_has_its_end_alone():
    (moment,) = moments(comparison(run(error=Say.of("run.crashed", kind="X", reason="y"))))
    assert (moment.step, moment.at) == (0, 0.5)


def test_a_run_that_never_ended_has_no_end():
    assert [m.step for m in moments(comparison(run(search(1), ended=False)))] == [1]
    assert moments(comparison()) == moments(comparison(run(ended=False))) == ()
