"""The evidence matrix: what each mode did with every passage, whatever became of the run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.asking import entrants
from core.citations import cite
from core.domain import EVIDENCE, Say
from core.explain.gold import gold_of
from core.explain.matrix import Cell, matrix
from core.knowledge.shelf import questions
from core.modes import registry
from core.race import compare
from tests.explain.made import comparison, evidence, judge, passage, run, search

REPEATED = "05-电梯故障#第二十八条"


@pytest.fixture(scope="module")
def dispute(bench):
    """The opening dispute, asked of every registered mode (no more than four at once)."""
    question = next(q for q in questions(bench.base).questions if "demo:opening" in q.tags)
    return compare(bench, entrants(question.question, list(registry())[:4], None, {}))


@pytest.fixture(scope="module")
def found(bench, dispute):
    return matrix(dispute, bench.retriever.tokeniser, gold_of(bench.base, dispute.question))


def test_every_touched_passage_and_all_gold_stand_once_in_the_order_of_the_base(bench, dispute, found):
    touched = {p.id for r in dispute.runs for step in r.steps for p in step.touched}
    gold = {p.id for p in gold_of(bench.base, dispute.question)}
    ids = [row.passage.id for row in found.rows]
    assert ids == [p.id for p in bench.base.passages if p.id in touched | gold]
    assert {row.passage.id for row in found.rows if row.gold} == gold
    assert list(found.sections) == list(dict.fromkeys(row.passage.section for row in found.rows))


def test_a_cell_says_what_the_run_itself_says(bench, dispute, found):
    assert found.modes == tuple(r.mode for r in dispute.runs)
    for at, ran in enumerate(dispute.runs):
        cited = {c.passage.id: c.number for c in cite(ran.answer, ran.evidence, bench.retriever.tokeniser) if c.passage}
        for row in found.rows:
            cell, id = row.cells[at], row.passage.id
            assert cell.rank == ran.rank_of(id) and cell.cited == cited.get(id)
            assert (cell.given is not None) == ran.gave(id)
            assert cell.touched == any(id == p.id for step in ran.steps for p in step.touched)


def test_the_steps_of_a_cell_are_those_that_did_it(dispute, found):
    for at, ran in enumerate(dispute.runs):
        for row in found.rows:
            cell, id = row.cells[at], row.passage.id
            if cell.ranked:
                assert id in {hit.passage.id for hit in ran.steps[cell.ranked - 1].hits}
            assert all(row.passage in ran.steps[number - 1].seen for number in cell.read)
            assert cell.kept is None or id in ran.steps[cell.kept - 1].kept


def test_on_the_opening_dispute_only_the_agent_gives_the_rule_on_repeated_faults(found):
    row = next(row for row in found.rows if row.passage.id == REPEATED)
    cells = dict(zip(found.modes, row.cells, strict=True))
    assert row.gold
    assert cells["bm25"] == cells["rerank"] == Cell()
    assert cells["agentic"].kept and cells["agentic"].given


def test_a_passage_that_a_later_ranking_left_out_was_touched_all_the_same(bench):
    later = replace(search(2), reorders=True)
    whole = comparison(run(search(1, 2), later, evidence(2)), run(search(), evidence(1)))
    first, second, third = matrix(whole, bench.retriever.tokeniser, [passage(3)]).rows
    assert first.cells == (Cell(ranked=1), Cell(given=1)) and all(cell.touched for cell in first.cells)
    assert second.cells == (Cell(rank=1, ranked=1, given=1), Cell())
    assert third.gold and third.cells == (Cell(), Cell()) and not third.cells[0].touched


def test_reading_keeping_and_citing_stand_with_their_step_and_number(bench):
    ran = run(
        search(7, name="search"), search(seen=(8,), name="open"), judge(8, 7), evidence(8, 7), "第7条 原文[2][9]。"
    )
    seven, eight = matrix(comparison(ran), bench.retriever.tokeniser).rows
    assert seven.cells == (Cell(rank=1, ranked=1, kept=3, given=2, cited=2),)
    assert eight.cells == (Cell(read=(2,), kept=3, given=1),)


@pytest.mark.parametrize(
    ("ran", "rows"),
    [
        (run(), 0),
        (run(search(), evidence(), "没有找到。"), 0),
        (run(search(1), ended=False), 1),
        (run(search(1, 2), stopped=True), 2),
        (run(error=Say.of("run.crashed", kind="X", reason="y")), 0),
        (run(search(*range(200)), evidence(*range(5))), 200),
    ],
    ids=["nothing yet", "no hits", "running", "stopped", "failed", "two hundred"],
)
def test_a_run_of_any_end_has_its_rows(bench, ran, rows):
    found = matrix(comparison(ran), bench.retriever.tokeniser)
    assert len(found.rows) == rows == sum(map(len, found.sections.values()))


def test_a_comparison_without_runs_has_only_gold(bench):
    assert matrix(comparison(), bench.retriever.tokeniser).rows == ()
    assert [row.cells for row in matrix(comparison(), bench.retriever.tokeniser, [passage(1)]).rows] == [()]


def test_one_passage_in_all(open_base):
    bench = open_base(a="# 退货\n第一条 七日内可以退货。")
    whole = compare(bench, entrants("退货要多久？", None, None, {}))
    (row,) = matrix(whole, bench.retriever.tokeniser).rows
    assert all(cell.given == 1 for cell in row.cells) and EVIDENCE in {step.name for step in whole.runs[0].steps}
