"""Saved settings: they come back, the environment wins, a key is never kept and never follows a moved address."""

from __future__ import annotations

import json
import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.environment import load
from core.errors import StoreError, UsageError
from core.pricing import Prices
from core.saved import Address, Choices, Saved, apply
from core.settings import Limits, Role, Settings

KEY = "sk-very-secret-0123456789"
EDIT = {"model": "qwen", "currency": "CNY", "input": 1, "output": 2}
CHOICES = Choices(
    roles={"writer": Role("openai:qwen", 0.3, False, 2_000), "embeddings": Role("zhipu:embedding-3")},
    limits=Limits(run_tokens=50_000, day_cny=2.5),
    endpoints={"openai": Address("127.0.0.1:11434", features={"tools": "no"}), "own": Address("https://x.cn/v2")},
    prices=Prices([EDIT]),
)


@pytest.fixture
def saved(tmp_path):
    return Saved(tmp_path)


def settings(**given: str) -> Settings:
    return load({"WORKBENCH_HOME": "/nowhere", **given})


def written(home: Path, name: str, text: str) -> None:
    with closing(sqlite3.connect(home / "workbench.sqlite")) as connection, connection:
        connection.execute("INSERT OR REPLACE INTO saved VALUES (?,?)", (name, text))


def test_what_was_saved_comes_back(saved):
    assert saved.load().roles == {}
    saved.store(CHOICES)
    found = saved.load()
    assert (found.roles, found.limits) == (CHOICES.roles, CHOICES.limits)
    assert found.prices.edits == CHOICES.prices.edits
    assert found.endpoints["openai"] == Address("http://127.0.0.1:11434/v1", features={"tools": "no"})


def test_saving_again_replaces_what_was_saved(saved):
    saved.store(CHOICES)
    saved.store(Choices())
    assert (saved.load().roles, saved.load().limits, saved.load().prices.edits) == ({}, None, [])


def test_saved_settings_apply_where_the_environment_is_silent(saved):
    saved.store(CHOICES)
    found = apply(settings(), saved.load(), ())
    assert found.roles["writer"] == CHOICES.roles["writer"]
    assert found.roles["planner"].model == "openai:qwen"  # unset, it follows the writer
    assert found.limits == CHOICES.limits
    assert found.endpoints["own"].url == "https://x.cn/v2"
    assert found.endpoints["openai"].feature("tools") == "no"


def test_the_environment_wins_over_what_was_saved(saved):
    saved.store(CHOICES)
    given = {
        "WORKBENCH_WRITER": "zhipu:glm-4.6",
        "WORKBENCH_PLANNER": "offline",
        "WORKBENCH_LIMIT_DAY_CNY": "9",
        "OPENAI_BASE_URL": "https://api.example.com/v1",
    }
    found = apply(settings(**given), saved.load(), given)
    assert (found.roles["writer"].model, found.roles["writer"].temperature) == ("zhipu:glm-4.6", 0.3)
    assert found.roles["planner"].model == "offline"
    assert (found.limits.day_cny, found.limits.run_tokens) == (9.0, 50_000)
    assert found.endpoints["openai"].url == "https://api.example.com/v1"


def test_a_key_does_not_follow_an_endpoint_to_another_address():
    given = {"OPENAI_API_KEY": KEY, "ZHIPUAI_API_KEY": KEY, "WORKBENCH_ENDPOINT_OWN_KEY": KEY}
    choices = Choices(
        endpoints={
            "openai": Address("https://api.openai.com.evil.example/v1"),
            "zhipu": Address("https://open.bigmodel.cn/api/paas/v4", "zhipu"),
            "own": Address("https://x.cn/v2"),
        }
    )
    found = apply(settings(**given), choices, given).endpoints
    assert (bool(found["openai"].key), bool(found["own"].key)) == (False, False)
    assert found["zhipu"].key.reveal() == KEY  # the very address that it was given for


def test_no_key_is_ever_in_the_file(saved, tmp_path):
    given = {"OPENAI_API_KEY": KEY, "WORKBENCH_ENDPOINT_OWN_URL": "https://x.cn/v1", "WORKBENCH_ENDPOINT_OWN_KEY": KEY}
    found = apply(settings(**given), CHOICES, given)
    addresses = {name: Address(e.url, e.family, e.model, e.features) for name, e in found.endpoints.items()}
    with closing(sqlite3.connect(tmp_path / "workbench.sqlite")) as reader:  # so that the log of writes stays
        saved.store(Choices(found.roles, found.limits, addresses, CHOICES.prices))
        reader.execute("SELECT count(*) FROM saved").fetchone()
        kept = [path.read_bytes() for path in tmp_path.iterdir() if path.name.startswith("workbench.sqlite")]
        assert len(kept) > 1 and not any(KEY.encode() in content for content in kept)


@pytest.mark.parametrize("url", [f"https://{KEY}@x.cn/v1", f"https://x.cn/v1?key={KEY}", "", "::"])
def test_an_address_that_could_hold_a_key_is_refused(saved, tmp_path, url):
    with pytest.raises(UsageError):
        saved.store(Choices(endpoints={"own": Address(url)}))
    assert not (tmp_path / "workbench.sqlite").exists()


@pytest.mark.parametrize(
    "choices",
    [
        Choices(roles={"writer": Role("m", temperature=3)}),
        Choices(roles={"writer": Role("m", temperature=float("nan"))}),
        Choices(roles={"writer": Role("m", most=0)}),
        Choices(roles={"cook": Role("m")}),
        Choices(roles={"writer": Role(" ")}),
        Choices(limits=Limits(day_cny=float("nan"))),
        Choices(limits=Limits(run_tokens=-1)),
        Choices(endpoints={"a:b": Address("https://x.cn")}),
        Choices(endpoints={"own": Address("https://x.cn", features={"tools": "perhaps"})}),
    ],
)
def test_a_setting_that_cannot_be_is_refused_and_nothing_is_saved(saved, choices):
    saved.store(CHOICES)
    with pytest.raises(UsageError):
        saved.store(choices)
    assert saved.load().limits == CHOICES.limits


@pytest.mark.parametrize(
    "text",
    ["", "{", "null", "[]", "3", '{"version": 1}', '{"version": 99, "value": {}}', '{"version": 1, "value": [3]}']
    + [json.dumps({"version": 1, "value": value}) for value in ({"writer": 3}, {"x": {}}, {"run_tokens": "9"}, "text")]
    + ["[" * 100_000],
)
@pytest.mark.parametrize("name", ["roles", "limits", "endpoints", "prices"])
@pytest.mark.usefixtures("undisturbed")
def test_a_broken_or_newer_value_is_left_out_with_a_line_in_the_log(saved, tmp_path, caplog, name, text):
    saved.store(CHOICES)
    written(tmp_path, name, text)
    with caplog.at_level(logging.WARNING, "core.saved"):
        found = saved.load()
    assert len(caplog.records) == 1
    others = {"roles", "limits", "endpoints"} - {name}
    assert all(bool(getattr(found, other)) for other in others)


def test_a_value_of_an_unknown_name_is_left_out(saved, tmp_path):
    saved.store(CHOICES)
    written(tmp_path, "keys", json.dumps({"version": 1, "value": {}}))
    assert saved.load().limits == CHOICES.limits


def test_a_damaged_file_reads_as_nothing_saved_and_says_that_nothing_was_saved(saved, tmp_path):
    (tmp_path / "workbench.sqlite").write_bytes(b"garbage" * 1_000)
    assert saved.load().roles == {}
    with pytest.raises(StoreError) as caught:
        saved.store(CHOICES)
    assert caught.value.say.code == "store.unsaved"
