"""Drafts lie on disk, one a session, whole or not at all; a damaged one is set aside and told."""

from __future__ import annotations

import errno
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.authoring import keeping
from core.authoring.keeping import follow, forget, keep, kept, new_token, take
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


NO_DRAFTS = (b"", b"{", b"[]", b"\xff\xfe\x00", b'{"format": 9}', b'{"format": 1, "operations": []}')


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
