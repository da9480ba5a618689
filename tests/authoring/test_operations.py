"""What an author does to passages becomes text of their document, and the passages come out as meant."""

from __future__ import annotations

import pytest

from core.authoring.drafts import Draft
from core.authoring.operations import Add, Describe, Disable, Edit, Merge, Move, Rewrite, Split
from core.errors import ConflictError, UsageError
from core.knowledge.annotations import ANNOTATIONS
from core.knowledge.loading import load_folder

RULES = """# 总则

第一条 本规则适用于本小区。

第二条 费用由责任人承担。未查明责任人的，由业主分摊。

第三条 本规则自公布之日起施行。
"""
NOTES = """# 说明

电梯每月检查一次。检查由维保单位负责。

## 缴费

每年一月缴费。逾期的收取滞纳金。
"""


@pytest.fixture
def draft(tmp_path):
    """A draft without changes of a base of two documents."""
    (tmp_path / "sections").mkdir()
    (tmp_path / "kb.toml").write_text('title = "小库"\nlanguage = "zh"\n', encoding="utf-8")
    (tmp_path / "sections" / "规则.md").write_text(RULES, encoding="utf-8")
    (tmp_path / "sections" / "说明.md").write_text(NOTES, encoding="utf-8")
    return Draft(load_folder(tmp_path))


def texts(draft):
    """The passages of a draft by id."""
    return {passage.id: passage.text for passage in draft.after.passages}


def of(draft, id):
    """A passage's id and source, as most changes take them."""
    return id, draft.place(id).source


def test_an_edit_gives_the_passage_its_new_text_and_leaves_the_others(draft):
    edited = draft.with_(Edit(*of(draft, "规则#第二条"), "第二条 费用由使用人承担。"))
    assert texts(edited) == {**texts(draft), "规则#第二条": "第二条 费用由使用人承担。"}
    assert (draft.base.path / "sections" / "规则.md").read_text(encoding="utf-8") == RULES


def test_an_edit_to_nothing_takes_the_passage_out(draft):
    without = draft.with_(Edit(*of(draft, "规则#第二条"), " \n "))
    assert list(texts(without)) == ["规则#第一条", "规则#第三条", "说明#1", "说明#2"]


def test_a_document_that_loses_its_last_text_is_no_more(draft):
    (draft.base.path / "sections" / "一句.md").write_text("只有这一句。\n", encoding="utf-8")
    draft = Draft(load_folder(draft.base.path))
    without = draft.with_(Edit(*of(draft, "一句#1"), ""))
    assert "一句" not in without.after.documents and without.overlay == {"sections/一句.md": None}


@pytest.mark.parametrize("after", ["规则#第一条", "规则#第三条", None])
def test_a_passage_is_added_after_another_or_at_the_end(draft, after):
    added = draft.with_(Add("规则", after, "第二条之一 押金另计。"))
    ids = [id for id in texts(added) if id.startswith("规则")]
    place = ids.index(after) + 1 if after else len(ids) - 1
    assert ids[place] == "规则#第二条之一" and len(ids) == 4


def test_a_paragraph_added_beside_another_stays_a_passage_of_its_own(draft):
    added = draft.with_(Add("说明", "说明#1", "钥匙在物业处。"))
    assert texts(added)["说明#2"] == "钥匙在物业处。"
    assert texts(added)["说明#1"] == texts(draft)["说明#1"] and texts(added)["说明#3"] == texts(draft)["说明#2"]


def test_a_split_cuts_before_the_sentence_chosen(draft):
    source = draft.place("说明#1").source
    cut = draft.with_(Split("说明#1", source, source.index("检查由")))
    assert (texts(cut)["说明#1"], texts(cut)["说明#2"]) == ("电梯每月检查一次。", "检查由维保单位负责。")


def test_both_halves_of_a_split_keep_what_was_known_of_the_whole(draft):
    described = draft.with_(Describe(*of(draft, "规则#第二条"), {"主题": "费用"}))
    source = described.place("规则#第二条").source
    cut = described.with_(Split("规则#第二条", source, source.index("未查明")))
    assert [cut.after.passage(id).metadata["主题"] for id in ("规则#第二条", "规则#第二条（2）")] == ["费用", "费用"]


@pytest.mark.parametrize("at", [0, 10_000])
def test_a_split_at_an_end_is_refused(draft, at):
    with pytest.raises(UsageError, match=r"draft\.split\.edge"):
        draft.with_(Split(*of(draft, "规则#第二条"), at))


def test_a_split_within_a_code_fence_is_refused(draft):
    draft = draft.with_(Rewrite("说明", NOTES, "# 命令\n\n```\nmake\nmake test\n```\n"))
    source = draft.place("说明#1").source
    with pytest.raises(UsageError, match=r"draft\.split\.impossible"):
        draft.with_(Split("说明#1", source, source.index("make test")))


@pytest.mark.parametrize("mark", ["join", "第二句"])
def test_a_cut_where_two_were_joined_parts_them_again(draft, mark):
    draft = draft.with_(Rewrite("说明", NOTES, "# 说明\n\n第一句。\n\n<!-- join -->\n\n第二句。\n"))
    source = draft.place("说明#1").source
    cut = draft.with_(Split("说明#1", source, source.index(mark)))
    assert [text for id, text in texts(cut).items() if id.startswith("说明")] == ["第一句。", "第二句。"]


def test_a_merge_undoes_a_split(draft):
    source = draft.place("说明#1").source
    cut = draft.with_(Split("说明#1", source, source.index("检查由")))
    merged = cut.with_(Merge(*of(cut, "说明#1")))
    assert list(texts(merged)) == list(texts(draft))
    assert "".join(texts(merged)["说明#1"].split()) == source


