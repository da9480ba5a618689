"""Question sets from files as people save them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from core.errors import BaseError
from core.knowledge.questions import QuestionSet, read_questions

CASES = Path(__file__).parents[1] / "cases"


def written(folder: Path, text: str, name: str = "问.csv", encoding: str = "utf-8") -> QuestionSet:
    path = folder / name
    path.write_text(text, encoding=encoding, newline="")
    return read_questions(path)


def test_all_columns_are_read(tmp_path: Path) -> None:
    header = "id,question,kind,gold,facts,split,tags\r\n"
    row = "d1,监控保存几天？,direct,04#第六十一条; 04#第十九条,三十日|七日,tune,needle;key\r\n"
    (question,) = written(tmp_path, header + row).questions
    assert question.gold == ("04#第六十一条", "04#第十九条")
    assert question.facts == ("三十日", "七日")
    assert (question.id, question.kind, question.split, question.tags) == ("d1", "direct", "tune", ("needle", "key"))


def test_a_mark_and_gbk_do_not_hide_the_question_column() -> None:
    marked = read_questions(CASES / "csv_questions_utf8_bom.csv")
    assert [q.question for q in marked.questions] == [
        "退货期限是几天？",
        "谁承担运费？",
        '含逗号,引号"和\n换行的问题？',
    ]
    assert marked.questions[0].facts == ("七日",)
    gbk = read_questions(CASES / "csv_questions_gbk.csv")
    assert [q.question for q in gbk.questions] == ["退货期限是几天？", "谁承担运费？"]


def test_of_equal_questions_the_first_stays_and_the_rest_are_told() -> None:
    notices = read_questions(CASES / "csv_questions_utf8_bom.csv").notices
    assert [(say.code, say.values["row"], say.values["first"]) for _, say in notices] == [
        ("questions.duplicate", 2, "csv_questions_utf8_bom-1"),
        ("questions.duplicate", 3, "csv_questions_utf8_bom-1"),
    ]


@pytest.mark.parametrize("separator", [";", "\t"])
def test_other_separators_of_excel_are_read(tmp_path: Path, separator: str) -> None:
    found = written(tmp_path, f"id{separator}question\na{separator}谁付钱？\n", encoding="utf-8-sig")
    assert [(q.id, q.question) for q in found.questions] == [("a", "谁付钱？")]


def test_a_repeated_id_gets_a_number(tmp_path: Path) -> None:
    assert [q.id for q in written(tmp_path, "id,question\na,甲？\na,乙？\n").questions] == ["a", "a~2"]


def test_json_lines_take_lists_and_texts(tmp_path: Path) -> None:
    text = '{"id": 3, "question": "谁？", "gold": ["a#1", "a#2"], "facts": "一|二"}\n\n{"question": null}\n'
    (question,) = written(tmp_path, text, "问.jsonl").questions
    assert (question.id, question.gold, question.facts) == ("3", ("a#1", "a#2"), ("一", "二"))


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("a.csv", "id,gold\n1,2\n", "questions.columns"),
        ("a.csv", "", "questions.columns"),
        ("a.jsonl", "[1]\n", "questions.broken"),
        ("a.csv", "question\n" + "长" * 140_000, "questions.broken"),
    ],
)
def test_a_file_without_questions_says_what_is_wrong(tmp_path: Path, name: str, text: str, code: str) -> None:
    with pytest.raises(BaseError) as caught:
        written(tmp_path, text, name)
    assert caught.value.say.code == code


def test_a_cell_is_bounded_whatever_limit_another_reader_has_set(tmp_path: Path) -> None:
    before = csv.field_size_limit(10**8)
    try:
        with pytest.raises(BaseError) as caught:
            written(tmp_path, "question\n" + "长" * 140_000)
    finally:
        csv.field_size_limit(before)
    assert caught.value.say.code == "questions.broken"
