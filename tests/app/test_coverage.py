"""The Coverage page: what a question set reaches, needles, pairs, health, and what is kept of it."""

import csv
import io
import shutil
from dataclasses import replace
from types import SimpleNamespace

import pytest
import streamlit as st
from openpyxl import Workbook

from core.coverage.gathering import gathered
from core.coverage.kept import recall
from core.coverage.reach import Barren, reach
from core.coverage.sought import Stood
from core.coverage.sweep import How
from core.domain import Say
from core.knowledge.shelf import Shelf, questions
from core.settings import BUNDLED
from core.words import Words
from pages.parts.coverage import asking, cells, sheet
from pages.parts.coverage.remembering import Place
from pages.parts.coverage.view import View
from tests.app.conftest import drawn, plain, press, text, visit

ARTICLES = """# 供水规则

## 第一章 供水

第一条 水表由供水单位每六年更换一次。

第二条 停水超过十二小时的，供水单位应当提前三日通知用户。

第三条 欠缴水费满六个月的，供水单位可以停止供水。

## 第二章 其他

第四条 欠缴水费满三个月的，供水单位可以停止供水。

第五条 依照本规则第九十九条处理。

第六条 =价格 $5 和 $6 :red[红]，<img src=x onerror=alert(1)>。
"""
SET = """id,question,kind,gold,facts
q1,供水单位停水要提前几天通知用户？,direct,01-供水#第二条,三日
q2,水表多久更换？,direct,01-供水#第一条,六年
q3,zzqq,unanswerable,,
"""


def made(home):
    """A small base of an author's own with three questions, one of which has no answer."""
    folder = home / "kb" / "own"
    for name, file, content in (
        (".", "kb.toml", 'title = "供水"\nlanguage = "zh"\n'),
        ("sections", "01-供水.md", ARTICLES),
        ("questions", "asked.csv", SET),
    ):
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / file).write_text(content, encoding="utf-8")
    return folder


@pytest.fixture
def base(home, monkeypatch):
    """The base in a data folder of this test's own, in use."""
    monkeypatch.setenv("WORKBENCH_KB", "own")
    return made(home)


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    """The page over that base after all questions were asked of keyword search, with answers and a cut at one."""
    home = tmp_path_factory.mktemp("coverage")
    made(home)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKBENCH_HOME", str(home))
        patch.setenv("WORKBENCH_KB", "own")
        st.cache_resource.clear()
        yield asked(coverage(), answers=True)


def coverage(locale="zh-CN"):
    """The page of a new session."""
    at = visit(locale).run().switch_page("pages/coverage.py").run()
    assert not at.exception
    return at


def asked(at, **switches):
    """The page once every question was asked of keyword search alone, which gives one passage."""
    at.get_by_key("coverage.modes").set_value(["bm25"])
    at.number_input(key="coverage.k").set_value(1)
    for key, value in switches.items():
        at.toggle(key=f"coverage.{key}").set_value(value)
    return press(at, "coverage.run")


def look(at, name):
    """The page at one of its parts."""
    at.get_by_key("coverage.look").set_value(name).run()
    assert not at.exception
    return at


def cells_of(at):
    """Every cell of the map by passage: its count and its shade."""
    lines = [line for part in drawn(at, "map")["parts"] for line in part["lines"]]
    return {cell["id"]: (cell["count"], cell["level"]) for line in lines for cell in line["cells"]}


def title(at):
    return next(element.value for element in at.markdown if element.value.startswith("### "))


def now(at, base="own"):
    """What the session knows of a base."""
    return at.session_state["coverage"][base]


def with_values(at, **values):
    """The page drawn with other values of what the session knows."""
    at.session_state["coverage"] = {"own": replace(now(at), **values)}
    at.run()
    assert not at.exception
    return at


def test_the_title_is_the_finding_and_the_map_shows_what_no_question_reaches(known):
    at = look(known, "map")
    assert title(at) == "### 6 段里有 4 段没被任何问题用到"
    found = cells_of(at)
    assert found["01-供水#第二条"] == (1, 1) and found["01-供水#第四条"] == (0, 0)
    lines = [line["title"] for part in drawn(at, "map")["parts"] for line in part["lines"]]
    assert lines == ["第一章 供水", "第二章 其他"]
    assert drawn(at, "map")["legend"][0]["text"] == "一次也没有交给作答"


