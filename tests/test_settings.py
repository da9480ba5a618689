"""Settings: defaults named once, the environment before the secrets file, and nonsense refused in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import environment
from core.endpoints import OPENAI_URL, ZHIPU_URL
from core.environment import load
from core.errors import UsageError
from core.settings import ROLES, Limits, Role

HOME = {"WORKBENCH_HOME": "/nowhere"}


def test_everything_is_offline_by_default():
    given = load({})
    assert set(given.roles.values()) == {Role()} and tuple(given.roles) == ROLES and Role().offline
    assert (given.language, given.base, given.private, given.concurrent) == ("zh", "elevator", False, 4)
    assert given.limits == Limits() and given.idle == 60


def test_a_key_in_the_environment_bills_nobody():
    given = load({**HOME, "OPENAI_API_KEY": "sk-1", "ZHIPUAI_API_KEY": "z", "OPENAI_MODEL": "gpt"})
    assert all(role.offline for role in given.roles.values())
    assert given.endpoints["openai"].key.reveal() == "sk-1" and not given.endpoints["openai"].given


def test_the_environment_wins_over_the_secrets_file():
    secrets = {"WORKBENCH_LANG": "en", "WORKBENCH_KB": "mine"}
    assert (load(HOME, secrets).language, load(HOME, secrets).base) == ("en", "mine")
    assert load({**HOME, "WORKBENCH_LANG": "zh-CN"}, secrets).language == "zh"


def test_blank_values_count_as_unset():
    names = "HOME KB LANG CONCURRENT WRITER PLANNER WRITER_TEMPERATURE WRITER_THINKING WRITER_MAX_TOKENS".split()
    names += ["LIMIT_RUN_TOKENS", "IDLE_TIMEOUT", "ENDPOINT_OPENAI_TOOLS"]
    blank = {f"WORKBENCH_{name}": "  " for name in names} | {"OPENAI_BASE_URL": " ", "OPENAI_API_KEY": ""}
    assert load(blank) == load({})


def test_the_planner_follows_the_writer_where_unset_and_the_others_never_do():
    roles = load({**HOME, "WORKBENCH_WRITER": "openai:qwen2.5:7b"}).roles
    assert [name for name in ROLES if roles[name].model == "openai:qwen2.5:7b"] == ["planner", "writer"]
    assert roles["embeddings"].offline and roles["planner"].endpoint == "openai"


def test_a_planner_of_its_own_does_not_follow_not_even_when_it_is_offline():
    roles = load({**HOME, "WORKBENCH_WRITER": "zhipu:glm-4.6", "WORKBENCH_PLANNER": "offline"}).roles
    assert roles["planner"].offline and not roles["writer"].offline


def test_a_planner_that_follows_keeps_settings_of_its_own():
    roles = load(
        {
            **HOME,
            "WORKBENCH_WRITER": "zhipu:glm-4.6",
            "WORKBENCH_WRITER_TEMPERATURE": "0.7",
            "WORKBENCH_PLANNER_TEMPERATURE": "0",
            "WORKBENCH_PLANNER_THINKING": "off",
            "WORKBENCH_PLANNER_MAX_TOKENS": "500",
        }
    ).roles
    assert roles["planner"] == Role("zhipu:glm-4.6", 0.0, False, 500)
    assert roles["writer"] == Role("zhipu:glm-4.6", 0.7)


def test_the_two_services_are_where_they_are_unless_moved():
    assert [load(HOME).endpoints[name].url for name in ("zhipu", "openai")] == [ZHIPU_URL, OPENAI_URL]
    moved = load({**HOME, "OPENAI_BASE_URL": "localhost:11434/v1/", "ZHIPUAI_BASE_URL": "https://api.z.ai"}).endpoints
    assert (moved["openai"].url, moved["zhipu"].url) == ("http://localhost:11434/v1", "https://api.z.ai/api/paas/v4")
    assert not moved["openai"].needs_key and load(HOME).endpoints["openai"].needs_key


def test_endpoints_of_ones_own_have_address_key_family_and_features():
    prefix = "WORKBENCH_ENDPOINT_MY_BOX"
    own = load(
        {
            **HOME,
            f"{prefix}_URL": "box:8000",
            f"{prefix}_KEY": " sk-box ",
            f"{prefix}_THINKING": "qwen",
            f"{prefix}_TOOLS": "No",
            f"{prefix}_BATCH": "10",
            "WORKBENCH_ENDPOINT_GLM_URL": "https://glm.example",
            "WORKBENCH_ENDPOINT_GLM_FAMILY": "zhipu",
        }
    ).endpoints
    assert set(own) == {"zhipu", "openai", "my_box", "glm"}
    box = own["my_box"]
    assert (box.url, box.key.reveal(), box.family, box.batch) == ("http://box:8000/v1", "sk-box", "openai", 10)
    assert (box.feature("thinking"), box.feature("tools"), box.feature("system")) == ("qwen", "no", "auto")
    assert (own["glm"].family, own["glm"].url) == ("zhipu", "https://glm.example/api/paas/v4")
    assert box.variable == f"{prefix}_KEY"


def test_the_features_of_the_two_services_can_be_configured_too():
    given = load({**HOME, "WORKBENCH_ENDPOINT_OPENAI_USAGE": "no"}).endpoints["openai"]
    assert (given.feature("usage"), given.url) == ("no", OPENAI_URL)


@pytest.mark.parametrize(
    "broken",
    [
        {"OPENAI_BASE_URL": "not an address"},
        {"OPENAI_BASE_URL": "http://[::1"},
        {"ZHIPUAI_API_KEY": "sk-中文"},
        {"WORKBENCH_ENDPOINT_X_URL": "ftp://x"},
        {"WORKBENCH_ENDPOINT_X_URL": ""},
    ],
)
def test_a_broken_address_or_key_of_an_endpoint_that_nobody_uses_stops_nothing(broken):
    assert all(role.offline for role in load({**HOME, **broken}).roles.values())


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("WORKBENCH_LANG", "fr", "settings.language"),
        ("WORKBENCH_CONCURRENT", "0", "settings.count"),
        ("WORKBENCH_CONCURRENT", "-1", "settings.count"),
        ("WORKBENCH_CONCURRENT", "four", "settings.count"),
        ("WORKBENCH_CONCURRENT", "2.5", "settings.count"),
        ("WORKBENCH_WRITER_TEMPERATURE", "hot", "parameter.range"),
        ("WORKBENCH_WRITER_TEMPERATURE", "2.1", "parameter.range"),
        ("WORKBENCH_WRITER_TEMPERATURE", "nan", "parameter.range"),
        ("WORKBENCH_WRITER_THINKING", "yes", "parameter.choice"),
        ("WORKBENCH_PLANNER_MAX_TOKENS", "0", "settings.count"),
        ("WORKBENCH_IDLE_TIMEOUT", "0", "parameter.range"),
        ("WORKBENCH_LIMIT_RUN_TOKENS", "1e6", "settings.count"),
        ("WORKBENCH_LIMIT_DAY_CNY", "-1", "parameter.range"),
        ("WORKBENCH_LIMIT_DAY_USD", "inf", "parameter.range"),
        ("WORKBENCH_ENDPOINT_ZHIPU_TOOLS", "maybe", "parameter.choice"),
        ("WORKBENCH_ENDPOINT_OPENAI_BATCH", "many", "settings.count"),
        ("WORKBENCH_ENDPOINT_X_FAMILY", "glm", "parameter.choice"),
    ],
)
def test_a_value_that_cannot_be_is_refused_in_words(name, value, code):
    with pytest.raises(UsageError) as caught:
        load({**HOME, "WORKBENCH_ENDPOINT_X_URL": "x", name: value})
    assert caught.value.say.code == code and caught.value.say.values["value"] == value


def test_limits_are_read_each_in_its_unit():
    names = {"RUN_TOKENS": "50000", "DAY_TOKENS": "900000", "RUN_CNY": "0.5", "DAY_CNY": "10", "DAY_USD": "0"}
    limits = load({**HOME, **{f"WORKBENCH_LIMIT_{name}": value for name, value in names.items()}}).limits
    assert limits == Limits(50_000, 900_000, 0.5, 10.0, None, 0.0)


def test_a_checkout_that_cannot_be_written_moves_the_data_to_the_users_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(environment, "ROOT", tmp_path / "gone")
    given = load({"XDG_CACHE_HOME": str(tmp_path)})
    assert (given.home, given.home_moved) == (tmp_path / "rag-workbench", True)


def test_a_chosen_home_is_taken_as_it_is():
    given = load({"WORKBENCH_HOME": "~/bench"})
    assert (given.home, given.home_moved) == (Path.home() / "bench", False)


def test_what_is_recorded_shapes_answers_and_holds_no_key():
    recorded = load({**HOME, "OPENAI_API_KEY": "sk-1", "WORKBENCH_WRITER_TEMPERATURE": "0.2"}).recorded
    assert (recorded["variant"], recorded["writer"], recorded["writer_temperature"]) == ("lucene", "offline", 0.2)
    assert "sk-1" not in str(recorded)
