"""Inputs that once stopped the process or lost an answer: each now ends in an answer or in a sentence."""

import json
import os

import pytest

from core.cli import main
from core.environment import load
from core.errors import BaseError
from core.knowledge.shelf import load_folder, questions
from core.llm.embedded import LONGEST, EmbeddedE5
from pages.parts.literal import inline


@pytest.fixture
def folder(tmp_path):
    """A base of one good file."""
    (tmp_path / "base" / "sections").mkdir(parents=True)
    (tmp_path / "base" / "kb.toml").write_text('title = "小库"\n', encoding="utf-8")
    (tmp_path / "base" / "sections" / "a.md").write_text("# 甲\n\n第一条 年假五天。\n", encoding="utf-8")
    return tmp_path / "base"


def test_a_ligature_that_grows_eighteenfold_does_not_overrun_the_engine():
    embedder = EmbeddedE5()
    assert embedder.query("\ufdfa" * 200).vectors.shape == (384,) and embedder.count("\ufdfa" * 200) > 0


def test_only_the_beginning_of_a_very_long_text_is_embedded():
    embedder = EmbeddedE5()
    long = "年假五天。" * 100_000
    assert (embedder.passages([long]).vectors == embedder.passages([long[:LONGEST]]).vectors).all()
    assert str(LONGEST) in embedder.space


def test_a_pipe_and_a_link_to_itself_are_listed_and_the_rest_is_read(folder):
    os.mkfifo(folder / "sections" / "pipe.md")
    (folder / "sections" / "self.md").symlink_to(folder / "sections" / "self.md")
    base = load_folder(folder)
    assert len(base.passages) == 1 and {file for file, _ in base.unread} == {"pipe.md", "self.md"}


@pytest.mark.usefixtures("undisturbed")
@pytest.mark.parametrize("toml", ["a = " + "[" * 5_000, "a = " + "9" * 6_000])
def test_a_kb_toml_beyond_all_measure_is_refused_in_words(folder, toml):
    (folder / "kb.toml").write_text(toml, encoding="utf-8")
    with pytest.raises(BaseError) as caught:
        load_folder(folder)
    assert caught.value.say.code == "base.toml.unreadable"


def test_an_article_number_of_thousands_of_digits_is_read(folder):
    (folder / "sections" / "a.md").write_text(f"第{'1' * 5_000}条 年假五天。", encoding="utf-8")
    assert load_folder(folder).passages


@pytest.mark.usefixtures("undisturbed")
def test_broken_lines_of_a_corpus_cost_only_themselves(tmp_path):
    rows = [json.dumps({"_id": id, "title": "", "text": "年假五天"}) for id in ("a\ud800", "", True, "good")]
    (tmp_path / "corpus.jsonl").write_text("\n".join([*rows, "[" * 100_000]), encoding="utf-8")
    (tmp_path / "queries.jsonl").write_text("no json", encoding="utf-8")
    base = load_folder(tmp_path)
    assert [passage.id for passage in base.passages] == ["a", "good"] and len(base.unread) == 3
    assert base.version and questions(base).notices


def test_a_home_that_cannot_be_resolved_is_used_as_it_is_written():
    assert load({"WORKBENCH_HOME": "~nosuchuser/x"}).home.name == "x"


def test_what_turns_the_text_around_it_is_not_shown():
    assert "\u202e" not in inline("第12条 \u202e电梯")


def test_an_answer_for_a_reader_whose_disk_is_full_ends_in_a_sentence(monkeypatch, shared_home, capfd):
    monkeypatch.setenv("WORKBENCH_HOME", str(shared_home))
    with open("/dev/full", "w", encoding="utf-8") as full:
        monkeypatch.setattr("sys.stdout", full)
        assert main(["search", "装修", "--mode", "bm25", "--json"]) == 1
        monkeypatch.undo()
    assert "没有写出" in capfd.readouterr().err