def test_the_map_is_shaded_by_any_stage_of_a_passages_way(known):
    at = look(known, "map")
    at.get_by_key("coverage.stage.4").set_value("cited").run()
    assert not at.exception and cells_of(at)["01-供水#第二条"] == (1, 1)
    at.get_by_key("coverage.stage.4").set_value("retrieved").run()
    assert sum(count for count, _ in cells_of(at).values()) > 2


def test_a_chosen_passage_stands_beside_the_map_with_the_questions_that_touched_it(known):
    at = with_values(look(known, "map"), passage="01-供水#第二条")
    assert "停水超过十二小时" in text(at)
    assert any(button.label.startswith("供水单位停水要提前几天") for button in at.button)
    assert drawn(at, "grid")["lines"][0]["cells"][-2:] == ["1", "1"]


def test_unreached_passages_are_listed(known):
    at = look(known, "unreached")
    assert "第四条" in text(at) and "每个问题、每种模式各算一次" in text(at)


def test_questions_whose_gold_was_left_out_are_listed_with_where_it_stood(known):
    at = look(known, "missed")
    assert "漏掉标准段落的问题：2 个里有 0 个" in text(at) and "1 个问题标明没有答案" in text(at)
    before = now(at).found
    one = before.reach.sought[0]
    lost = replace(one, stood={"bm25": (Stood("ranked", 14),)})
    open_one = Barren("q3", "zzqq", ("bm25",))
    changed = {"sought": (lost, *before.reach.sought[1:]), "unjudged": ("q3",), "unanswerable": ()}
    with_values(at, found=replace(before, reach=replace(before.reach, barren=(open_one,), **changed)))
    assert "2 个里有 1 个" in text(at) and "排第 14 名，没有交给作答" in plain(text(at))
    assert "没有写明标准段落的问题：1 个" in text(at) and "各种模式都没有检索到段落" in text(at)
    assert any(button.key == "coverage.missed.0.0" for button in at.button)
    with_values(at, found=before)


def test_gold_that_the_base_does_not_hold_is_told_apart_from_none(base):
    lines = "a,停水提前几天？,direct,01-供水#第九十条,\nb,几点上班？,,,\n"
    (base / "questions" / "asked.csv").write_text(SET + lines, encoding="utf-8")
    at = look(asked(coverage()), "missed")
    assert "标准段落不在知识库里的问题：1 个" in text(at) and "写明的标准段落：01-供水#第九十条" in plain(text(at))
    assert "没有写明标准段落的问题：1 个" in text(at) and "1 个问题标明没有答案" in text(at)


def test_ids_that_only_look_alike_once_joined_to_a_passage_have_a_button_each(base):
    ids = ("a", "a.01-供水#第三条")
    lines = "".join(f"{id},zzqq{at}？,direct,01-供水#第三条,\n" for at, id in enumerate(ids))
    (base / "questions" / "asked.csv").write_text(f"id,question,kind,gold,facts\n{lines}", encoding="utf-8")
    at = look(asked(coverage()), "missed")
    assert "2 个里有 2 个" in text(at)
    assert len({button.key for button in at.button if button.key.startswith("coverage.missed.")}) == 4


def test_what_was_kept_and_is_damaged_is_set_aside_and_told(base):
    asked(coverage())
    (file,) = (base.parents[1] / "coverage").glob("*.json")
    file.write_text(file.read_text(encoding="utf-8").replace('"asked": "20', '"asked": "gestern 20'), encoding="utf-8")
    at = coverage()
    assert "上次的覆盖结果读不出来" in plain(text(at)) and "没被任何问题用到" not in title(at)
    assert file.with_suffix(".damaged").is_file() and "读不出来" not in plain(text(coverage()))


def test_questions_may_come_as_a_workbook_and_the_library_keeps_them(base):
    shutil.rmtree(base / "questions")
    at, book, data = coverage(), Workbook(), io.BytesIO()
    for row in (("question", "gold"), ("水表多久更换？", "01-供水#第一条")):
        book.active.append(row)
    book.save(data)
    assert {".csv", ".jsonl", ".xlsx"} <= set(at.file_uploader[0].allowed_type)
    at.file_uploader[0].set_value(("问题.xlsx", data.getvalue(), "application/octet-stream")).run()
    assert not at.exception and "用“问题.xlsx”里的 1 个问题" in plain(text(at))
    assert now(at).file[1].questions[0].gold == ("01-供水#第一条",)


