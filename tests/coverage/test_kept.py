"""What was found is kept whole, apart for each base and reader, and never in the way of what cannot be read."""

from __future__ import annotations

import pytest

from core.coverage.gathering import gathered
from core.coverage.kept import FOLDER, Kept, keep, recall
from core.coverage.needles import needles, tried
from core.coverage.sweep import How
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
    return Kept(shop.base.version, ids, "settings", at, at, found, made, frozenset({("a#第一条", "a#第二条")}))


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
    ["", "{", "[]", '{"format": 2}', '{"format": 1}', '{"format": 1, "version": 3, "passages": [1], "settings": ""}'],
)
def test_a_file_that_cannot_be_read_counts_as_none_and_is_replaced(shop, known, tmp_path, damaged):
    keep(known, shop.base, tmp_path)
    (path,) = (tmp_path / FOLDER).iterdir()
    path.write_text(damaged, encoding="utf-8")
    assert recall(shop.base, tmp_path) is None
    keep(known, shop.base, tmp_path)
    assert recall(shop.base, tmp_path) == known


def test_a_file_whose_parts_do_not_fit_each_other_counts_as_none(shop, known, tmp_path):
    keep(known, shop.base, tmp_path)
    (path,) = (tmp_path / FOLDER).iterdir()
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"gold": ["a#第一条"], "stood"', '"gold": [], "stood"'), encoding="utf-8")
    assert text != path.read_text(encoding="utf-8") and recall(shop.base, tmp_path) is None


def test_a_folder_that_cannot_be_written_is_told_and_leaves_nothing_behind(shop, known, tmp_path):
    (tmp_path / FOLDER).write_text("a file", encoding="utf-8")
    with pytest.raises(StoreError) as refused:
        keep(known, shop.base, tmp_path)
    assert refused.value.say.code == "coverage.unkept" and list(tmp_path.iterdir()) == [tmp_path / FOLDER]
