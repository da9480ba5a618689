"""Every save is a version, whole or not at all, and nothing that was ever there is lost."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.authoring import ledger
from core.authoring.folder import digest, files
from core.authoring.history import History
from core.domain import Say
from core.errors import ConflictError, StoreError, UsageError
from tests.authoring.conftest import FILES, contents, everything, laid_out
from tests.authoring.crashing import CHANGES

ROOT = Path(__file__).resolve().parents[2]
RULES = "sections/01-总则.md"
COSTS = "sections/附录/02-费用.md"


def after(old: dict[str, bytes]) -> dict[str, bytes]:
    """`old` with the changes made."""
    return {path: data for path, data in {**old, **CHANGES}.items() if data is not None}


def intact(folder: Path) -> bool:
    """Whether the newest version is what lies on disk, and nothing else is there."""
    history = History(folder)
    known = dict(history.files_at(history.versions(1)[0].number))
    return known == {p: digest(d) for p, d in contents(folder).items()} and everything(folder) == set(known)


def test_the_first_save_begins_with_what_lay_there(base):
    version = History(base).save({RULES: "第一条 新。".encode()}, "甲", "改第一条")
    first, second = reversed(History(base).versions())
    assert (first.number, first.author, first.note) == (1, "", Say.of("authoring.note.first"))
    assert {change.path for change in first.changes} == set(FILES) and second == version
    assert [change.path for change in version.changes] == [RULES]
    assert (version.author, version.note) == ("甲", "改第一条") and version.created.endswith("+00:00")


def test_nothing_is_written_before_the_first_save(base):
    before = {path.name for path in base.iterdir()}
    history = History(base)
    assert history.versions() == () and history.notice_outside() is None and history.files_now()
    assert {path.name for path in base.iterdir()} == before


def test_a_version_gives_back_what_it_held(base):
    history = History(base)
    history.save({RULES: b"one\n"}, "甲", "1")
    history.save({RULES: b"two\r\n", COSTS: None}, "乙", "2")
    held = history.files_at(1)
    assert {path: history.content(held[path]).decode() for path in held} == FILES
    assert history.content(history.files_at(2)[RULES]) == b"one\n" and COSTS not in history.files_at(3)
    assert intact(base) and not (base / "sections/附录").exists()


def test_a_save_that_changes_nothing_makes_no_version(base):
    history = History(base)
    version = history.save({RULES: b"one"}, "甲", "1")
    assert history.save({RULES: b"one", "sections/none.md": None}, "甲", "again") == version
    assert len(history.versions()) == 2


def test_rolling_back_is_a_new_version_that_equals_the_old(base):
    history = History(base)
    history.save(CHANGES, "甲", "1")
    version = history.roll_back(1, "乙", Say.of("authoring.note.first"))
    assert {path: data.decode() for path, data in contents(base).items()} == FILES and intact(base)
    assert version.number == 3 and history.files_at(3) == history.files_at(1)
    history.roll_back(2, "乙", "vor")
    assert history.files_at(4) == history.files_at(2) and intact(base)


def test_comparing_tells_file_by_file_what_became_of_it(base):
    history = History(base)
    history.save(CHANGES, "甲", "1")
    found = {one.path: one for one in history.compare(1, 2)}
    assert {path: one.kind for path, one in found.items()} == {
        "kb.toml": "changed",
        RULES: "changed",
        COSTS: "removed",
        "sections/新/03.md": "added",
    }
    assert found[RULES].texts == (FILES[RULES], "# 总则\n\n第一条 新。\n")
    assert found[COSTS].texts == (FILES[COSTS], "")


def test_comparing_with_the_disk_sees_what_is_not_saved(base):
    history = History(base)
    history.save({RULES: b"one"}, "甲", "1")
    (base / RULES).write_bytes(b"two")
    assert [(one.before, one.after) for one in history.compare(2)] == [(b"one", b"two")]


def test_a_version_that_is_not_there_is_told(base):
    history = History(base)
    for ask in (history.files_at, history.compare, lambda number: history.roll_back(number, "甲", "")):
        with pytest.raises(UsageError, match="authoring.version"):
            ask(9)


def test_an_edit_outside_the_app_becomes_a_version(base):
    history = History(base)
    history.save({RULES: b"one"}, "甲", "1")
    (base / RULES).write_bytes(b"edited")
    (base / "sections/04.md").write_bytes(b"pulled")
    (base / COSTS).unlink()
    version = history.notice_outside()
    assert version and (version.author, version.note) == ("", Say.of("authoring.note.outside"))
    assert [change.path for change in version.changes] == sorted([RULES, "sections/04.md", COSTS])
    assert history.notice_outside() is None and intact(base)


def test_a_save_over_an_edit_outside_loses_neither(base):
    history = History(base)
    history.save({RULES: b"one"}, "甲", "1")
    (base / RULES).write_bytes(b"edited outside")
    history.save({RULES: b"two"}, "甲", "2")
    assert [history.content(history.files_at(n)[RULES]) for n in (2, 3, 4)] == [b"one", b"edited outside", b"two"]


def test_whoever_saves_second_is_shown_what_is_there(base):
    history = History(base)
    opened = {RULES: history.files_now()[RULES], "sections/05.md": None}
    history.save({RULES: b"first"}, "甲", "1")
    with pytest.raises(ConflictError) as conflict:
        history.save({RULES: b"second", "sections/05.md": b"x"}, "乙", "2", opened)
    assert conflict.value.found == {RULES: b"first"} and conflict.value.say.values == {"files": [RULES]}
    assert (base / RULES).read_bytes() == b"first" and len(history.versions()) == 2
    history.save({RULES: b"second"}, "乙", "2", {RULES: digest(b"first")})
    assert (base / RULES).read_bytes() == b"second"


def test_a_file_made_or_taken_away_meanwhile_is_a_conflict_too(base):
    history = History(base)
    history.save({COSTS: None, "sections/05.md": b"there"}, "甲", "1")
    opened = {COSTS: digest(FILES[COSTS].encode()), "sections/05.md": None}
    with pytest.raises(ConflictError) as conflict:
        history.save({COSTS: b"x", "sections/05.md": b"y"}, "乙", "2", opened)
    assert conflict.value.found == {COSTS: None, "sections/05.md": b"there"}


def test_a_name_that_differs_only_by_case_is_refused(base):
    history = History(base)
    history.save({"sections/Ä.md": b"x"}, "甲", "1")
    for name in ("sections/ä.md", "sections/A\u0308.md"):
        with pytest.raises(UsageError, match="authoring.case"):
            history.save({name: b"y"}, "甲", "2")
    history.save({"sections/Ä.md": None, "sections/ä.md": b"y"}, "甲", "3")
    assert intact(base)


def test_a_file_name_in_no_encoding_is_kept_like_any_other(base):
    odd = os.fsdecode("sections/费用".encode("gbk") + b".md")
    (base / odd).write_bytes(b"odd")
    history = History(base)
    history.save({RULES: b"one"}, "甲", "1")
    history.save({odd: b"changed"}, "甲", "2")
    history.roll_back(2, "甲", "3")
    assert (base / odd).read_bytes() == b"odd" and history.files_at(4)[odd] == digest(b"odd")


def left_by(operation: str, template: Path, out: Path) -> list[Path]:
    """What an operation killed at every step leaves, and last what it leaves unharmed."""
    out.mkdir()
    command = [sys.executable, "-m", "tests.authoring.crashing", operation, str(template), str(out)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=60)
    return sorted(out.iterdir(), key=lambda path: int(path.name))


@pytest.fixture(scope="module")
def died(tmp_path_factory) -> tuple[dict[str, bytes], list[Path]]:
    """What a base held, and what a save killed at every step left of it."""
    if not hasattr(os, "fork"):
        pytest.skip("a process cannot be copied there")
    here = tmp_path_factory.mktemp("died")
    template = laid_out(here / "小库")
    History(template).save({RULES: b"one\n"}, "甲", "1")
    return contents(template), left_by("save", template, here / "left")


@pytest.fixture
def torn(died, tmp_path) -> Path:
    """A base that a save left half-written."""
    old, folders = died
    half = next(folder for folder in folders[len(folders) // 2 :] if contents(folder) not in (old, after(old)))
    return Path(shutil.copytree(half, tmp_path / "torn"))


def test_a_save_killed_at_any_step_leaves_the_old_or_the_new_state(died, tmp_path):
    old, folders = died
    seen, half = set(), 0
    for folder in (Path(shutil.copytree(folder, tmp_path / folder.name)) for folder in folders):
        half += contents(folder) not in (old, after(old))
        assert History(folder).notice_outside() is None
        assert intact(folder) and contents(folder) in (old, after(old)), folder.name
        seen.add(contents(folder) == old)
    assert len(folders) > 30 and half > 2 and seen == {True, False}
    assert History(folder).save({RULES: b"onward"}, "乙", "2").number == 4


def test_undoing_killed_at_any_step_is_taken_up_again(died, torn, tmp_path):
    folders = left_by("recover", torn, tmp_path / "again")
    for folder in folders:
        History(folder).notice_outside()
        assert contents(folder) == died[0] and intact(folder)
    assert len(folders) > 10


def test_what_was_edited_after_a_save_died_is_not_undone(died, torn):
    (torn / RULES).write_bytes(b"typed since")
    version = History(torn).notice_outside()
    assert version and [change.path for change in version.changes] == [RULES]
    assert contents(torn) == {**died[0], RULES: b"typed since"}


@pytest.mark.parametrize("name", ["replace", "fsync", "mkdir"])
def test_a_save_whose_disk_is_full_leaves_the_old_state(base, monkeypatch, name):
    History(base).save({RULES: b"one\n"}, "甲", "1")
    old, failures = contents(base), 0
    for step in range(1, 20):
        with monkeypatch.context() as patched:
            _full_at(patched, name, step)
            try:
                History(base).save(CHANGES, "甲", "2")
            except StoreError as refused:
                failures += 1
                assert refused.say.code == "authoring.unwritable"
                assert "No space" in refused.say.values["reason"]
        if contents(base) != old:
            break
        assert intact(base) and len(History(base).versions()) == 2
    assert failures == step - 1 > 0 and contents(base) == after(old)


def _full_at(patched: pytest.MonkeyPatch, name: str, step: int) -> None:
    """The disk is full at the `step`-th call of a function of `os`, and not before or later."""
    real, calls = getattr(os, name), iter(range(1, 1_000))

    def full(*given, **named):
        if next(calls) == step:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(*given, **named)

    patched.setattr(os, name, full)


def test_where_putting_back_fails_too_the_next_opening_does_it(base, monkeypatch):
    History(base).save({RULES: b"one\n"}, "甲", "1")
    old = contents(base)
    real, calls = os.replace, iter(range(100))

    def broken(*given):
        if next(calls) >= 1:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(*given)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", broken)
        with pytest.raises(StoreError, match="authoring.torn"):
            History(base).save(CHANGES, "甲", "2")
    assert contents(base) != old
    History(base).notice_outside()
    assert contents(base) == old and intact(base)


@contextmanager
def files_at_most(size: int) -> Iterator[None]:
    """No file can grow beyond `size` bytes, as where a disk is full."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("size", [0, 512, 5_000, 30_000, 45_000, 60_000, 80_000])
