"""`import` on the command line: a line for every file, the document of `--json`, and the exit codes."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from core.authoring.sharing import to_zip
from core.settings import BUNDLED
from tests.conftest import CASES

GOOD = "# 政策\n\n第一条 七日内可以退货。\n"


@pytest.fixture
def own(command, shared_home, tmp_path, monkeypatch):
    """Runs `import` over a data folder of the test's own; its exit code, standard output and standard error."""
    (shared_home / "cache").mkdir(exist_ok=True)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "cache").symlink_to(shared_home / "cache")  # segmentation is the same for all
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "home"))

    def run(*arguments):
        return command("import", *map(str, arguments))

    return run


@pytest.fixture
def files(tmp_path):
    """A folder with a good file, an empty one, and one whose encoding is a guess."""
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "好.md").write_text(GOOD, encoding="utf-8")
    (folder / "空.txt").write_bytes(b"")
    shutil.copy(CASES / "txt_mostly_english_two_gbk_chars.txt", folder / "推测.txt")
    return folder


def test_every_file_has_its_line_and_is_named_once_in_it(own, files):
    code, out, _ = own(files, "--kb", "mine")
    lines = out.splitlines()
    assert code == 0 and len(lines) == 5
    assert lines[0].split() == ["已导入", "1", "段", "好.md"]
    assert lines[1].split()[:4] == ["请核对", "1", "段", "推测.txt"] and "gb18030" in lines[2]
    assert lines[3].split() == ["没有导入", "空.txt", "是空的"]
    assert all(line.count(name) <= 1 for line in lines for name in ("好.md", "空.txt", "推测.txt"))


def test_the_document_holds_what_became_of_each_file_and_nothing_else_is_printed(own, files):
    code, out, _ = own(files, "--kb", "mine", "--json")
    document = json.loads(out)
    assert code == 0 and document["kb"] == "mine"
    found = {one["file"]: one for one in document["files"]}
    assert set(found["好.md"]) == {"file", "status", "reason", "encoding", "passages", "warnings"}
    assert {name: one["status"] for name, one in found.items()} == {
        "好.md": "imported",
        "推测.txt": "warned",
        "空.txt": "refused",
    }
    assert found["推测.txt"]["encoding"] == "gb18030" and len(found["推测.txt"]["warnings"]) == 1
    assert found["空.txt"]["reason"] == "空.txt 是空的" and found["空.txt"]["encoding"] is None


def test_what_came_in_is_found_at_once(own, command, files):
    own(files / "好.md", "--kb", "mine")
    _, out, _ = command("search", "退货", "--kb", "mine", "--mode", "bm25", "--json")
    assert [hit["passage_id"] for hit in json.loads(out)["hits"]] == ["好#第一条"]


def test_where_no_file_came_in_the_code_is_one_and_no_base_is_made(own, files, tmp_path):
    assert own(files / "空.txt", "--kb", "mine")[0] == 1
    assert not (tmp_path / "home" / "kb" / "mine").exists()


def test_a_folder_without_any_file_is_said(own, tmp_path):
    (tmp_path / "nothing").mkdir()
    code, out, err = own(tmp_path / "nothing", "--kb", "mine", "--json")
    assert code == 1 and json.loads(out)["files"] == [] and str(tmp_path / "nothing") in err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("好.md",), "--kb"),
        (("好.md", "--kb", "mine", "--encoding", "utf-99"), "utf-99"),
        (("好.md", "--kb", "mine", "--encoding", "hex"), "hex"),
        (("好.md", "--kb", ".."), "不能用作名字"),
        (("好.md", "--kb", "mine", "--same", "merge"), "merge"),
        (("--kb", "mine"), "FILE"),
    ],
)
def test_wrong_use_is_said_in_one_sentence(own, files, arguments, told):
    given = [files / one if one == "好.md" else one for one in arguments]
    code, out, err = own(*given)
    assert (code, out) == (2, "") and told in err and len(err.strip().splitlines()) == 1


def test_a_file_that_is_not_there_stops_no_other(own, files):
    code, out, _ = own("nowhere.md", files / "好.md", "--kb", "mine", "--json")
    rows = {row["file"]: (row["status"], row["reason"]) for row in json.loads(out)["files"]}
    assert code == 0 and rows["好.md"][0] == "imported" and rows["nowhere.md"] == ("refused", "nowhere.md 不存在")
    assert own("nowhere.md", "--kb", "other")[0] == 1 and own(f"{'汉' * 255}.md", "--kb", "other")[0] == 1


