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


VERSIONS = "# 售后规定（{year}年版）\n\n第六条 保修期为{period}。\n\n第七条 退货七日内办理。\n"


@pytest.mark.parametrize(
    ("one", "other", "differs"),
    [
        (
            VERSIONS.format(year=2022, period="24个月"),
            VERSIONS.format(year=2024, period="36个月"),
            ("number", "24个月", "36个月"),
        ),
        (
            "# 甲手册\n\n## 保修期\n\n自购买之日起24个月。\n",
            "# 乙手册\n\n## 保修期\n\n整机36个月。\n",
            ("number", "24个月", "36个月"),
        ),
        (
            "# 甲规定\n\n第六条 押金应在七日内退还。\n",
            "# 乙规定\n\n第九条 押金应当在十日内退还。\n",
            ("number", "七日内", "十日内"),
        ),
        (
            "# 旧规\n\n第六条 住户可以在楼道停放电动车。\n",
            "# 新规\n\n第六条 住户不得在楼道停放电动车。\n",
            ("modality", "可以", "不得"),
        ),
        (
            "# 规定\n\n第六条 业主报修后，物业应当四小时到场。\n",
            "# 通知\n\n业主报修后，物业应当在八小时内到场维修。\n",
            ("number", "四小时", "八小时内"),
        ),
        (
            "# 价目表2023\n\n| 项目 | 价格 |\n|---|---|\n| 更换灯管 | 80元 |\n| 清洗滤网 | 50元 |\n",
            "# 价目表2024\n\n| 项目 | 价格 |\n|---|---|\n| 更换灯管 | 100元 |\n| 清洗滤网 | 50元 |\n",
            ("number", "80元", "100元"),
        ),
        (
            "# Handbook\n\n## Warranty period\n\nThe warranty lasts 24 months.\n",
            "# Terms\n\n## Warranty period\n\nWe give a warranty of 36 months.\n",
            ("number", "24 months", "36 months"),
        ),
    ],
)
def test_one_subject_by_article_heading_or_few_words_is_enough_to_compare(loaded, found, one, other, differs):
    kept = found(loaded(a=one, b=other))
    assert differing(kept) == [[differs]] and kept.compared >= 1


def test_one_heading_in_manuals_of_two_models_is_not_one_subject(loaded, found):
    text = "# {} manual\n\n## Warranty period\n\nThe warranty lasts {} months.\n"
    assert found(loaded(a=text.format("XR-2100", 24), b=text.format("XR-2200", 36))).contradictions == ()


def test_a_scale_of_fines_is_no_contradiction(loaded, found):
    rule = "第{}条 {}的，责令限期改正；逾期未改正的，处{}元以上{}元以下罚款。"
    one, other = (
        rule.format("一", "未按规定公示维修资金账目", "一万", "三万"),
        rule.format("二", "擅自占用消防车通道停放车辆", "五千", "二万"),
    )
    assert found(loaded(a=f"# 罚则\n\n{one}\n\n{other}\n")).contradictions == ()


HANDBOOK = (
    "第四条 员工入职满十年不满二十年的，年休假十天；满二十年的，年休假十五天。\n\n"
    "第七条 餐饮补助标准如下：\n\n| 级别 | 补助标准 |\n|---|---|\n"
    "| 主管的餐饮补助 | 400元 |\n| 职员的餐饮补助 | 300元 |\n"
)


@pytest.mark.parametrize("spaced", [HANDBOOK, HANDBOOK.replace("| ", "|  ").replace("，", ",").replace("；", ";")])
def test_a_handbook_that_came_twice_contradicts_itself_nowhere(loaded, found, spaced):
    kept = found(loaded(手册=f"# 员工手册\n\n{HANDBOOK}", 手册Word=f"# 员工手册\n\n{spaced}"))
    assert kept.contradictions == () and kept.duplicates and kept.compared


def test_one_row_that_differs_is_held_against_its_like_alone(loaded, found):
    other = HANDBOOK.replace("300元", "350元")
    kept = found(loaded(a=f"# 员工手册\n\n{HANDBOOK}", b=f"# 员工手册\n\n{other}"))
    assert differing(kept) == [[("number", "300元", "350元")]]


def test_a_claim_is_not_said_by_a_text_that_says_it_of_a_larger_number(loaded, found):
    rule = "# {}\n\n## 押金退还\n\n{}日内退还押金。\n"
    assert differing(found(loaded(a=rule.format("甲", "3"), b=rule.format("乙", "13")))) == [
        [("number", "3日内", "13日内")]
    ]


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
