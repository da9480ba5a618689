"""Editing on the Library page: what is done to a passage stands in a draft, and in the base once that is saved."""

import re
from dataclasses import replace

import pytest

from core.authoring import keeping
from core.authoring.bases import rename
from core.authoring.keeping import follow
from core.authoring.operations import Edit
from core.knowledge.annotations import Annotation, Annotations, text_digest
from pages.parts.library.placing import cuts
from tests.app import authoring
from tests.app.authoring import FIRST, HOSTILE, SECOND, THIRD, do, keep, lying, meanwhile, opened, panel, rewrite, save
from tests.app.conftest import drawn, plain, press, text


@pytest.fixture
def folder(home, monkeypatch):
    """A base of the reader's own, in use."""
    return authoring.make(home, monkeypatch)


def test_an_edit_is_read_and_searched_in_the_draft_and_is_in_the_base_once_saved(folder):
    at = rewrite(opened(SECOND), SECOND, "第二条 装修垃圾费每户四百元。")
    assert "草稿：1 处改动" in text(at) and "四百元" in text(at) and "下面是草稿的样子" in text(at)
    at.text_input(key="find").set_value("装修垃圾费").run()
    assert "找到 1 段" in text(at) and "三百元" in lying(folder)[SECOND]
    at = save(at)
    assert "已保存为第 2 版" in at.success[0].value and "草稿：" not in text(at)
    assert "找到 1 段" in text(at) and lying(folder)[SECOND] == "第二条 装修垃圾费每户四百元。"


def test_the_first_save_of_a_bundled_base_makes_a_copy_and_says_so(home):
    passage = "01-总则#第一条"
    at = panel(rewrite(opened(passage), passage, "第一条 为公平处理争议，制定本规则。"), "save")
    assert "随程序提供" in plain(text(at)) and "kb/elevator" in plain(text(at))
    at = press(at, "draft.save")
    assert "复制到" in at.success[0].value and "制定本规则" in lying(home / "kb" / "elevator")[passage]


def test_a_panel_that_is_left_changes_nothing(folder):
    at = do(opened(SECOND), SECOND, "edit")
    field = next(area for area in at.text_area if area.key.startswith("edit."))
    field.set_value("第二条 别的。")
    at.button(key=f"cancel.doing.{SECOND}").click().run()
    assert not at.exception and "草稿：" not in text(at)
    do(at, SECOND, "edit")
    assert "三百元" in next(area for area in at.text_area if area.key.startswith("edit.")).value


def test_no_cut_is_offered_within_a_table():
    rows = "| 型号 | 说明 |\n|---|---|\n| 甲 | 一句。又一句。 |\n"
    assert [f"前言。\n{rows}后记。"[at:] for at in cuts(f"前言。\n{rows}后记。")] == [f"{rows}后记。", "后记。"]


def test_a_passage_is_split_at_a_sentence_and_merged_again(folder):
    at = do(opened(SECOND), SECOND, "split")
    assert at.selectbox(key=f"split.{SECOND}").options == ["未查明责任人的，由业主分摊。"]
    at = keep(at, SECOND)
    assert "第二条（2）" in plain(text(panel(at, "changes"))) or "新增 1 段" in text(at)
    at = keep(do(at, SECOND, "merge"), SECOND)
    assert "草稿：2 处改动" in text(at)
    save(at)
    assert "由业主分摊" in lying(folder)[SECOND] and len(lying(folder)) == 3


def test_passages_are_moved_added_and_taken_out(folder):
    at = do(opened(FIRST), FIRST, "move")
    at.selectbox(key=f"move.after.{FIRST}.01-收费").set_value(SECOND)
    at = do(keep(at, FIRST), FIRST, "add")
    at.text_area(key=f"add.{FIRST}").set_value("第一条之一 大件另计。")
    at = keep(do(keep(at, FIRST), FIRST, "remove"), FIRST)
    assert "p" not in at.query_params and "草稿：3 处改动" in text(at)
    save(at)
    assert list(lying(folder)) == [SECOND, "01-收费#第一条之一", THIRD]


