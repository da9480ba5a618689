"""Question and passage as terms: parts that add up, warnings of weights, and what nearly met by form."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.explain.terms import terms
from core.knowledge.shelf import questions
from core.retrieval.formula import Bm25
from core.retrieval.ranking import Retriever
from core.settings import Settings
from core.words import Words


def under(bench, variant):
    """The rankings of a bench under a variant."""
    known = bench.retriever
    return Retriever(known.base, known.tokeniser, known.index, None, None, Bm25(variant))


def near(found, term):
    return [(each.how, each.other) for row in found.rows if row.term == term for each in row.near]


@pytest.mark.parametrize("variant", ["lucene", "okapi"])
def test_the_contributions_to_every_gold_passage_add_up_to_its_score(bench, variant):
    retriever = under(bench, variant)
    for question in questions(bench.base).questions:
        asked = retriever.tokeniser.query(question.question)
        scores = retriever.index.scores(asked, retriever.bm25)
        for id in question.gold:
            passage = bench.base.passage(id)
            found = terms(retriever, question.question, passage)
            assert sum(row.contribution for row in found.rows) == found.score == scores[passage.order]


def test_both_sides_are_told_with_their_spans(bench):
    question, passage = "电梯坏了谁赔？", bench.base.passages[30]
    found = terms(bench.retriever, question, passage)
    assert [question[term.start : term.end] for term in found.question] == [term.text for term in found.question]
    assert found.length == len(found.passage) == len(bench.retriever.tokeniser.tokens(passage.indexed))
    assert [row.term for row in found.rows] == bench.retriever.tokeniser.query(question)


def test_rank_and_matching_count_the_passages_that_share_a_term(bench):
    question = "监控录像保存多久？"
    hits = bench.retriever.keyword(question, 1_000).hits
    found = terms(bench.retriever, question, hits[3].passage)
    assert (found.rank, found.matching) == (4, len(hits))
    assert found.score == hits[3].score


def test_a_word_that_the_segmenter_glued_to_its_neighbour_is_named(open_base):
    bench = open_base(a="# 规则\n第一条 退货运费由卖家承担。\n第二条 其他。")
    found = terms(bench.retriever, "退货", bench.base.passages[0])
    assert [row.tf for row in found.rows] == [0]
    assert near(found, "退货") == [("glued", "退/货运费")]


def test_a_character_within_a_longer_word_is_named_with_the_word(bench):
    passage = bench.base.passage("05-电梯故障#第二十八条")
    assert ("glued", "损坏") in near(terms(bench.retriever, "电梯坏了", passage), "坏")


def test_a_word_that_shares_a_telling_character_is_named(open_base):
    others = "\n".join(f"第{number}条 今天天气很好。" for number in "二三四五六")
    bench = open_base(a=f"# 规则\n第一条 设备损坏应当报修。\n{others}")
    assert near(terms(bench.retriever, "弄坏", bench.base.passages[0]), "弄坏") == [("character", "损坏")]


def test_function_characters_and_those_that_stand_everywhere_bring_no_word_near(open_base):
    articles = "\n".join(f"第{number}条 电表不得私自改动。" for number in "一二三四五六")
    bench = open_base(a=f"# 规则\n{articles}")
    found = terms(bench.retriever, "停电的时候不能用", bench.base.passages[0])
    assert [row.near for row in found.rows if row.tf == 0] == [()] * len(found.rows)


@pytest.mark.parametrize(
    ("variant", "notes"),
    [
        ("lucene", ["explain.note.common", None, None, "explain.note.absent"]),
        ("okapi", ["explain.note.common_floor", "explain.note.half", None, "explain.note.absent"]),
    ],
)
def test_the_weight_of_a_term_is_warned_of(open_base, variant, notes):
    bench = open_base(a="# 甲\n第一条 苹果 香蕉 橘子\n第二条 苹果 香蕉\n第三条 苹果\n第四条 葡萄")
    found = terms(under(bench, variant), "苹果 香蕉 橘子 西瓜", bench.base.passages[0])
    assert [row.note.code if row.note else None for row in found.rows] == notes
    assert all("—" not in Words(lang).say(row.note) for row in found.rows if row.note for lang in ("zh", "en"))
    assert found.rows[1].contribution == 0 or variant == "lucene"


def test_a_base_of_one_passage_and_a_question_without_a_word_have_their_terms(open_base):
    bench = open_base(a="# 退货\n第一条 七日内可以退货。")
    found = terms(bench.retriever, "？？！", bench.base.passages[0])
    assert (found.rows, found.question, found.rank, found.score, found.matching) == ((), (), None, 0, 0)
    alone = terms(bench.retriever, "退货", bench.base.passages[0])
    assert (alone.rank, alone.matching, alone.length) == (1, 1, alone.mean_length)


def test_traditional_and_wide_characters_are_found_glued_too(open_base):
    bench = open_base(a="# 規則\n第一条 退貨運費由賣家承擔。\n第二条 其他。")
    assert [how for how, _ in near(terms(bench.retriever, "退货", bench.base.passages[0]), "退货")] == ["glued"]


def test_changed_settings_change_what_a_term_gives(bench):
    passage = bench.base.passages[40]
    flat = replace(bench.retriever.bm25, b=0.0)
    known = bench.retriever
    other = Retriever(known.base, known.tokeniser, known.index, None, None, flat)
    one, two = (terms(each, "物业 电梯 维修", passage) for each in (known, other))
    assert one.score != two.score


def test_words_of_a_small_base_are_embedded_beforehand_and_once(open_base, tmp_path):
    bench = open_base(Settings(home=tmp_path), a="# 规则\n第一条 退货运费由卖家承担。\n第二条 买家验货。")
    done = list(bench.fill_words())
    assert done[-1][0] == done[-1][1] > 3
    assert list(bench.fill_words()) == []
