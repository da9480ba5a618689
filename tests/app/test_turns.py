"""The line of comparisons: order kept, places given up, nobody forgotten."""

import threading

import pytest

from core.turns import Turns


def test_as_many_run_at_once_as_there_are_places():
    turns = Turns(2)
    line = [turns.join() for _ in range(4)]
    assert [turn.ahead for turn in line] == [0, 0, 1, 2]


def test_who_leaves_lets_the_next_ones_move_up():
    turns = Turns(1)
    first, second, third = turns.join(), turns.join(), turns.join()
    first.leave()
    assert (second.ahead, third.ahead) == (0, 1)


def test_leaving_the_line_while_waiting_or_twice_harms_nobody():
    turns = Turns(1)
    first, second, third = turns.join(), turns.join(), turns.join()
    second.leave()
    second.leave()
    first.leave()
    assert third.ahead == 0


def test_a_failed_comparison_gives_its_place_back():
    turns = Turns(1)
    with pytest.raises(RuntimeError), turns.join():
        raise RuntimeError
    assert turns.join().ahead == 0


def test_waiting_ends_as_soon_as_the_place_is_free():
    turns = Turns(1)
    first, second = turns.join(), turns.join()
    assert second.wait(0.01) == 1
    threading.Timer(0.05, first.leave).start()
    assert second.wait(10) == 0


def test_a_line_without_places_is_refused():
    with pytest.raises(ValueError):
        Turns(0)
