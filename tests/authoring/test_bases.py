"""Bases are made, copied, renamed and put away, and each is there whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import tomllib
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.authoring import trash
from core.authoring.bases import create, own_copy, rename
from core.authoring.facts import write_facts
from core.authoring.history import History
from core.authoring.keeping import count, keep, new_token
from core.authoring.operations import Merge
from core.authoring.toml_text import dumped, with_values
from core.authoring.trash import delete, deleted, restore
from core.domain import Say
from core.errors import BaseError, ConflictError, StoreError, UsageError
from core.knowledge.shelf import Shelf
from core.settings import BUNDLED
from tests.authoring.conftest import FILES, contents


def names(home) -> list[str]:
    """All that lies where bases do."""
    return sorted(path.name for path in (home / "kb").iterdir())


def test_a_new_base_is_found_and_empty(home):
    folder = create(home, " 宠物公约 ", '“公约”\n第"二"版', "zh", fictional=True)
    base = Shelf(BUNDLED, home).load("宠物公约")
    assert (base.path, base.title, base.language, base.fictional) == (folder, '“公约”\n第"二"版', "zh", True)
    assert base.passages == () and names(home) == ["宠物公约"]


@pytest.mark.parametrize("name", ["elevator", "Elevator", "小库", "a/b", "..", ""])
def test_a_name_that_is_taken_or_cannot_be_makes_nothing(home, base, name):
    with pytest.raises(UsageError):
        create(home, name, "x")
    assert names(home) == ["小库"]


@pytest.mark.parametrize(
    ("key", "value"),
    [("language", "中文"), ("title", 7), ("fictional", "yes"), ("splitting", {"longest": 10}), ("key", "sk-1")]
    + [("splitting", {"overlap": True}), ("title", "x" * 3_000)],
)
def test_a_fact_that_cannot_be_is_refused(home, base, key, value):
    with pytest.raises(UsageError, match="authoring.fact"):
        write_facts(base, {key: value}, "甲")
    with pytest.raises(UsageError, match="authoring.fact"):
        create(home, "新库", **{key: value})
    assert names(home) == ["小库"]


def test_a_bundled_base_is_copied_on_its_first_edit_only(home):
    folder = own_copy(home, "elevator")
    assert contents(folder) == contents(BUNDLED / "elevator") and Shelf(BUNDLED, home).load("elevator").path == folder
    History(folder).save({"sections/01-总则.md": b"# x"}, "甲", "1")
    assert own_copy(home, "elevator") == folder and (folder / "sections/01-总则.md").read_bytes() == b"# x"
    assert names(home) == ["elevator"]


def test_copies_made_at_once_are_one(home):
    with ThreadPoolExecutor(4) as pool:
        folders = set(pool.map(lambda _: own_copy(home, "elevator"), range(4)))
    assert len(folders) == 1 and names(home) == ["elevator"]
    assert contents(folders.pop()) == contents(BUNDLED / "elevator")


@pytest.mark.parametrize("name", ["gone", "../elevator", ".", "", "elevator/sections"])
def test_what_is_not_bundled_is_not_copied(home, name):
    with pytest.raises(UsageError, match="base.unknown"):
        own_copy(home, name)
    assert not (home / "kb").exists()


def test_a_disk_that_is_full_leaves_no_half_of_a_copy(home, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(shutil, "copyfile", full)
    with pytest.raises(StoreError, match="No space"):
        own_copy(home, "elevator")
    assert names(home) == []


def test_what_a_process_that_died_was_filling_goes_after_a_day(home):
    for age, name in ((0, ".new-young"), (100_000, ".new-old")):
        (home / "kb" / name).mkdir(parents=True)
        os.utime(home / "kb" / name, (1e9, 1e9) if age else None)
    create(home, "新库", "x")
    assert names(home) == [".new-young", "新库"] and Shelf(BUNDLED, home).names() == ["elevator", "espresso", "新库"]


def test_a_base_is_renamed_with_its_title_and_history(home, base):
    assert rename(home, "小库", "大库", "新的名字", "甲") == "大库"
    renamed = Shelf(BUNDLED, home).load("大库")
    assert renamed.title == "新的名字" and names(home) == ["大库"]
    assert [version.author for version in History(renamed.path).versions()] == ["甲", ""]


def test_a_base_is_renamed_only_to_a_free_name(home, base):
    create(home, "Other", "x")
    for new in ("other", "elevator", "a/b", ""):
        with pytest.raises(UsageError):
            rename(home, "小库", new, "新的名字")
    with pytest.raises(UsageError, match="authoring.not_own"):
        rename(home, "espresso", "mine")
    assert contents(base) == {path: text.encode() for path, text in FILES.items()}
    assert rename(home, "Other", "oTHER") == "oTHER" and names(home) == ["oTHER", "小库"]


def test_a_deleted_base_is_brought_back_whole(home, base):
    History(base).save({"sections/01-总则.md": b"one"}, "甲", "1")
    before = contents(base)
    entry = delete(home, "小库")
    assert "小库" not in Shelf(BUNDLED, home).names() and [one.name for one in deleted(home)] == ["小库"]
    assert restore(home, entry) == "小库" and contents(base) == before
    assert len(History(base).versions()) == 2 and deleted(home) == ()


def test_bases_of_one_name_lie_in_the_trash_beside_each_other(home):
    entries = []
    for title in ("one", "two", "three"):
        create(home, "小库", title)
        entries.append(delete(home, "小库"))
    create(home, "小库", "four")
    with pytest.raises(UsageError, match="authoring.taken"):
        restore(home, entries[1])
    assert restore(home, entries[1], "小库2") == "小库2"
    assert Shelf(BUNDLED, home).load("小库2").title == "two" and len(deleted(home)) == 2


def test_a_bundled_base_is_as_it_was_once_its_copy_is_gone(home):
    History(own_copy(home, "elevator")).save({"sections/11-附则.md": None}, "甲", "1")
    entry = delete(home, "elevator")
    assert Shelf(BUNDLED, home).load("elevator").path == BUNDLED / "elevator"
    assert restore(home, entry) == "elevator" and "11-附则" not in Shelf(BUNDLED, home).load("elevator").documents


@pytest.mark.parametrize("name", ["elevator", "gone", "..", ".trash", "", "小库/sections"])
def test_only_own_bases_are_deleted(home, base, name):
    with pytest.raises(UsageError, match="authoring.not_own"):
        delete(home, name)
    assert base.is_dir() and (BUNDLED / "elevator").is_dir()


@pytest.mark.parametrize("entry", ["..", "小库", "../小库", "x~20200101T000000Z"])
def test_what_is_not_in_the_trash_is_not_brought_back(home, base, entry):
    with pytest.raises(UsageError, match="authoring.not_deleted"):
        restore(home, entry)


def test_what_has_lain_in_the_trash_for_long_goes_for_good(home, base):
    for entry in ("old~20200101T000000Z", "小库~20200101T000000Z", "kept by hand"):
        (home / "kb/.trash" / entry).mkdir(parents=True)
    for name in ("old", "小库", "old~20200101T000000Z"):
        keep(home, name, new_token(), (Merge(f"{name}#1", "甲"),))
    delete(home, "小库")
    assert [count(home, name) for name in ("old", "小库", "old~20200101T000000Z")] == [0, 1, 0]
    assert [one.name for one in deleted(home)] == ["小库"] and trash.KEPT == 30
    assert {path.name[:4] for path in (home / "kb/.trash").iterdir()} == {"小库~2", "kept"}


TOML = """# 说明
title = "旧" # 给人看
description = \"\"\"
title = "不是键"
\"\"\"
owner = [
  "甲", # 一
  "乙",
]

