"""An import as a whole: a base made for it is there with its files or not at all; failures leave the old state."""

from __future__ import annotations

import errno
import os

import pytest

from core.authoring import folder as folders
from core.authoring.bases import create
from core.authoring.bringing import bring, fresh, target
from core.authoring.history import History
from core.domain import Say
from core.errors import BaseError, ConflictError, StoreError, UsageError
from core.knowledge.loading import load_folder
from core.settings import BUNDLED
from tests.authoring.arriving import read
from tests.authoring.conftest import contents, everything

TEXT = "# 政策\n\n第一条 七日内可以退货。\n"


def refused(call, *arguments):
    with pytest.raises(UsageError) as told:
        call(*arguments)
    return told.value.say.code


def no_space(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_base_is_made_with_its_first_files(home):
    done = bring(home, fresh(home, "laws", "法规", "zh"), [read("政策.md", TEXT)], author="阿宁", language="zh")
    base = load_folder(home / "kb" / "laws")
    assert (base.title, base.language, list(base.documents)) == ("法规", "zh", ["政策"])
    assert done.version is not None and (done.version.number, done.version.author) == (1, "阿宁")
    assert done.version.note == Say.of("import.note", files=1)


def test_going_back_to_before_the_first_files_leaves_an_empty_base(home):
    create(home, "laws", "法规")
    done = bring(home, target(home, "laws"), [read("政策.md", TEXT)])
    History(done.folder).roll_back(1, "", "")
    assert (load_folder(done.folder).title, len(load_folder(done.folder).passages)) == ("法规", 0)


def test_where_no_file_came_in_no_base_is_made(home):
    done = bring(home, fresh(home, "laws"), [read("空.txt", "")])
    assert done.version is None and not done.came and not (home / "kb" / "laws").exists()


@pytest.mark.parametrize("where", ["laws", "elsewhere/laws"])
def test_a_disk_that_fills_leaves_no_half_made_base(home, tmp_path, monkeypatch, where):
    base = target(home, where if "/" not in where else str(tmp_path / where))
    monkeypatch.setattr(folders.os, "fsync", no_space)
    with pytest.raises(StoreError) as told:
        bring(home, base, [read("政策.md", TEXT)])
    assert told.value.say.values["path"] == str(base.path) and ".new-" not in str(told.value.say.values)
    assert not base.path.exists() and not [path for path in base.path.parent.rglob("*") if path.is_file()]


def test_a_disk_that_fills_leaves_an_old_base_as_it_was(home, base, monkeypatch):
    before = contents(base)
    monkeypatch.setattr(folders.os, "fsync", no_space)
    with pytest.raises(StoreError):
        bring(home, target(home, "小库"), [read("01-总则.md", TEXT), read("新.md", TEXT)])
    assert contents(base) == before and everything(base) == set(before)


def test_what_someone_saved_meanwhile_is_not_overwritten_unseen(home, base, monkeypatch):
    def save(self, *arguments):
        (base / "sections" / "01-总则.md").write_text("# 别人的\n\n第一条 刚改过。\n", encoding="utf-8")
        return saving(self, *arguments)

    saving = History.save
    monkeypatch.setattr(History, "save", save)
    with pytest.raises(ConflictError):
        bring(home, target(home, "小库"), [read("01-总则.md", TEXT)])
    assert "刚改过" in (base / "sections" / "01-总则.md").read_text(encoding="utf-8")


def test_the_same_files_again_make_no_version(home, base):
    first = bring(home, target(home, "小库"), [read("政策.md", TEXT)])
    again = bring(home, target(home, "小库"), [read("政策.md", TEXT)])
    assert again.version is None and len(again.came) == 1
    assert first.version is not None and History(base).versions(1)[0].number == first.version.number


def test_files_for_a_bundled_base_go_into_its_copy(home):
    before = contents(BUNDLED / "elevator")
    done = bring(home, target(home, "elevator"), [read("新规.md", TEXT)])
    assert done.folder == home / "kb" / "elevator" and contents(BUNDLED / "elevator") == before
    assert "新规" in load_folder(done.folder).documents


def test_a_base_may_be_made_where_a_path_says(home, tmp_path):
    done = bring(home, target(home, str(tmp_path / "some" / "where")), [read("政策.md", TEXT)])
    assert load_folder(tmp_path / "some" / "where").title == "where" and done.folder == tmp_path / "some" / "where"


def test_a_folder_that_holds_other_things_is_left_alone(home, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("x", encoding="utf-8")
    assert refused(target, home, str(tmp_path / "mine")) == "import.occupied"


@pytest.mark.parametrize(
    ("name", "code"),
    [("..", "authoring.name.start"), ("con", "authoring.name.reserved"), (" ", "authoring.name.empty")],
)
def test_a_name_that_cannot_be_is_refused_before_anything_is_read(home, name, code):
    assert refused(target, home, name) == code


def test_a_name_is_found_as_it_is_kept(home, base):
    assert target(home, " 小库 ").path == base


def test_a_name_that_another_base_has_but_for_its_case_is_taken(home):
    assert refused(fresh, home, "Elevator") == "authoring.taken"


def test_a_base_that_is_broken_takes_nothing_in_and_says_so(home, base):
    known = load_folder(base)
    (base / "kb.toml").write_text("title = ", encoding="utf-8")
    before = everything(base)
    with pytest.raises(BaseError) as told:
        bring(home, known, [read("政策.md", TEXT)])
    assert told.value.say.code == "import.nothing_came" and "kb.toml" in str(told.value.say.values["reason"])
    assert everything(base) == before
