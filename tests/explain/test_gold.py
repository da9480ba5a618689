"""Gold: found by the question's text alone, from the files as they now are."""

from __future__ import annotations

import os
import time

import pytest

from core.explain.gold import gold_of, known_question
from core.knowledge.shelf import load_file, load_folder, questions

SET = "id,question,kind,gold,tags\nq1,Who pays,direct,a#第二条;a#第一条;a#第九条,\n"


@pytest.fixture
def base(tmp_path):
    """A base of two passages with a question of its own."""
    (tmp_path / "sections").mkdir()
    (tmp_path / "questions").mkdir()
    (tmp_path / "kb.toml").write_text('title = "b"', encoding="utf-8")
    (tmp_path / "sections" / "a.md").write_text("# 甲\n第一条 一。\n\n第二条 二。", encoding="utf-8")
    (tmp_path / "questions" / "set.csv").write_text(SET, encoding="utf-8")
    return load_folder(tmp_path)


@pytest.mark.parametrize("text", ["Who pays", "who pays ", "Ｗｈｏ　ｐａｙｓ", "WHO\nPAYS"])
def test_a_question_is_known_however_it_is_typed(base, text):
    assert known_question(base, text).id == "q1"


@pytest.mark.parametrize("text", ["", "who pays?", "who", "\ud800"])
def test_another_question_is_not_known_and_has_no_gold(base, text):
    assert known_question(base, text) is None
    assert gold_of(base, text) == ()


def test_gold_comes_in_the_order_of_the_set_without_what_the_base_lacks(base):
    assert [passage.title for passage in gold_of(base, "Who pays")] == ["第二条", "第一条"]


def test_every_question_of_the_bundled_sets_has_its_gold(bench):
    for question in questions(bench.base).questions:
        assert tuple(passage.id for passage in gold_of(bench.base, question.question)) == question.gold


def test_a_set_that_was_changed_is_read_again(base):
    assert gold_of(base, "Who pays")
    path = base.path / "questions" / "set.csv"
    path.write_text(SET.replace("Who pays", "Who else"), encoding="utf-8")
    later = time.time() + 5
    os.utime(path, (later, later))
    assert gold_of(base, "Who pays") == () and gold_of(base, "Who else")


def test_gold_of_a_beir_folder_is_known(tmp_path):
    (tmp_path / "qrels").mkdir()
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d1", "title": "t", "text": "text"}\n', encoding="utf-8")
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "what"}\n', encoding="utf-8")
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n", encoding="utf-8")
    base = load_folder(tmp_path)
    assert [passage.id for passage in gold_of(base, "What")] == list(known_question(base, "what").gold) != []


def test_a_base_of_one_file_has_none(tmp_path):
    (tmp_path / "a.md").write_text("# 甲\n第一条 一。", encoding="utf-8")
    assert gold_of(load_file(tmp_path / "a.md"), "一") == ()


def test_a_folder_of_questions_that_may_not_be_read_has_none_and_no_error(base, monkeypatch):
    assert gold_of(base, "Who pays")
    refused = base.path / "questions"
    listed = os.listdir

    def refusing(folder):
        if str(folder) == str(refused):
            raise PermissionError(13, "Permission denied", str(folder))
        return listed(folder)

    monkeypatch.setattr(os, "listdir", refusing)
    assert gold_of(base, "Who pays") == ()


def test_a_file_that_leads_nowhere_is_no_error(base):
    (base.path / "questions" / "gone.csv").symlink_to(base.path / "nowhere.csv")
    assert gold_of(base, "Who pays")