def test_a_disabled_passage_stands_greyed_in_its_section_and_is_enabled_again(folder):
    at = keep(do(opened(SECOND), SECOND, "switch"), SECOND)
    at = press(save(at), "back")
    assert "已停用" in text(at) and SECOND not in lying(folder)
    at = press(at, f"open.{SECOND}")
    save(keep(do(at, SECOND, "switch"), SECOND))
    assert SECOND in lying(folder)


def test_metadata_shows_what_was_found_and_takes_what_the_author_says(folder):
    at = do(opened(SECOND), SECOND, "describe")
    assert at.text_input(key=f"meta.{SECOND}.amounts").placeholder == "三百元"
    at.text_input(key=f"meta.{SECOND}.models").set_value("A-1；B-2")
    at.text_input(key=f"meta.{SECOND}. name").set_value("适用")
    at.text_input(key=f"meta.{SECOND}. value").set_value("全体")
    at = save(keep(at, SECOND))
    assert "型号 A-1、B-2" in plain(text(at)) and "适用 全体" in text(at)
    assert do(at, SECOND, "describe").text_input(key=f"meta.{SECOND}.models").value == "A-1; B-2"


def test_a_date_that_is_none_is_refused_where_it_was_typed(folder):
    at = do(opened(SECOND), SECOND, "describe")
    at.text_input(key=f"meta.{SECOND}.date").set_value("昨天")
    at = keep(at, SECOND)
    assert "昨天" in at.warning[0].value and "草稿：" not in text(at)
    at.text_input(key=f"meta.{SECOND}.date").set_value("2026-03")
    assert "草稿：1 处改动" in text(keep(at, SECOND))


def test_a_date_that_came_so_hinders_no_other_change(folder):
    note = Annotation(SECOND, text_digest(lying(folder)[SECOND]), metadata={"date": "昨天"})
    (folder / "passages.jsonl").write_bytes(Annotations([note]).encoded())
    at = do(opened(SECOND), SECOND, "describe")
    assert at.text_input(key=f"meta.{SECOND}.date").value == "昨天"
    at.text_input(key=f"meta.{SECOND}.models").set_value("A-1")
    assert "草稿：1 处改动" in text(keep(at, SECOND))


def test_notes_that_cannot_be_read_are_told_where_a_panel_would_be(folder):
    (folder / "passages.jsonl").write_text("{}", encoding="utf-8")
    at = do(opened(SECOND), SECOND, "describe")
    assert "passages.jsonl" in plain(text(at))


def test_a_merge_that_cannot_be_is_told_before_the_click(folder):
    (folder / "sections" / "01-收费.md").write_text("# 收费\n\n第一条 甲。\n\n## 乙\n\n第二条 乙。\n", encoding="utf-8")
    at = do(opened(FIRST), FIRST, "merge")
    assert "之间有标题" in text(at) and f"keep.doing.{FIRST}" not in {button.key for button in at.button}


def test_a_place_where_nothing_can_be_cut_is_told_as_soon_as_it_is_chosen(folder):
    code = "# 收费\n\n第一条 甲。乙。\n\n```\n命令一\n命令二\n```\n"
    (folder / "sections" / "01-收费.md").write_text(code, encoding="utf-8")
    at = do(opened(FIRST), FIRST, "split")
    keep_it = f"keep.doing.{FIRST}"
    assert keep_it in {button.key for button in at.button}
    place = at.selectbox(key=f"split.{FIRST}")
    place.select_index(next(n for n, shown in enumerate(place.options) if shown.startswith("命令二"))).run()
    assert "切不开" in text(at) and keep_it not in {button.key for button in at.button}


def test_a_change_that_is_none_is_told_where_it_was_made(folder):
    at = keep(do(opened(SECOND), SECOND, "edit"), SECOND)
    assert "没有改动" in at.warning[0].value and "草稿：" not in text(at)


