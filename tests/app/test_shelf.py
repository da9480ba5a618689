"""The shelf: every base with what it is; making, renaming, deleting, restoring, taking in."""

import pytest

from core.authoring import keeping
from core.authoring.bases import create, own_copy
from core.authoring.sharing import to_zip
from core.authoring.trash import deleted
from core.knowledge.loading import load_folder
from core.settings import BUNDLED
from tests.app import authoring
from tests.app.authoring import SECOND
from tests.app.conftest import plain, press, text, visit


@pytest.fixture
def shelf(home):
    """Opens the shelf of a new session, over bases of these names."""

    def opened(*names, **address):
        for name in names:
            create(home, name, f"关于 {name} 的 $5")
        at = visit(**address)
        at.session_state["view"] = "shelf"
        at.switch_page("pages/library.py").run()
        assert not at.exception
        return at

    return opened


def keys(at):
    return {button.key for button in at.button if button.key}


def test_every_base_says_what_it_is(shelf):
    told = plain(text(shelf("mine")))
    assert "关于 mine 的 $5" in told and "自己的 · 语言按内容判断 · 0 个文档" in told
    assert "随程序提供 · 中文 · 11 个文档 · " in told and "随程序提供 · 英文 · 13 个文档 · " in told


def test_what_comes_with_the_program_can_be_opened_and_exported_only(shelf):
    found = keys(shelf("mine"))
    assert {"shelf.open.elevator", "shelf.delete.mine", "rename.do.mine"} <= found
    assert not {"shelf.delete.elevator", "rename.do.elevator"} & found


def test_a_base_is_opened_from_the_shelf(shelf):
    at = press(shelf("mine"), "shelf.open.mine")
    assert at.selectbox(key="kb").value == "mine" and at.session_state["view"] == "read"


def test_an_empty_base_is_made_and_ready_for_files(shelf, home):
    at = shelf()
    at.text_input(key="shelf.new.title").set_value("员工手册")
    at.text_input(key="shelf.new.name").set_value("handbook").run()
    press(at, "shelf.create")
    assert load_folder(home / "kb" / "handbook").title == "员工手册"
    assert at.selectbox(key="kb").value == "handbook" and "可以导入文件" in plain(at.success[0].value)
    assert at.file_uploader


@pytest.mark.parametrize("name", ["", "../x", "Elevator", "con"])
def test_a_name_that_cannot_be_is_told(shelf, home, name):
    at = shelf()
    at.text_input(key="shelf.new.name").set_value(name).run()
    press(at, "shelf.create")
    assert at.warning and not (home / "kb").exists()


def test_what_cannot_be_done_is_told_in_the_card_where_it_was_tried(shelf):
    at = shelf("mine", "other")
    at.text_input(key="rename.name.mine").set_value("other").run()
    press(at, "rename.do.mine")
    (said,) = at.warning
    assert "other" in said.value and said.value in [one.value for one in at.get_by_key("shelf.mine").warning]


def test_a_base_is_renamed(shelf, home):
    at = shelf("mine", kb="mine")
    at.text_input(key="rename.title.mine").set_value("新名字")
    at.text_input(key="rename.name.mine").set_value("renamed").run()
    press(at, "rename.do.mine")
    assert load_folder(home / "kb" / "renamed").title == "新名字"
    assert at.selectbox(key="kb").value == "renamed"


def test_deleting_asks_first_and_can_be_undone(shelf, home):
    at = press(shelf("mine"), "shelf.delete.mine")
    assert (home / "kb" / "mine").is_dir() and "30 天内可以从回收站恢复" in plain(text(at))
    press(at, "shelf.sure")
    assert not (home / "kb" / "mine").exists() and "已移到回收站" in plain(at.success[0].value)
    press(at, f"shelf.restore.{deleted(home)[0].entry}")
    assert load_folder(home / "kb" / "mine").title == "关于 mine 的 $5"


def test_leaving_the_question_deletes_nothing(shelf, home):
    at = press(press(shelf("mine"), "shelf.delete.mine"), "shelf.cancel")
    assert (home / "kb" / "mine").is_dir() and "shelf.sure" not in keys(at)


def test_an_edited_copy_is_put_back_to_the_original(shelf, home):
    own_copy(home, "elevator")
    at = press(shelf(), "shelf.delete.elevator")
    assert "改过的副本" in plain(text(at))
    press(at, "shelf.sure")
    assert not (home / "kb" / "elevator").exists() and at.selectbox(key="kb").value == "elevator"


def test_a_base_that_cannot_be_opened_is_listed_with_its_reason_and_can_be_deleted(shelf, home):
    (create(home, "broken") / "kb.toml").write_text("title = \n", encoding="utf-8")
    at = shelf()
    assert "打不开" in plain(text(at)) and at.button(key="shelf.open.broken").disabled
    press(press(at, "shelf.delete.broken"), "shelf.sure")
    assert not (home / "kb" / "broken").exists()


def test_the_zip_of_a_base_is_taken_in(shelf, home):
    at = shelf()
    at.file_uploader[0].set_value(("espresso.zip", to_zip(BUNDLED / "espresso"), "application/zip")).run()
    at.text_input(key="shelf.zip.name").set_value("coffee").run()
    press(at, "shelf.receive")
    assert load_folder(home / "kb" / "coffee").passages and at.selectbox(key="kb").value == "coffee"
    assert not at.file_uploader[0].value


def test_a_zip_that_is_no_base_says_so(shelf, home):
    at = shelf()
    at.file_uploader[0].set_value(("x.zip", b"nothing", "application/zip")).run()
    press(at, "shelf.receive")
    assert "ZIP" in plain(at.warning[0].value) and not list(home.glob("kb/*"))


