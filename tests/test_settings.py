"""Settings: defaults named once, the environment before the secrets file, and nonsense refused in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import settings
from core.errors import UsageError
from core.settings import ROLES, load

HOME = {"WORKBENCH_HOME": "/nowhere"}


def test_everything_is_offline_by_default():
    given = load({})
    assert set(given.roles.values()) == {"offline"} and tuple(given.roles) == ROLES
    assert (given.language, given.base, given.private, given.concurrent) == ("zh", "elevator", False, 4)


def test_a_key_in_the_environment_bills_nobody():
    assert set(load({**HOME, "OPENAI_API_KEY": "sk-1", "ZHIPUAI_API_KEY": "z"}).roles.values()) == {"offline"}


def test_the_environment_wins_over_the_secrets_file():
    secrets = {"WORKBENCH_LANG": "en", "WORKBENCH_KB": "mine"}
    assert (load(HOME, secrets).language, load(HOME, secrets).base) == ("en", "mine")
    assert load({**HOME, "WORKBENCH_LANG": "zh-CN"}, secrets).language == "zh"


def test_blank_values_count_as_unset():
    given = load(
        {
            name: "  "
            for name in ("WORKBENCH_HOME", "WORKBENCH_KB", "WORKBENCH_LANG", "WORKBENCH_CONCURRENT", "WORKBENCH_WRITER")
        }
    )
    assert given == load({})


def test_the_planner_follows_the_writer_where_unset_and_the_embeddings_never_do():
    roles = load({**HOME, "WORKBENCH_WRITER": "openai:qwen2.5:7b"}).roles
    assert (roles["writer"], roles["planner"], roles["embeddings"]) == ("openai:qwen2.5:7b",) * 2 + ("offline",)


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("WORKBENCH_LANG", "fr", "settings.language"),
        ("WORKBENCH_CONCURRENT", "0", "settings.count"),
        ("WORKBENCH_CONCURRENT", "-1", "settings.count"),
        ("WORKBENCH_CONCURRENT", "four", "settings.count"),
        ("WORKBENCH_CONCURRENT", "2.5", "settings.count"),
    ],
)
def test_a_value_that_cannot_be_is_refused_in_words(name, value, code):
    with pytest.raises(UsageError) as caught:
        load({**HOME, name: value})
    assert caught.value.say.code == code and caught.value.say.values["value"] == value


def test_a_role_that_this_version_cannot_fill_is_refused_before_a_base_is_opened(tmp_path):
    from core.bench import open_bench

    with pytest.raises(UsageError) as caught:
        open_bench(load({"WORKBENCH_HOME": str(tmp_path), "WORKBENCH_WRITER": "openai:x"}), "no such base")
    assert caught.value.say.code == "settings.role"


def test_a_checkout_that_cannot_be_written_moves_the_data_to_the_users_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "ROOT", tmp_path / "gone")
    given = load({"XDG_CACHE_HOME": str(tmp_path)})
    assert (given.home, given.home_moved) == (tmp_path / "rag-workbench", True)


def test_a_chosen_home_is_taken_as_it_is():
    given = load({"WORKBENCH_HOME": "~/bench"})
    assert (given.home, given.home_moved) == (Path.home() / "bench", False)


def test_what_is_recorded_shapes_answers_and_holds_no_key():
    recorded = load({**HOME, "OPENAI_API_KEY": "sk-1"}).recorded
    assert recorded["variant"] == "lucene" and recorded["writer"] == "offline"
    assert "sk-1" not in str(recorded)
