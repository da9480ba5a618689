"""The shelf: a base by name or path, and what bad input gets."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.errors import BaseError, UsageError, WorkbenchError
from core.knowledge.shelf import Shelf, load_folder, questions

CASES = Path(__file__).parents[1] / "cases"
TOML = 'title = "规则"\nlanguage = "zh"\ndescription = "虚构"\nlicence = "CC0"\nfictional = true\n'


def make(folder: Path, toml: str = TOML, **sections: str) -> Path:
    (folder / "sections").mkdir(parents=True)
    (folder / "kb.toml").write_text(toml, encoding="utf-8")
    for name, text in sections.items():
        (folder / "sections" / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    make(tmp_path / "bundled" / "lift", a="# 甲\n第一条 原文。")
    return Shelf(tmp_path / "bundled", tmp_path / "home")


def code(caught: pytest.ExceptionInfo[WorkbenchError]) -> str:
    return caught.value.say.code


def test_a_base_is_loaded_by_name_with_its_facts(shelf: Shelf) -> None:
    base = shelf.load("lift")
    assert (base.name, base.title, base.language, base.licence, base.fictional) == ("lift", "规则", "zh", "CC0", True)
    assert [p.id for p in base.passages] == ["a#第一条"]
    assert shelf.names() == ["lift"]


def test_an_edited_copy_at_home_goes_before_the_bundled_one(shelf: Shelf, tmp_path: Path) -> None:
    make(tmp_path / "home" / "kb" / "lift", a="# 甲\n第一条 改后。")
    assert shelf.load("lift").passages[0].text == "第一条 改后。"
    assert shelf.names() == ["lift"]


@pytest.mark.parametrize(
    "name", ["", " ", "nope", "..", ".", "../nope", "/nope/kb", "a\x00b", "a/\x00", "长" * 300, "~nobody/x"]
)
def test_an_unknown_name_or_path_says_which_are_known(shelf: Shelf, name: str) -> None:
    with pytest.raises(UsageError) as caught:
        shelf.load(name)
    assert code(caught) == "base.unknown"
    assert caught.value.say.values == {"name": name[:200], "known": ["lift"]}


def test_a_name_does_not_reach_what_lies_beside_the_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path / "secret", a="第一条 甲。")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError):
        Shelf(tmp_path / "bundled").load("secret")
    assert Shelf(tmp_path / "bundled").load("./secret").name == "secret"


def test_a_path_may_be_a_folder_a_corpus_or_one_file(shelf: Shelf, tmp_path: Path) -> None:
    assert shelf.load(str(make(tmp_path / "mine", b="第一条 甲。"))).name == "mine"
    (tmp_path / "beir").mkdir()
    (tmp_path / "beir" / "corpus.jsonl").write_text('{"_id": "1", "text": "甲"}\n', encoding="utf-8")
    assert shelf.load(f"{tmp_path}/beir/").passages[0].id == "1"
    base = shelf.load(str(CASES / "txt_utf8_bom.txt"))
    assert (base.name, base.title, base.passages[0].id) == ("txt_utf8_bom", "退货政策", "txt_utf8_bom#第六十一条")


def test_a_folder_that_holds_no_base_and_a_file_of_another_kind_say_so(shelf: Shelf, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as none_here:
        shelf.load(str(tmp_path))
    with pytest.raises(BaseError) as unsupported:
        shelf.load(str(CASES / "sse_keepalive_comments.sse"))
    with pytest.raises(BaseError) as broken:
        shelf.load(str(CASES / "pdf_truncated.pdf"))
    assert (code(none_here), code(unsupported), code(broken)) == (
        "base.none_here",
        "base.file.unsupported",
        "base.pdf.broken",
    )


@pytest.mark.parametrize(
    ("toml", "expected"),
    [
        ('title = "规则\nx', {"line": 1}),
        ('title = "a"\nlicence =\n', {"line": 2}),
        ('title = "a"\ntitle = "b"\n', {"line": 2}),
    ],
)
def test_a_broken_kb_toml_names_its_line(tmp_path: Path, toml: str, expected: dict[str, int]) -> None:
    with pytest.raises(BaseError) as caught:
        load_folder(make(tmp_path / "x", toml))
    assert code(caught) == "base.toml.broken"
    assert caught.value.say.values["path"].endswith("kb.toml")
    assert caught.value.say.values["line"] == expected["line"]


def test_a_wrong_kind_of_value_in_kb_toml_names_its_key(tmp_path: Path) -> None:
    with pytest.raises(BaseError) as caught:
        load_folder(make(tmp_path / "x", 'title = "a"\nfictional = "yes"\n'))
    assert (code(caught), caught.value.say.values["key"]) == ("base.toml.flag", "fictional")


def test_a_base_without_sections_or_with_blank_ones_is_empty_and_no_error(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "kb.toml").write_text("", encoding="utf-8")
    empty = load_folder(tmp_path / "x")
    assert (empty.passages, empty.title, len(empty.version)) == ((), "x", 12)
    assert load_folder(make(tmp_path / "y", blank="\n　\n")).passages == ()


def test_one_unreadable_file_is_named_and_the_others_come_in(tmp_path: Path) -> None:
    folder = make(tmp_path / "x", a="第一条 甲。", c="第三条 丙。")
    (folder / "sections" / "b.txt").write_bytes((CASES / "txt_binary_renamed.txt").read_bytes())
    (folder / "sections" / "d.pdf").write_bytes((CASES / "pdf_truncated.pdf").read_bytes())
    (folder / "sections" / ".DS_Store").write_bytes(b"\x00")
    base = load_folder(folder)
    assert [p.id for p in base.passages] == ["a#第一条", "c#第三条"]
    assert [(file, say.code) for file, say in base.unread] == [
        ("b.txt", "base.file.binary"),
        ("d.pdf", "base.file.unsupported"),
    ]


def test_a_link_that_leads_out_of_the_base_is_not_followed(tmp_path: Path) -> None:
    folder = make(tmp_path / "x", a="第一条 甲。")
    (tmp_path / "outside.md").write_text("第二条 秘密。", encoding="utf-8")
    os.symlink(tmp_path / "outside.md", folder / "sections" / "b.md")
    os.symlink(tmp_path, folder / "sections" / "all")
    base = load_folder(folder)
    assert [(file, say.code) for file, say in base.unread] == [
        ("all", "base.file.outside"),
        ("b.md", "base.file.outside"),
    ]
    assert len(base.passages) == 1


def test_a_file_whose_name_is_gbk_on_disk_has_a_readable_id(tmp_path: Path) -> None:
    folder = make(tmp_path / "x", a="第一条 甲。")
    name = os.fsencode(folder / "sections") + b"/" + "监控与证据.md".encode("gbk")
    os.rename(folder / "sections" / "a.md", name)
    base = load_folder(folder)
    assert [p.id for p in base.passages] == ["监控与证据#第一条"]
    assert base.version


def test_a_file_whose_name_fits_no_encoding_still_comes_in(tmp_path: Path) -> None:
    folder = make(tmp_path / "x", a="第一条 甲。")
    os.rename(folder / "sections" / "a.md", os.fsencode(folder / "sections") + b"/\xff\xfe\x81.md")
    base = load_folder(folder)
    assert len(base.passages) == 1
    assert base.passages[0].id.encode()


def test_files_come_in_the_order_a_person_counts(tmp_path: Path) -> None:
    folder = make(tmp_path / "x", **{"10-末": "第三条 丙。", "2-中": "第二条 乙。", "1-首": "第一条 甲。"})
    assert [p.id for p in load_folder(folder).passages] == ["1-首#第一条", "2-中#第二条", "10-末#第三条"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_dictionary_words_are_read_in_any_encoding_and_in_jiebas_form(tmp_path: Path, encoding: str) -> None:
    folder = make(tmp_path / "x", a="第一条 甲。")
    (folder / "dictionary.txt").write_text("退货运费险\n电梯轿厢 200 n\n\n维修保养合同 5\n", encoding=encoding)
    assert load_folder(folder).words == ("退货运费险", "电梯轿厢", "维修保养合同")


def test_questions_of_all_files_come_with_notice_of_broken_files_and_missing_gold(tmp_path: Path) -> None:
    folder = make(tmp_path / "x", a="第一条 甲。")
    (folder / "questions").mkdir()
    (folder / "questions" / "a.csv").write_text("id,question,gold\n1,甲？,a#第一条\n2,乙？,a#第九条\n", encoding="gbk")
    (folder / "questions" / "b.csv").write_text("nothing\n", encoding="utf-8")
    found = questions(load_folder(folder))
    assert [q.id for q in found.questions] == ["1", "2"]
    assert [say.code for _, say in found.notices] == ["questions.columns", "questions.gold"]


def test_the_bundled_base_comes_in_whole() -> None:
    base = load_folder(Path(__file__).parents[2] / "knowledge_base" / "elevator")
    assert base.unread == ()
    assert all(passage.title and passage.section for passage in base.passages)
