"""Which files are a base's own, and where they may lie."""

from __future__ import annotations

import os

import pytest

from core.authoring.folder import STAGING, content, digest, digests, files, kept, locked, place, write
from core.authoring.history import History
from core.errors import StoreError, UsageError
from core.knowledge.shelf import Shelf
from core.opened import load
from core.settings import BUNDLED, Settings
from tests.authoring.conftest import FILES, contents, everything


@pytest.mark.parametrize(
    "path",
    ["kb.toml", "dictionary.txt", "passages.jsonl", "corpus.jsonl.gz", "queries.jsonl", "qrels/test.tsv"]
    + ["questions/a.CSV", "questions/a.jsonl", "sections/a.md", "sections/a/b/c.txt", "sections/…第一章…/01.MD"],
)
def test_a_bases_files_are_its_own(path):
    assert kept(path)


@pytest.mark.parametrize(
    "path",
    ["", "/", ".", "..", "kb.toml/", "/kb.toml", "./kb.toml", "history.sqlite", "history.lock", "secrets.toml", ".env"]
    + [
        "sections",
        "sections/",
        "sections/..",
        "sections/../kb.toml",
        "sections/./a.md",
        "sections//a.md",
        "qrels/a/b.tsv",
    ]
    + ["sections/.hidden.md", "sections/.git/a.md", "sections/a.exe", "sections/a\\..\\b.md", "sections/C:a.md"]
    + [
        "C:/sections/a.md",
        "sections/a\x00.md",
        "sections/a\n.md",
        "sections/\ud800.md",
        "other/a.md",
        "questions/a.md",
    ],
)
def test_nothing_else_is(base, path):
    assert not kept(path)
    with pytest.raises(UsageError, match="authoring.path"):
        place(base, path)


def test_the_bundled_bases_consist_of_their_own_files():
    for name in Shelf(BUNDLED).names():
        assert set(files(BUNDLED / name)) == everything(BUNDLED / name)


def test_only_own_files_are_found(base):
    for path in ("notes.docx", ".env", "sections/.DS_Store", "sections/a.pdf", ".git/config", "questions/b/c.csv"):
        (base / path).parent.mkdir(parents=True, exist_ok=True)
        (base / path).write_text("x", encoding="utf-8")
    assert list(files(base)) == sorted(FILES)
    assert digests(base) == {path: digest(text.encode()) for path, text in FILES.items()}


def test_a_pipe_and_a_folder_called_like_a_file_are_no_files(base):
    if hasattr(os, "mkfifo"):
        os.mkfifo(base / "sections/pipe.md")
    (base / "sections/folder.md").mkdir()
    assert list(files(base)) == sorted(FILES)
    assert content(base, "sections/folder.md") is None


def test_what_is_written_replaces_several_files_at_once(base):
    old = contents(base)
    new = {"kb.toml": None, "sections/01-总则.md": b"1", "sections/a/b/c.md": b"2", "sections/附录/02-费用.md": None}
    write(base, new, {path: old.get(path) for path in new}, lambda: None)
    left = {"dictionary.txt", "passages.jsonl", "questions/常问.csv", "sections/01-总则.md", "sections/a/b/c.md"}
    assert everything(base) == left and not (base / "sections/附录").exists() and not (base / STAGING).exists()


def test_what_is_not_sealed_is_put_back(base):
    old = contents(base)
    new = {"kb.toml": None, "sections/01-总则.md": b"1", "sections/a/b/c.md": b"2", "sections/附录/02-费用.md": None}

    def refuse() -> None:
        assert contents(base)["sections/01-总则.md"] == b"1"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(base, new, {path: old.get(path) for path in new}, refuse)
    assert contents(base) == old and everything(base) == set(old) and not (base / "sections/a").exists()


@pytest.mark.skipif(os.name == "nt", reason="rights are of another kind there")
def test_a_file_keeps_its_rights(base):
    (base / "kb.toml").chmod(0o640)
    write(base, {"kb.toml": b"new"}, {"kb.toml": b"old"}, lambda: None)
    assert (base / "kb.toml").stat().st_mode & 0o777 == 0o640


def test_a_folder_is_held_by_one_at_a_time(base, monkeypatch):
    monkeypatch.setattr("core.authoring.folder.PATIENCE", 0.05)
    with locked(base):
        with pytest.raises(StoreError, match="authoring.busy"), locked(base):
            pass
    with locked(base):
        pass


def test_a_folder_that_is_not_there_cannot_be_held(base):
    with pytest.raises(StoreError, match="authoring.unwritable"), locked(base / "gone"):
        pass


@pytest.mark.parametrize("name", ["history.sqlite", "history.lock", STAGING])
def test_what_a_save_writes_beside_the_files_is_never_a_link(base, tmp_path, name):
    outside = tmp_path / "outside"
    outside.mkdir()
    (base / name).symlink_to(outside / "" if name == STAGING else outside / "new.sqlite")
    with pytest.raises(StoreError, match="authoring.link"):
        History(base).save({"sections/01-总则.md": b"x"}, "甲", "1")
    assert not list(outside.iterdir())
    assert load(Settings(home=tmp_path), str(base)).passages  # it opens all the same


def test_something_else_in_place_of_the_lock_is_told(base):
    (base / "history.lock").write_text("no database, but a text that someone put here", encoding="utf-8")
    with pytest.raises(StoreError, match="authoring.unwritable"), locked(base):
        pass
