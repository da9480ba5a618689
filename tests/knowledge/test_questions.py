"""Question sets from files as people save them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from core.errors import BaseError
from core.knowledge.questions import QuestionSet, read_questions, with_gold

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


def other(question):
    """The gold of a question where `册#1` is called `册#2`, and `册#0` is no more."""
    names = {"册#1": "册#2", "册#0": ""}
    return tuple(filter(None, (names.get(id, id) for id in question.gold)))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("问.csv", "question,gold\n问一,册#1;册#9\n问二,\n", "question,gold\n问一,册#2;册#9\n问二,\n"),
        ("问.csv", "question;gold\n问一;册#1\n", "question;gold\n问一;册#2\n"),
        ("问.csv", "\n\n问题,Gold ,备注\n问一,册#1,留\n", "问题,Gold ,备注\n问一,册#2,留\n"),
        ("问.csv", "question,gold\n问,册#0;册#1\n", "question,gold\n问,册#2\n"),
        (
            "问.jsonl",
            '{"question": "问一", "Gold": ["册#1"], "x": 1}\n\n{"question": "问二"}\n',
            '{"question": "问一", "Gold": ["册#2"], "x": 1}\n\n{"question": "问二"}\n',
        ),
        ("问.jsonl", '{"text": "问一", "gold": "册#1;册#3"}\n', '{"text": "问一", "gold": "册#2;册#3"}\n'),
    ],
)
def test_gold_is_written_anew_where_it_is_read_and_nothing_else_changes(name: str, old: str, new: str) -> None:
    told = with_gold(name, old.encode(), other)
    assert told is not None and told.decode("utf-8-sig") == new


@pytest.mark.parametrize("text", ["question\n册#1\n", "question,gold\n册#1,册#3\n"])
def test_a_set_whose_gold_stays_is_left_as_it_is(text: str) -> None:
    assert with_gold("问.csv", text.encode(), other) is None


@pytest.mark.parametrize(
    ("name", "text"),
    [("问.csv", "question,gold\n" + "长" * 131_073 + ",册#1\n"), ("问.jsonl", "[" * 100_000), ("问.csv", "")],
)
def test_a_set_that_cannot_be_read_cannot_be_written_anew(name: str, text: str) -> None:
    with pytest.raises(BaseError, match=r"questions\."):
        with_gold(name, text.encode(), other)
