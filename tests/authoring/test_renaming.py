"""Passages are recognised by their text where they go by another id, and question sets follow them."""

from __future__ import annotations

import pytest

from core.authoring.renaming import renamed
from core.knowledge.loading import load_folder


def parts(*texts):
    """A document of unnumbered passages."""
    return "".join(f"## {text[0]}\n\n{text}\n\n" for text in texts)


@pytest.fixture
def made(tmp_path):
    """Makes a state of one base from its documents; the last one made lies on disk."""

    def base(**documents):
        folder = tmp_path / "sections"
        folder.mkdir(exist_ok=True)
        for file in folder.iterdir():
            file.unlink()
        for name, text in documents.items():
            (folder / f"{name}.md").write_text(text, encoding="utf-8")
        return load_folder(tmp_path)

    return base


def test_passages_that_moved_up_or_down_are_found_by_their_text(made):
    before = made(手册=parts("甲。", "乙。", "丙。"))
    assert renamed(before, made(手册=parts("新。", "甲。", "丙。"))) == {"手册#1": "手册#2"}
    assert renamed(before, made(手册=parts("丙。", "乙。", "甲。"))) == {"手册#1": "手册#3", "手册#3": "手册#1"}


def test_a_passage_with_another_text_is_itself_and_nothing_is_renamed_where_nothing_moved(made):
    before = made(手册=parts("甲。", "乙。"))
    assert renamed(before, made(手册=parts("甲改。", "乙。"))) == {} == renamed(before, before)


def test_of_equal_texts_that_of_the_same_document_is_meant(made):
    before = made(一=parts("甲。", "乙。"), 二="")
    after = made(一=parts("新。", "甲。"), 二=parts("甲。"))
    assert renamed(before, after)["一#1"] == "一#2"
