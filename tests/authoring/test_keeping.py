"""Drafts lie on disk, one a session, whole or not at all; a damaged one is set aside and told."""

from __future__ import annotations

import errno
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.authoring import keeping
from core.authoring.encoded import encoded
from core.authoring.keeping import count, follow, forget, keep, kept, lies, new_token, take
from core.authoring.operations import Edit, Merge
from core.errors import StoreError, UsageError
from tests.authoring.conftest import everything

FIRST, SECOND = (Edit("手册#1", "甲", "甲一"),), (Edit("手册#1", "甲", "甲一"), Merge("手册#1", "甲一"))


def lying(home, base="小库"):
    return {one.token: one.operations for one in kept(home, base)[0]}


def test_a_draft_is_found_again_with_its_author_outside_the_folder_of_its_base(home, base):
    before, token = everything(base), new_token()
    keep(home, "小库", token, SECOND, "小王")
    (one,), told = kept(home, "小库")
    assert (one.token, one.author, one.operations, told) == (token, "小王", SECOND, ())
    assert everything(base) == before and kept(home, "别的") == ((), ())


def test_two_sessions_keep_each_their_own_and_a_change_replaces_only_that(home):
    mine, yours = new_token(), new_token()
    keep(home, "小库", mine, FIRST)
    keep(home, "小库", yours, FIRST)
    keep(home, "小库", mine, SECOND)
    assert lying(home) == {mine: SECOND, yours: FIRST}
    forget(home, "小库", mine)
    keep(home, "小库", yours, ())
    assert lying(home) == {}


def test_of_several_who_go_on_with_a_draft_one_gets_it(home):
    token, others = new_token(), [new_token() for _ in range(8)]
    keep(home, "小库", token, FIRST)

    def tried(own):
        try:
            return take(home, "小库", token, own).token
        except UsageError:
            return None

    with ThreadPoolExecutor(8) as many:
        got = [found for found in many.map(tried, others) if found]
    assert len(got) == 1 and lying(home) == {got[0]: FIRST}


ROW = {"format": 1, "changed": "2026-01-02T03:04:05+00:00", "author": "", "operations": encoded(FIRST)}
WRONG = (
    {"changed": "banana"},
    {"changed": 5},
    {"changed": "2026-01-02T03:04:05"},
    {"changed": "0001-01-01T00:00:00+00:00"},
    {"author": ["甲"]},
    {"format": True},
    {"operations": [{"kind": "edit", "id": 1, "before": "甲", "after": "乙"}]},
    {"operations": [{"kind": ["edit"]}]},
)
NO_DRAFTS = (
    *(json.dumps({**ROW, **wrong}).encode() for wrong in WRONG),
    b"[" * 100_000,
    b"",
    b"{",
    b"[]",
    b"\xff\xfe\x00",
    b'{"format": 9}',
    b'{"format": 1, "operations": []}',
)


@pytest.mark.parametrize("data", NO_DRAFTS)
def test_a_damaged_draft_is_set_aside_once_and_the_others_come(home, data):
    token = new_token()
    keep(home, "小库", token, FIRST)
    folder = next((home / "drafts").iterdir())
    (folder / f"{new_token()}.json").write_bytes(data)
    found, told = kept(home, "小库")
    assert [one.token for one in found] == [token] and [say.code for say in told] == ["draft.damaged"]
    assert kept(home, "小库")[1] == () and [file.read_bytes() for file in folder.glob("*.damaged")] == [data]


def test_a_disk_that_fills_leaves_the_draft_that_was_there(home, monkeypatch):
    token = new_token()
    keep(home, "小库", token, FIRST)

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(keeping.os, "fsync", full)
    with pytest.raises(StoreError, match=r"draft\.unkept"):
        keep(home, "小库", token, SECOND)
    monkeypatch.undo()
    assert lying(home) == {token: FIRST} and len(list((home / "drafts").rglob("*.*"))) == 1


def test_drafts_follow_a_base_that_is_renamed(home):
    token = new_token()
    keep(home, "小库", token, FIRST)
    follow(home, "小库", "大库")
    assert lying(home) == {} and lying(home, "大库") == {token: FIRST}


def test_only_files_with_the_name_of_a_draft_are_read(home):
    keep(home, "小库", new_token(), FIRST)
    file = next((home / "drafts").rglob("*.json"))
    file.with_name("notes.json").write_bytes(file.read_bytes())
    found, told = kept(home, "小库")
    assert len(found) == count(home, "小库") == 1 and told == () and file.with_name("notes.json").is_file()


def test_lone_surrogates_come_back_as_they_were(home):
    changes = (Edit("手册#1", "甲\ud800", "乙\udfff\U0001f600"),)
    keep(home, "小库", new_token(), changes)
    assert kept(home, "小库")[0][0].operations == changes


def test_what_a_process_that_died_had_laid_out_is_taken_away_once_it_is_old(home):
    keep(home, "小库", new_token(), FIRST)
    folder = next((home / "drafts").iterdir())
    old, fresh = folder / "a.new", folder / "b.new"
    for file in (old, fresh):
        file.write_bytes(b"{")
    os.utime(old, (time.time() - 90_000,) * 2)
    keep(home, "小库", new_token(), FIRST)
    assert len(kept(home, "小库")[0]) == 2 and not old.exists() and fresh.exists()


def test_threads_that_keep_one_draft_at_once_leave_it_whole(home):
    token = new_token()
    many = [(Edit("手册#1", "甲", f"{number}" * 5_000),) for number in range(8)]
    with ThreadPoolExecutor(4) as threads:
        for _ in threads.map(lambda changes: keep(home, "小库", token, changes), many * 8):
            pass
    found, told = kept(home, "小库")
    assert told == () and found[0].operations in many and not list((home / "drafts").rglob("*.new"))


def test_a_draft_that_follows_its_base_overwrites_none_that_is_there(home):
    token = new_token()
    keep(home, "小库", token, FIRST)
    keep(home, "大库", token, SECOND)
    follow(home, "小库", "大库")
    assert sorted(map(len, lying(home, "大库").values())) == [1, 2] and lies(home, "大库", token)