def test_a_disk_that_fills_at_any_size_leaves_the_old_state(base, size):
    History(base).save({RULES: b"one\n"}, "甲", "1")
    old = contents(base)
    with files_at_most(size), pytest.raises(StoreError):
        History(base).save({**CHANGES, "sections/long.md": os.urandom(50_000).hex().encode()}, "甲", "2")
    assert History(base).notice_outside() is None
    assert contents(base) == old and intact(base) and len(History(base).versions()) == 2


def test_all_saves_of_many_threads_become_versions(base):
    def saves(who: int) -> None:
        for turn in range(5):
            History(base).save({f"sections/{who}.md": b"%d" % turn, RULES: b"%d %d" % (who, turn)}, str(who), "x")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(saves, range(4)))
    versions = History(base).versions()
    assert [version.number for version in versions] == list(range(21, 0, -1)) and intact(base)


SAVING = """
import sys
from pathlib import Path
from core.authoring.history import History
from core.errors import ConflictError
history = History(Path(sys.argv[1]))
for turn in range(12):
    history.save({f"sections/{sys.argv[2]}.md": b"%d" % turn}, sys.argv[2], "x")
opened = {"kb.toml": sys.argv[3]}
try:
    history.save({"kb.toml": b"title = %r" % sys.argv[2]}, sys.argv[2], "x", opened)
except ConflictError:
    sys.exit(3)
"""


