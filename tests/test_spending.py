"""Limits: a run stops before it would pass one, several at once keep the day's, and what was spent is written down."""

from __future__ import annotations

import gc
import logging
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from core.domain import Usage
from core.environment import load
from core.errors import SpendError
from core.ports import Bill, Purse
from core.pricing import Prices
from core.settings import Limits
from core.spending import REPLY, RunPurse, Spending, Totals, unpriced

ROOT = Path(__file__).resolve().parents[1]
MODEL = "zhipu:glm-4.6"  # 3 yuan in, 14 yuan out for a million tokens
SETTINGS = load({"WORKBENCH_HOME": "/nowhere", "WORKBENCH_WRITER": MODEL, "WORKBENCH_EMBEDDINGS": "zhipu:embedding-3"})
PRICES = Prices().recorded(SETTINGS)


@pytest.fixture
def spending(tmp_path):
    return Spending(tmp_path)


def purse(spending: Spending, **limits: float) -> Purse:
    return RunPurse(Limits(**limits), PRICES, spending)


def paid(prompt: int, completion: int) -> Usage:
    return Usage(prompt, completion, calls=1, model=MODEL)


@pytest.mark.parametrize("most", [None, 7, 100_000])
def test_without_limits_nothing_is_held_back(spending, most):
    assert purse(spending).bill(MODEL, 10**9, most).most == most


def test_a_reply_gets_what_the_runs_tokens_leave(spending):
    own = purse(spending, run_tokens=1_000)
    bill: Bill = own.bill(MODEL, 300)
    assert bill.most == 700
    bill.pay(paid(320, 80))
    open_still = own.bill(MODEL, 100, 50)
    assert (open_still.most, own.bill(MODEL, 100).most) == (50, 350)


def test_a_run_without_room_for_a_reply_is_told_why(spending):
    own = purse(spending, run_tokens=1_000)
    own.bill(MODEL, 100).pay(paid(500, 400))
    with pytest.raises(SpendError) as caught:
        own.bill(MODEL, 69)
    say = caught.value.say
    assert (say.code, dict(say.values)) == ("spend.run", {"limit": 1_000, "used": 900, "unit": "tokens"})
    assert own.bill(MODEL, 68).most == 32


def test_money_limits_the_reply_by_its_price(spending):
    own = purse(spending, run_cny=0.044)
    assert own.bill(MODEL, 10_000).most == 1_000
    own.bill(MODEL, 10_000).pay(paid(10_000, 1_000))
    with pytest.raises(SpendError) as caught:
        own.bill(MODEL, 1)
    assert caught.value.say.values["unit"] == "CNY"


def test_the_strictest_limit_holds(spending):
    assert purse(spending, run_tokens=20_000, run_cny=0.044, day_tokens=10_500).bill(MODEL, 10_000).most == 500
    assert purse(spending, run_tokens=10**6).bill(MODEL, 10).most == REPLY


def test_a_limit_of_money_does_not_hold_what_has_no_price_in_it(spending):
    assert purse(spending, run_usd=0.0).bill(MODEL, 10**6, 5).most == 5
    assert purse(spending, run_cny=0.0).bill("own:qwen", 10**6).most is None
    assert purse(spending, run_cny=1.0).bill("zhipu:embedding-3", 1_000_000, 0).most == 0
    with pytest.raises(SpendError):
        purse(spending, run_cny=0.4).bill("zhipu:embedding-3", 1_000_000, 0)


def test_what_a_call_cost_is_written_down(spending, tmp_path):
    purse(spending).bill(MODEL, 1).pay(paid(10_000, 1_000))
    purse(spending).bill("zhipu:embedding-3", 1).pay(Usage(embedding=1_000_000))
    purse(spending).bill("own:qwen", 1).pay(paid(5, 5))
    assert Spending(tmp_path).today() == Totals(1_011_010, pytest.approx({"CNY": 0.544}))


