"""What was found is kept whole, apart for each base and reader, and never in the way of what cannot be read."""

from __future__ import annotations

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from core.coverage.gathering import gathered
from core.coverage.kept import FOLDER, Kept, change, recall
from core.coverage.needles import needles, tried
from core.coverage.sweep import How
from core.domain import Say
from core.errors import StoreError
from core.knowledge.questions import Question

RULES = "# 售后\n\n第一条 退货期限为七日。\n\n第二条 维修由门店负责。\n"
ASKED = (
    Question("q1", "退货期限是几日？", gold=("a#第一条",), facts=("七日",)),
    Question("q2", "zzqq"),
    Question("long", "长" * 3000),
)


@pytest.fixture(scope="module")
def shop(open_base):
    return open_base(a=RULES)


@pytest.fixture(scope="module")
def known(shop):
    *_, found = gathered(shop, ASKED, How(("bm25", "agentic"), 1, answers=True))
    made = tried(shop, needles(shop.base, ASKED), How(("bm25",), answers=True))
    ids = tuple(passage.id for passage in shop.base.passages)
    at = "2026-11-30T10:00:00+00:00"
    return Kept(
        shop.base.version, ids, at, "settings", at, "others", found, made, frozenset({("a#第一条", "a#第二条")})
    )


def keep(known, base, home, owner=""):
    change(base, home, owner, lambda lying: known)


def lying(home):
    """The one file that is kept."""
    (path,) = (home / FOLDER).glob("*.json")
    return path


def test_what_is_kept_comes_back_as_it_was(shop, known, tmp_path):
    keep(known, shop.base, tmp_path)
    back = recall(shop.base, tmp_path)
    assert back == known and back.found.reach.counts == known.found.reach.counts
    assert [dict(each.stood) for each in back.found.reach.sought] == [
        dict(each.stood) for each in known.found.reach.sought
    ]
    assert [dict(each.ranks) for each in back.needles.needles] == [dict(each.ranks) for each in known.needles.needles]
    assert [say.code for _, say in back.found.reach.refused] == ["question.long"]


def test_another_base_and_another_reader_have_nothing_of_it(shop, known, tmp_path, open_base):
    keep(known, shop.base, tmp_path, "one")
    assert recall(shop.base, tmp_path, "two") is None and recall(open_base(a=RULES).base, tmp_path, "one") is None


@pytest.mark.parametrize(
    "damaged",
    ["", "{", "[]", "\x00\x01", '{"format": "1"}', '{"format": 1}', '{"format": 1, "version": 3, "passages": [1]}'],
)
def test_a_file_that_is_none_is_set_aside_told_once_and_replaced(shop, known, tmp_path, damaged):
    keep(known, shop.base, tmp_path)
    path = lying(tmp_path)
    path.write_text(damaged, encoding="utf-8")
    told = recall(shop.base, tmp_path)
    assert isinstance(told, Say) and told.code == "coverage.kept_damaged" and recall(shop.base, tmp_path) is None
    assert path.with_suffix(".damaged").read_text(encoding="utf-8") == damaged
    keep(known, shop.base, tmp_path)
    assert recall(shop.base, tmp_path) == known


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("asked",), "gestern"),
        (("tested",), 5),
        (("version",), [1]),
        (("asked_under",), {}),
        (("tested_under",), None),
        (("asked",), "9999-12-31T23:59:59+00:00"),
        (("tested",), "2026-11-30T10:00:00"),
        (("passages",), "a#第一条"),
        (("seen",), [[1, 2]]),
        (("seen",), [["a"]]),
        (("found",), {}),
        (("found", "reach", "modes"), []),
        (("found", "reach", "modes"), ["bm25", "unheard_of"]),
        (("found", "reach", "asked"), -1),
        (("found", "reach", "total"), "3"),
        (("found", "reach", "refused"), [["q", {"code": 1, "values": {}}]]),
        (("found", "reach", "sought", 0, "stood"), {}),
        (("found", "reach", "sought", 0, "stood", "bm25"), []),
        (("found", "reach", "sought", 0, "stood", "bm25", 0, "state"), "elsewhere"),
        (("found", "touched", 0, "bm25"), [[-1, 1, 1, 1, 1]]),
        (("found", "touched", 0, "bm25"), [[0, -1, 1, 1, 1]]),
        (("found", "questions"), []),
        (("needles", "needles", 0, "given"), {}),
        (("needles", "needles", 0, "ranks"), {"bm25": "first"}),
        (("needles", "left"), None),
    ],
)
def test_what_is_of_another_kind_or_does_not_fit_the_rest_is_not_used(shop, known, tmp_path, place, value):
    keep(known, shop.base, tmp_path)
    path = lying(tmp_path)
    raw = part = json.loads(path.read_text(encoding="utf-8"))
    for step in place[:-1]:
        part = part[step]
    assert part[place[-1]] != value
    part[place[-1]] = value
    path.write_text(json.dumps(raw), encoding="utf-8")
    told = recall(shop.base, tmp_path)
    assert isinstance(told, Say) and told.code == "coverage.kept_damaged"


def test_what_a_newer_version_kept_is_told_and_left_where_it_is(shop, known, tmp_path):
    keep(known, shop.base, tmp_path)
    path = lying(tmp_path)
    path.write_text('{"format": 99}', encoding="utf-8")
    told = recall(shop.base, tmp_path)
    assert isinstance(told, Say) and told.code == "coverage.kept_newer" and path.is_file()


def test_of_changes_made_at_once_none_is_lost(shop, known, tmp_path):
    def mark(at):
        change(shop.base, tmp_path, "", lambda lying: replace(lying, seen=lying.seen | {("a", str(at))}))

    keep(replace(known, seen=frozenset()), shop.base, tmp_path)
    with ThreadPoolExecutor(8) as several:
        list(several.map(mark, range(30)))
    assert len(recall(shop.base, tmp_path).seen) == 30


def test_what_a_writer_left_that_died_is_taken_away(shop, known, tmp_path):
    keep(known, shop.base, tmp_path)
    left = tmp_path / FOLDER / "tmpabc.new"
    left.write_text("half", encoding="utf-8")
    os.utime(left, (time.time() - 90_000,) * 2)
    keep(known, shop.base, tmp_path)
    assert not left.exists() and recall(shop.base, tmp_path) == known


def test_a_folder_that_cannot_be_written_is_told_and_leaves_nothing_behind(shop, known, tmp_path):
    (tmp_path / FOLDER).write_text("a file", encoding="utf-8")
    with pytest.raises(StoreError) as refused:
        keep(known, shop.base, tmp_path)
    assert refused.value.say.code == "coverage.unkept" and list(tmp_path.iterdir()) == [tmp_path / FOLDER]