def test_a_whole_document_is_edited_and_a_new_one_made(folder):
    at = opened()
    at.get_by_key("doing.document").set_value("new").run()
    at.text_input(key="new.name").set_value("02-附则")
    at.text_area(key="new.text").set_value("# 附则\n\n第九条 另行通知。")
    at = keep(at, "document")
    at.get_by_key("doing.document").set_value("document").run()
    field = next(area for area in at.text_area if area.key.startswith("whole."))
    field.set_value(field.value.replace("# 收费", "# 费用"))
    save(keep(at, "document"))
    assert "02-附则#第九条" in lying(folder)
    assert (folder / "sections" / "01-收费.md").read_text(encoding="utf-8").startswith("# 费用")


def test_the_whole_base_is_cut_otherwise_in_the_draft_and_then_saved(folder):
    prose = "".join(f"第{n}处的说明写在这里，共有{n * 37}项。" for n in range(1, 31))
    (folder / "sections" / "02-长文.md").write_text(f"# 长文\n\n{prose}\n", encoding="utf-8")
    at = opened()
    at.get_by_key("doing.document").set_value("recut").run()
    at.selectbox(key="document.01-收费").set_value("02-长文").run()
    assert "没有改动" in keep(at, "document").warning[0].value
    next(one for one in at.slider if one.key.startswith("cuts.longest.")).set_value(100).run()
    assert re.search(r"\*\*[5-9] 段 · 最长", text(at)) and "切在句子之间" in text(at)
    at = panel(keep(at, "document"), "changes")
    assert "按最长 100 字、重叠 0 字重新切分" in text(at) and "没有点名" not in text(at)
    save(at)
    assert sum(id.startswith("02-长文#") for id in lying(folder)) > 4
    assert "longest = 100" in (folder / "kb.toml").read_text(encoding="utf-8")


def test_what_would_go_beside_what_was_meant_is_said_before_saving(folder):
    at = rewrite(opened(FIRST), FIRST, "第一条 押金为两千元。\n\n```\n命令")
    assert any("没有点名" in warning.value and "第三条" in warning.value for warning in at.warning)


def test_the_last_change_is_undone_and_the_draft_discarded_after_asking(folder):
    at = rewrite(rewrite(opened(SECOND), SECOND, "第二条 甲。"), SECOND, "第二条 乙。")
    at = press(at, "draft.undo")
    assert "第二条 甲。" in text(at) and "草稿：1 处改动" in text(at)
    at = press(panel(at, "discard"), "draft.discard")
    assert "三百元" in text(at) and "草稿：" not in text(at)


def test_changes_are_listed_in_words_with_their_difference(folder):
    at = panel(rewrite(opened(SECOND), SECOND, "第二条 清运费每户四百元。未查明责任人的，由业主分摊。"), "changes")
    assert "修改 01-收费#第二条" in plain(text(at)) and "1 段改了文字" in text(at)
    marked = [part["text"] for line in drawn(at, "difference")["lines"] for part in line["parts"] if part["marked"]]
    assert marked == ["三", "四"]


def test_what_others_change_elsewhere_is_merged_and_said(folder):
    at = rewrite(opened(SECOND), SECOND, "第二条 清运费每户四百元。")
    meanwhile(folder, "两千元", "三千元")
    at.run()
    assert "01-收费" in plain(at.warning[0].value) and "草稿：1 处改动" in text(at)
    save(at)
    assert "三千元" in lying(folder)[FIRST] and "四百元" in lying(folder)[SECOND]


@pytest.mark.parametrize(("choice", "kept"), [("mine", "四百元"), ("theirs", "五百元")])
def test_a_conflict_shows_both_texts_and_saves_what_is_chosen(folder, choice, kept):
    at = panel(rewrite(opened(SECOND), SECOND, "第二条 清运费每户四百元。"), "save")
    meanwhile(folder, "三百元", "五百元")
    at = press(at, "draft.save")
    assert "别人也改了" in text(at) and "四百元" in text(at) and "五百元" in text(at)
    at = press(at, f"clash.{choice}")
    if choice == "mine":
        press(at, "draft.save")
    assert kept in lying(folder)[SECOND] and kept in text(at)