def test_a_call_whose_tokens_were_not_told_counts_as_guessed(spending):
    purse(spending).bill(MODEL, 1_000).pay(None, 3_000)
    assert spending.today() == Totals(3_000, pytest.approx({"CNY": 0.003 + 0.028}))


def test_only_the_first_payment_of_a_bill_counts(spending):
    bill = purse(spending).bill(MODEL, 10)
    bill.pay(paid(10, 10))
    bill.pay(paid(10, 10))
    assert spending.today().tokens == 20


def test_yesterday_does_not_count(spending, tmp_path):
    spending.add(MODEL, 1, "CNY", 0.1)
    with closing(sqlite3.connect(tmp_path / "workbench.sqlite")) as connection, connection:
        connection.execute("INSERT INTO spend VALUES ('2020-01-01', 'm', 'CNY', 900, 9.0)")
    assert spending.today() == Totals(1, {"CNY": 0.1})


def test_runs_at_once_keep_the_limit_of_the_day_together(tmp_path):
    bills, refused = [], []

    def run() -> None:
        own = purse(Spending(tmp_path), day_tokens=10_000)
        for _ in range(5):
            try:
                bills.append(own.bill(MODEL, 500, 500))
            except SpendError as full:
                refused.append(full.say.code)

    threads = [threading.Thread(target=run) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(bills), refused) == (10, ["spend.day"] * 20)
    for bill in bills:
        bill.pay(paid(400, 100))
    assert Spending(tmp_path).today().tokens == 5_000


def test_what_was_set_aside_is_free_again_when_a_bill_is_dropped(spending):
    own = purse(spending, day_tokens=1_000)
    kept = own.bill(MODEL, 500)
    with pytest.raises(SpendError):
        purse(spending, day_tokens=1_000).bill(MODEL, 500)
    del kept
    gc.collect()
    assert purse(spending, day_tokens=1_000).bill(MODEL, 500).most == 500


SPEND = """
import sys
from pathlib import Path
from core.spending import Spending
for _ in range(50):
    Spending(Path(sys.argv[1])).add("m", 10, "CNY", 0.5)
"""


def test_what_another_process_spent_counts_against_the_day(spending, tmp_path):
    command = [sys.executable, "-c", SPEND, str(tmp_path)]
    others = [subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for _ in range(50):
        spending.add("m", 10, "CNY", 0.5)
    told = [other.communicate(timeout=60)[1] for other in others]
    assert [other.returncode for other in others] == [0, 0], told
    assert spending.today() == Totals(1_500, {"CNY": 75.0})
    with pytest.raises(SpendError) as caught:
        purse(spending, day_cny=75.0).bill(MODEL, 1)
    assert (caught.value.say.code, caught.value.say.values["used"]) == ("spend.day", 75.0)


def test_where_nothing_can_be_written_the_day_counts_in_memory_and_says_so_once(tmp_path, caplog):
    (tmp_path / "home").write_text("not a folder", encoding="utf-8")
    spending = Spending(tmp_path / "home")
    assert spending.notice is None
    with caplog.at_level(logging.WARNING, "core.spending"):
        for _ in range(3):
            purse(spending, day_tokens=10_000).bill(MODEL, 100).pay(paid(1_000, 2_000))
    assert len(caplog.records) == 1 and spending.notice.code == "spend.unwritten"
    with pytest.raises(SpendError):
        purse(spending, day_tokens=9_010).bill(MODEL, 1)
    assert spending.today().tokens == 9_000


def test_models_that_a_limit_of_money_cannot_hold_are_named():
    def names(**given: str) -> list[str]:
        settings = load({"WORKBENCH_HOME": "/nowhere", **given})
        return unpriced(settings, Prices().recorded(settings))

    mixed = {"WORKBENCH_WRITER": MODEL, "WORKBENCH_PLANNER": "openai:unheard-of"}
    assert names(**mixed) == []
    assert names(**mixed, WORKBENCH_LIMIT_DAY_CNY="5") == ["openai:unheard-of"]
    assert names(**mixed, WORKBENCH_LIMIT_RUN_USD="5") == ["openai:unheard-of", MODEL]
