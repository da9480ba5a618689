"""Slow work beside the script: it gives its result or its error, and hears when the script leaves it."""

import threading

import pytest

from pages.parts.beside import beside, ticks


def test_the_script_goes_on_drawing_until_the_work_has_its_result():
    may_end = threading.Event()
    with beside(lambda stopped: may_end.wait(10) and "done") as going:
        for drawn, _ in enumerate(ticks(going), 1):
            if drawn == 2:
                may_end.set()
    assert going.result() == "done" and drawn >= 2


def test_what_the_work_raises_is_raised_where_its_result_is_taken():
    def work(stopped):
        raise KeyError("lost")

    with beside(work) as going:
        for _ in ticks(going):
            pass
    with pytest.raises(KeyError, match="lost"):
        going.result()


def test_work_that_is_left_hears_that_it_is_to_stop():
    heard = threading.Event()

    def work(stopped):
        while not stopped():
            heard.wait(0.01)
        heard.set()

    with pytest.raises(RuntimeError), beside(work):
        raise RuntimeError
    assert heard.wait(10)