def test_hostile_text_and_notes_are_shown_literally(folder):
    at = save(rewrite(opened(THIRD), THIRD, HOSTILE), note=HOSTILE)
    assert "<img" not in text(at) and "$" not in text(at).replace("\\$", "") and "javascript" in text(at)
    assert lying(folder)["01-收费#第四条"] == HOSTILE


def test_a_base_that_cannot_be_edited_says_so_where_it_would_be(home, tmp_path, monkeypatch):
    file = tmp_path / "一.md"
    file.write_text("第一条 单独一个文件。\n", encoding="utf-8")
    monkeypatch.setenv("WORKBENCH_KB", str(file))
    at = opened("一#第一条")
    assert not at.exception and "不能在这里修改" in text(at)
    assert not [one for one in at.get("button_group") if "doing" in str(one)]


def test_the_impact_lists_questions_that_change_worse_first(folder):
    at = panel(rewrite(opened(FIRST), FIRST, "第一条 保证金另行约定。"), "impact")
    at.get_by_key("impact.modes").set_value(["bm25"])
    at.number_input(key="impact.k").set_value(1)
    at = press(at, "impact.run")
    assert "2 个问题中，1 个变差，1 个不变" in text(at)
    assert "押金是多少" in text(at) and "1/1 → 0/1" in text(at)


def test_gold_that_stays_is_said_once_beside_what_else_is_given(folder):
    at = panel(rewrite(opened(THIRD), THIRD, "第三条 逾期缴纳押金的加收滞纳金。"), "impact")
    at.get_by_key("impact.modes").set_value(["bm25"])
    at = press(at, "impact.run")
    assert "标准段落不变：名次 #1，交给作答 1/1" in plain(text(at)) and "→" not in text(at)
    assert "新给出" in text(at) and any(str(button.key).startswith("impact.0.came") for button in at.button)


def test_where_only_the_order_changes_that_is_said(folder):
    (folder / "questions" / "问.csv").write_text("question\n押金和清运费\n", encoding="utf-8")
    at = panel(rewrite(opened(FIRST), FIRST, "第一条 押金含清运费，押金为两千元。"), "impact")
    at.get_by_key("impact.modes").set_value(["bm25"])
    at = press(at, "impact.run")
    assert "只换了先后" in text(at) and "新给出" not in text(at) and "不再给出" not in text(at)


def test_the_impact_needs_questions_and_says_how_to_get_some(folder):
    (folder / "questions" / "问.csv").unlink()
    at = panel(rewrite(opened(FIRST), FIRST, "第一条 押金另行约定。"), "impact")
    assert "还没有问题集" in at.info[0].value


def test_a_draft_survives_another_page_and_speaks_english_too(folder):
    at = rewrite(opened(SECOND, locale="en"), SECOND, "第二条 清运费每户四百元。")
    at.switch_page("pages/settings.py").run()
    at.switch_page("pages/library.py").run()
    assert not at.exception and "Draft: 1 change" in text(at)


def kept(at, name):
    """The buttons of drafts that are offered: `take` or `drop`."""
    return [button for button in at.button if button.key and button.key.startswith(f"kept.{name}.")]


def test_after_a_reload_the_draft_is_offered_and_gone_on_with(folder):
    rewrite(opened(SECOND), SECOND, "第二条 清运费每户四百元。")
    at = opened(SECOND)
    assert (
        "有 1 处改动没有保存" in plain(text(at)) and "修改 01-收费#第二条" in plain(text(at)) and "三百元" in text(at)
    )
    at = press(at, kept(at, "take")[0].key)
    assert "草稿：1 处改动" in text(at) and "四百元" in text(at) and not kept(at, "take")
    save(at)
    assert "四百元" in lying(folder)[SECOND] and not kept(opened(SECOND), "take")


def test_who_goes_on_with_a_draft_signs_as_its_author(folder):
    at = panel(rewrite(opened(SECOND), SECOND, "第二条 甲。"), "save")
    at.text_input(key="draft.author").set_value("小王").run()
    at.query_params["p"] = THIRD
    rewrite(at.run(), THIRD, "第三条 乙。")
    at = opened(SECOND)
    at = panel(press(at, kept(at, "take")[0].key), "save")
    assert at.text_input(key="draft.author").value == "小王"