[splitting] # 怎样切
longest = 600

[more]
title = "别动"
"""


def test_facts_change_and_comments_and_other_keys_stay():
    text = with_values(TOML, {"title": 'x "y" \\ # z', "fictional": True, "splitting": {"longest": 300, "overlap": 40}})
    expected = TOML.replace('title = "旧"', 'title = "x \\"y\\" \\\\ # z"', 1)
    expected = expected.replace("longest = 600", "longest = 300\noverlap = 40").replace(
        "]\n\n[s", "]\nfictional = true\n\n[s"
    )
    assert text == expected


def test_a_fact_that_is_taken_away_is_gone():
    text = with_values(TOML, {"title": None, "description": None, "splitting": {"longest": None}})
    assert tomllib.loads(text) == {"owner": ["甲", "乙"], "splitting": {}, "more": {"title": "别动"}}
    assert "# 说明" in text and "# 怎样切" in text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "# only\n",
        "[splitting]\nlongest = 1\n",
        "splitting.longest = 1\n",
        "splitting = {longest = 1}\n",
        '"title" = "x"\n',
        'title = "it" # "that" # more\n',
        'title = """\n[splitting]\n"""\n',
        "[[more]]\ntitle = 1\n[[more]]\ntitle = 2\n",
        "[more.splitting]\nlongest = 2\n",
        "a = 1979-05-27T07:32:00Z\nb = [1.5, inf, {c = 1}]",
    ],
)
def test_facts_can_be_set_in_any_toml(text):
    before = tomllib.loads(text)
    after = tomllib.loads(with_values(text, {"title": "新\x7f\t", "splitting": {"longest": 300}}))
    assert after.pop("title") == "新\x7f\t" and after.pop("splitting") == {"longest": 300}
    assert after == {key: value for key, value in before.items() if key not in ("title", "splitting")}


def test_what_is_dumped_is_read_again():
    values = {"a": "\u2028\x00\"'\n", "键": [1, True, {"b c": 2.5}], "t": {"u": {"v": -1}, "w": "x"}, "empty": {}}
    assert tomllib.loads(dumped(values)) == values


def test_writing_facts_is_a_version_and_keeps_the_newlines(base):
    (base / "kb.toml").write_bytes(FILES["kb.toml"].replace("\n", "\r\n").encode())
    version = write_facts(base, {"title": "新库", "splitting": {"longest": 300}}, "甲")
    text = 'title = "新库"  # 给人看的名字\nlanguage = "zh"\n\n[splitting]\nlongest = 300\n'
    assert (base / "kb.toml").read_bytes() == text.replace("\n", "\r\n").encode()
    assert (version.author, version.note) == ("甲", Say.of("authoring.note.facts"))
    assert Shelf(BUNDLED).load(str(base)).splitting.longest == 300


def test_facts_written_over_those_of_another_are_refused(base):
    opened = {"kb.toml": History(base).files_now()["kb.toml"]}
    write_facts(base, {"title": "一"}, "甲")
    with pytest.raises(ConflictError):
        write_facts(base, {"title": "二"}, "乙", expected=opened)
    assert Shelf(BUNDLED).load(str(base)).title == "一"


def test_a_file_that_is_no_toml_is_told_and_left_alone(base):
    (base / "kb.toml").write_text("title = ", encoding="utf-8")
    with pytest.raises(BaseError, match="base.toml.unreadable"):
        write_facts(base, {"title": "新"}, "甲")
    assert (base / "kb.toml").read_text("utf-8") == "title = "


def test_facts_of_a_base_without_any_are_begun(base):
    (base / "kb.toml").unlink()
    write_facts(base, {"title": "新"}, "甲")
    assert (base / "kb.toml").read_text("utf-8") == 'title = "新"\n'
