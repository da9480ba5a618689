"""A file is replaced whole or not at all, whoever writes beside."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from core import whole_files
from core.whole_files import LAYING, put, set_aside


def test_several_who_write_at_once_leave_one_whole_file(tmp_path):
    path = tmp_path / "folder" / "a.json"
    contents = [bytes([number]) * 100_000 for number in range(20)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda content: put(path, content), contents))
    assert path.read_bytes() in contents and list(path.parent.iterdir()) == [path]


def test_a_write_that_fails_leaves_what_lay_there_and_nothing_beside(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    path = tmp_path / "a.json"
    put(path, b"before")
    monkeypatch.setattr(whole_files.os, "fsync", full)
    with pytest.raises(OSError, match="space"):
        put(path, b"after")
    assert path.read_bytes() == b"before" and not list(tmp_path.glob(f"*{LAYING}"))


def test_a_file_set_aside_keeps_what_it_holds(tmp_path):
    path = tmp_path / "a.json"
    put(path, b"damaged")
    assert set_aside(path).read_bytes() == b"damaged" and not path.exists()


def test_files_set_aside_one_after_the_other_all_stay(tmp_path):
    path = tmp_path / "a.json"
    for content in (b"one", b"two", b"three"):
        put(path, content)
        set_aside(path)
    assert sorted(file.read_bytes() for file in tmp_path.iterdir()) == [b"one", b"three", b"two"]


def test_what_a_process_that_died_left_goes_and_what_is_being_written_stays(tmp_path):
    for name, age in (("old", 7200), ("young", 0)):
        file = tmp_path / f"{name}{LAYING}"
        file.write_bytes(b"part")
        os.utime(file, (time.time() - age,) * 2)
    put(tmp_path / "a.json", b"whole")
    assert {file.name for file in tmp_path.iterdir()} == {f"young{LAYING}", "a.json"}
