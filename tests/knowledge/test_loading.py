"""A base from its folder: only what changed is cut anew, a draft stands before the disk, annotations are applied."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import BaseError
from core.knowledge.annotations import ANNOTATIONS, Annotation, Annotations, text_digest
from core.knowledge.base import KnowledgeBase
from core.knowledge.loading import load_folder, stamp
from core.knowledge.shelf import questions


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "手册"
    (made / "sections").mkdir(parents=True)
    (made / "kb.toml").write_text('title = "手册"\n', encoding="utf-8")
    for name, text in {"1-甲": "# 甲\n第一条 甲一。\n第二条 甲二。", "2-乙": "# 乙\n第一条 乙一。"}.items():
        (made / "sections" / f"{name}.md").write_text(text, encoding="utf-8")
    return made


def same(one: KnowledgeBase, two: KnowledgeBase) -> None:
    """Both hold the same passages, documents and version."""
    assert (one.passages, dict(one.documents), one.version) == (two.passages, dict(two.documents), two.version)


def note(folder: Path, *known: Annotation) -> None:
    (folder / ANNOTATIONS).write_bytes(Annotations(known).encoded())


def test_a_second_load_takes_over_what_has_not_changed(folder: Path) -> None:
    first = load_folder(folder)
    (folder / "sections/1-甲.md").write_text("# 甲\n第一条 甲一。\n第二条 改。\n第三条 新。", encoding="utf-8")
    second = load_folder(folder, first)
    same(second, load_folder(folder))
    assert second.cuts[1] is first.cuts[1] and second.cuts[0] is not first.cuts[0]
    assert second.passage("2-乙#第一条").order == 3


def test_files_that_come_and_go_are_seen(folder: Path) -> None:
    first = load_folder(folder)
    (folder / "sections/1-甲.md").unlink()
    (folder / "sections/3-丙.md").write_text("第一条 丙。", encoding="utf-8")
    second = load_folder(folder, first)
    same(second, load_folder(folder))
    assert [p.id for p in second.passages] == ["2-乙#第一条", "3-丙#第一条"]


def test_other_settings_of_cutting_cut_everything_anew(folder: Path) -> None:
    (folder / "sections/3.md").write_text("这是一句完整的话。" * 30, encoding="utf-8")
    first = load_folder(folder)
    (folder / "kb.toml").write_text("[splitting]\nlongest = 60\n", encoding="utf-8")
    second = load_folder(folder, first)
    same(second, load_folder(folder))
    assert (len(first.of_document("3")), len(second.of_document("3"))) == (1, 5)


@pytest.mark.parametrize("value", ["10", "true", '"600"', "1e9", "600.5"])
def test_a_setting_of_cutting_that_cannot_be_is_refused(folder: Path, value: str) -> None:
    (folder / "kb.toml").write_text(f"[splitting]\nlongest = {value}\n", encoding="utf-8")
    with pytest.raises(BaseError) as refused:
        load_folder(folder)
    assert refused.value.say.code == "base.toml.number"


def test_a_draft_stands_before_the_disk(folder: Path) -> None:
    first = load_folder(folder)
    overlay = {
        "sections/1-甲.md": None,
        "sections/2-乙.md": "第一条 草稿。".encode(),
        "sections/10-新.md": "第一条 新。".encode(),
        "kb.toml": b'title = "New"',
    }
    drafted = load_folder(folder, first, overlay)
    assert [(p.id, p.text) for p in drafted.passages] == [
        ("2-乙#第一条", "第一条 草稿。"),
        ("10-新#第一条", "第一条 新。"),
    ]
    assert drafted.title == "New" and load_folder(folder).version == first.version


def test_a_disabled_passage_stays_in_its_document_and_out_of_the_base(folder: Path) -> None:
    note(folder, Annotation("1-甲#第一条", text_digest("第一条 甲一。"), disabled=True))
    base = load_folder(folder)
    assert [p.id for p in base.passages] == ["1-甲#第二条", "2-乙#第一条"]
    assert [(p.id, p.order) for p in base.disabled] == [("1-甲#第一条", -1)]
    assert "第一条 甲一。" in base.documents["1-甲"].lines


def test_page_confidence_and_an_authors_metadata_reach_the_passage(folder: Path) -> None:
    known = Annotation("2-乙#第一条", text_digest("第一条 乙一。"), 7, 0.5, metadata={"type": "case", "owner": "物业"})
    note(folder, known)
    passage = load_folder(folder).passage("2-乙#第一条")
    assert passage.page == 7
    assert {name: passage.metadata[name] for name in ("type", "owner", "confidence")} == {
        "type": "case",
        "owner": "物业",
        "confidence": 0.5,
    }


def test_damaged_annotations_are_told_and_the_base_opens(folder: Path) -> None:
    (folder / ANNOTATIONS).write_text("{\n", encoding="utf-8")
    base = load_folder(folder)
    assert len(base.passages) == 3
    assert [(file, say.code) for file, say in base.unread] == [(ANNOTATIONS, "base.annotations.broken")]


def test_the_stamp_changes_with_any_file_of_the_base_and_with_nothing_else(folder: Path) -> None:
    first = stamp(folder)
    (folder / "history.sqlite").write_bytes(b"x")
    assert stamp(folder) == first
    old = (folder / "sections/1-甲.md").stat().st_mtime_ns - 10**12
    os.utime(folder / "sections/1-甲.md", ns=(old, old))
    second = stamp(folder)
    note(folder, Annotation("1-甲#第一条", "x", disabled=True))
    assert len({first, second, stamp(folder)}) == 3


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder that anyone may enter, and a user that the rights of files hold for."""
    place = Path(tempfile.mkdtemp())
    place.chmod(0o755)
    user = os.geteuid()
    yield place
    os.seteuid(user)
    shutil.rmtree(place)


