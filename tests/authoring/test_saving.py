"""A save makes a version of what a draft changes, put to what lies on disk at that moment."""

from __future__ import annotations

import pytest

from core.authoring.drafts import Draft
from core.authoring.history import History
from core.authoring.operations import Disable, Edit, Rewrite
from core.authoring.saving import bundled, editable, save
from core.errors import ConflictError, UsageError
from core.knowledge.loading import load_file, load_folder
from core.knowledge.shelf import Shelf
from core.settings import BUNDLED


@pytest.fixture
def own(home):
    """A base of the author's own with a question set."""
    folder = home / "kb" / "own"
    (folder / "sections").mkdir(parents=True)
    (folder / "questions").mkdir()
    (folder / "kb.toml").write_text('title = "小库"\n', encoding="utf-8")
    (folder / "sections" / "手册.md").write_text("## 甲\n\n甲的说明。\n\n## 乙\n\n乙的说明。\n", encoding="utf-8")
    (folder / "questions" / "问.csv").write_text("question,gold\n乙呢？,手册#2\n", encoding="utf-8")
    return folder


def edit(base, id, text):
    draft = Draft(base)
    return draft.with_(Edit(id, draft.place(id).source, text))


def test_a_save_is_a_version_with_author_and_note_and_the_file_holds_it(own, home):
    saved = save(edit(load_folder(own), "手册#1", "甲一。"), home, "小王", "改甲")
    newest = History(own).versions()[0]
    assert (saved.version, newest.author, newest.note, saved.folder) == (newest, "小王", "改甲", own)
    assert "甲一。" in (own / "sections" / "手册.md").read_text(encoding="utf-8")
    assert not saved.others and not saved.copied


def test_what_others_saved_meanwhile_stays_and_is_told(own, home):
    (own / "sections" / "附.md").write_text("## 附\n\n附一。\n", encoding="utf-8")
    base = load_folder(own)
    (own / "sections" / "附.md").write_text("## 附\n\n附二。\n", encoding="utf-8")
    saved = save(edit(base, "手册#1", "甲一。"), home, "", "")
    assert saved.others == ("附",)
    assert [p.text for p in load_folder(own).passages] == ["甲一。", "乙的说明。", "附二。"]


def test_a_clash_saves_nothing(own, home):
    draft = edit(load_folder(own), "手册#1", "甲一。")
    file = own / "sections" / "手册.md"
    file.write_text("## 甲\n\n甲另。\n\n## 乙\n\n乙的说明。\n", encoding="utf-8")
    with pytest.raises(ConflictError, match=r"draft\.conflict"):
        save(draft, home, "", "")
    assert "甲另。" in file.read_text(encoding="utf-8") and History(own).versions() == ()


def test_question_sets_follow_a_passage_that_gets_another_number(own, home):
    draft = Draft(load_folder(own))
    text = draft.texts.text("手册")[1]
    saved = save(draft.with_(Rewrite("手册", text, f"## 序\n\n序言。\n\n{text}")), home, "", "")
    assert saved.renamed == {"手册#1": "手册#2", "手册#2": "手册#3"}
    assert (own / "questions" / "问.csv").read_text(encoding="utf-8-sig") == "question,gold\n乙呢？,手册#3\n"
    assert {change.path for change in saved.version.changes} == {"sections/手册.md", "questions/问.csv"}


def test_a_bundled_base_is_copied_on_its_first_save_and_left_as_it_was(home):
    shelf = Shelf(BUNDLED, home)
    base = shelf.load("elevator")
    source = (BUNDLED / "elevator" / "sections" / "01-总则.md").read_bytes()
    saved = save(edit(base, "01-总则#第一条", "第一条 改过的。"), home, "", "")
    assert bundled(base) and saved.copied and saved.folder == home / "kb" / "elevator"
    assert shelf.load("elevator").passage("01-总则#第一条").text == "第一条 改过的。"
    assert (BUNDLED / "elevator" / "sections" / "01-总则.md").read_bytes() == source


def test_the_second_save_goes_on_from_the_copy(home):
    shelf = Shelf(BUNDLED, home)
    stale = shelf.load("elevator")
    save(edit(stale, "01-总则#第一条", "第一条 改过的。"), home, "", "")
    saved = save(edit(stale, "01-总则#第二条", "第二条 也改过的。"), home, "", "")
    assert not saved.copied and saved.others == ("01-总则",)
    assert shelf.load("elevator").passage("01-总则#第一条").text == "第一条 改过的。"


def test_a_disabled_passage_is_saved_beside_the_documents(own, home):
    draft = Draft(load_folder(own))
    save(draft.with_(Disable("手册#1", "甲的说明。", True)), home, "", "")
    assert [p.id for p in load_folder(own).disabled] == ["手册#1"]


def test_bases_without_documents_of_their_own_cannot_be_edited(tmp_path):
    (tmp_path / "一.md").write_text("一句。\n", encoding="utf-8")
    (tmp_path / "corpus.jsonl").write_text('{"_id": "1", "title": "", "text": "一句。"}\n', encoding="utf-8")
    for base in (load_file(tmp_path / "一.md"), load_folder(tmp_path)):
        with pytest.raises(UsageError, match=r"draft\.uneditable"):
            editable(base)