def test_a_zip_whose_name_is_taken_stays_and_takes_another_name(shelf, home):
    at = shelf("mine")
    at.file_uploader[0].set_value(("mine.zip", to_zip(home / "kb" / "mine"), "application/zip")).run()
    press(at, "shelf.receive")
    assert "已经有叫" in plain(at.warning[0].value) and at.file_uploader[0].value
    assert at.text_input(key="shelf.zip.name").value == "mine-2"
    press(at, "shelf.receive")
    assert load_folder(home / "kb" / "mine-2").title == load_folder(home / "kb" / "mine").title
    assert at.selectbox(key="kb").value == "mine-2" and not at.file_uploader[0].value


def test_a_zip_whose_name_is_taken_may_become_a_version_of_the_base_there(shelf, home):
    at = shelf("espresso-2")
    zipped = to_zip(BUNDLED / "espresso")
    at.file_uploader[0].set_value(("espresso.zip", zipped, "application/zip")).run()
    at.text_input(key="shelf.zip.name").set_value("espresso-2").run()
    press(press(at, "shelf.receive"), "shelf.replace")
    assert "换成 ZIP 里的内容" in plain(at.success[0].value) and load_folder(home / "kb" / "espresso-2").passages


def test_a_base_is_packed_and_then_taken_along(shelf, home):
    at = press(shelf("mine"), "shelf.pack.mine")
    assert at.session_state["shelf.packed"].data == to_zip(home / "kb" / "mine")
    assert "shelf.pack.mine" not in keys(at)


def test_what_keeps_a_base_from_being_packed_is_said_there(shelf, home):
    at = shelf("mine")
    at.toggle(key="shelf.history.mine").set_value(True).run()
    (home / "kb" / "mine" / "history.sqlite").write_bytes(b"no database" * 100)
    press(at, "shelf.pack.mine")
    assert "已损坏" in plain(at.warning[0].value)


def folds(at, label):
    return [one for one in at.expander if label in one.label]


def test_a_name_that_is_taken_is_told_beside_the_form(shelf):
    at = shelf("mine")
    at.text_input(key="shelf.new.name").set_value("mine").run()
    press(at, "shelf.create")
    (form,) = folds(at, "新建空知识库")
    assert "已经有叫" in plain(form.warning[0].value) and len(at.warning) == 1


def test_what_is_brought_back_and_what_cannot_be_is_told_at_the_trash(shelf, home):
    at = press(press(shelf("mine", "other"), "shelf.delete.mine"), "shelf.sure")
    entry = deleted(home)[0].entry
    at.text_input(key=f"shelf.name.{entry}").set_value("other").run()
    press(at, f"shelf.restore.{entry}")
    (trash,) = folds(at, "回收站")
    assert len(trash.warning) == len(at.warning) == 1
    at.text_input(key=f"shelf.name.{entry}").set_value("again").run()
    press(at, f"shelf.restore.{entry}")
    order = [getattr(one, "key", None) or one.type for one in at.main]
    assert "again" in plain(at.success[0].value) and not folds(at, "回收站")
    assert order.index("success") > order.index("shelf.open.espresso")


def test_a_base_whose_name_is_a_place_of_the_page_answers_for_itself_alone(shelf):
    at = shelf("zip")
    at.file_uploader[0].set_value(("x.zip", b"nothing", "application/zip")).run()
    press(at, "shelf.receive")
    assert not at.get_by_key("shelf.zip").warning and len(at.warning) == 1


def test_a_draft_goes_on_when_its_base_is_renamed(home, monkeypatch):
    authoring.make(home, monkeypatch)
    at = authoring.show(authoring.rewrite(authoring.opened(SECOND), SECOND, "第二条 甲。"), "shelf")
    at.text_input(key="rename.name.own").set_value("renamed").run()
    press(at, "rename.do.own")
    assert "草稿：1 处改动" in text(authoring.show(at, "read"))


@pytest.mark.parametrize(
    ("view", "title"), [("read", "浏览"), ("import", "导入"), ("history", "历史"), ("shelf", "书架")]
)
def test_every_view_says_its_own_name(home, view, title):
    at = visit()
    at.session_state["view"] = view
    at.switch_page("pages/library.py").run()
    assert title in next(one.value for one in at.markdown if one.value.startswith("### "))


def test_a_draft_goes_into_the_trash_with_its_base_and_comes_back_with_it(home, monkeypatch):
    authoring.make(home, monkeypatch)
    authoring.rewrite(authoring.opened(SECOND), SECOND, "第二条 甲。")
    at = press(press(authoring.opened(view="shelf"), "shelf.delete.own"), "shelf.sure")
    assert keeping.kept(home, "own") == ((), ())
    press(at, f"shelf.restore.{deleted(home)[0].entry}")
    assert len(keeping.kept(home, "own")[0]) == 1


def test_deleting_says_that_an_unsaved_draft_goes_too_and_the_trash_shows_the_title(home, monkeypatch):
    authoring.make(home, monkeypatch)
    at = authoring.show(authoring.rewrite(authoring.opened(SECOND), SECOND, "第二条 甲。"), "shelf")
    at = press(at, "shelf.delete.own")
    assert "1 份没有保存的草稿" in plain(text(at))
    at = press(at, "shelf.sure")
    assert "自己的库 (own)" in plain(text(at))
    at = press(at, f"shelf.restore.{deleted(home)[0].entry}")
    at.session_state["kb"] = "own"
    assert "草稿：1 处改动" in text(authoring.show(at, "read"))