def test_an_encoding_other_than_utf_8_is_told(own, files, tmp_path):
    (tmp_path / "旧.txt").write_bytes("# 旧\n\n第一条 消费者签收商品后七日内，可以无理由退货。\n".encode("gbk"))
    assert "旧.txt — 编码 gb18030" in own(tmp_path / "旧.txt", files / "好.md", "--kb", "mine")[1]


def test_an_encoding_that_is_known_overrules_the_guess(own, files):
    _, out, _ = own(files / "推测.txt", "--kb", "mine", "--encoding", "GBK", "--json")
    assert json.loads(out)["files"][0] == {
        "file": "推测.txt",
        "status": "imported",
        "reason": None,
        "encoding": "gb18030",
        "passages": 1,
        "warnings": [],
    }


def test_a_file_of_the_same_name_is_replaced_and_leaves_nothing_to_be_found(own, command):
    own(CASES / "dup_a" / "政策.md", "--kb", "mine")
    old = json.loads(command("search", "政策", "--kb", "mine", "--mode", "bm25", "--json")[1])["hits"]
    own(CASES / "dup_b" / "政策.md", "--kb", "mine")
    new = json.loads(command("search", "政策", "--kb", "mine", "--mode", "bm25", "--json")[1])["hits"]
    again = own(CASES / "dup_b" / "政策.md", "--kb", "mine")
    gone = {hit["text"] for hit in old} - {hit["text"] for hit in new}
    assert gone and len(new) <= len(old) and again[0] == 0 and "没有改动" in again[1]


def test_two_files_of_one_name_both_come_in(own):
    code, out, _ = own(CASES / "dup_a" / "政策.md", CASES / "dup_b" / "政策.md", "--kb", "mine")
    assert code == 0 and "政策~2.md" in out


def test_a_skipped_file_counts_as_not_imported(own):
    own(CASES / "dup_a" / "政策.md", "--kb", "mine")
    code, out, _ = own(CASES / "dup_b" / "政策.md", "--kb", "mine", "--same", "skip")
    assert code == 1 and "按要求跳过" in out


def test_the_zip_of_a_base_becomes_a_base(own, tmp_path):
    (tmp_path / "shared.zip").write_bytes(to_zip(BUNDLED / "espresso"))
    code, out, _ = own(tmp_path / "shared.zip", "--kb", "coffee", "--json")
    assert code == 0 and json.loads(out)["files"][0]["passages"] > 0
    assert own(tmp_path / "shared.zip", tmp_path / "shared.zip", "--kb", "two")[0] == 2


def test_a_corpus_becomes_a_base_and_must_stand_alone(own, tmp_path, files):
    (tmp_path / "beir").mkdir()
    (tmp_path / "beir" / "corpus.jsonl").write_text('{"_id": "a", "title": "", "text": "甲。"}\n', encoding="utf-8")
    assert own(tmp_path / "beir", files, "--kb", "two")[0] == 2
    assert own(tmp_path / "beir", "--kb", "corpus")[0] == 0


def test_english_is_spoken_when_asked_for(own, files):
    out = own(files, "--kb", "mine", "--lang", "en")[1]
    assert "空.txt is empty" in out
    assert out.splitlines()[-1] == "3 files: 2 imported, 1 of them to be checked; 1 not imported"


@pytest.mark.skipif(os.name == "nt", reason="Windows allows no such names")
def test_a_files_name_can_neither_command_the_terminal_nor_turn_the_text_around(own, tmp_path):
    files = tmp_path / "odd"
    files.mkdir()
    for name in ("\x1b[31m红.md", "\u202egpj.md", "两\n行.md"):
        (files / name).write_text(GOOD, encoding="utf-8")
    code, out, _ = own(files, "--kb", "新库")
    assert code == 0 and len(out.splitlines()) == 4 and not {"\x1b", "\u202e"} & set(out)
    _, document, _ = own(files, "--kb", "新库", "--json")
    assert "\x1b[31m红.md" in [file["file"] for file in json.loads(document)["files"]]
