"""Explain, below a finished comparison: the finding, the why of a passage, and what it says where little is known."""

import json
import re
from dataclasses import replace

import pytest

from core.archive import Archive
from core.domain import Say
from core.knowledge.shelf import questions
from core.settings import Role
from core.words import Words
from pages.parts.explain.view import View
from tests.app.conftest import drawn_all, plain, text, visit
from tests.app.explaining import NEEDLE, choose, edited, rows, table, tap


def test_the_finding_counts_the_gold_that_each_mode_gave_and_names_what_it_missed(opening, shown, bench):
    seen = plain(text(at := shown(opening)))
    gold = next(q.gold for q in questions(bench.base).questions if q.question == opening.question)
    assert f"标准段落 {len(gold)} 段" in seen
    for place, run in enumerate(opening.runs):
        missed = [id for id in gold if not run.gave(id)]
        keys = {button.key for button in at.button if (button.key or "").startswith(f"explain.missed.{place}.")}
        assert keys == {f"explain.missed.{place}.{id}" for id in missed}


def test_two_taps_from_the_start_page_tell_why_a_passage_is_missing(bench):
    at = visit().run()
    example = next(b for b in at.button if (b.key or "").startswith("example.") and "opening" in b.key)
    example.click().run()
    tap(at, f"explain.missed.0.{NEEDLE}")
    assert re.search(r"排第 \d+，只取前 5 段，所以没有交给作答", plain(text(at)))


def test_the_why_of_a_passage_shows_terms_that_add_up_to_its_score(opening, shown):
    at = tap(shown(opening), f"explain.missed.0.{NEEDLE}")
    grids = drawn_all(at, "grid")
    *lines, total = next(grid["lines"] for grid in grids if grid["lines"][-1]["sum"])
    parts = [float(line["cells"][4]) for line in lines]
    assert parts and sum(parts) == pytest.approx(float(total["cells"][4]), abs=0.002)
    assert f"BM25 分 {total['cells'][4]}" in plain(text(at))


def test_the_sentence_in_bold_says_who_gave_it_who_did_not_and_what_kept_it_from_them(opening, shown):
    seen = plain(text(tap(shown(opening), f"explain.missed.0.{NEEDLE}")))
    (told,) = re.findall(r"\*\*一句话：(.*)\*\*", seen)
    assert told.startswith("智能体检索把第二十八条交给了作答，BM25 和 BM25 + 重排没有：")
    assert "电梯" in told.split("：")[1]


def test_a_query_inside_another_document_is_told_apart_from_one_in_vain(opening, shown):
    at = choose(tap(shown(opening), f"explain.missed.0.{NEEDLE}"), "explain.detail", "queries")
    (grid,) = drawn_all(at, "grid")
    ranks = {(tool, rank) for _, _, rank, tool, _ in (line["cells"] for line in grid["lines"])}
    assert {("检索", "未找到"), ("查找", "不在查找的部分里")} <= ranks
    assert ("检索", "不在查找的部分里") not in ranks


def test_passages_found_by_a_search_stand_above_the_panel(opening, shown):
    at = choose(tap(shown(opening), f"explain.missed.0.{NEEDLE}"), "explain.find", "电梯")
    keys = [element.key or "" for element in at.button]
    assert max(n for n, key in enumerate(keys) if key.startswith("explain.other.")) < keys.index("explain.remedy.bm25")


def test_another_model_for_vectors_leaves_nothing_stale(opening, bench):
    view = View(opening, (), Words("zh"), bench, True)
    other = replace(
        bench, settings=replace(bench.settings, roles={**bench.settings.roles, "embeddings": Role("zhipu")})
    )
    assert view.holds == replace(view).holds != replace(view, bench=other).holds


@pytest.mark.parametrize(
    ("kind", "sign"), [("meaning", "与问题的余弦"), ("queries", "个检索词里"), ("tryout", "还没有改动")]
)
def test_each_kind_of_detail_is_drawn_when_it_is_chosen(kind, sign, opening, shown):
    at = tap(shown(opening), f"explain.missed.0.{NEEDLE}")
    assert sign not in text(at)
    assert sign in plain(text(choose(at, "explain.detail", kind)))


def test_a_passage_that_no_mode_touched_is_found_and_explained(opening, shown, bench):
    touched = {p.id for run in opening.runs for step in run.steps for p in step.touched}
    passage = next(p for p in bench.base.passages if p.id not in touched)
    at = choose(shown(opening), "explain.find", passage.id)
    tap(at, f"explain.other.{passage.id}")
    assert at.get_by_key("explain.find").value == ""
    assert "没有一种模式" in plain(text(at)) and table(at)["chosen"] == passage.id


def test_what_nothing_matches_is_said_and_at_most_ten_are_offered(opening, shown):
    at = shown(opening)
    assert "没有这样的段落" in text(choose(at, "explain.find", "zzqq"))
    choose(at, "explain.find", "电梯")
    assert len([b for b in at.button if (b.key or "").startswith("explain.other.")]) == 10


def test_a_passage_id_that_the_base_does_not_have_is_named(opening, shown):
    at = shown(opening)
    at.session_state["explain"] = replace(at.session_state["explain"], passage="elsewhere#<b>1</b>")
    at.run()
    assert not at.exception and "elsewhere#<b>1</b>" in plain(at.warning[0].value)
    assert "<b>" not in at.warning[0].value


def test_the_section_speaks_english_without_a_word_of_chinese(opening, shown):
    at = tap(shown(opening, "en-US"), f"explain.missed.0.{NEEDLE}")
    words = json.dumps(table(at)["words"], ensure_ascii=False)
    assert "Evidence matrix" in words and not re.search(r"[\u4e00-\u9fff]", words)
    assert "In short" in text(at) and "Why" in text(at) and "一句话" not in text(at)


@pytest.mark.parametrize(
    ("changes", "said"), [({"version": "0" * 12}, "知识库改过"), ({"name": "old", "title": "旧库"}, "旧库")]
)
def test_a_base_that_is_no_longer_the_same_shows_the_record_and_asks_again(changes, said, opening, shown, home):
    at = shown(edited(opening, **changes))
    before = len(Archive(home).recent(99))
    assert said in plain(text(at)) and len(rows(at)) > 10
    assert at.get_by_key("explain.budget").disabled
    at.session_state["explain"] = replace(at.session_state["explain"], passage=NEEDLE)
    at.run()
    assert "只能说出当时记录下来的" in text(at) and "分词器看到的" not in text(at)
    tap(at, "explain.again")
    assert len(Archive(home).recent(99)) == before + 1


def test_modes_that_failed_or_were_stopped_say_so_in_finding_and_column(opening, shown):
    first, second, third = opening.runs
    failed = replace(second, events=(), error=Say.of("run.crashed", kind="OSError", reason="<b>$5</b>"))
    stopped = replace(third, events=third.events[:2], stopped=True)
    at = tap(shown(replace(opening, runs=(first, failed, stopped))), f"explain.missed.0.{NEEDLE}")
    assert [mode["state"] for mode in table(at)["modes"]] == ["", "失败", "已停止"]
    assert not any((b.key or "").startswith(("explain.missed.1", "explain.missed.2")) for b in at.button)
    assert "<b>" not in text(at) and "OSError" in plain(text(at))


def test_a_mode_that_is_gone_is_explained_from_its_record(opening, shown):
    gone = replace(opening, runs=(opening.runs[0], replace(opening.runs[1], mode="retired")))
    at = tap(shown(gone), f"explain.missed.1.{NEEDLE}")
    assert "retired" in plain(text(at)) and [mode["name"] for mode in table(at)["modes"]] == ["BM25", "retired"]