def test_articles_are_merged_by_saying_so_in_the_document(draft):
    merged = draft.with_(Merge(*of(draft, "规则#第一条")))
    assert "规则#第二条" not in texts(merged) and "责任人承担" in texts(merged)["规则#第一条"]


def test_nothing_is_merged_over_a_heading_or_the_end(draft):
    with pytest.raises(UsageError, match=r"draft\.merge\.heading"):
        draft.with_(Merge(*of(draft, "说明#1")))
    with pytest.raises(UsageError, match=r"draft\.merge\.last"):
        draft.with_(Merge(*of(draft, "说明#2")))


@pytest.mark.parametrize(
    ("after", "order"),
    [("规则#第三条", ["第二条", "第三条", "第一条"]), ("规则#第二条", ["第二条", "第一条", "第三条"])],
)
def test_a_passage_moves_within_its_document(draft, after, order):
    moved = draft.with_(Move(*of(draft, "规则#第一条"), "规则", after))
    assert [id.split("#")[1] for id in texts(moved) if id.startswith("规则")] == order
    assert sorted(texts(moved).values()) == sorted(texts(draft).values())


def test_a_passage_moves_to_another_document_with_what_is_known_of_it(draft):
    described = draft.with_(Describe(*of(draft, "说明#1"), {"主题": "检查"}))
    moved = described.with_(Move(*of(described, "说明#1"), "规则", "规则#第一条"))
    found = next(p for p in moved.after.passages if "每月检查" in p.text)
    assert found.document == "规则" and found.metadata["主题"] == "检查"


def test_a_disabled_passage_is_not_searched_but_stays_and_comes_back(draft):
    off = draft.with_(Disable(*of(draft, "规则#第二条"), True))
    assert "规则#第二条" not in texts(off) and [p.id for p in off.after.disabled] == ["规则#第二条"]
    on = off.with_(Disable(*of(off, "规则#第二条"), False))
    assert texts(on) == texts(draft) and on.after.disabled == ()


def test_a_note_on_one_passage_keeps_those_of_passages_that_an_edit_elsewhere_renumbered(draft):
    off = draft.with_(Disable(*of(draft, "说明#1"), True))
    for path, data in off.overlay.items():
        (draft.base.path / path).write_bytes(data)
    file = draft.base.path / "sections" / "说明.md"
    file.write_text(NOTES.replace("# 说明\n", "# 说明\n\n## 新节\n\n前言一句。\n\n## 检查\n"), encoding="utf-8")
    later = Draft(load_folder(draft.base.path))
    assert [p.id for p in later.after.disabled] == ["说明#2"]
    described = later.with_(Describe(*of(later, "说明#1"), {"主题": "新"}))
    assert [p.id for p in described.after.disabled] == ["说明#2"]
    assert described.after.passage("说明#1").metadata["主题"] == "新"


def test_a_passage_takes_over_nothing_from_the_one_whose_number_it_gets(draft):
    off = draft.with_(Disable(*of(draft, "说明#2"), True))
    first = draft.place("说明#1").source
    again = off.with_(Rewrite("说明", NOTES, f"# 说明\n\n## 新节\n\n前言一句。\n\n## 检查\n\n{first}\n"))
    assert texts(again)["说明#2"] == first and again.after.disabled == ()


def test_metadata_of_the_authors_own_stands_before_what_is_found(draft):
    described = draft.with_(Describe(*of(draft, "规则#第一条"), {"date": "2026-01-01"}))
    assert described.after.passage("规则#第一条").metadata["date"] == "2026-01-01"
    bare = described.with_(Describe(*of(described, "规则#第一条"), {}))
    assert "date" not in bare.after.passage("规则#第一条").metadata and ANNOTATIONS not in bare.overlay


def test_a_document_is_rewritten_made_and_taken_away(draft):
    made = draft.with_(Rewrite("附则", None, "# 附则\n\n第四条 另行通知。\n"))
    assert texts(made)["附则#第四条"] == "第四条 另行通知。"
    gone = made.with_(Rewrite("附则", "# 附则\n\n第四条 另行通知。\n", None))
    assert texts(gone) == texts(draft)


@pytest.mark.parametrize(
    ("operation", "code"),
    [
        (Rewrite("规则", None, "第九条 撞名。"), "draft.document_exists"),
        (Rewrite("新的", None, " \n"), "draft.blank"),
        (Add("规则", None, "  "), "draft.blank"),
        (Add("没有", None, "第一条 文字。"), "draft.document"),
        (Edit("没有#第一条", "", ""), "draft.document"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(draft, operation, code):
    with pytest.raises(UsageError) as refused:
        draft.with_(operation)
    assert refused.value.say.code == code


def test_a_change_made_for_another_text_is_a_conflict_that_shows_the_text_there_is(draft):
    with pytest.raises(ConflictError) as clash:
        draft.with_(Edit("规则#第二条", "第二条 旧的。", "第二条 新的。"))
    assert clash.value.say.code == "draft.conflict" and "责任人承担" in clash.value.say.values["now"]


def test_a_passage_is_found_by_its_text_where_its_number_is_another_by_now(draft):
    edit = Edit(*of(draft, "说明#2"), "每年二月缴费。")
    shifted = draft.with_(Add("说明", "说明#1", "钥匙在物业处。"))
    assert texts(shifted.with_(edit))["说明#3"] == "每年二月缴费。"
