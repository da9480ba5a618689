"""Dangling references: what is surely meant for a work of the base and is not there, and nothing else."""

from __future__ import annotations

import time

import pytest

from core.coverage.articles import References
from core.coverage.repeats import repeated

LAW = "# 办法\n\n第一条 {text}\n\n第二条 乙。\n\n第二条之一 丙。\n"


def dangling(base):
    found = References(base)
    return [reference.words for passage in base.passages for reference in found.of(passage) if not reference.found]


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("依照本办法第二条处理。", []),
        ("依照本办法第九条处理。", ["第九条"]),
        ("依照第9条处理。", ["第9条"]),
        ("依照第二条之一处理。", []),
        ("依照第二条之三处理。", ["第二条之三"]),
        ("第二条至第五条同样适用。", ["第五条"]),
        ("依照本办法第二条第一款、第八条和第二条之规定。", ["第八条"]),
        ("依照《民法典》第九百条处理。", []),
        ("依照民法典第九百条、第九百零一条处理。", []),
        ("适用《民法典》的，还应当遵守第九条。", []),
        ("该办法第九条不再适用。", []),
        ("将第九条修改为：乙。", []),
        ("有第九条件的除外。", []),
    ],
)
def test_only_what_is_surely_meant_and_not_there_dangles(loaded, text, missing):
    assert dangling(loaded(a=LAW.format(text=text))) == missing


def test_a_law_of_the_base_is_judged_by_its_own_articles(loaded):
    base = loaded(
        a="# 甲条例\n\n第一条 依照《乙办法》第三条处理。\n\n第二条 依照《乙办法》第二条处理。\n",
        b="# 乙办法\n\n第一条 一。\n\n第二条 二。\n",
    )
    assert dangling(base) == ["第三条"]


def test_files_that_share_one_numbering_are_one_work(loaded):
    base = loaded(a="# 总则\n\n第一条 见本规则第三条和第五条。\n", b="# 附则\n\n第二条 乙。\n\n第三条 丙。\n")
    assert dangling(base) == ["第五条"]


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("See Section 4.1.", []),
        ("See Section 4.", []),
        ("See Section 4.7.", ["Section 4.7"]),
        ("See Section 4.7 of the Data Act.", []),
        ("The GDPR Article 6 applies.", []),
    ],
)
def test_english_sections_are_judged_where_a_document_numbers_them(loaded, text, missing):
    assert dangling(loaded(a=f"# Manual\n\n## 4.1 Cleaning\n\n{text}\n\n## 4.2 Storage\n\nKeep dry.\n")) == missing


def test_an_english_document_without_numbers_is_not_judged(loaded):
    assert dangling(loaded(a="# Manual\n\n## Cleaning\n\nSee Section 4.7.\n")) == []


def test_an_article_joined_to_another_still_exists(loaded):
    base = loaded(a="# 规则\n\n第八条 甲。\n<!-- join -->\n\n第九条 乙。\n\n第十条 依照本规则第九条和第十一条处理。\n")
    assert len(base.passages) == 2 and dangling(base) == ["第十一条"]


def test_numbers_of_articles_are_compared_in_a_time_that_grows_with_their_number(loaded):
    text = "\n\n".join(f"第{at}条 甲。\n\n第{at}条 乙。" for at in range(1, 8001))
    passages = loaded(a=text).passages
    began = time.process_time()
    within, across = repeated(passages)
    assert (len(within), len(across)) == (8000, 0) and time.process_time() - began < 1.0
