"""The changes of a draft go to JSON and back as they were; what is no change is refused."""

from __future__ import annotations

import json

import pytest

from core.authoring import operations
from core.authoring.encoded import decoded, encoded
from core.authoring.operations import Add, Describe, Disable, Edit, Merge, Move, Recut, Rewrite, Split

EVERY = (
    Edit("手册#1", "甲 $5\n乙", ""),
    Add("手册", None, "丙"),
    Add("手册", "手册#1", "丙", "甲"),
    Split("手册#1", "甲。乙。", 2),
    Merge("手册#1", "甲"),
    Move("手册#1", "甲", "附", None),
    Move("手册#1", "甲", "附", "附#2", "丁"),
    Disable("手册#1", "甲", True),
    Describe("手册#1", "甲", {"models": ["A-1", "B-2"], "适用": "全体"}),
    Rewrite("新", None, "# 新"),
    Rewrite("旧", "# 旧", None),
    Recut(300, 50, 600, 0),
)


def test_every_change_comes_back_as_it_was():
    assert decoded(json.loads(json.dumps(encoded(EVERY)))) == EVERY


def test_no_kind_of_change_is_left_out():
    known = {
        each
        for each in vars(operations).values()
        if isinstance(each, type) and each.__module__ == operations.__name__ and each.__name__ != "Operation"
    }
    assert {type(one) for one in EVERY} == known


@pytest.mark.parametrize(
    "rows",
    [
        {},
        [1],
        [{"kind": "erase"}],
        [{"kind": "merge", "id": "手册#1"}],
        [{"kind": "merge", "id": "手册#1", "before": 5}],
        [{"kind": "merge", "id": "手册#1", "before": "甲", "more": 1}],
        [{"kind": "split", "id": "手册#1", "before": "甲", "at": "2"}],
    ],
)
def test_what_is_no_change_is_refused(rows):
    with pytest.raises((TypeError, KeyError, ValueError)):
        decoded(rows)
