"""A base goes out as a zip and comes in again; a zip that would do harm leaves nothing behind."""

from __future__ import annotations

import errno
import io
import os
import stat
import zipfile

import pytest

from core.authoring.bases import create
from core.authoring.contents import Limits
from core.authoring.history import History
from core.authoring.sharing import from_zip, replace_from_zip, to_zip
from core.errors import BaseError, StoreError, UsageError
from core.knowledge.shelf import Shelf
from core.settings import BUNDLED
from tests.authoring.conftest import FILES, contents

KB = ("kb.toml", b'title = "x"\n')
RULES = ("sections/01.md", "第一条 内容。".encode())


def packed(*entries: tuple[str | zipfile.ZipInfo, bytes], how: int = zipfile.ZIP_DEFLATED) -> io.BytesIO:
    """A zip of these entries."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", how) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return file


def refused(home, file, code: str, **limits: int) -> UsageError:
    """The error with which a zip is refused; nothing is left of it."""
    with pytest.raises(UsageError, match=code) as error:
        from_zip(file, home, "新库", Limits(**limits))
    assert not (home / "kb").exists() or list((home / "kb").iterdir()) == []
    return error.value


@pytest.mark.parametrize("with_history", [False, True])
def test_a_base_comes_in_again_byte_for_byte(home, base, tmp_path, with_history):
    (base / "sections/附录/02-费用.md").write_bytes(b"\xef\xbb\xbfa\r\nb\x00")
    History(base).save({"sections/03.md": b"x"}, "甲", "加一条")
    History(base).save({"sections/03.md": b"y"}, "乙", "改一条")
    zipped = to_zip(base, with_history)
    received = from_zip(io.BytesIO(zipped), tmp_path / "other")
    there = tmp_path / "other/kb" / received.name
    assert received.name == "小库" and received.left_out == () and contents(there) == contents(base)
    assert History(there).versions() == (History(base).versions() if with_history else ())
    assert to_zip(there, with_history) == zipped
    if with_history:
        assert History(there).notice_outside() is None
        History(there).roll_back(2, "丙", "")
        assert (there / "sections/03.md").read_bytes() == b"x"


def test_the_bundled_bases_round_trip(home):
    for name in Shelf(BUNDLED).names():
        from_zip(io.BytesIO(to_zip(BUNDLED / name)), home, f"{name}-2")
        copy, base = (Shelf(BUNDLED, home).load(one) for one in (f"{name}-2", name))
        assert (copy.version, copy.title, contents(copy.path)) == (base.version, base.title, contents(base.path))


def test_an_export_holds_nothing_but_the_bases_own_files(base, tmp_path):
    (tmp_path / "key.md").write_text("sk-secret", encoding="utf-8")
    (base / "sections/key.md").symlink_to(tmp_path / "key.md")
    for path in (".env", "secrets.toml", "sections/.key.md", "notes.docx"):
        (base / path).write_text("sk-secret", encoding="utf-8")
    zipped = to_zip(base, with_history=True)
    with zipfile.ZipFile(io.BytesIO(zipped)) as archive:
        assert sorted(archive.namelist()) == sorted(f"小库/{path}" for path in FILES)
        assert b"sk-secret" not in b"".join(map(archive.read, archive.namelist()))


def test_files_older_or_written_in_another_order_give_the_same_zip(base, tmp_path):
    first = to_zip(base)
    for path in sorted(FILES, reverse=True):
        data = (base / path).read_bytes()
        (base / path).unlink()
        (base / path).write_bytes(data)
        os.utime(base / path, (1e9, 1e9))
    assert to_zip(base) == first


def test_a_zip_without_a_folder_of_its_own_is_called_by_its_file(home, tmp_path):
    (tmp_path / "规则 2.zip").write_bytes(packed(KB, RULES).getvalue())
    assert from_zip(tmp_path / "规则 2.zip", home).name == "规则 2"
    assert Shelf(BUNDLED, home).load("规则 2").passages[0].text


def test_a_name_that_is_taken_asks_for_another(home, base):
    with pytest.raises(UsageError, match="authoring.taken"):
        from_zip(io.BytesIO(to_zip(base)), home)
    assert from_zip(io.BytesIO(to_zip(base)), home, "小库2").name == "小库2"


def test_foreign_files_are_left_out_and_named(home):
    file = packed(
        KB, RULES, ("run.sh", b"rm"), ("sections/a.exe", b"MZ"), (".git/config", b""), ("history.sqlite", b"")
    )
    received = from_zip(file, home, "新库")
    assert received.left_out == (".git/config", "history.sqlite", "run.sh", "sections/a.exe")
    assert set(contents(home / "kb/新库")) == {KB[0], RULES[0]}
    assert {path.name for path in (home / "kb/新库").iterdir()} == {"kb.toml", "sections"}


def test_what_systems_add_to_a_zip_is_left_out_without_a_word(home):
    junk = [("__MACOSX/小库/._kb.toml", b""), ("小库/.DS_Store", b""), ("小库/sections/Thumbs.db", b""), ("小库/", b"")]
    received = from_zip(packed(*junk, ("小库/kb.toml", KB[1])), home)
    assert received.name == "小库" and received.left_out == ()


class InGbk(zipfile.ZipInfo):
    """An entry whose name is written as Chinese Windows does: in GBK, and not said to be."""

    def _encodeFilenameFlags(self):
        return self.filename.encode("gbk"), self.flag_bits


def test_names_in_gbk_and_with_backslashes_are_read(home):
    file = packed(KB, (InGbk("sections/费用.md"), b"x"), ("sections\\甲\\b.md", b"y"))
    assert "费用".encode("gbk") in file.getvalue() and "费用".encode() not in file.getvalue()
    assert from_zip(file, home, "新库").left_out == ()
    assert set(contents(home / "kb/新库")) == {"kb.toml", "sections/费用.md", "sections/甲/b.md"}


@pytest.mark.parametrize(
    "data", [b"", b"PK", b"%PDF-1.7 no zip", b"PK\x05\x06" + b"\xff" * 18, os.urandom(2_000)], ids=range(5)
)
def test_what_is_no_zip_is_refused(home, data):
    refused(home, io.BytesIO(data), "authoring.zip.broken")


def test_a_zip_broken_anywhere_is_refused_or_whole(home, base):
    whole = to_zip(base)
    for at in range(0, len(whole), 37):
        for data in (whole[:at], whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]):
            name = f"k{at}"
            try:
                from_zip(io.BytesIO(data), home, name)
            except (UsageError, BaseError):
                assert not (home / "kb" / name).exists()
            else:
                (home / "kb" / name).rename(home / f"{name}-{len(data)}")
    assert [path.name for path in (home / "kb").iterdir()] == ["小库"]


def test_a_zip_without_a_base_is_refused(home):
    for entries in ([], [RULES], [("a/kb.toml", b""), ("b/x.md", b"")], [("a/b/kb.toml", b"")]):
        refused(home, packed(*entries), "authoring.zip.no_base")


def test_a_base_that_cannot_be_read_does_not_come_in(home):
    with pytest.raises(BaseError, match="base.toml"):
        from_zip(packed(("kb.toml", b"title = ")), home, "新库")
    assert list((home / "kb").iterdir()) == []


@pytest.mark.parametrize(
    "name",
    ["../evil.md", "sections/../../evil.md", "/etc/evil.md", "C:/evil.md", "C:evil.md", "..\\evil.md", "\\evil.md"]
    + ["sections/..", "../", "//server/evil.md", "sections/evil.md\x00.md"],
)
def test_a_path_that_climbs_is_refused(home, tmp_path, name):
    entry = zipfile.ZipInfo("placeholder")
    entry.filename = name
    assert refused(home, packed(KB, (entry, b"x")), "authoring.zip.climbs").say.values["file"]
    assert not list(tmp_path.rglob("*evil*"))


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_a_link_and_a_device_are_refused(home, kind):
    entry = zipfile.ZipInfo("sections/passwd.md")
    entry.external_attr = (kind | 0o777) << 16
    refused(home, packed(KB, (entry, b"/etc/passwd")), "authoring.zip.link")


def test_an_encrypted_entry_is_refused(home):
    data = bytearray(packed(KB, RULES, how=zipfile.ZIP_STORED).getvalue())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.rfind(mark) + offset] |= 1
    refused(home, io.BytesIO(bytes(data)), "authoring.zip.encrypted")


@pytest.mark.parametrize(
    "name", ["SECTIONS/01.md", "sections/01.MD", "sections/./01.md", "sections/01.md/a.md", "Kb.toml"]
)
def test_names_that_some_systems_take_for_one_are_refused(home, name):
    refused(home, packed(KB, RULES, (name, b"x")), "authoring.zip.twins")


def test_one_name_twice_is_refused(home):
    with pytest.warns(UserWarning, match="Duplicate"):
        file = packed(KB, RULES, RULES)
    refused(home, file, "authoring.zip.twins")


def test_a_bomb_is_refused_before_it_bursts(home):
    file = packed(KB, ("sections/a.md", b"\0" * 30_000_000))
    assert file.getbuffer().nbytes < 60_000
    refused(home, file, "authoring.zip.bomb")


def test_sizes_are_counted_and_not_believed(home):
    data = packed(KB, ("sections/a.md", b"\0" * 30_000_000)).getvalue()
    lying = data.replace((30_000_000).to_bytes(4, "little"), (100).to_bytes(4, "little"))
    assert lying != data
    refused(home, io.BytesIO(lying), "authoring.zip.(bomb|broken)")


def test_more_than_the_limits_is_refused(home):
    many = [(f"sections/{number}.md", b"x" * 100) for number in range(50)]
    refused(home, packed(KB, *many), "authoring.zip.many", files=40)
    refused(home, packed(KB, *many), "authoring.zip.many", files=20)
    refused(home, packed(KB, *many, how=zipfile.ZIP_STORED), "authoring.zip.big", bytes=5_000)
    refused(home, packed(KB, ("sections/a.md", b"ab" * 5_000)), "authoring.zip.big", bytes=5_000)


def test_ordinary_text_is_no_bomb(home):
    text = "\n".join(f"第{number}条 应当由责任人承担费用。" for number in range(200_000)).encode()
    assert len(text) > 8_000_000
    assert from_zip(packed(KB, ("sections/a.txt", text)), home, "新库").name == "新库"


@pytest.mark.parametrize("name", ["", "../x", "elevator", "a:b"])
def test_a_name_that_cannot_be_is_told_before_anything_is_unpacked(home, name):
    with pytest.raises(UsageError, match="authoring"):
        from_zip(packed(KB), home, name or None)
    assert not (home / "kb").exists()


def test_a_disk_that_fills_leaves_no_half_of_a_base(home, monkeypatch):
    create(home, "旧库", "x")

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "rename", full)
    with pytest.raises(StoreError, match="No space"):
        from_zip(packed(KB, RULES), home, "新库")
    assert [path.name for path in (home / "kb").iterdir()] == ["旧库"]


def edited(zipped: bytes, edit) -> io.BytesIO:
    """The zip with each entry's (name, content) put through `edit`; `None` leaves it out."""
    with zipfile.ZipFile(io.BytesIO(zipped)) as archive:
        found = [edit(name, archive.read(name)) for name in archive.namelist()]
    return packed(*(entry for entry in found if entry))