def test_a_draft_that_was_discarded_or_undone_is_not_offered(folder):
    at = rewrite(opened(SECOND), SECOND, "第二条 甲。")
    press(panel(at, "discard"), "draft.discard")
    press(rewrite(opened(SECOND), SECOND, "第二条 甲。"), "draft.undo")
    assert not kept(opened(SECOND), "take")
    rewrite(opened(SECOND), SECOND, "第二条 甲。")
    at = opened(SECOND)
    press(at, kept(at, "drop")[0].key)
    assert not kept(opened(SECOND), "take") and "三百元" in lying(folder)[SECOND]


def test_two_sessions_keep_each_their_own_draft(folder):
    for words in ("第二条 甲。", "第二条 乙。"):
        rewrite(opened(SECOND), SECOND, words)
    at = opened(SECOND)
    assert len(kept(at, "take")) == 2
    at = press(at, kept(at, "take")[1].key)
    save(at)
    at = opened(SECOND)
    at = press(at, kept(at, "take")[0].key)
    assert "别人也改了" in text(at) and "小王在" in plain(text(at)) and "第 2 版" in plain(text(at))


@pytest.mark.parametrize(("choice", "words"), [("mine", "四百元"), ("theirs", "五百元")])
def test_a_draft_gone_on_with_meets_what_others_changed(folder, choice, words):
    rewrite(opened(SECOND), SECOND, "第二条 清运费每户四百元。")
    meanwhile(folder, "三百元", "五百元")
    at = opened(SECOND)
    at = press(at, kept(at, "take")[0].key)
    assert "别人也改了" in text(at) and "四百元" in text(at) and "五百元" in text(at)
    at = press(at, f"clash.{choice}")
    if choice == "mine":
        save(at)
    assert words in lying(folder)[SECOND] and "别人也改了" not in text(at)
    assert not kept(opened(SECOND), "take")


def test_a_damaged_draft_is_told_once(folder, home):
    rewrite(opened(SECOND), SECOND, "第二条 甲。")
    next((home / "drafts").rglob("*.json")).write_bytes(b"{")
    assert any("已损坏" in warning.value for warning in opened(SECOND).warning)
    assert not opened(SECOND).warning


def test_a_private_server_keeps_no_draft(folder, home, monkeypatch):
    monkeypatch.setenv("WORKBENCH_PRIVATE", "1")
    rewrite(opened(SECOND), SECOND, "第二条 甲。")
    assert not kept(opened(SECOND), "take") and not (home / "drafts").exists()


def test_questions_that_lose_their_gold_are_told_before_saving_and_after(folder):
    at = keep(do(opened(SECOND), SECOND, "remove"), SECOND)
    assert "1 个问题会失去标准段落" in plain(text(at)) and "清运费是多少" in plain(text(at))
    at = save(at)
    assert "清运费是多少" in plain(at.warning[0].value)


def test_a_merged_passage_takes_its_gold_along(folder):
    at = keep(do(opened(FIRST), FIRST, "merge"), FIRST)
    assert "失去标准段落" not in text(at)
    save(at)
    assert f"清运费是多少？,{FIRST}" in (folder / "questions" / "问.csv").read_text(encoding="utf-8-sig")


def test_a_question_set_that_changes_is_shown_before_saving_and_told_after(folder):
    at = panel(keep(do(opened(FIRST), FIRST, "merge"), FIRST), "changes")
    assert f"清运费是多少？：{SECOND} → {FIRST}" in plain(text(at))
    assert any("questions/问.csv" in plain(fold.label) for fold in at.expander)
    at = save(at)
    assert any("1 个问题的标准段落改记" in plain(one.value) and "清运费" in one.value for one in at.success)


def test_a_question_set_that_cannot_be_read_is_told_and_the_save_goes_on(folder):
    (folder / "questions" / "坏.jsonl").write_text("[" * 100_000, encoding="utf-8")
    at = save(keep(do(opened(FIRST), FIRST, "merge"), FIRST))
    assert "坏.jsonl" in plain(at.warning[0].value) and f"清运费是多少？,{FIRST}" in written(folder)


