"""Cosines: one number wherever it is worked out, so that equal texts are equally close and ties fall by position."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.asking import entrants
from core.bench import prepare
from core.domain import Passage
from core.explain.meaning import meaning
from core.explain.passage import why_of
from core.knowledge.base import Facts, assemble
from core.modes import registry
from core.race import compare
from core.retrieval.vectors import cosines_to
from core.settings import Settings

QUESTION = "电梯维修资金怎么申请"


@pytest.fixture(scope="module")
def alike(shared_home, tmp_path_factory):
    """A base of 30 passages of which all say the same."""
    passages = [Passage(f"t{n}", "d", "同节", "", "电梯维修资金由业主大会表决。", n) for n in range(30)]
    base = assemble("alike", tmp_path_factory.mktemp("alike"), Facts("同"), passages, {})
    bench = prepare(Settings(home=shared_home), base)
    for _ in bench.fill():
        pass
    return bench


@pytest.mark.parametrize("pool", [7, 11, 15])
def test_equal_texts_rank_by_their_place_in_the_base(alike, pool):
    given = {"rerank": {"candidates": pool, "k": 1}}
    run = compare(alike, entrants(QUESTION, ["rerank"], None, given), retrieval_only=True).runs[0]
    assert [hit.passage.id for hit in run.hits] == [f"t{n}" for n in range(pool)]
    for number, passage in enumerate(alike.base.passages, 1):
        assert meaning(alike.retriever, QUESTION, passage, pool).rank == number
    for hit in run.hits[1:]:
        why = why_of(alike, run, hit.passage)
        cut = replace(run.ask, parameters={**run.ask.parameters, "k": why.remedy.values["k"]})
        again = compare(alike, [(registry()["rerank"], cut)], retrieval_only=True).runs[0]
        assert why.settings == ("k",) and again.gave(hit.passage.id)


def test_a_row_has_the_same_cosine_whatever_rows_stand_beside_it():
    numbers = np.random.default_rng(1)
    rows = numbers.normal(size=(9_000, 384)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    whole = cosines_to(rows[0], rows)
    assert whole[0] == 1.0 and len(cosines_to(rows[0], rows[:0])) == 0
    for some in (range(1, 8), range(3, 9_000, 7), [8_999]):
        assert (cosines_to(rows[0], rows[some]) == whole[some]).all()
    assert whole == pytest.approx(rows @ rows[0], abs=2e-6)


def test_what_ranks_and_what_explains_tell_the_same_cosine(bench):
    run = compare(bench, entrants(QUESTION, ["rerank"], None, {}), retrieval_only=True).runs[0]
    for hit in run.hits:
        assert meaning(bench.retriever, QUESTION, hit.passage).cosine == hit.scores["cosine"] == hit.score
