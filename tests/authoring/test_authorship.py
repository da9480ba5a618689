"""Who changed a document or a passage last, and that files that came in anew do not go over an edit unasked."""

from __future__ import annotations

from core.authoring.authorship import changed_by, edited
from core.authoring.bringing import bring, fresh, target
from core.authoring.drafts import Draft
from core.authoring.importing import batch
from core.authoring.operations import Edit
from core.authoring.saving import save
from core.knowledge.loading import load_folder
from tests.authoring.arriving import read

TEXT = "# 政策\n\n第一条 七日内可以退货。\n"
NEW = TEXT.replace("七日", "十日")
FILE = "sections/政策.md"


def made(home):
    return bring(home, fresh(home, "laws"), [read("政策.md", TEXT), read("附.md", TEXT)]).folder


def edit(home, folder, text="第一条 五日内可以退货。", author="小王"):
    draft = Draft(load_folder(folder))
    return save(draft.with_(Edit("政策#第一条", draft.place("政策#第一条").source, text)), home, author, "")


def test_a_document_that_came_in_is_edited_once_someone_changed_it(home):
    folder = made(home)
    assert edited(folder) == {}
    edit(home, folder)
    assert {path: version.author for path, version in edited(folder).items()} == {FILE: "小王"}
    bring(home, target(home, "laws"), [read("政策.md", NEW)], same="replace")
    assert edited(folder) == {}


def test_without_a_choice_an_edited_document_is_kept_beside_the_new_one(home):
    folder = made(home)
    edit(home, folder)
    done = bring(home, target(home, "laws"), [read("政策.md", NEW), read("附.md", NEW)])
    reasons = [(one.document, one.reason.code) for one in done.outcomes]
    assert reasons == [("政策~2", "import.beside_edited"), ("附", "import.replaced")]
    assert done.outcomes[0].reason.values["who"] == "小王"
    assert {one.id: one.text for one in load_folder(folder).passages}["政策#第一条"] == "第一条 五日内可以退货。"


def test_what_was_edited_in_a_text_editor_is_kept_too(home):
    folder = made(home)
    (folder / FILE).write_text(TEXT + "\n第二条 手写。\n", encoding="utf-8")
    done = bring(home, target(home, "laws"), [read("政策.md", NEW)])
    assert [one.reason.code for one in done.outcomes] == ["import.beside_edited"]
    assert "手写" in (folder / FILE).read_text(encoding="utf-8")


def test_replacing_is_still_a_choice(home):
    folder = made(home)
    edit(home, folder)
    found = batch(load_folder(folder), [read("政策.md", NEW)], "replace", edited=edited(folder))
    assert found.outcomes[0].reason.code == "import.replaced"


def test_the_version_that_changed_a_text_is_told_also_where_it_is_gone(home):
    folder = made(home)
    edit(home, folder, "第一条 五日内可以退货。", "小王")
    edit(home, folder, "第一条 五日内可以退货。\n\n第二条 运费自付。", "小李")
    was = "第一条 七日内可以退货。"
    assert changed_by(folder, FILE, was, "第一条 五日内可以退货。").author == "小王"
    assert changed_by(folder, FILE, was, None).author == "小王"
    assert changed_by(folder, FILE, "别的", "别的") is None and changed_by(folder / "无", FILE, was, None) is None


def test_a_change_made_outside_is_told_as_such(home):
    folder = made(home)
    (folder / FILE).write_text(NEW, encoding="utf-8")
    found = changed_by(folder, FILE, "第一条 七日内可以退货。", "第一条 十日内可以退货。")
    assert found.note.code == "authoring.note.outside"
