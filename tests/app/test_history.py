"""The history view: versions, what differs between two of them, and the way back."""

import pytest

from tests.app import authoring
from tests.app.authoring import HOSTILE, SECOND, lying, meanwhile, opened, rewrite, save, show
from tests.app.conftest import drawn, drawn_all, plain, press, text


@pytest.fixture
def folder(home, monkeypatch):
    """A base of the reader's own, in use."""
    return authoring.make(home, monkeypatch)


@pytest.fixture
def edited(folder):
    """The page after one save."""
    return save(rewrite(opened(SECOND), SECOND, "第二条 清运费每户四百元。"), note=HOSTILE)


def cells(at):
    """The table of versions, row by row."""
    return [line["cells"] for line in drawn(at, "grid")["lines"]]


@pytest.mark.parametrize(("locale", "words"), [("zh-CN", "还没有历史"), ("en", "No history yet")])
def test_before_the_first_save_it_says_what_will_stand_there(folder, locale, words):
    assert words in text(opened(view="history", locale=locale))


def test_a_bundled_base_says_that_it_has_not_been_edited(home):
    assert "随程序提供" in text(opened(view="history"))


def test_versions_stand_newest_first_with_author_note_and_files(edited):
    newest, first = cells(show(edited, "history"))
    assert newest[0] == "第 2 版" and newest[2:] == ["小王", HOSTILE, "sections/01-收费.md"]
    assert first[0] == "第 1 版" and first[2:4] == ["未署名", "编辑之前的样子"] and "<img" not in text(edited)


def test_documents_stand_before_the_files_that_only_tell_of_them(edited, folder):
    (folder / "passages.jsonl").write_text('{"id": "01-收费#第一条", "page": 1}\n', encoding="utf-8")
    meanwhile(folder, "两千元", "三千元")
    at = show(edited, "history")
    assert cells(at)[0][4] == "sections/01-收费.md、passages.jsonl"
    files = [fold for fold in at.expander if fold.icon == ":material/description:"]
    assert ["passages" in fold.label for fold in files] == [False, True]
    assert [fold.proto.expanded for fold in files] == [True, False]


def test_two_versions_are_compared_line_by_line_with_the_words_that_differ(edited):
    at = show(edited, "history")
    lines = [line for line in drawn(at, "difference")["lines"] if line["kind"] in ("removed", "added")]
    assert [line["sign"] for line in lines] == ["−", "+"]
    assert [[part["text"] for part in line["parts"] if part["marked"]] for line in lines] == [
        ["三", "未查明责任人的，由业主分摊。"],
        ["四"],
    ]
    at.selectbox(key="history.from.2").set_value(2).run()
    assert "完全相同" in text(at)


def test_going_back_makes_a_new_version_with_the_old_files(edited, folder):
    at = press(show(edited, "history"), "history.back")
    assert "已退回第 1 版" in at.success[0].value and "三百元" in lying(folder)[SECOND]
    assert [row[0] for row in cells(at)] == ["第 3 版", "第 2 版", "第 1 版"] and cells(at)[0][3] == "退回第 1 版"
    assert "三百元" in text(show(at, "read"))


def test_a_version_made_in_a_text_editor_is_named_so(edited, folder):
    meanwhile(folder, "两千元", "三千元")
    at = show(edited, "history")
    assert cells(at)[0][3] == "在本程序之外改动" and "在本程序之外改的" in text(at)


def test_a_very_long_difference_is_cut_and_says_how_much_is_left(edited, folder):
    (folder / "sections" / "02-长.md").write_text("\n".join(f"{n} 行" for n in range(900)), encoding="utf-8")
    at = show(edited, "history")
    longest = max(len(data["lines"]) for data in drawn_all(at, "difference"))
    assert longest == 400 and "另有 500 行未显示" in text(at)


def test_a_damaged_history_is_told_and_reading_goes_on(edited, folder):
    (folder / "history.sqlite").write_bytes(b"no database" * 100)
    at = show(edited, "history")
    assert "已损坏" in plain(at.error[0].value) and "四百元" in text(show(at, "read"))


def test_a_base_without_documents_of_its_own_has_no_history(home, tmp_path, monkeypatch):
    file = tmp_path / "一.md"
    file.write_text("第一条 单独一个文件。\n", encoding="utf-8")
    monkeypatch.setenv("WORKBENCH_KB", str(file))
    at = opened(view="history")
    assert "不能在这里修改" in at.info[0].value
