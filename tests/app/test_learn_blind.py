"""The blind vote: nothing tells a mode before it, everything after it."""

import re
from dataclasses import replace

import pytest

from core.archive import Archive
from core.domain import Say
from core.modes import choose
from core.votes import TIE, Votes
from core.words import Words
from tests.app.conftest import QUESTION, plain, press, text
from tests.app.learning import asked, keys, learn

pytestmark = pytest.mark.usefixtures("home")


def test_a_blind_view_tells_no_name_before_the_vote_and_all_after_it(home):
    kept = asked(home)
    at = learn(topic="blind", c=kept.id)
    names = [Words("zh").mode(mode.id) for mode in choose()]
    everything = "".join(str(element.proto) for element in [*at.markdown, *at.caption, *at.button, *at.subheader])
    assert not any(name in everything for name in names) and keys(at, "vote.") == [
        "vote.A",
        "vote.B",
        "vote.C",
        "vote.tie",
    ]
    press(at, "vote.A")
    assert all(name in plain(text(at)) for name in names) and "共 1 票" in text(at)


def test_a_vote_can_be_changed_and_those_of_others_are_added(home):
    kept = asked(home)
    first, second = learn(topic="blind", c=kept.id), learn(topic="blind", c=kept.id)
    press(press(first, "vote.A"), "vote.tie")
    press(second, "vote.tie")
    assert Votes(home).tally(kept.id) == {TIE: 2} and "共 2 票，其中平手 2 票" in text(second)


def test_an_example_is_asked_kept_and_opened_blind(home):
    at = learn(topic="blind")
    press(at, "blind.demo:formalities")
    kept = Archive(home).recent()
    assert [line.question for line in kept] == [QUESTION] and at.query_params["c"] == kept[0].id
    assert keys(at, "vote.")


@pytest.mark.parametrize(
    ("how", "modes", "said"), [({"retrieval_only": True}, None, "只做了检索"), ({}, ["bm25"], "只有一种模式")]
)
def test_what_cannot_be_judged_blind_says_why(home, how, modes, said):
    at = learn(topic="blind", c=asked(home, modes=modes, **how).id)
    assert said in at.info[0].value and not keys(at, "vote.")


def test_a_comparison_with_a_failed_mode_cannot_be_judged_blind(home):
    whole = asked(home)
    broken = replace(whole.runs[0], error=Say.of("run.crashed", kind="OSError", reason=""))
    Archive(home).keep(replace(whole, runs=(broken, *whole.runs[1:])))
    assert "不能盲评" in learn(topic="blind", c=whole.id).info[0].value


def test_numbers_of_citations_tell_no_mode_before_the_vote_and_are_the_real_ones_after_it(home):
    at = learn(topic="blind", c=asked(home, "装修工人用了电梯，之后电梯坏了，物业要业主赔几千元，到底该谁付？").id)
    hidden = [numbers(element.value) for element in at.markdown if numbers(element.value)]
    assert len(hidden) == 3 and all(found == list(range(1, len(found) + 1)) for found in hidden)
    press(at, "vote.A")
    real = [numbers(element.value) for element in at.markdown if numbers(element.value)]
    assert real != hidden and list(map(len, real)) == list(map(len, hidden))


def numbers(markdown):
    return list(dict.fromkeys(int(number) for number in re.findall(r"(?<=\[)\d+(?=\])", plain(markdown))))
