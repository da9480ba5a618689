"""Files on their way in: from folders, through links, out of zips; what would do harm is told and left."""

from __future__ import annotations

import io
import os
import zipfile

import pytest

from core.authoring.contents import Limits
from core.authoring.intake import on_disk, opened, read_all
from core.authoring.zipped import unzipped
from core.errors import UsageError
from core.knowledge.formats import MOST_BYTES
from tests.authoring.arriving import given


def zipped(entries: dict[str, str | bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return packed.getvalue()


def told(taken):
    return {one.name: one.refused.code if one.refused else "" for one in taken}


def test_a_folder_gives_its_files_in_natural_order_with_their_paths(tmp_path):
    for name in ("10.md", "2.md", "附/1.md", ".hidden.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("# 一\n", encoding="utf-8")
    assert [one.name for one in on_disk([tmp_path])] == ["2.md", "10.md", "附/1.md"]


def test_links_within_a_folder_are_told_and_not_followed(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("# 秘密\n", encoding="utf-8")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link.md").symlink_to(outside / "secret.md")
    (folder / "all").symlink_to(outside)
    assert told(read_all(on_disk([folder]))) == {"all": "import.link", "link.md": "import.link"}


def test_a_link_that_someone_names_is_followed(tmp_path):
    (tmp_path / "real.md").write_text("# 一\n", encoding="utf-8")
    (tmp_path / "named.md").symlink_to(tmp_path / "real.md")
    assert told(read_all(on_disk([tmp_path / "named.md"]))) == {"named.md": ""}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have no name here")
def test_a_pipe_is_told_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.md")
    assert told(read_all(on_disk([tmp_path]))) == {"pipe.md": "import.special"}


def test_a_link_that_leads_nowhere_is_named(tmp_path):
    (tmp_path / "gone.md").symlink_to(tmp_path / "nothing")
    (tmp_path / "好.md").write_text("# 好\n", encoding="utf-8")
    found = told(read_all(on_disk([tmp_path / "gone.md", tmp_path / "好.md"])))
    assert found == {str(tmp_path / "gone.md"): "import.missing", "好.md": ""}


def test_a_name_that_no_system_takes_is_told(tmp_path):
    assert list(told(read_all(on_disk([tmp_path / f"{'汉' * 255}.md"]))).values()) == ["import.unreachable"]


def test_a_file_over_the_limit_is_refused_without_reading_it():
    def read():
        raise AssertionError("it was read")

    large = given("大.txt", "")
    taken = list(read_all([type(large)("大.txt", 3 * MOST_BYTES, read)]))
    assert told(taken) == {"大.txt": "base.file.large"}


def test_progress_counts_every_file():
    heard = []
    list(read_all([given("甲.md", "# 甲\n"), given("乙.md", "# 乙\n")], progress=lambda *told: heard.append(told)))
    assert heard == [(0, 2, "甲.md"), (1, 2, "乙.md"), (2, 2, "")]


def test_every_file_of_a_zip_comes_in_by_itself():
    data = zipped(
        {"资料/一.md": "# 一\n", "资料/二/坏.pdf": "%PDF-", "__MACOSX/资料/._一.md": "x", "资料/.DS_Store": "x"}
    )
    taken = list(read_all(opened([given("资料.zip", data), given("三.md", "# 三\n")])))
    assert list(told(taken)) == ["一.md", "二/坏.pdf", "三.md"]
    assert [one.reading is not None for one in taken] == [True, False, True]


@pytest.mark.parametrize("name", ["../../外.md", "/etc/内.md", "C:\\内.md", "一/../../外.md"])
def test_a_name_of_a_zip_that_climbs_is_refused_and_the_others_come_in(name):
    taken = list(read_all(opened([given("a.zip", zipped({name: "# 外\n", "好.md": "# 好\n"}))])))
    assert sorted(told(taken).values()) == ["", "authoring.zip.climbs"]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there is nobody else to be")
def test_a_file_in_a_folder_that_cannot_be_entered_is_told(tmp_path, monkeypatch):
    def locked(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(tmp_path), "exists", locked)
    assert told(read_all(on_disk([tmp_path / "x.txt"]))) == {"x.txt": "import.unreachable"}


def test_names_that_chinese_windows_wrote_into_a_zip_are_read():
    data = zipped({"AAAAAAAA.md": "# 一\n"}).replace(b"AAAAAAAA", "退货政策".encode("gbk"))
    assert [entry.name for entry in unzipped(data, "a.zip")] == ["退货政策.md"]


def test_a_bomb_is_refused_before_it_is_unpacked():
    data = zipped({"大.txt": b"0" * 20_000_000})
    assert told(read_all(opened([given("炸.zip", data)]))) == {"炸.zip": "authoring.zip.bomb"}


def test_an_entry_that_lies_about_its_size_is_refused():
    data = bytearray(zipped({"大.txt": b"0" * 20_000_000}))
    at = data.rfind(b"PK\x01\x02")
    data[at + 24 : at + 28] = (10).to_bytes(4, "little")
    assert told(read_all(opened([given("炸.zip", bytes(data))]))) == {"大.txt": "authoring.zip.broken"}


def test_a_link_within_a_zip_is_told():
    link = zipfile.ZipInfo("passwd.md")
    link.create_system, link.external_attr = 3, 0o120777 << 16
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr("好.md", "# 好\n")
    assert told(read_all(opened([given("a.zip", packed.getvalue())]))) == {"passwd.md": "import.link", "好.md": ""}


@pytest.mark.parametrize(
    ("data", "limits", "code"),
    [
        (b"PK\x03\x04 nothing", Limits(), "authoring.zip.broken"),
        (zipped({f"{n}.md": "x" for n in range(4)}), Limits(files=3), "authoring.zip.many"),
        (zipped({"a.md": "x" * 100}), Limits(bytes=99), "authoring.zip.big"),
        (zipped({"laws/kb.toml": 'title = "法"', "laws/sections/a.md": "# 一"}), Limits(), "import.zip_base"),
    ],
)
def test_a_zip_that_cannot_be_taken_says_why(data, limits, code):
    with pytest.raises(UsageError) as refused:
        unzipped(data, "a.zip", limits)
    assert refused.value.say.code == code
