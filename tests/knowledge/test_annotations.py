"""What is known of passages beside their text."""

from __future__ import annotations

import pytest

from core.errors import BaseError
from core.knowledge.annotations import Annotation, Annotations, text_digest


def note(id: str, text: str, **known: object) -> Annotation:
    return Annotation(id, text_digest(text), **known)  # type: ignore[arg-type]


def test_they_come_back_from_the_file_as_they_were() -> None:
    known = [
        note("手册#1", "甲", page=3, confidence=0.71),
        note("手册#2", "乙", disabled=True),
        note("法/一#第一条", "丙", metadata={"type": "case", "parties": ["业主"]}),
    ]
    read = Annotations.decoded(Annotations(known).encoded().decode())
    assert [*read.of("手册"), *read.of("法/一")] == known


def test_what_says_nothing_is_not_kept() -> None:
    assert Annotations([note("手册#1", "甲")]).encoded() == b""


def test_a_passage_is_known_by_its_text_when_another_is_put_before_it() -> None:
    known = Annotations([note("手册#1", "甲", page=1), note("手册#2", "乙", page=2)])
    found = known.matched("手册", [("手册#1", "新"), ("手册#2", "甲"), ("手册#3", "乙")])
    assert [one and one.page for one in found] == [None, 1, 2]


def test_a_passage_is_known_by_its_id_when_its_text_is_edited() -> None:
    known = Annotations([note("法#第一条", "第一条 甲。", disabled=True)])
    assert known.matched("法", [("法#第一条", "第一条 乙。")])[0].disabled  # type: ignore[union-attr]


def test_of_equal_texts_each_keeps_its_own() -> None:
    known = Annotations([note("手册#1", "同", page=1), note("手册#2", "同", page=9)])
    assert [one and one.page for one in known.matched("手册", [("手册#1", "同"), ("手册#2", "同")])] == [1, 9]


@pytest.mark.parametrize("line", ["[]", "null", "{", '{"id": 1, "text": ""}', '{"id": "a", "text": "", "page": "3"}'])
def test_a_broken_line_is_named(line: str) -> None:
    with pytest.raises(BaseError) as broken:
        Annotations.decoded(f'{{"id": "a#1", "text": "x"}}\n{line}\n')
    assert (broken.value.say.code, broken.value.say.values["line"]) == ("base.annotations.broken", 2)


def test_of_two_equal_texts_only_the_one_that_is_annotated_has_it() -> None:
    known = Annotations([note("手册#2", "同", disabled=True)])
    assert known.matched("手册", [("手册#1", "同"), ("手册#2", "同")]) == [None, note("手册#2", "同", disabled=True)]
