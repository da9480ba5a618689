"""The start of the Learn page, and the addresses of its topics."""

import pytest

from tests.app.conftest import press, text
from tests.app.learning import keys, learn

pytestmark = pytest.mark.usefixtures("home")


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