def test_marks_of_two_sessions_are_both_kept(base):
    one, other = look(coverage(), "pairs"), look(coverage(), "needles")
    next(box for box in one.checkbox if box.key.startswith("seen.contradiction")).set_value(True).run()
    press(other, "coverage.needles.make")
    at = look(coverage(), "pairs")
    assert "这一类都看过了" in at.success[0].value and now(at).needles


def test_a_new_session_finds_what_was_kept_and_what_has_changed_since(base):
    asked(coverage())
    at = coverage()
    assert "没被任何问题用到" in title(at) and "BM25，每种模式把 1 段交给作答" in text(at) and "改过了" not in text(at)
    (base / "questions" / "asked.csv").write_text(SET + "q4,新问题？,direct,01-供水#第三条,\n", encoding="utf-8")
    at = coverage()
    assert "之后问题集改过了" in text(at)
    (base / "sections" / "01-供水.md").write_text(f"{ARTICLES}\n第七条 水质每月公布。\n", encoding="utf-8")
    at = coverage()
    assert "知识库改过了、问题集改过了" in text(at) and "01-供水#第七条" not in cells_of(at)


def test_a_data_folder_that_cannot_be_written_is_told_and_the_result_is_shown(base):
    (base.parents[1] / "coverage").write_text("no folder", encoding="utf-8")
    at = asked(coverage())
    assert "结果没有存下来" in plain(text(at)) and "没被任何问题用到" in title(at)


def test_hostile_texts_are_shown_literally_and_no_cell_of_the_file_acts(known):
    at = look(known, "unreached")
    drawn_text = text(at)
    assert "<img" not in drawn_text and "$" not in drawn_text.replace("\\$", "") and "<img" in plain(drawn_text)
    view = View(SimpleNamespace(words=Words("zh")), now(at).base, now(at), now(at).found)
    rows = list(csv.reader(sheet.csv_of(view).decode("utf-8-sig").splitlines()))
    assert len(rows) == len(view.rows) + 1 and rows[0][-1] == "BM25 · 引用"


def test_runs_that_failed_and_questions_that_were_not_asked_are_said(known):
    at = look(known, "map")
    before = now(at).found
    broken = replace(before.reach, asked=2, failures={"bm25": (1, Say.of("coverage.healthy"))})
    with_values(at, found=replace(before, reach=broken))
    said = [plain(warning.value) for warning in at.warning]
    assert "3 个问题只问了 2 个" in said[0] and "失败 1 次" in said[1] and "没有发现问题" in said[1]
    with_values(at, found=before)


def test_contradictions_stand_side_by_side_with_what_differs_marked_until_they_are_seen(known):
    at = look(known, "pairs")
    assert ":red-background[六个月]" in text(at) and ":red-background[三个月]" in text(at)
    next(box for box in at.checkbox if box.key.startswith("seen.contradiction")).set_value(True).run()
    assert not at.exception and "这一类都看过了" in at.success[0].value
    at.toggle(key="coverage.pairs.seen").set_value(True).run()
    assert ":red-background[三个月]" in text(at)


def test_health_is_told_by_severity_with_the_line_for_ci(known):
    at = look(known, "health")
    assert "提醒" in text(at) and "第九十九条" in plain(text(at))
    assert at.code[0].value == "python -m core coverage --kb own"


def test_a_result_stays_when_the_reader_comes_back_and_is_marked_once_the_base_has_changed(base):
    at = asked(coverage())
    at.switch_page("pages/library.py").run()
    at.switch_page("pages/coverage.py").run()
    assert "没被任何问题用到" in title(at) and "知识库改过了" not in text(at) and "不知道引用情况" in text(at)
    (base / "sections" / "01-供水.md").write_text(f"{ARTICLES}\n第七条 水质每月公布。\n", encoding="utf-8")
    at.run()
    assert not at.exception and "知识库改过了" in text(at)
    assert "01-供水#第七条" not in cells_of(at)
    press(at, "coverage.run")
    assert "知识库改过了" not in text(at) and "01-供水#第七条" in cells_of(at)


