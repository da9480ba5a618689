"""The benchmarks of real models measure what they say: small, over a server in a process of its own."""

from __future__ import annotations

import pytest

from benchmarks import economy, embedding, embedding_speed, live_page, stopping, streams
from benchmarks.scripted import searching
from benchmarks.served import Served
from benchmarks.verdicts import Measure
from core.agent.tools import Show
from core.asking import entrants
from core.bench import open_bench
from core.domain import Ask, BaseInfo, Timed, Token
from core.llm.e5.engine import FastE5
from core.llm.e5.own import OwnE5
from core.llm.e5.weights import model_file
from core.race import compare
from core.runs import Run
from tests.loopback import SOON, count_tokens

QUESTION = "电梯坏了，物业要业主赔钱；报价单能不能作数，由谁举证？"


@pytest.fixture(scope="module")
def served():
    with Served() as running:
        yield running


@pytest.fixture
def bench(served, shared_home):
    return open_bench(served.settings(shared_home))


def spoken(*moments):
    events = tuple(Timed(moment, Token("据")) for moment in moments)
    return Run("bm25", Ask("？"), BaseInfo("a", "a", "0", 1, "0"), events, 9.0)


def test_a_measure_is_met_up_to_its_target_and_never_by_what_is_no_number():
    assert "met" in str(Measure("a", "1.05", 1.05, 1.05))
    assert "MISSED" in str(Measure("a", "1.06", 1.06, 1.05)) and "MISSED" in str(Measure("a", "?", most=1.0))
    assert str(Measure("a", "7")) == "| a | 7 | – | |"


def test_a_token_is_late_by_what_it_came_after_the_line_through_the_earliest():
    late = streams.lateness(spoken(1.0, 1.01, 1.08, 1.03))
    assert [round(wait, 3) for wait in late] == [0.0, 0.0, 0.06, 0.0]
    assert streams.late([spoken(1.0, 1.01, 1.08, 1.03)]) == 0.25


def test_every_unit_of_the_text_on_the_page_has_as_many_tokens_and_its_number():
    text = live_page.numbered(2, 16)
    assert count_tokens(text) == 16 * live_page.UNIT
    assert text.startswith("№2001") and "№2016" in text and text.count("\n\n") == 2


def test_lag_is_the_time_since_the_newest_number_seen_was_due():
    looks = [(10.0 + live_page.FIRST + at / 10, [1001 + at, 2001]) for at in range(9)]
    seen = live_page.first_seen(looks, 1)
    assert list(seen) == list(range(1, 10)) and live_page.first_seen(looks, 2) == {1: 10.0 + live_page.FIRST}
    lag = live_page.lag_of(10.0, seen, 9)
    assert lag.first == pytest.approx(-0.01) and lag.last == pytest.approx(-0.01)


def test_whole_passages_cost_a_planner_more_than_snippets_under_the_same_calls(bench, served):
    turns = economy.script(bench, QUESTION, summarize=True)
    short = Show(each=6, most=12, before=5, after=10)
    cut, whole = (economy.gathered(bench, served, QUESTION, turns, show) for show in (short, economy.BODIES))
    assert (cut.calls, cut.turns) == (whole.calls, whole.turns) == (5, 5)
    assert cut.counted < whole.counted and cut.told < whole.told


@pytest.mark.parametrize("silence", [stopping.without_headers, stopping.after_a_thought])
def test_a_stop_is_timed_while_every_mode_waits(silence, served, shared_home):
    served.do(silence)
    bench = open_bench(served.settings(shared_home, WORKBENCH_PLANNER="offline"))
    assert 0 < stopping.stopped(bench) < SOON


def test_four_queries_are_one_tool_call_and_two_turns(bench, served):
    queries = economy.wordings(bench, QUESTION)[:4]
    cost = economy.gathered(bench, served, QUESTION, [[searching(*queries)], "NONE"])
    assert (len(queries), cost.calls, cost.turns) == (4, 1, 2)


def test_the_pace_of_a_stream_is_the_servers(bench, served):
    served.do(streams.prepare, QUESTION, 0.2, 20)
    run = compare(bench, entrants(QUESTION, ["bm25"], None, {})).runs[0]
    assert run.answer == "据" * 20
    assert 0.2 <= run.first_token_seconds and 0.39 <= run.seconds


@pytest.mark.parametrize("part", [embedding.restarted, embedding.killed])
def test_embedding_survives_a_server_that_goes_and_a_process_that_dies(part, served, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(embedding, "AWAY", 0.2)
    base = embedding.write_base(tmp_path / "base", 600)
    served.do(embedding.forget)
    part(served, served.variables(tmp_path / "home"), base, 600)
    printed = capsys.readouterr().out
    assert "met" in printed and "MISSED" not in printed


def test_the_engines_are_timed_on_the_same_texts_side_by_side(monkeypatch):
    monkeypatch.setattr(embedding_speed, "ROUNDS", 1)
    engines = {"own": OwnE5()} | {kind: FastE5(model_file(), None, kind) for kind in embedding_speed.LEAST}
    measures = embedding_speed.speeds(engines, embedding_speed.longer(None, 4))
    assert [measure.name.split(",")[0] for measure in measures] == ["own", "fp32", "int8", "fp32", "int8"]
    assert all(measure.value > 0 for measure in measures[3:])
    assert 0 < embedding_speed.question("int8", engines["int8"]).value


def test_an_engine_is_started_where_its_graph_is_made_and_kept(tmp_path):
    seconds, megabytes = embedding_speed.started("int8", str(tmp_path))
    assert seconds > 0 and megabytes < 1_000 and len(list(tmp_path.iterdir())) == 1
