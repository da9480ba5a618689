"""What a passage is called: its document where there are several, its section where the label does not do."""

from __future__ import annotations

from core.coverage.naming import called


def names(base):
    return [called(base, passage) for passage in base.passages]


def test_in_a_base_of_one_document_the_label_is_enough(loaded):
    assert names(loaded(a="# 规则\n\n第一条 甲。\n\n第二条 乙。\n")) == ["第一条", "第二条"]


def test_in_a_base_of_several_the_document_stands_before_it_by_its_title_or_its_id(loaded):
    base = loaded(a="# 规则\n\n第一条 甲。\n", b="# 附则\n\n第一条 乙。\n", c="# 附则\n\n第二条 丙。\n")
    assert names(base) == ["规则 › 第一条", "b › 第一条", "c › 第二条"]


def test_a_label_that_repeats_has_its_section_too(loaded):
    base = loaded(a="# 规则\n\n## 甲章\n\n第一条 甲。\n\n## 乙章\n\n第一条 乙。\n")
    assert names(base) == ["甲章 › 第一条", "乙章 › 第一条"]


def test_labels_that_repeat_within_a_section_have_their_number(loaded):
    base = loaded(a="# 手册\n\n## 押金\n\n两千元。\n\n<!-- cut -->\n\n退场时退还。\n")
    assert names(base) == ["押金 #1", "押金 #2"]
