"""The guided lesson: a prediction, what really happened, and why."""

import pytest

from core.archive import Archive
from core.bench import open_bench
from core.environment import load
from core.words import catalogue
from pages.parts.learn.learner import Learner
from tests.app.conftest import QUESTION, plain, press, text
from tests.app.learning import LONG, keys, learn, own_base

pytestmark = pytest.mark.usefixtures("home")


def test_a_lesson_is_predicted_revealed_and_explained(home):
    at = learn(topic="lesson", lesson="needle61")
    assert "第六十一条" in "".join(fold.label for fold in at.expander) and "这一课猜对" not in text(at)
    at.get_by_key("guess.needle61").set_value(["rerank", "agentic"])
    press(at, "reveal")
    assert "这一课猜对 3 / 3" in text(at) and "已学 1 / 7 课 · 猜对 3 / 3" in text(at)
    assert "BM25 排第" in text(at) and Archive(home).recent() == []
    press(at, "next")
    assert at.query_params["lesson"] == "needle62" and "已学 1 / 7" in text(at)


def test_to_predict_nothing_is_a_prediction_too_and_can_be_taken_back():
    at = press(learn(topic="lesson"), "reveal")
    assert "这一课猜对 0 / 3" in text(at)
    assert "这一课猜对" not in text(press(at, "again"))


def test_an_unknown_lesson_is_told_and_the_first_one_stands_there():
    at = learn(topic="lesson", lesson="nonesuch")
    assert "nonesuch" in at.warning[0].value and QUESTION in plain(text(at))


def test_a_base_without_lessons_says_how_to_make_some(home):
    own_base(home, ["押金几天退？,,,,demo:without-gold"])
    at = learn(topic="lesson", kb="small")
    assert "还没有课" in text(at) and "demo:" in text(at) and not keys(at, "reveal")


def test_a_kind_of_question_of_a_bases_own_has_a_lesson_all_the_same(home):
    own_base(home, ["押金几天退？,<b>$5</b>,01-押金#第一条,,demo:own"])
    at = press(learn(topic="lesson", kb="small"), "reveal")
    assert "这一课猜对 0 / 3" in text(at) and "题型" in text(at) and "<b>" not in text(at)


def test_a_lesson_is_not_run_on_a_paid_model_unasked(server, monkeypatch):
    monkeypatch.setenv("WORKBENCH_PLANNER", "openai:demo")
    at = learn(topic="lesson")
    assert "openai" in text(at)
    case = ("lesson", open_bench(load()).base.version, QUESTION)
    at.session_state["learner"] = Learner(guesses={case: ("bm25",)})
    at.run()
    assert "openai" in text(at) and keys(at, "run") and server.requests == []
    press(at, "run")
    assert "这一课猜对" in text(at) and server.requests


def test_the_question_of_a_lesson_is_asked_on_compare_with_answers(home):
    at = press(learn(topic="lesson"), "reveal")
    press(at, next(key for key in keys(at, "compare.")))
    at.run()
    assert not at.exception and [kept.question for kept in Archive(home).recent()] == [QUESTION]


def test_what_was_told_of_a_kind_of_question_is_not_told_again_in_its_next_lesson(home):
    hint = catalogue("zh")["lesson.paraphrase.look"]
    assert hint in plain(text(press(learn(topic="lesson", lesson="footage"), "reveal")))
    at = press(learn(topic="lesson", lesson="needle61"), "reveal")
    assert hint not in plain(text(at)) and "漏掉的：BM25（排第" in plain(text(at))


def test_after_the_last_lesson_stands_what_to_try_next(home):
    at = press(learn(topic="lesson", lesson="eight_thousand"), "reveal")
    assert "还有 6 课没有猜" in text(at)
    press(at, "then.blind")
    assert at.query_params["topic"] == "blind"


def test_a_question_too_long_to_be_asked_is_told_on_the_page(home):
    own_base(home, [f"{LONG},direct,01-押金#第一条,,demo:long"])
    at = press(learn(topic="lesson", kb="small"), "reveal")
    assert "2,000" in plain(at.error[0].value)
