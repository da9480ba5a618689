"""Playback of what was kept, and kept comparisons on the topics that show them."""

from dataclasses import replace

import pytest

from core.archive import Archive
from core.domain import Say
from core.explain.playback import moments
from tests.app.conftest import QUESTION, compared, plain, press, text
from tests.app.learning import HOSTILE, asked, keys, learn

pytestmark = pytest.mark.usefixtures("home")


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