@pytest.mark.parametrize(
    "edit",
    [
        lambda name, data: (name, b"{" if name.endswith("versions.jsonl") else data),
        lambda name, data: (name, data.replace(b"sections/", b"../../") if name.endswith("versions.jsonl") else data),
        lambda name, data: (name, data.replace(b'"created": "2', b'"created": "x')),
        lambda name, data: (name, data + b"x" if "/history/" in name and "versions" not in name else data),
        lambda name, data: None if "/history/" in name and "versions" not in name else (name, data),
        lambda name, data: (name, data.split(b"\n", 1)[1] if name.endswith("versions.jsonl") else data),
        lambda name, data: (name, data * 2 if name.endswith("versions.jsonl") else data),
    ],
)
def test_a_history_that_was_tampered_with_does_not_come_in(home, base, tmp_path, edit):
    History(base).save({"sections/01-总则.md": b"x"}, "甲", "1")
    refused(tmp_path / "other", edited(to_zip(base, True), edit), "authoring.zip.history")


def test_a_base_that_is_there_takes_the_files_of_a_zip_as_a_version_and_can_go_back(home, base):
    before = contents(base)
    received = replace_from_zip(packed(KB, RULES, ("readme.txt", b"x")), home, "小库", "小王")
    assert contents(base) == dict([KB, RULES]) and received.left_out == ("readme.txt",)
    newest = History(base).versions(1)[0]
    assert (newest.number, newest.author, received.version) == (2, "小王", 2)
    History(base).roll_back(1, "", "")
    assert contents(base) == before and [path.name for path in (home / "kb").iterdir()] == ["小库"]


def test_of_a_bundled_base_the_copy_is_replaced(home):
    replace_from_zip(packed(KB, RULES), home, "espresso")
    assert contents(home / "kb" / "espresso") == dict([KB, RULES])
    assert "sections" in {path.name for path in (BUNDLED / "espresso").iterdir()}


@pytest.mark.parametrize("entries", [[("kb.toml", b"title = ")], [RULES], [("../kb.toml", b"")]])
def test_a_zip_that_is_no_base_replaces_nothing(home, base, entries):
    before = contents(base)
    with pytest.raises((UsageError, BaseError)):
        replace_from_zip(packed(*entries), home, "小库")
    assert contents(base) == before and [path.name for path in (home / "kb").iterdir()] == ["小库"]
