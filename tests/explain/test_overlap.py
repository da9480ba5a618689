"""Overlap: every passage once, by exactly the modes that have it."""

from __future__ import annotations

from typing import get_args

import pytest

from core.asking import entrants
from core.explain.gold import gold_of
from core.explain.matrix import matrix
from core.explain.overlap import Level, Shared, finding, overlap
from core.race import compare
from core.words import LANGUAGES, Words
from tests.explain.made import comparison, evidence, passage, run, search

QUESTION = "监控能存多久，我几天之内去要才行？"


@pytest.mark.parametrize("level", get_args(Level))
def test_every_passage_of_a_level_stands_once_under_the_modes_that_reached_it(bench, level):
    whole = compare(bench, entrants(QUESTION, None, None, {}))
    found = matrix(whole, bench.retriever.tokeniser, gold_of(bench.base, QUESTION))
    shares = overlap(found, level)
    reached = {
        "touched": lambda ran: {p.id for step in ran.steps for p in step.touched},
        "given": lambda ran: {p.id for p in ran.evidence},
        "cited": lambda ran: {row.passage.id for row in found.rows if row.cells[found.modes.index(ran.mode)].cited},
    }[level]
    for ran in whole.runs:
        assert {p.id for share in shares if ran.mode in share.modes for p in share.passages} == reached(ran)
    ids = [p.id for share in shares for p in share.passages]
    assert len(ids) == len(set(ids)) and shares
    assert sum(share.gold for share in shares) <= 1


def test_what_all_share_comes_first_and_single_modes_last_in_the_order_of_columns(bench):
    whole = comparison(
        run(search(), evidence(1, 2, 5), mode="a"),
        run(search(), evidence(2, 3, 5), mode="b"),
        run(search(), evidence(2, 4), mode="c"),
    )
    shares = overlap(matrix(whole, bench.retriever.tokeniser, [passage(2), passage(4), passage(9)]))
    told = [(share.modes, [p.order for p in share.passages], share.gold) for share in shares]
    assert told == [
        (("a", "b", "c"), [2], 1),
        (("a", "b"), [5], 0),
        (("a",), [1], 0),
        (("b",), [3], 0),
        (("c",), [4], 1),
    ]


def test_where_nothing_was_reached_there_is_nothing(bench):
    assert overlap(matrix(comparison(run()), bench.retriever.tokeniser, [passage(1)]), "touched") == ()


def shared(modes: str, *numbers: int, gold: int = 0) -> Shared:
    return Shared(tuple(modes), tuple(passage(number) for number in numbers), gold)


@pytest.mark.parametrize(
    ("found", "modes", "code", "count"),
    [
        ((shared("a", 1, 2),), 1, "one", 2),
        ((shared("ab", 1, 2),), 2, "same", 2),
        ((shared("ab", 1), shared("bc", 2)), 3, "shared", None),
        ((shared("ab", 1), shared("a", 2, 3), shared("b", 4)), 2, "only", 2),
        ((shared("ab", 1), shared("a", 2, 3), shared("b", 4, gold=1)), 2, "gold", 1),
    ],
)
def test_what_stands_out_is_told(found, modes, code, count):
    told = finding(found, modes, "given")
    assert (told.code, told.values.get("count")) == (f"overlap.{code}", count)
    for language in LANGUAGES:
        text = Words(language).say(told)
        assert "—" not in text and "overlap." not in text


def test_a_mode_that_is_gone_is_named_by_its_id_and_another_by_its_name():
    assert "只有a交给作答" in Words("zh").say(finding((shared("a", 1),), 2, "given"))
    known = finding((Shared(("rerank",), (passage(1),), 0),), 2, "given")
    assert "BM25 + 重排" in Words("zh").say(known) and "BM25 + rerank" in Words("en").say(known)
