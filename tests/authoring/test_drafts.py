"""A draft changes nothing on disk, is undone change by change, and is put to a base that has moved on."""

from __future__ import annotations

import pytest

from core.authoring.consequences import consequences
from core.authoring.drafts import Draft, carried, rebased
from core.authoring.operations import Add, Disable, Edit, Merge, Rewrite
from core.errors import ConflictError
from core.knowledge.loading import load_folder

TEXT = "# 手册\n\n## 甲\n\n甲的说明。\n\n## 乙\n\n乙的说明。\n\n## 丙\n\n丙的说明。\n"


@pytest.fixture
def folder(tmp_path):
    """A base of three unnumbered passages."""
    (tmp_path / "sections").mkdir()
    (tmp_path / "kb.toml").write_text('title = "小库"\nlanguage = "zh"\n', encoding="utf-8")
    (tmp_path / "sections" / "手册.md").write_text(TEXT, encoding="utf-8")
    return tmp_path


@pytest.fixture
def draft(folder):
    """A draft without changes."""
    return Draft(load_folder(folder))


def edit(draft, id, text):
    """The draft with another text of one passage."""
    return draft.with_(Edit(id, draft.place(id).source, text))


def rewritten(folder, old, new):
    """The base once someone has replaced words in its document."""
    file = folder / "sections" / "手册.md"
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    return load_folder(folder)


def texts(base):
    return [passage.text for passage in base.passages]


def test_changes_stand_in_the_draft_and_not_on_disk(folder, draft):
    changed = edit(edit(draft, "手册#1", "甲一。"), "手册#2", "乙二。")
    assert texts(changed.after) == ["甲一。", "乙二。", "丙的说明。"] and changed.changed and not draft.changed
    assert (folder / "sections" / "手册.md").read_text(encoding="utf-8") == TEXT


def test_the_last_change_is_undone_alone(draft):
    changed = edit(edit(draft, "手册#1", "甲一。"), "手册#2", "乙二。")
    assert texts(changed.without_last().after) == ["甲一。", "乙的说明。", "丙的说明。"]
    assert not changed.without_last().without_last().changed


def test_what_others_changed_elsewhere_comes_together_with_the_draft(folder, draft):
    changed = edit(draft, "手册#1", "甲一。")
    assert texts(rebased(changed, rewritten(folder, "丙的说明。", "丙三。")).after) == [
        "甲一。",
        "乙的说明。",
        "丙三。",
    ]


def test_a_passage_that_others_have_renumbered_is_still_the_one_that_is_changed(folder, draft):
    changed = edit(draft, "手册#2", "乙二。").with_(Add("手册", "手册#2", "乙又。", beside="乙二。"))
    moved = rewritten(folder, "# 手册\n", "# 手册\n\n## 序\n\n序言。\n")
    assert texts(rebased(changed, moved).after) == ["序言。", "甲的说明。", "乙二。", "乙又。", "丙的说明。"]


@pytest.mark.parametrize(("choice", "text"), [("mine", "乙二。"), ("theirs", "乙另。")])
def test_where_the_very_passage_was_changed_its_author_chooses(folder, draft, choice, text):
    changed = edit(edit(draft, "手册#2", "乙二。"), "手册#3", "丙三。")
    moved = rewritten(folder, "乙的说明。", "乙另。")
    _, clash = carried(changed, moved)
    assert (clash.number, clash.before, clash.mine, clash.now) == (0, "乙的说明。", "乙二。", "乙另。")
    with pytest.raises(ConflictError):
        rebased(changed, moved)
    settled, clash = carried(changed, moved, {0: choice})
    assert clash is None and texts(settled.after) == ["甲的说明。", text, "丙三。"]


def test_a_change_that_is_no_edit_is_made_over_the_text_it_was_made_for(folder, draft):
    off = draft.with_(Disable("手册#2", draft.place("手册#2").source, True))
    moved = rewritten(folder, "乙的说明。", "乙另。")
    settled, clash = carried(off, moved, {0: "mine"})
    assert clash is None and [p.text for p in settled.after.disabled] == ["乙的说明。"]


def test_a_change_of_a_passage_that_is_no_more_can_only_be_dropped(folder, draft):
    changed = edit(draft, "手册#3", "丙三。")
    moved = rewritten(folder, "## 丙\n\n丙的说明。\n", "")
    _, clash = carried(changed, moved)
    assert clash.over == () and clash.now is None and clash.error.say.code == "draft.gone"
    settled, clash = carried(changed, moved, {0: "theirs"})
    assert clash is None and not settled.changed


def test_a_passage_keeps_its_name_through_several_changes(draft):
    changed = edit(draft, "手册#2", "乙二。")
    for word in ("一", "二"):
        changed = changed.with_(Rewrite("手册", changed.texts.text("手册")[1], _before(changed, f"序{word}。")))
    assert dict(changed.names) == {"手册#1": "手册#3", "手册#2": "手册#4", "手册#3": "手册#5"}
    assert changed.after.passage(changed.names["手册#2"]).text == "乙二。"


def _before(draft, text):
    """The document with a section put before all others."""
    return draft.texts.text("手册")[1].replace("# 手册\n", f"# 手册\n\n## {text}\n\n{text}\n", 1)


def test_a_fence_that_is_not_closed_is_told_by_what_it_swallows(draft):
    found = consequences(edit(draft, "手册#1", "甲的说明。\n\n```\n命令"))
    assert set(found.unmeant) == {"手册#2", "手册#3"} and found.counts["gone"] == 2


def test_a_document_that_is_taken_away_is_no_surprise(folder):
    (folder / "sections" / "附.md").write_text(TEXT.replace("手册", "附"), encoding="utf-8")
    draft = Draft(load_folder(folder))
    dropped = draft.with_(Rewrite("附", draft.texts.text("附")[1], None))
    assert consequences(dropped).unmeant == ()


def test_what_a_merge_joins_is_meant_and_what_a_fence_swallows_beside_it_is_not(folder):
    text = "# 手册\n\n第一条 甲。\n\n第二条 乙。\n\n第三条 丙。\n\n第四条 丁。\n"
    (folder / "sections" / "手册.md").write_text(text, encoding="utf-8")
    draft = Draft(load_folder(folder))
    merged = draft.with_(Merge("手册#第一条", "第一条 甲。"))
    assert consequences(merged).gone == ("手册#第二条",) and consequences(merged).unmeant == ()
    fenced = edit(merged, "手册#第三条", "第三条 丙。\n\n```\n命令")
    assert consequences(fenced).unmeant == ("手册#第四条",)


def test_what_was_meant_is_no_surprise(draft):
    changed = edit(draft, "手册#1", "甲一。")
    assert consequences(changed).counts == {"edited": 1} and consequences(changed).unmeant == ()
    taken = edit(changed, "手册#2", "")
    found = consequences(taken)
    assert found.gone == ("手册#2",) and found.renamed == (("手册#3", "手册#2"),) and found.unmeant == ()
    added = taken.with_(Add("手册", None, "尾声。"))
    merged = added.with_(Merge("手册#2", added.place("手册#2").source))
    assert consequences(added).added and consequences(merged).unmeant == ()
