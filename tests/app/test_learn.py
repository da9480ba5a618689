"""The Learn page: lessons, classes of failure, blind votes, playback, and what each says when it cannot."""

import csv
import shutil
from dataclasses import replace

import pytest

from core.archive import Archive
from core.asking import entrants
from core.bench import open_bench
from core.domain import Say
from core.environment import load
from core.explain.failures import KINDS
from core.explain.playback import moments
from core.knowledge.shelf import load_folder, questions
from core.modes import choose
from core.race import compare
from core.settings import BUNDLED
from core.votes import TIE, Votes
from core.words import LANGUAGES, Words, catalogue
from pages.parts.learn.learner import Learner
from pages.parts.learn.outcomes import Outcome, score
from tests.app.conftest import QUESTION, compared, plain, press, text, visit

pytestmark = pytest.mark.usefixtures("home")
HOSTILE = "$5 赔 $10？<img src=x onerror=alert(1)> :red[电梯] https://evil.example [l](javascript:alert(1)) 监控"


def learn(locale="zh-CN", **address):
    """The page opened at an address."""
    at = visit(locale, **({"kb": address.pop("kb")} if "kb" in address else {})).run()
    for name, value in address.items():
        at.query_params[name] = value
    at = at.switch_page("pages/learn.py").run()
    assert not at.exception
    return at


def asked(home, question=QUESTION, modes=None, **how):
    """A kept comparison."""
    comparison = compare(open_bench(load()), entrants(question, modes, None, {}), **how)
    Archive(home).keep(comparison)
    return comparison


def keys(at, start):
    return [button.key for button in at.button if (button.key or "").startswith(start)]


def own_base(home, rows=()):
    """A base of the data folder's own, with one document and these questions."""
    folder = home / "kb" / "small"
    (folder / "sections").mkdir(parents=True)
    (folder / "kb.toml").write_text('title = "小库"\nlanguage = "zh"\n', encoding="utf-8")
    (folder / "sections" / "01-押金.md").write_text("# 押金\n\n第一条 押金应当在三日内退还。\n", encoding="utf-8")
    if rows:
        (folder / "questions").mkdir()
        lines = ["question,kind,gold,facts,tags", *rows]
        (folder / "questions" / "own.csv").write_text("\n".join(lines), encoding="utf-8")


def retagged(home, question, tag):
    """The bundled base with one more tag on a question, as an edited base of the data folder's own."""
    shutil.copytree(BUNDLED / "elevator", home / "kb" / "elevator")
    path = home / "kb" / "elevator" / "questions" / "disputes.csv"
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    for row in rows:
        row["tags"] = tag if row["id"] == question else row["tags"].replace(tag, "")
    with path.open("w", encoding="utf-8", newline="") as written:
        table = csv.DictWriter(written, rows[0].keys())
        table.writeheader()
        table.writerows(rows)


@pytest.mark.parametrize(("locale", "word"), [("zh-CN", "逐步回放"), ("en-US", "Step-by-step playback")])
def test_the_start_has_a_card_for_each_topic(locale, word):
    at = learn(locale)
    assert keys(at, "topic.") == ["topic.lesson", "topic.failures", "topic.blind", "topic.playback"]
    assert word in text(at)
    press(at, "topic.failures")
    assert at.query_params["topic"] == "failures" and "class.cut" in keys(at, "class.")
    press(at, "topics")
    assert "topic" not in at.query_params and keys(at, "topic.")


def test_an_unknown_topic_is_told_and_all_topics_are_shown():
    at = learn(topic="nonesuch")
    assert "nonesuch" in at.warning[0].value and len(keys(at, "topic.")) == 4


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


def test_a_prediction_on_a_run_that_failed_is_not_scored():
    bench = open_bench(load())
    run = compare(bench, entrants(QUESTION, ["bm25"], None, {})).runs[0]
    broken = replace(run, error=Say.of("run.crashed", kind="OSError", reason=""))
    assert score([Outcome(run, 1, True), Outcome(run, 0, True), Outcome(broken, 0, False)]) == (1, 2)


def test_the_question_of_a_lesson_is_asked_on_compare_with_answers(home):
    at = press(learn(topic="lesson"), "reveal")
    press(at, next(key for key in keys(at, "compare.")))
    at.run()
    assert not at.exception and [kept.question for kept in Archive(home).recent()] == [QUESTION]


TAGGED = sorted(
    tag for q in questions(load_folder(BUNDLED / "elevator")).questions for tag in q.tags if tag.startswith("shows:")
)


