"""The archive: every comparison is kept, reopens by its id, and a folder that cannot be used is said in words."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from core.archive import Archive
from core.domain import Ask, BaseInfo, Hit, Passage, Say, Step, Timed, Token
from core.environment import load as load_settings
from core.errors import StoreError, UsageError
from core.records import dump
from core.runs import Comparison, Run
from core.spending import Spending

ROOT = Path(__file__).resolve().parents[1]
BASE = BaseInfo("b", "库", "0123", 2, "t")
PASSAGE = Passage('01-总则#第"一"条', "01-总则", "总则", "第一条", "原文。", 0)


def kept(identifier: str = "c1", question: str = "问", **run: object) -> Comparison:
    step = Step(
        "evidence", Say.of("step.evidence", passages=1, tokens=2), hits=(Hit(PASSAGE, 1, 1.0),), stop="answered"
    )
    events = (Timed(0.1, step), Timed(0.2, Token("答[1]")))
    whole = Run("bm25", Ask(question), BASE, events, 0.3)
    created = f"2025-01-01T00:00:{len(identifier):02}+00:00"
    return Comparison(identifier, question, created, BASE, {"writer": "offline"}, (replace(whole, **run),))


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "new" / "home")


def test_a_kept_comparison_opens_as_it_was(archive):
    archive.keep(kept())
    assert archive.open("c1") == kept()


def test_a_comparison_kept_again_replaces_itself(archive):
    archive.keep(kept(stopped=True))
    archive.keep(kept())
    assert [(line.id, line.complete) for line in archive.recent()] == [("c1", True)]


@pytest.mark.parametrize(
    "change", [{"stopped": True}, {"error": Say.of("run.crashed", kind="X", reason="y")}, {"ended": None}]
)
def test_a_comparison_with_a_run_cut_short_is_not_complete(archive, change):
    archive.keep(kept(**change))
    assert [line.complete for line in archive.recent()] == [False]


def test_an_unknown_id_is_refused_in_words(archive):
    for identifier in ("", "c1", "x' OR '1'='1", "\0"):
        with pytest.raises(UsageError) as caught:
            archive.open(identifier)
        assert caught.value.say.code == "comparison.unknown"


def test_the_latest_come_first_and_only_so_many(archive):
    for identifier in ("a", "bb", "ccc"):
        archive.keep(kept(identifier))
    assert [line.id for line in archive.recent(2)] == ["ccc", "bb"]


def test_comparisons_that_used_a_passage_are_found_by_its_id(archive):
    archive.keep(kept())
    assert [line.id for line in archive.citing(PASSAGE.id)] == ["c1"]
    assert archive.citing("01-总则#第") == []


def test_what_is_private_is_seen_by_its_owner_only(archive):
    archive.keep(kept("a"), owner="one")
    archive.keep(kept("bb"), owner="two")
    assert [line.id for line in archive.recent(owner="one")] == ["a"]
    assert [line.id for line in archive.citing(PASSAGE.id, owner="two")] == ["bb"]
    assert archive.open("bb", "two").id == archive.open("bb").id == "bb"
    with pytest.raises(UsageError):
        archive.open("bb", "one")


@pytest.mark.parametrize("text", ["\ud800 半个字", "\0", "'; DROP TABLE comparisons; --", "🙂" * 1_000])
def test_hostile_text_is_kept_and_comes_back(archive, text):
    archive.keep(kept(question=text))
    assert archive.open("c1").question == text
    assert len(archive.recent()) == 1


def test_a_file_in_the_place_of_the_folder_is_said_in_words(tmp_path):
    (tmp_path / "home").write_text("not a folder", encoding="utf-8")
    archive = Archive(tmp_path / "home")
    for use, code in ((archive.recent, "store.unusable"), (lambda: archive.keep(kept()), "store.unkept")):
        with pytest.raises(StoreError) as caught:
            use()
        assert caught.value.say.code == code


@pytest.mark.parametrize("content", [b"garbage" * 1_000, b"SQLite format 3\0" + b"\xff" * 5_000])
def test_a_damaged_file_is_said_in_words_and_left_alone(archive, content):
    archive.path.parent.mkdir(parents=True)
    archive.path.write_bytes(content)
    with pytest.raises(StoreError) as caught:
        archive.keep(kept())
    assert caught.value.say.code == "store.unkept"
    assert archive.path.read_bytes() == content


@pytest.mark.usefixtures("undisturbed")
def test_a_damaged_record_is_said_in_words(archive):
    archive.keep(kept())
    for record in ("{", "[]", "null", "{}", "[" * 100_000):
        with closing(sqlite3.connect(archive.path)) as connection, connection:
            connection.execute("UPDATE comparisons SET record=?", (record,))
        with pytest.raises(StoreError) as caught:
            archive.open("c1")
        assert caught.value.say.code == "store.record.broken"


def test_a_file_of_a_newer_version_is_refused_in_words_and_left_alone(archive):
    archive.keep(kept())
    with closing(sqlite3.connect(archive.path)) as connection:
        connection.execute("PRAGMA user_version=99")
    with pytest.raises(StoreError) as caught:
        archive.keep(kept("bb"))
    assert caught.value.say.code == "store.newer"
    with closing(sqlite3.connect(archive.path)) as connection:
        assert connection.execute("SELECT count(*) FROM comparisons").fetchone() == (1,)


WRITE = """
import sys
from pathlib import Path
from core.archive import Archive
from tests.test_archive import kept
for number in range(25):
    Archive(Path(sys.argv[1])).keep(kept(f"{sys.argv[2]}-{number}"))
