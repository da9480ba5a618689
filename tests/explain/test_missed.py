"""Why keywords missed a passage: one sentence, true of the words that question and passage share."""

from __future__ import annotations

import pytest

from core.asking import entrants
from core.domain import Say
from core.explain.passage import explanation
from core.knowledge.shelf import questions
from core.race import compare
from core.words import Words

COMMON = "\n".join(
    f"第{number}条 电梯的{what}。" for number, what in zip("三四五六七八九", "甲乙丙丁戊己庚", strict=True)
)
TEXT = f"# 规则\n第一条 电梯维修由物业负责。\n第二条 停车费按月收。\n{COMMON}"


@pytest.fixture(scope="module")
def small(open_base):
    return open_base(a=TEXT)


def missed(bench, question, at, mode="bm25", k=1):
    comparison = compare(bench, entrants(question, [mode], k, {}), retrieval_only=True)
    return explanation(bench, comparison, bench.base.passages[at]).missed


def test_the_only_word_in_common_is_named_with_how_common_it_is(small):
    assert missed(small, "电梯维修", 8) == Say.of("explain.missed.one", word="电梯", df=8, passages=9)


def test_no_word_in_common_is_said(small):
    assert missed(small, "电梯维修", 1) == Say.of("explain.missed.none")


def test_what_was_given_or_stands_high_enough_by_keywords_has_no_such_reason(small):
    assert missed(small, "电梯维修", 0) is None
    assert missed(small, "电梯维修", 8, k=9) is None


def test_the_words_it_lacks_are_named_heaviest_first(open_base):
    bench = open_base(
        a="# 规则\n第一条 押金退还由物业办理，装修结束。\n第二条 装修由物业看管。\n第三条 停车。\n第四条 噪声。"
    )
    said = missed(bench, "装修物业押金退还", 1)
    assert said.code == "explain.missed.lacking" and said.values["words"] == ["押金", "退还"]


def test_a_literal_rank_is_told_where_no_term_is_in_the_index(open_base):
    bench = open_base(a="\n".join(f"第{number}条 设备abcxyzdef{number}。" for number in "一二三四"))
    assert missed(bench, "xyz", 2) == Say.of("explain.missed.literal", rank=3)


def test_every_reason_of_the_bundled_questions_is_true_and_has_words(bench):
    codes = set()
    for question in questions(bench.base).questions[::4]:
        comparison = compare(bench, entrants(question.question, ["bm25"], None, {}), retrieval_only=True)
        for passage in [*map(bench.base.passage, question.gold), *bench.base.passages[::20]]:
            found = explanation(bench, comparison, passage)
            if found.missed is None:
                assert comparison.runs[0].gave(passage.id)
                continue
            codes.add(found.missed.code)
            shared = {row.term for row in found.terms.rows if row.tf}
            assert found.missed.values.get("count", len(shared)) == len(shared)
            assert all("—" not in Words(language).say(found.missed) for language in ("zh", "en"))
    assert len(codes) >= 4
