"""A file is replaced whole or not at all, whoever writes beside."""

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
