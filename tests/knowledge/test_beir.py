"""A BEIR folder as a base: ids kept, documents on demand, bad lines named."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from core.errors import BaseError
from core.knowledge.beir import load_beir, read_beir_questions
from core.knowledge.shelf import questions

ROWS = [
    {
        "_id": "法/甲|第一条",
        "title": "甲法",
        "text": "为了规范。\n第二款。",
        "metadata": {"section": "第一章 总则 > 第一条"},
    },
    {"_id": "法/甲|第二条", "title": "甲法", "text": "适用本法。", "metadata": {"section": "第一章 总则 > 第二条"}},
    {"_id": "q7", "title": "Lift", "text": "A lift carries people."},
]


def corpus(folder: Path, rows: list[dict[str, object]] | None = None, tail: str = "") -> Path:
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows or ROWS)
    (folder / "corpus.jsonl").write_text(lines + tail, encoding="utf-8")
    return folder


def test_ids_titles_and_sections_stay_as_they_came(tmp_path: Path) -> None:
    base = load_beir(corpus(tmp_path), "法")
    passage = base.passage("法/甲|第二条")
    assert (passage.document, passage.section, passage.title) == ("法/甲", "第一章 总则 > 第二条", "甲法")
    assert passage.indexed == "第一章 总则 > 第二条\n甲法\n适用本法。"
    assert passage.metadata["type"] == "article"
    assert [p.order for p in base.passages] == [0, 1, 2]


def test_a_document_holds_its_passages_at_the_lines_they_name(tmp_path: Path) -> None:
    base = load_beir(corpus(tmp_path), "法")
    assert list(base.documents) == ["法/甲", "q7"]
    for passage in base.passages:
        first, last = passage.lines or (0, 0)
        assert "\n".join(base.document_of(passage).lines[first - 1 : last]) == passage.text
    assert base.documents["法/甲"].lines[0] == "第一条"


def test_a_packed_corpus_gives_the_same_base(tmp_path: Path) -> None:
    plain = load_beir(corpus(tmp_path), "法")
    packed = tmp_path / "packed"
    packed.mkdir()
    (packed / "corpus.jsonl.gz").write_bytes(gzip.compress((tmp_path / "corpus.jsonl").read_bytes()))
    assert load_beir(packed, "法").version == plain.version


def test_a_broken_line_is_named_and_the_rest_comes_in(tmp_path: Path) -> None:
    base = load_beir(corpus(tmp_path, tail='{"_id": "x"}\n{"_id": "y", "te'), "法")
    assert len(base.passages) == 3
    assert [(say.code, say.values["line"]) for _, say in base.unread] == [
        ("base.corpus.line", 4),
        ("base.corpus.line", 5),
    ]


def test_a_corpus_without_any_passage_line_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text("not json\n", encoding="utf-8")
    with pytest.raises(BaseError) as caught:
        load_beir(tmp_path, "法")
    assert caught.value.say.code == "base.corpus.broken"


def test_a_truncated_gzip_is_an_error_with_its_name(tmp_path: Path) -> None:
    whole = gzip.compress((corpus(tmp_path) / "corpus.jsonl").read_bytes())
    (tmp_path / "corpus.jsonl").unlink()
    (tmp_path / "corpus.jsonl.gz").write_bytes(whole[:-20])
    with pytest.raises(BaseError) as caught:
        load_beir(tmp_path, "法")
    assert caught.value.say.values["file"] == "corpus.jsonl.gz"


def test_escaped_surrogates_repeats_and_blanks_do_no_harm(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"_id": "a", "text": "张\ud800三"},
        {"_id": "a", "text": "李"},
        {"_id": "b", "text": "\n"},
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "corpus.jsonl").write_text(lines, encoding="utf-8")
    base = load_beir(tmp_path, "名")
    assert [(p.id, p.text) for p in base.passages] == [("a", "张三"), ("a~2", "李")]
    assert [say.code for _, say in (*base.unread, *base.warnings)] == ["base.passage.blank", "base.file.cleaned"]


def test_questions_come_with_their_split_gold_and_grades(tmp_path: Path) -> None:
    corpus(tmp_path)
    (tmp_path / "queries.jsonl").write_text(
        '{"_id": "s1", "text": "适用什么？"}\n{"_id": "s2", "text": "无"}\n', encoding="utf-8"
    )
    (tmp_path / "qrels").mkdir()
    judged = "query-id\tcorpus-id\tscore\ns1\t法/甲|第一条\t1\ns1\t法/甲|第二条\t2\ns1\tq7\t0\n"
    (tmp_path / "qrels" / "dev.tsv").write_text(judged, encoding="utf-8")
    (question,) = read_beir_questions(tmp_path)
    assert (question.id, question.split) == ("s1", "dev")
    assert question.gold == ("法/甲|第二条", "法/甲|第一条")
    assert question.grades["q7"] == 0
    assert questions(load_beir(tmp_path, "法")).questions == (question,)


def test_queries_without_judgements_are_questions_without_gold(tmp_path: Path) -> None:
    (tmp_path / "queries.jsonl").write_text('{"_id": 5, "text": "谁付钱？"}\n', encoding="utf-8")
    assert [(q.id, q.gold) for q in read_beir_questions(tmp_path)] == [("5", ())]
