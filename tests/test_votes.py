"""Blind votes: one a reader and comparison, kept beside the comparisons, and said in words where they cannot be."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from core.archive import Archive
from core.database import Store
from core.errors import StoreError
from core.votes import TIE, Votes

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def votes(tmp_path):
    return Votes(tmp_path / "new" / "home")


def test_votes_are_counted_by_what_was_chosen_most_first(votes):
    for voter, choice in (("a", "bm25"), ("b", "rerank"), ("c", "rerank"), ("d", TIE)):
        votes.cast("c1", voter, choice)
    votes.cast("c2", "a", "bm25")
    assert list(votes.tally("c1").items()) == [("rerank", 2), ("bm25", 1), (TIE, 1)]
    assert votes.tally("c2") == {"bm25": 1}


def test_a_new_vote_takes_the_place_of_the_old(votes):
    votes.cast("c1", "a", "bm25")
    votes.cast("c1", "a", "rerank")
    assert votes.tally("c1") == {"rerank": 1} and votes.of("c1", "a") == "rerank"


def test_where_nobody_voted_there_is_nothing(votes):
    assert votes.tally("c1") == {} and votes.of("c1", "a") is None


def test_a_vote_keeps_when_it_was_cast_in_utc(votes, tmp_path):
    votes.cast("c1", "a", "bm25")
    with Store(tmp_path / "new" / "home").connection("store.unusable") as connection:
        (created,) = connection.execute("SELECT created FROM votes").fetchone()
    assert created.endswith("+00:00")


@pytest.mark.parametrize("text", ["'; DROP TABLE votes; --", "🙂" * 100, "\0"])
def test_hostile_text_is_counted_as_it_is(votes, text):
    votes.cast(text, text, text)
    assert votes.tally(text) == {text: 1} and votes.of(text, text) == text


def test_a_folder_that_cannot_be_used_is_said_in_words(tmp_path):
    (tmp_path / "home").write_text("not a folder", encoding="utf-8")
    votes = Votes(tmp_path / "home")
    uses = {
        "vote.unkept": lambda: votes.cast("c1", "a", "bm25"),
        "store.unusable": lambda: votes.tally("c1"),
    }
    for code, use in uses.items():
        with pytest.raises(StoreError) as caught:
            use()
        assert caught.value.say.code == code


def test_a_damaged_file_is_said_in_words(votes, tmp_path):
    path = tmp_path / "new" / "home" / "workbench.sqlite"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"garbage" * 1_000)
    for use in (lambda: votes.cast("c1", "a", "bm25"), lambda: votes.of("c1", "a")):
        with pytest.raises(StoreError):
            use()
    assert path.read_bytes() == b"garbage" * 1_000


def test_a_file_of_version_2_is_migrated_and_nothing_is_lost(tmp_path):
    with closing(sqlite3.connect(tmp_path / "workbench.sqlite")) as connection, connection:
        connection.executescript(
            "CREATE TABLE comparisons (id, created, question, base, owner, complete, record);"
            "CREATE TABLE spend (day, model, currency, tokens, amount); CREATE TABLE saved (name, value);"
            "INSERT INTO comparisons VALUES ('c1', '2025', 'q', 'b', '', 1, '{}'); PRAGMA user_version=2;"
        )
    Votes(tmp_path).cast("c1", "a", "bm25")
    assert Votes(tmp_path).tally("c1") == {"bm25": 1}
    assert [line.id for line in Archive(tmp_path).recent()] == ["c1"]


def test_a_file_of_version_2_that_can_only_be_read_has_no_votes(tmp_path, monkeypatch):
    with closing(sqlite3.connect(tmp_path / "workbench.sqlite")) as connection, connection:
        connection.executescript("CREATE TABLE comparisons (id); PRAGMA user_version=2;")

    def refused(path):
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr("core.database.connect", refused)
    votes = Votes(tmp_path)
    assert votes.tally("c1") == {} and votes.of("c1", "a") is None
    with pytest.raises(StoreError):
        votes.cast("c1", "a", "bm25")


WRITE = """
import sys
from pathlib import Path
from core.votes import Votes
for number in range(25):
    Votes(Path(sys.argv[1])).cast("c1", f"{sys.argv[2]}-{number}", "bm25")
"""


def test_two_processes_vote_at_once(tmp_path):
    command = [sys.executable, "-c", WRITE, str(tmp_path)]
    writers = [subprocess.Popen([*command, name], cwd=ROOT, stderr=subprocess.PIPE, text=True) for name in ("a", "b")]
    told = [writer.communicate(timeout=60)[1] for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0], told
    assert Votes(tmp_path).tally("c1") == {"bm25": 50}
