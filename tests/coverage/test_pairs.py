"""Pairs to look at: what contradicts or repeats is found and told once, what merely resembles is left alone."""

from __future__ import annotations

import pytest

from core.coverage.pairs import MOST, pairs

REGISTER = "第一条 业主应当在装修开工三日前到物业服务企业办理登记手续，提交装修方案。"
FOOTAGE = "第二条 公共区域影像资料的保存期限最短为三十日。"
FURNITURE = "第三条 大件物品需要进出电梯的，物业服务企业不得拒绝，但可以要求签署保护承诺书。"
BASE = f"# 规则\n\n{REGISTER}\n\n{FOOTAGE}\n\n{FURNITURE}\n"


@pytest.fixture
def found(bench):
    """Looks for the pairs of a base."""
    return lambda base, **how: pairs(base, bench.retriever.tokeniser, **how)


def differing(pairs):
    return [[(d.kind, d.first, d.second) for d in pair.differences] for pair in pairs.contradictions]


def test_another_number_for_the_same_subject_is_a_contradiction_with_both_numbers(loaded, found):
    base = loaded(a=BASE, b="# 附则\n\n第四条 业主应当在装修开工五日前到物业服务企业办理登记手续。\n")
    assert differing(found(base)) == [[("number", "三日前", "五日前")]]
    (pair,) = found(base).contradictions
    assert (pair.first.id, pair.second.id) == ("a#第一条", "b#第四条") and "装修" in "".join(pair.shared)


def test_another_modality_for_the_same_deed_is_a_contradiction(loaded, found):
    base = loaded(a=BASE, b="# 附则\n\n第四条 大件物品需要进出电梯的，物业服务企业可以拒绝。\n")
    assert differing(found(base)) == [[("modality", "不得", "可以")]]


def test_english_must_against_may_is_a_contradiction(loaded, found):
    rule = "The tenant {} return the keys of the flat to the caretaker within {} days after moving out.\n"
    base = loaded(a=f"# A\n\n{rule.format('must', 3)}", b=f"# B\n\n{rule.format('may', 3)}")
    assert differing(found(base)) == [[("modality", "must", "may")]]


def test_the_same_number_written_otherwise_is_no_contradiction(loaded, found):
    base = loaded(a=BASE, b="# 附则\n\n第四条 业主应当在装修开工3日前到物业办理登记手续。\n")
    assert found(base).contradictions == ()


def test_numbers_about_different_things_are_no_contradiction(loaded, found):
    base = loaded(a=BASE, b="# 附则\n\n第四条 业主申请调取影像资料的期限为七日，业主委员会应当在二十日内组织调解。\n")
    assert found(base).contradictions == ()


def test_the_bundled_base_has_nothing_to_look_at(bench, found):
    assert found(bench.base).all == ()


def test_passages_that_repeat_each_other_are_told_once_with_how_many_more(loaded, found):
    text = "搬运超过额定载荷的材料应当分批进行；强行超载搬运造成电梯损坏的，由搬运一方承担相应的维修费用。"
    base = loaded(**{name: f"# {name}\n\n第一条 {text}\n" for name in "abcd"})
    (pair,) = found(base).duplicates
    assert (pair.likeness, pair.more) == (1.0, 2) and pair.documents == ("a", "b")


def test_a_pair_that_contradicts_is_not_told_again_as_a_duplicate(loaded, found):
    base = loaded(a=BASE, b=f"# 附则\n\n{REGISTER.replace('第一条', '第四条').replace('三日', '五日')}\n")
    assert len(found(base).contradictions) == 1 and found(base).duplicates == ()


def test_more_pairs_than_can_be_looked_at_are_counted(corpus, found):
    text = "第{}号仓库的管理员应当在每月{}日前向总部报送编号为{}的盘点清单和温度记录。"
    rows = [(f"d{n}|{side}", "", text.format(n, side, n * 7919)) for n in range(MOST + 20) for side in (3, 5)]
    kept = found(corpus(*rows))
    assert len(kept.all) <= 2 * MOST and sum((kept.left or {}).values()) + sum(p.more for p in kept.all) > 0


def test_stopping_leaves_what_was_found_until_then(loaded, found):
    base = loaded(a=BASE, b=f"# 附则\n\n{REGISTER.replace('第一条', '第四条').replace('三日', '五日')}\n")
    assert found(base, stopped=lambda: True).all == ()
