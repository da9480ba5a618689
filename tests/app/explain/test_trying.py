"""Try-outs and marks of Explain: what a reader changes, and where it begins anew."""

import re

import pytest

from core.archive import Archive
from core.asking import entrants
from core.race import compare
from tests.app.conftest import plain, text
from tests.app.explaining import NEEDLE, choose, rows, tap


def test_a_try_out_moves_the_passage_and_can_be_taken_back(opening, shown):
    at = choose(tap(shown(opening), f"explain.missed.0.{NEEDLE}"), "explain.detail", "tryout")
    key = "explain.try.field"
    choose(at, f"{key}.question", "电梯以前反复损坏，检修档案要不要看？")
    assert "否 → **是**" in text(at) and "前 5 段" in text(at)
    tap(at, "explain.try.reset")
    assert "还没有改动" in text(at) and at.get_by_key(f"{key}.question").value == opening.question


@pytest.mark.parametrize(("field", "value", "said"), [("question", "  ", "问题"), ("words", "电梯2", "不能加进词典")])
def test_a_try_out_that_makes_no_sense_is_told_in_words(field, value, said, opening, shown):
    at = choose(tap(shown(opening), f"explain.missed.0.{NEEDLE}"), "explain.detail", "tryout")
    choose(at, f"explain.try.field.{field}", value)
    assert len(at.error) == 1 and said in plain(at.error[0].value)


def test_a_remedy_that_is_a_setting_is_tried_with_one_tap(opening, shown):
    missed = "explain.missed.1.01-总则#第四条"
    at = tap(tap(shown(opening), missed), "explain.remedy.rerank")
    assert re.search(r"BM25 \+ 重排.*否 → \*\*是\*\*", plain(text(at)))


def tried(at):
    """What the fields of the try-out hold, by name."""
    fields = [*at.text_area, *at.text_input, *at.number_input]
    return {f.key: f.value for f in fields if (f.key or "").startswith("explain.try.field.")}


def test_trying_a_remedy_takes_every_other_change_back(opening, shown):
    at = choose(tap(shown(opening), f"explain.missed.0.{NEEDLE}"), "explain.detail", "tryout")
    choose(at, "explain.try.field.k1", 0.5)
    choose(at, "explain.try.field.words", "分闸")
    tap(at, "explain.remedy.bm25")
    held = tried(at)
    assert held["explain.try.field.k1"] == 1.5 and held["explain.try.field.words"] == ""
    assert held["explain.try.field.set.k"] == 59 and "从 5 改为 59" in plain(text(at))


def test_another_passage_begins_with_nothing_tried(opening, shown):
    at = choose(tap(shown(opening), f"explain.missed.0.{NEEDLE}"), "explain.detail", "tryout")
    choose(at, "explain.try.field.k1", 0.5)
    assert "k1 从 1.5 改为 0.5" in plain(text(at))
    tap(at, "explain.missed.0.01-总则#第四条")
    assert "还没有改动" in text(at) and tried(at)["explain.try.field.k1"] == 1.5


def test_a_word_that_the_dictionary_has_is_said_to_be_known(opening, shown):
    at = choose(tap(shown(opening), f"explain.missed.0.{NEEDLE}"), "explain.detail", "tryout")
    assert "分词器已经认识：电梯" in plain(text(choose(at, "explain.try.field.words", "电梯 溢梯")))


def test_any_passage_can_be_marked_as_gold_and_the_mark_taken_away(shown, bench):
    at = shown(comparison := compare(bench, entrants("电梯坏了找谁修呢", None, None, {}), retrieval_only=True))
    assert "不在知识库的问题集里" in text(at)
    touched = {id for run in comparison.runs for id in run.touched}
    passage = next(p.id for p in bench.base.passages if p.id not in touched)
    choose(at, "explain.find", passage)
    tap(at, f"explain.other.{passage}")
    tap(at, "explain.mark")
    assert "标准段落 1 段" in text(at) and [row["id"] for row in rows(at) if row["gold"]] == [passage]
    at.switch_page("pages/library.py").run()
    assert "标准段落 1 段" in text(at.switch_page("pages/compare.py").run())
    assert "标准段落 1 段" not in text(tap(at, f"explain.unmark.{passage}"))


def test_a_mark_is_added_to_the_gold_of_the_question_set(opening, shown, bench):
    at = shown(opening)
    gold = {row["id"] for row in rows(at) if row["gold"]}
    other = next(row["id"] for row in rows(at) if not row["gold"])
    choose(at, "explain.find", other)
    tap(tap(at, f"explain.other.{other}"), "explain.mark")
    assert {row["id"] for row in rows(at) if row["gold"]} == gold | {other}


def test_another_comparison_begins_afresh(opening, shown, home, bench):
    at = shown(opening)
    choose(at, "explain.part", "flow")
    choose(at, "flow.run", "bm25")
    other = compare(bench, entrants("装修前要办什么手续？", None, None, {}), retrieval_only=True)
    Archive(home).keep(other)
    at.query_params["c"] = other.id
    at.run()
    assert not at.exception and at.get_by_key("flow.run").value == "rerank"