@pytest.mark.parametrize("kind", [tag.removeprefix("shows:") for tag in TAGGED])
def test_a_class_of_failure_has_a_live_example_that_shows_it(kind):
    at = learn(topic="failures", **{"class": kind})
    assert "出现了" in text(at) and at.info == []
    assert catalogue("zh")[f"failure.{kind}.mend"] in text(at)


def test_an_example_that_no_longer_shows_its_class_says_so(home):
    retagged(home, "direct-01", "shows:refused")
    at = learn(topic="failures", **{"class": "refused"})
    assert "没有哪种模式" in at.info[0].value and "没有出现" in text(at)


def test_a_base_without_an_example_explains_the_class_and_says_so(home):
    own_base(home)
    at = learn("en-US", topic="failures", kb="small", **{"class": "cut"})
    assert "no example of it" in text(at) and "shows:cut" in plain(text(at))


def test_an_example_of_a_failure_calls_no_model(server, monkeypatch):
    monkeypatch.setenv("WORKBENCH_WRITER", "openai:demo")
    at = learn(topic="failures", **{"class": "cut"})
    assert "出现了" in text(at) and server.requests == []


def test_an_unknown_class_is_told_and_all_classes_are_listed():
    at = learn(topic="failures", **{"class": "nonesuch"})
    assert "nonesuch" in at.warning[0].value and len(keys(at, "class.")) == len(KINDS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_class_and_every_kind_of_question_has_its_words(language):
    texts = catalogue(language)
    assert {f"failure.{kind}.{part}" for kind in KINDS for part in ("name", "short", "what", "see", "mend")} <= set(
        texts
    )
    kinds = {code.removeprefix("ui.kind.") for code in texts if code.startswith("ui.kind.")}
    assert {f"lesson.{kind}.{part}" for kind in kinds | {"other"} for part in ("tests", "look")} <= set(texts)


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


@pytest.mark.parametrize("topic", ["blind", "playback"])
def test_an_unknown_comparison_is_told_and_others_are_offered(home, topic):
    kept = asked(home)
    at = learn(topic=topic, c="nonesuch")
    assert "nonesuch" in at.warning[0].value
    press(at, f"pick.{kept.id}")
    assert at.query_params["c"] == kept.id and QUESTION in plain(text(at))


@pytest.mark.parametrize("topic", ["blind", "playback"])
def test_a_private_server_offers_nobody_elses_comparisons(home, topic, monkeypatch):
    monkeypatch.setenv("WORKBENCH_PRIVATE", "1")
    kept = asked(home)
    assert keys(learn(topic=topic), "pick.") == []
    assert kept.id in learn(topic=topic, c=kept.id).warning[0].value


@pytest.mark.parametrize("topic", ["blind", "playback"])
def test_hostile_text_is_shown_literally(home, topic):
    at = learn(topic=topic, c=asked(home, HOSTILE).id)
    assert f"**{HOSTILE}**" in plain(text(at))
    assert ":red[电梯]" not in text(at) and "https://" not in text(at)


def test_playback_steps_through_what_was_kept_and_keeps_nothing(home):
    kept = asked(home)
    at = learn(topic="playback", c=kept.id)
    last = len(moments(kept))
    assert f"共 {last} 步" in at.slider[0].label and "录下的过程" in text(at) and len(compared(at)) == 3
    assert at.button(key="previous").disabled and "以下为原文摘录" not in text(at)
    press(press(at, "next"), "next")
    assert at.slider[0].value == 3
    at.slider[0].set_value(last).run()
    assert at.button(key="next").disabled and "以下为原文摘录" in text(at)
    assert len(Archive(home).recent()) == 1


def test_a_comparison_of_one_moment_cannot_be_moved_through(home):
    whole = asked(home, modes=["bm25"])
    run = replace(whole.runs[0], events=(), error=Say.of("run.crashed", kind="OSError", reason=""))
    Archive(home).keep(replace(whole, runs=(run,)))
    at = learn(topic="playback", c=whole.id)
    assert at.slider[0].disabled and "不足两步" in text(at) and "OSError" in text(at)


def test_playback_of_another_base_and_of_a_mode_that_is_gone_still_works(home):
    whole = asked(home)
    gone = tuple(replace(run, mode=f"{run.mode}.gone") for run in whole.runs)
    Archive(home).keep(replace(whole, runs=gone, base=replace(whole.base, name="other", version="0")))
    at = learn("en-US", topic="playback", c=whole.id)
    assert "Recorded" in text(at) and "bm25.gone" in plain(text(at))