def written(folder):
    return (folder / "questions" / "问.csv").read_text(encoding="utf-8-sig")


def test_a_split_is_no_loss_where_the_part_with_the_fact_is_given_and_its_set_names_that_part(folder):
    rows = f"question,gold,facts\n未查明责任人时由业主分摊吗？,{SECOND},业主\n"
    (folder / "questions" / "问.csv").write_text(rows, encoding="utf-8")
    at = panel(keep(do(opened(SECOND), SECOND, "split"), SECOND), "impact")
    at.get_by_key("impact.modes").set_value(["bm25"])
    at = press(at, "impact.run")
    assert "变差" not in text(at) and "0/1" not in text(at)
    save(at)
    assert f",{SECOND}（2）,业主" in written(folder)


def test_without_facts_a_split_makes_both_parts_gold(folder):
    save(keep(do(opened(SECOND), SECOND, "split"), SECOND))
    assert f"清运费是多少？,{SECOND};{SECOND}（2）" in written(folder)


def test_disabled_and_moved_passages_are_counted(folder):
    at = keep(do(opened(FIRST), FIRST, "switch"), FIRST)
    at.query_params["p"] = THIRD
    at = do(at.run(), THIRD, "move")
    at.selectbox(key=f"move.after.{THIRD}.01-收费").set_value(FIRST)
    told = plain(text(panel(keep(at, THIRD), "changes")))
    assert "停用 1 段" in told and "1 段换了位置" in told


def elsewhere(at, name):
    """The same session with another base, once it has seen which there are."""
    at.run().selectbox(key="kb").set_value(name).run()
    at.query_params["p"] = SECOND
    return at.run()


def drafts(home):
    return sorted((home / "drafts").rglob("*.json"))


def test_a_draft_whose_base_is_renamed_elsewhere_is_offered_under_its_new_name(folder, home):
    at = rewrite(opened(SECOND), SECOND, "第二条 甲。")
    rename(home, "own", "new")
    follow(home, "own", "new")
    at = elsewhere(at, "new")
    assert not at.exception and "草稿：" not in text(at)
    at = press(at, kept(at, "take")[0].key)
    assert "草稿：1 处改动" in text(at) and "第二条 甲。" in text(at)
    rewrite(at, SECOND, "第二条 乙。")
    assert len(drafts(home)) == 1


def test_a_new_draft_overwrites_none_that_followed_its_base(folder, home):
    at = rewrite(opened(SECOND), SECOND, "第二条 甲。")
    rename(home, "own", "new")
    follow(home, "own", "new")
    rewrite(elsewhere(at, "new"), SECOND, "第二条 乙。")
    assert {one.operations[0].after for one in keeping.kept(home, "new")[0]} == {"第二条 甲。", "第二条 乙。"}


def test_going_on_takes_the_draft_as_it_is_by_then(folder, home):
    rewrite(opened(SECOND), SECOND, "第二条 甲。")
    at = opened(SECOND)
    (one,) = keeping.kept(home, "own")[0]
    keeping.keep(home, "own", one.token, (replace(one.operations[0], after="第二条 后来。"),))
    at = press(at, kept(at, "take")[0].key)
    assert "第二条 后来。" in text(at)


def test_a_draft_that_was_discarded_elsewhere_is_written_down_again(folder, home):
    at = rewrite(opened(SECOND), SECOND, "第二条 甲。")
    drafts(home)[0].unlink()
    at.run()
    assert len(drafts(home)) == 1


def test_two_drafts_alike_are_told_apart_by_their_words_seconds_and_authors(folder, home):
    for author, words in (("小王", "三百元"), ("小李", "五百元")):
        operation = Edit(SECOND, "第二条 清运费每户二百元。", f"第二条 清运费每户{words}。\ud800")
        keeping.keep(home, "own", keeping.new_token(), (operation,), author)
    told = plain(text(opened(SECOND)))
    assert all(f"→ …清运费每户{words}" in told for words in ("三百元", "五百元"))
    assert "小王" in told and "小李" in told and re.search(r"\d\d:\d\d:\d\d", told)
