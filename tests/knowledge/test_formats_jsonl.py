"""Files of JSON objects: every field by its name, and a broken line stops nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.errors import BaseError
from core.knowledge.formats import read_source
from core.knowledge.reading import Reading
from core.knowledge.splitting import split


def read(*lines: Any, name: str = "a.jsonl") -> Reading:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines)
    return read_source(text.encode(), name)


def test_each_object_is_a_text_with_its_line_its_title_first() -> None:
    reading = read({"id": 7, "正文": "七日内退货。", "title": "退货"}, "", {"question": "多久？", "answer": "七日"})
    assert reading.text == "行 1\ntitle：退货\n正文：七日内退货。\nid：7\n\n行 3\nquestion：多久？\nanswer：七日\n"
    assert [piece.label for piece in split(reading.text)] == ["行 1", "行 3"]


def test_english_objects_get_english_labels_in_either_suffix() -> None:
    assert read({"text": "Seven days"}, name="a.ndjson").text == "Row 1\ntext: Seven days\n"


def test_nested_values_keep_their_path() -> None:
    nested = {
        "text": "正文",
        "meta": {"作者": {"名": "甲"}, "标签": ["x", None, 2], "空": None},
        "parts": [{"n": 1}, {"n": 2}],
    }
    assert read(nested).text == "行 1\ntext：正文\nmeta.作者.名：甲\nmeta.标签：x; 2\nparts.1.n：1\nparts.2.n：2\n"


def test_numbers_keep_their_digits_and_a_name_that_stands_twice_both_values() -> None:
    text = read('{"text": "版本", "n": 1.50, "big": 12345678901234567890, "yes": true, "n": 2}').text
    assert text == "行 1\ntext：版本\nn：1.50\nbig：12345678901234567890\nyes：true\nn：2\n"


def test_broken_lines_are_named_and_the_others_come_in() -> None:
    reading = read("{broken", {"text": "甲"}, "[1, 2]", '"只是文字"', "[" * 100_000, {"text": "乙"})
    assert [piece.label for piece in split(reading.text)] == ["行 2", "行 6"]
    assert [(say.code, say.values["lines"]) for say in reading.warnings] == [("base.file.json.lines", [1, 3, 4, 5])]


def test_a_file_without_any_object_is_refused_with_its_lines() -> None:
    with pytest.raises(BaseError) as caught:
        read("[", "1", "]")
    assert caught.value.say.code == "base.file.json.lines"


def test_lines_in_a_value_are_indented_and_controls_are_gone() -> None:
    text = read('{"text": "一\\r\\n行 9\\u0000\\n# 二", "x": "三\u2028四"}').text
    assert text == "行 1\ntext：一\n    行 9\n    # 二\nx：三\n    四\n"


def test_an_object_without_a_word_is_no_passage_and_no_error() -> None:
    assert read({"text": " "}, {}, {"text": "甲"}).text == "行 3\ntext：甲\n"


def test_other_encodings_are_read() -> None:
    data = '{"text": "消费者签收商品后七日内可以退货"}\n'
    for encoding in ("utf-8-sig", "gb18030", "utf-16"):
        assert "七日内" in read_source(data.encode(encoding), "a.jsonl").text