def test_needles_are_made_tested_and_saved_so_that_they_are_asked_the_next_time(base):
    at = press(look(coverage(), "needles"), "coverage.needles.make")
    at.get_by_key("coverage.modes").set_value(["bm25"])
    at.text_input(key="needle.question.01-供水#第一条").set_value("水表几年一换？").run()
    press(at, "coverage.needles.test")
    assert "交给作答" in text(at) and "还没有测试" not in text(at)
    press(at, "coverage.needles.keep")
    assert "先勾选" in text(at)
    at.checkbox(key="needle.keep.01-供水#第一条").set_value(True).run()
    press(at, "coverage.needles.keep")
    found = questions(Shelf(BUNDLED, base.parents[1]).load("own")).questions
    kept = next(question for question in found if question.kind == "needle")
    assert (kept.question, kept.gold, kept.facts) == ("水表几年一换？", ("01-供水#第一条",), ("六年",))
    assert "自带的 4 个问题" in text(at)


def test_needles_of_a_bundled_base_are_saved_into_its_copy(home, monkeypatch):
    monkeypatch.setenv("WORKBENCH_KB", "elevator")
    at = press(look(coverage("en-US"), "needles"), "coverage.needles.make")
    press(at, "coverage.needles.all")
    press(at, "coverage.needles.keep")
    assert (home / "kb" / "elevator" / "questions" / "needles.csv").is_file()
    assert not (BUNDLED / "elevator" / "questions" / "needles.csv").exists()
    count = len(now(at, "elevator").needles.needles)
    assert count > 1 and plain(at.success[0].value).startswith(f"{count} questions saved to questions/needles.csv")


def test_a_base_without_questions_or_without_passages_says_so(base):
    shutil.rmtree(base / "questions")
    at = coverage()
    assert "还没有问题集" in text(at) and at.button(key="coverage.run").disabled and "因为没有问题集" in text(at)
    look(at, "pairs")
    assert "六个月" in text(at)
    (base / "sections" / "01-供水.md").unlink()
    at.run()
    assert not at.exception and "没有段落" in text(at)


@pytest.mark.parametrize(("most", "bounds"), [(0, (1,)), (1, (1,)), (4, (1, 2, 3, 4)), (81, (1, 3, 9, 27))])
def test_shades_grow_by_one_factor_up_to_the_largest_count(most, bounds):
    assert cells.steps(most) == bounds
    assert cells.level(0, bounds) == 0 and cells.level(max(most, 1), bounds) == len(bounds)


def test_a_model_is_called_only_where_the_reader_wants_it_and_what_that_sends_is_said(server, base, monkeypatch):
    monkeypatch.setenv("WORKBENCH_WRITER", "openai:demo")
    at = look(coverage(), "needles")
    assert "不调用对话模型" in text(at) and not at.toggle(key="coverage.needles.model").value
    at.toggle(key="coverage.needles.model").set_value(True).run()
    assert "要调用 4 次" in text(at) and "价目表里没有" in text(at)
    at.toggle(key="coverage.needles.model").set_value(False).run()
    asked(at)
    assert not server.requests


def test_what_is_gathered_question_by_question_is_what_all_of_them_reach(bench):
    asked_for = questions(bench.base).questions[:3]
    how = How(("bm25",), 2)
    *_, last = gathered(bench, asked_for, how)
    assert last.whole and last.reach == reach(bench, asked_for, how)
    assert dict(last.reach.counts["bm25"]) == dict(reach(bench, asked_for, how).counts["bm25"])
    given = next(id for id, counts in last.reach.counts["bm25"].items() if counts.given)
    assert sum(counts["bm25"].given for _, counts in last.of(given)) == last.reach.counts["bm25"][given].given


def test_what_was_asked_is_kept_while_more_is_asked(bench, tmp_path, monkeypatch):
    monkeypatch.setattr(asking, "KEPT_EVERY", 0.0)
    place = Place(bench.base, tmp_path, "", "settings")
    lying: list[int] = []

    def watched():
        for found in gathered(bench, questions(bench.base).questions[:3], How(("bm25",))):
            kept = recall(bench.base, tmp_path)
            lying.append(kept.found.reach.asked if kept else 0)
            yield found

    values, unkept = asking.keeping(watched(), place, [])
    kept = recall(bench.base, tmp_path)
    assert unkept is None and lying == [0, 0, 1, 2]
    assert (kept.found.reach.asked, kept.asked) == (3, values["asked"])


def test_needles_made_under_other_settings_leave_those_of_the_questions_as_they_are(bench, tmp_path):
    for settings, values in (("first", "asked"), ("second", "tested")):
        place = Place(bench.base, tmp_path, "", settings)
        assert place.keep(**{values: "2026-11-30T10:00:00+00:00", f"{values}_under": settings}) is None
    kept = recall(bench.base, tmp_path)
    assert (kept.asked_under, kept.tested_under) == ("first", "second")