"""


def test_two_processes_write_at_once(archive):
    command = [sys.executable, "-c", WRITE, str(archive.path.parent)]
    writers = [subprocess.Popen([*command, name], cwd=ROOT, stderr=subprocess.PIPE, text=True) for name in ("a", "b")]
    told = [writer.communicate(timeout=60)[1] for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0], told
    assert len(archive.recent(100)) == 50


def test_nothing_that_looks_like_a_key_is_kept(archive):
    settings = load_settings(
        {"OPENAI_API_KEY": "sk-secret", "ZHIPUAI_API_KEY": "secret.key", "WORKBENCH_HOME": "/nowhere"}
    )
    archive.keep(replace(kept(), settings=settings.recorded))
    stored = archive.path.read_bytes()
    assert b"secret" not in stored
    assert not [name for name in settings.recorded if "key" in name.lower()]


def test_what_was_kept_opens_again_where_nothing_can_be_written(archive, monkeypatch):
    archive.keep(kept())
    identifier = archive.recent()[0].id

    def refused(path):
        raise sqlite3.OperationalError("attempt to write a readonly database")

    monkeypatch.setattr("core.database.connect", refused)
    assert Archive(archive.path.parent).open(identifier) == kept()


OLD = """
CREATE TABLE comparisons (
    id TEXT PRIMARY KEY, created TEXT NOT NULL, question TEXT NOT NULL, base TEXT NOT NULL,
    owner TEXT NOT NULL, complete INTEGER NOT NULL, record TEXT NOT NULL);
CREATE INDEX comparisons_created ON comparisons (created DESC);
PRAGMA user_version=1;
"""


@pytest.fixture
def old(tmp_path):
    """A data folder as version 1 left it, with one comparison."""
    record = dump(kept())
    with closing(sqlite3.connect(tmp_path / "workbench.sqlite")) as connection, connection:
        connection.executescript(OLD)
        row = ("c1", "2025-01-01T00:00:02+00:00", "问", "b", "", True, json.dumps(record))
        connection.execute("INSERT INTO comparisons VALUES (?,?,?,?,?,?,?)", row)
    return tmp_path


def test_a_file_of_version_1_is_migrated_and_nothing_is_lost(old):
    Spending(old).add("m", 5, "CNY", 0.1)
    assert Archive(old).open("c1") == kept()
    with closing(sqlite3.connect(old / "workbench.sqlite")) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (3,)
        assert connection.execute("SELECT tokens, amount FROM spend").fetchall() == [(5, 0.1)]
        assert connection.execute("SELECT count(*) FROM saved").fetchone() == (0,)


def test_a_file_of_version_1_that_cannot_be_written_still_opens(old, monkeypatch):
    def refused(path):
        raise sqlite3.OperationalError("attempt to write a readonly database")

    monkeypatch.setattr("core.database.connect", refused)
    assert Archive(old).open("c1") == kept()
    assert [line.id for line in Archive(old).recent()] == ["c1"]