def test_a_folder_of_documents_that_cannot_be_read_is_told_as_such(unprivileged: Path) -> None:
    (unprivileged / "kb.toml").write_text('title = "手册"\n', encoding="utf-8")
    (unprivileged / "sections").mkdir(mode=0o000)
    if os.geteuid() == 0:
        os.seteuid(65534)
    with pytest.raises(BaseError) as caught:
        load_folder(unprivileged)
    assert caught.value.say.code == "base.file.unreadable" and caught.value.say.values["file"] == "sections"


@pytest.mark.parametrize(("linked", "told"), [("kb.toml", "base.file.outside"), ("sections", "base.file.outside")])
def test_a_base_whose_facts_or_documents_are_a_link_that_leads_out_is_refused(
    tmp_path: Path, folder: Path, linked: str, told: str
) -> None:
    (folder / linked).rename(tmp_path / "elsewhere")
    (folder / linked).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BaseError) as caught:
        load_folder(folder)
    assert (caught.value.say.code, caught.value.say.values["file"]) == (told, linked)


def test_words_annotations_and_questions_that_are_links_that_lead_out_are_told_and_not_read(
    tmp_path: Path, folder: Path
) -> None:
    (tmp_path / "secret").write_text("question\n谁？\n", encoding="utf-8")
    (folder / "questions").mkdir(exist_ok=True)
    for name in ("dictionary.txt", "passages.jsonl", "questions/a.csv"):
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(tmp_path / "secret")
    base = load_folder(folder)
    assert {(file, say.code) for file, say in base.unread} == {
        ("dictionary.txt", "base.file.outside"),
        ("passages.jsonl", "base.file.outside"),
    }
    assert [(name, say.code) for name, say in questions(base).notices] == [("a.csv", "base.file.outside")]


def test_a_folder_of_documents_that_is_a_link_to_itself_is_told(folder: Path) -> None:
    shutil.rmtree(folder / "sections")
    (folder / "sections").symlink_to(folder / "sections")
    with pytest.raises(BaseError) as caught:
        load_folder(folder)
    assert caught.value.say.code == "base.file.unreadable"
