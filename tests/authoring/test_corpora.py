"""A BEIR folder becomes a base of its own, as it is, with its questions."""

from __future__ import annotations

import json

import pytest

from core.authoring.corpora import Uploaded, bring_corpus, is_corpus
from core.errors import BaseError, UsageError
from core.knowledge.loading import load_folder
from core.knowledge.shelf import questions
from tests.authoring.arriving import given

ROWS = [
    {"_id": "民法典_第1条", "title": "总则", "text": "为了保护民事主体。"},
    {"_id": "b", "title": "", "text": "乙。"},
]


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "beir"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS), "utf-8")
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "保护谁？"}\n', encoding="utf-8")
    qrels = "query-id\tcorpus-id\tscore\nq1\t民法典_第1条\t1\n"
    (folder / "qrels" / "test.tsv").write_text(qrels, encoding="utf-8")
    (folder / "notes.txt").write_text("不带走", encoding="utf-8")
    return folder


def test_passages_keep_their_ids_and_questions_come_along(home, corpus):
    folder, outcomes = bring_corpus(home, "laws", corpus)
    base = load_folder(folder)
    assert [passage.id for passage in base.passages] == ["民法典_第1条", "b"]
    assert questions(base).questions[0].gold == ("民法典_第1条",)
    assert [outcome.file for outcome in outcomes] == ["corpus.jsonl", "queries.jsonl", "qrels/test.tsv"]
    assert outcomes[0].passages == 2 and not (folder / "notes.txt").exists()


def test_a_corpus_with_a_broken_line_says_so(home, corpus):
    with (corpus / "corpus.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n{broken\n")
    _, outcomes = bring_corpus(home, "laws", corpus)
    assert outcomes[0].status == "warned" and outcomes[0].warnings


def test_a_corpus_without_a_passage_makes_no_base(home, corpus):
    (corpus / "corpus.jsonl").write_text("\n", encoding="utf-8")
    with pytest.raises(BaseError):
        bring_corpus(home, "laws", corpus)
    assert not (home / "kb" / "laws").exists()


@pytest.mark.parametrize(("name", "code"), [("elevator", "authoring.taken"), ("a/b", "authoring.name.character")])
def test_a_name_that_cannot_be_is_refused(home, corpus, name, code):
    with pytest.raises(UsageError) as refused:
        bring_corpus(home, name, corpus)
    assert refused.value.say.code == code


def test_files_that_were_uploaded_one_by_one_make_the_same_corpus(home, corpus):
    names = {"corpus.jsonl": "corpus.jsonl", "queries.jsonl": "queries.jsonl", "test.tsv": "qrels/test.tsv"}
    incoming = [given(name, (corpus / path).read_bytes()) for name, path in names.items()]
    found = Uploaded([*incoming, given("notes.txt", "不带走")])
    assert is_corpus(incoming) and (found.passages, found.questions, found.left) == (2, 1, ("notes.txt",))
    folder, _ = bring_corpus(home, "laws", found.folder)
    assert questions(load_folder(folder)).questions[0].gold == ("民法典_第1条",)


def test_what_was_uploaded_goes_with_the_value_that_held_it(corpus):
    found = Uploaded([given("a/corpus.jsonl", (corpus / "corpus.jsonl").read_bytes())])
    room = found.folder
    assert room.is_dir()
    del found
    assert not room.exists() and not is_corpus([given("政策.md", "甲")])