def test_two_processes_that_save_at_once_both_stand_or_one_is_told(base):
    opened = History(base).files_now()["kb.toml"]
    both = [
        subprocess.Popen([sys.executable, "-c", SAVING, str(base), who, opened], cwd=ROOT) for who in ("one", "two")
    ]
    assert sorted(process.wait(30) for process in both) == [0, 3]
    assert len(History(base).versions()) == 1 + 24 + 1 and intact(base)


def test_a_link_is_never_followed_or_written_through(base, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret", encoding="utf-8")
    (base / "sections/linked.md").symlink_to(outside / "secret.md")
    (base / "sections/folder").symlink_to(outside)
    history = History(base)
    for path in ("sections/linked.md", "sections/folder/secret.md", "sections/folder/new.md"):
        for data in (b"x", None):
            with pytest.raises(UsageError, match="authoring.link"):
                history.save({path: data}, "甲", "1")
    history.save({RULES: b"one"}, "甲", "1")
    assert set(history.files_at(2)) == set(FILES) and (outside / "secret.md").read_text("utf-8") == "secret"


def test_a_link_put_in_place_of_a_file_counts_as_its_removal(base, tmp_path):
    history = History(base)
    history.save({RULES: b"one"}, "甲", "1")
    (tmp_path / "secret.md").write_text("secret", encoding="utf-8")
    (base / RULES).unlink()
    (base / RULES).symlink_to(tmp_path / "secret.md")
    assert [(one.path, one.kind) for one in history.compare(2)] == [(RULES, "removed")]
    version = history.notice_outside()
    assert version and [(change.path, change.after) for change in version.changes] == [(RULES, None)]
    with pytest.raises(ConflictError) as conflict:
        history.save({COSTS: b"x"}, "甲", "2", {RULES: digest(b"one")})
    assert conflict.value.found == {RULES: None}
    with pytest.raises(UsageError, match="authoring.link"):
        history.roll_back(2, "甲", "3")
    assert history.save({COSTS: b"x"}, "甲", "2").number == 4
    assert (tmp_path / "secret.md").read_text("utf-8") == "secret"


def test_a_folder_that_cannot_be_written_is_told(base):
    (base / "history.lock").mkdir()
    with pytest.raises(StoreError, match="authoring.unwritable"):
        History(base).save({RULES: b"one"}, "甲", "1")
    assert (base / RULES).read_text("utf-8") == FILES[RULES]


@pytest.mark.skipif(os.geteuid() == 0, reason="whoever may do everything may write everywhere")
def test_a_read_only_folder_is_told_and_still_read(base):
    History(base).save({RULES: b"one"}, "甲", "1")
    base.chmod(0o500)
    try:
        assert len(History(base).versions()) == 2 and History(base).notice_outside() is None
        with pytest.raises(StoreError, match="authoring.unwritable"):
            History(base).save({RULES: b"two"}, "甲", "1")
    finally:
        base.chmod(0o700)


def test_a_damaged_history_is_told_and_the_files_stay(base):
    (base / "history.sqlite").write_bytes(b"no database at all, and long enough to be read as one" * 30)
    for ask in (History(base).versions, lambda: History(base).save({RULES: b"one"}, "甲", "1")):
        with pytest.raises(StoreError, match="authoring.damaged"):
            ask()
    assert (base / RULES).read_text("utf-8") == FILES[RULES]


def test_a_history_cut_short_at_its_birth_begins_anew(base):
    (base / "history.sqlite").touch()
    assert History(base).versions() == () and History(base).notice_outside() is None
    History(base).save({RULES: b"one"}, "甲", "1")
    assert len(History(base).versions()) == 2


def test_many_versions_of_many_files_stay_small(base):
    for number in range(60):
        (base / f"sections/{number:02}.md").write_text(f"第{number}条 " + "文字" * 400, encoding="utf-8")
    history = History(base)
    for turn in range(20):
        history.save({"sections/07.md": f"第{turn}次".encode()}, "甲", "x")
    assert len(history.files_at(21)) == 66 and len(history.versions(1)[0].changes) == 1
    assert (base / "history.sqlite").stat().st_size < 200_000


def test_an_own_file_moved_away_whole_takes_its_history_along(base, tmp_path):
    History(base).save({RULES: b"one"}, "甲", "1")
    moved = tmp_path / "elsewhere"
    shutil.move(base, moved)
    assert len(History(moved).versions()) == 2 and set(files(moved)) == set(FILES)


def test_a_clock_that_goes_backwards_leaves_the_order_of_versions_and_loses_nothing(base, monkeypatch):
    for number, time in enumerate(("2026-03-01T12:00:00+00:00", "2026-03-01T11:00:00+00:00"), 1):
        monkeypatch.setattr(ledger, "now", lambda time=time: time)
        History(base).save({"sections/03.md": f"{number}".encode()}, "甲", f"第 {number} 次")
    versions = History(base).versions()
    assert [version.number for version in versions] == [3, 2, 1]
    assert [version.created[11:13] for version in versions[:2]] == ["11", "12"]
    assert [each.after for each in History(base).compare(2, 3)] == [b"2"] and History(base).notice_outside() is None


def test_a_pull_between_two_saves_is_a_version_of_its_own_with_all_that_it_brought(base):
    first = History(base).save({"sections/03.md": b"a"}, "甲", "")
    (base / "sections" / "01-总则.md").unlink()
    (base / "sections" / "03.md").write_bytes(b"b")
    (base / "questions" / "新.csv").write_bytes(b"question\n")
    History(base).save({"sections/04.md": b"c"}, "乙", "")
    newest, pulled = History(base).versions(2)
    assert pulled.number == first.number + 1 and pulled.note.code == "authoring.note.outside"
    assert {change.path for change in pulled.changes} == {"sections/01-总则.md", "sections/03.md", "questions/新.csv"}
    assert [change.path for change in newest.changes] == ["sections/04.md"]
