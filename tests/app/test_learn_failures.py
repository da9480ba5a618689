"""The classes of failure: what each is, with an example that is run now."""

import pytest

from core.explain.failures import KINDS
from core.knowledge.shelf import load_folder, questions
from core.settings import BUNDLED
from core.words import LANGUAGES, catalogue
from tests.app.conftest import plain, text
from tests.app.learning import keys, learn, own_base, retagged

pytestmark = pytest.mark.usefixtures("home")


TAGGED = sorted(
    tag for q in questions(load_folder(BUNDLED / "elevator")).questions for tag in q.tags if tag.startswith("shows:")
)


@pytest.mark.parametrize("kind", [tag.removeprefix("shows:") for tag in TAGGED])
def test_a_class_of_failure_has_a_live_example_that_shows_it(kind):
    at = learn(topic="failures", **{"class": kind})
    assert "发生了" in text(at) and at.info == []
    assert catalogue("zh")[f"failure.{kind}.mend"] in text(at)


def test_an_example_that_no_longer_shows_its_class_says_so(home):
    retagged(home, "direct-01", "shows:refused")
    at = learn(topic="failures", **{"class": "refused"})
    assert "没有哪种模式" in at.info[0].value and "没有发生" in text(at)


def test_a_base_without_an_example_explains_the_class_and_says_so(home):
    own_base(home)
    at = learn("en-US", topic="failures", kb="small", **{"class": "cut"})
    assert "no example of this" in text(at) and "shows:cut" in plain(text(at))


def test_an_example_of_a_failure_calls_no_model(server, monkeypatch):
    monkeypatch.setenv("WORKBENCH_WRITER", "openai:demo")
    at = learn(topic="failures", **{"class": "cut"})
    assert "发生了" in text(at) and server.requests == []


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


def test_what_quoting_cannot_show_is_shown_by_a_fact_taken_out_and_said_to_be(home):
    at = learn(topic="failures", **{"class": "misstated"})
    assert "为演示" in at.info[0].value and "……" in at.info[0].value
    assert "发生了" in text(at) and "shows:misstated" not in plain(text(at))
