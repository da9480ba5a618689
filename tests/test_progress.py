"""What is told of a run as it stands: its state, what was thought before the answer, why a ranking fell back."""

import pytest

from core.domain import Call, Say, Step, Token
from core.progress import notices, state_of, thought
from tests.explain.made import comparison, evidence, run, search

FELL_BACK, NO_TOOL = Say.of("embedding.none"), Say.of("tool.unknown")
THINKS = Token("想一想", "reasoning")


@pytest.mark.parametrize(
    ("events", "more", "state"),
    [
        ((), {"ended": False}, "searching"),
        ((search(1),), {"ended": False}, "searching"),
        ((search(1), THINKS), {"ended": False}, "thinking"),
        ((search(1), evidence(1)), {"ended": False}, "writing"),
        ((search(1), evidence(1), "答"), {"ended": False}, "writing"),
        ((search(1), evidence(1), "答"), {}, "done"),
        ((search(1), evidence(1), "答"), {"stopped": True}, "stopped"),
        ((search(1),), {"error": FELL_BACK}, "failed"),
    ],
)
def test_a_run_is_in_one_state_at_a_time(events, more, state):
    assert state_of(run(*events, **more), 1.0) == state


def test_a_run_whose_turn_has_not_come_waits():
    assert state_of(run(ended=False), 0.0) == "waiting"


def test_what_was_thought_before_the_answer_is_told_and_what_came_before_the_search_is_not():
    write = Step("write", Say.of("step.write"))
    told = run(Token("先查", "reasoning"), search(1), evidence(1), THINKS, write, "答")
    assert thought(told) == "想一想"
    assert thought(run(Token("先查", "reasoning"), ended=False)) == "先查"


def test_a_reason_is_told_once_and_neither_a_tools_nor_the_one_that_failed_the_run():
    fell = Step("rank", Say.of("step.search"), error=FELL_BACK)
    refused = Step("open", Say.of("step.open"), error=NO_TOOL, call=Call("open"))
    reminded = Step("judge", Say.of("step.judge"), error=Say.of("agent.calls_left"))
    assert notices(run(fell, refused, fell, reminded)) == (FELL_BACK,)
    assert notices(run(fell, error=FELL_BACK)) == ()


def test_what_one_run_alone_gave_keeps_the_order_it_was_given_in():
    one, other, empty = run(evidence(5, 2, 1)), run(evidence(2)), run(search(1), evidence())
    both = comparison(one, other, empty)
    assert [[passage.order for passage in both.only(each)] for each in both.runs] == [[5, 1], [], []]
