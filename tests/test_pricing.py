"""Prices and costs: hand-computed examples, the user's edits, and what has no price."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from urllib.parse import urlsplit

import pytest

from core.domain import Ask, BaseInfo, Say, Step, Timed, Usage
from core.environment import load
from core.errors import UsageError
from core.pricing import Prices, checked, cost, cost_of, fitting, rows_of
from core.runs import Run
from core.settings import Settings

GLM = {"host": "open.bigmodel.cn", "model": "glm-4.6", "currency": "CNY", "input": 5, "output": 20}


def settings(**given: str) -> Settings:
    return load({"WORKBENCH_HOME": "/nowhere", **given})


def run(*usages: Usage | None) -> Run:
    steps = (Step("write", Say.of("step.write", writer="m"), usage=usage) for usage in usages)
    base = BaseInfo("b", "库", "0", 1, "t")
    return Run("bm25", Ask("问"), base, tuple(Timed(0.1, step) for step in steps), 1.0)


@pytest.fixture
def recorded():
    return Prices().recorded(settings(WORKBENCH_WRITER="zhipu:GLM-4.6", WORKBENCH_EMBEDDINGS="zhipu:embedding-3"))


def called(prompt: int | None, completion: int | None, model: str = "zhipu:GLM-4.6", **more) -> Usage:
    return Usage(prompt, completion, calls=1, model=model, **more)


def test_every_shipped_row_has_a_source_and_a_date():
    rows = Prices().rows
    assert len(rows) > 40
    for row in rows:
        assert urlsplit(row.source).scheme == "https" and row.host and date.fromisoformat(row.dated), row
        assert row.cached is None or row.cached <= row.input


def test_a_call_costs_input_and_output(recorded):
    assert cost(run(called(10_000, 1_000)), recorded).amounts == pytest.approx({"CNY": 0.03 + 0.014})


def test_the_cached_part_of_a_prompt_costs_less_and_reasoning_is_part_of_the_answer(recorded):
    found = cost(run(called(10_000, 1_000, cached=4_000, reasoning=900)), recorded)
    assert found.amounts == pytest.approx({"CNY": 0.006 * 3 + 0.004 * 0.6 + 0.014})


def test_a_long_prompt_falls_into_the_next_tier(recorded):
    below, above = (cost(run(called(prompt, 0)), recorded).amounts["CNY"] for prompt in (31_999, 32_000))
    assert (below, above) == pytest.approx((31_999 * 3 / 1e6, 32_000 * 4 / 1e6))


def test_two_calls_in_one_step_are_each_in_their_own_tier(recorded):
    twice = replace(called(40_000, 0), calls=2)
    assert cost(run(twice), recorded).amounts == pytest.approx({"CNY": 0.12})


def test_a_prompt_longer_than_every_row_has_no_price():
    rows = [checked({**GLM, "upto": 100})]
    assert fitting(rows, 100) is rows[0] and fitting(rows, 101) is None


def test_embedded_tokens_cost_the_price_of_the_embedding_model(recorded):
    found = cost(run(called(0, 1_000), Usage(embedding=1_000_000)), recorded)
    assert found.amounts == pytest.approx({"CNY": 0.014 + 0.5})
    assert cost(run(Usage(embedding=10)), {}).unpriced == ("embeddings",)


def test_several_currencies_are_kept_apart():
    chosen = settings(WORKBENCH_WRITER="openai:gpt-4o-mini", WORKBENCH_PLANNER="zhipu:glm-4.5-air")
    usages = (called(1_000_000, 0, "openai:gpt-4o-mini"), called(0, 1_000_000, "zhipu:glm-4.5-air"))
    assert cost(run(*usages), Prices().recorded(chosen)).amounts == pytest.approx({"USD": 0.15, "CNY": 6})


def test_a_model_without_price_leaves_the_cost_unknown_and_is_named(recorded):
    found = cost(run(called(1, 1), called(1, 1, "own:qwen")), recorded)
    assert (found.amounts, found.unpriced, found.offline) == (None, ("own:qwen",), False)


@pytest.mark.parametrize(
    "usage", [called(None, None), called(5, None), called(5, 5, estimated=True), Usage(9, 9, calls=2)]
)
def test_tokens_that_are_unknown_leave_the_cost_unknown(recorded, usage):
    found = cost(run(called(1, 1), usage), recorded)
    assert (found.amounts, found.offline) == (None, False)


@pytest.mark.parametrize("usage", [None, Usage(), Usage(900, 100, estimated=True)])
def test_what_no_model_did_is_offline_and_has_no_cost(recorded, usage):
    found = cost(run(usage), recorded)
    assert (found.amounts, found.unpriced, found.offline) == (None, (), True)


def test_a_free_model_costs_zero_which_is_not_unknown():
    recorded = Prices().recorded(settings(WORKBENCH_WRITER="zhipu:glm-4-flash"))
    assert cost(run(called(5, 5, "zhipu:glm-4-flash")), recorded).amounts == {"CNY": 0.0}


@pytest.mark.parametrize("recorded", [None, {}, {"zhipu:GLM-4.6": 3}, {"zhipu:GLM-4.6": [{"model": "x"}]}])
def test_an_older_or_a_broken_record_has_no_cost(recorded):
    assert cost(run(called(5, 5)), recorded).unpriced == ("zhipu:GLM-4.6",)
    assert rows_of(recorded or {}, "zhipu:GLM-4.6") == ()


def test_a_price_is_only_for_its_host():
    local = settings(WORKBENCH_WRITER="openai:gpt-4o-mini", OPENAI_BASE_URL="http://127.0.0.1:11434/v1")
    assert Prices().recorded(local) == {"openai:gpt-4o-mini": []}
    own = Prices([{"model": "gpt-4o-mini", "currency": "USD", "input": 1, "output": 1}])
    assert [row["input"] for row in own.recorded(local)["openai:gpt-4o-mini"]] == [1.0]


def test_a_role_that_names_no_model_has_the_price_of_its_endpoints_own():
    assert len(Prices().recorded(settings(WORKBENCH_WRITER="zhipu"))["zhipu:glm-4.6"]) == 2


def test_the_users_row_replaces_every_shipped_row_of_the_model():
    prices = Prices([GLM])
    zhipu = settings().endpoints["zhipu"]
    assert [row.input for row in prices.of(zhipu, " GLM-4.6")] == [5]
    assert [row.model for row in prices.rows].count("glm-4.6") == 2  # the other host's row stays


def test_a_model_may_be_left_without_price():
    prices = Prices([{"host": "open.bigmodel.cn", "model": "glm-4.6", "removed": True}])
    assert prices.of(settings().endpoints["zhipu"], "glm-4.6") == ()
    assert Prices(prices.edits).edits == prices.edits


def test_an_edited_table_keeps_only_what_differs():
    rows = [{name: getattr(row, name) for name in row.__slots__} for row in Prices().rows]
    assert Prices.edited(rows).edits == []
    changed = [{**row, "input": 7} if row["model"] == "gpt-4.1" else row for row in rows if row["model"] != "glm-5"]
    edits = Prices.edited(changed).edits
    assert sorted(edit["model"] for edit in edits if edit.get("removed")) == ["glm-5", "glm-5"]
    assert [edit["input"] for edit in edits if not edit.get("removed")] == [7.0]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"input": -1}, "price.number"),
        ({"output": float("nan")}, "price.number"),
        ({"output": float("inf")}, "price.number"),
        ({"input": "3"}, "price.number"),
        ({"input": None}, "price.number"),
        ({"input": True}, "price.number"),
        ({"cached": "free"}, "price.number"),
        ({"upto": 0}, "price.upto"),
        ({"upto": 1.5}, "price.upto"),
        ({"upto": "32k"}, "price.upto"),
        ({"currency": "EUR"}, "price.currency"),
        ({"currency": None}, "price.currency"),
        ({"model": " "}, "price.model"),
        ({"model": 3}, "price.model"),
        ({"host": 3}, "price.text"),
    ],
)
def test_a_price_that_cannot_be_is_refused_in_words(change, code):
    with pytest.raises(UsageError) as caught:
        Prices([{**GLM, **change}])
    assert caught.value.say.code == code


@pytest.mark.parametrize("second", [GLM, {**GLM, "currency": "USD", "upto": 9}])
def test_rows_that_contradict_one_another_are_refused(second):
    with pytest.raises(UsageError) as caught:
        Prices([GLM, second])
    assert caught.value.say.code == "price.twice"


def test_the_cost_of_one_step_is_its_own(recorded):
    steps = run(called(10_000, 0), called(0, 1_000)).steps
    assert cost_of(steps[:1], recorded).amounts == pytest.approx({"CNY": 0.03})
