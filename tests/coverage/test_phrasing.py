"""Questions by rule: natural, answered by the passage's own fact, never holding it, and none where none is possible."""

from __future__ import annotations

import pytest

from core.coverage.hard_facts import states
from core.coverage.phrasing import phrased
from core.domain import Passage


def passage(text, title=""):
    return Passage("a#1", "a", "规则", title, text, 0)


@pytest.mark.parametrize(
    ("text", "question", "fact"),
    [
        (
            "业主应当在装修开工三日前到物业服务企业办理登记手续，提交装修方案。",
            "业主到物业服务企业办登记手续，要在装修开工前多久？",
            "三日前",
        ),
        (
            "装修完工未发现损坏的，应当在十五日内全额退还业主。",
            "装修完工没发现损坏，多久之内要全额退还业主？",
            "十五日内",
        ),
        ("业主有异议的，可以提出；物业应当在十日内书面答复。", "业主有异议，物业多久之内要书面答复？", "十日内"),
        ("公共区域影像资料的保存期限最短为三十日；过期删除。", "公共区域影像资料的保留时间最少是多久？", "三十日"),
        ("维修费用超过三千元的，物业应当取得报价单。", "维修费用超过多少钱，物业要取得报价单？", "三千元"),
        ("擅自拆除承重墙的，处五万元以上十万元以下罚款。", "擅自拆除承重墙，会罚多少钱？", "五万元以上十万元以下"),
        (
            "强行超载搬运造成电梯损坏的，由搬运一方承担维修费用。",
            "强行超载搬运造成电梯损坏，由谁承担维修费用？",
            "搬运一方",
        ),
        (
            "The maker sends a prepaid label within 3 working days.",
            "Within how many working days does the maker send a prepaid label?",
            "3 working days",
        ),
        (
            "The tenant must return the keys within 14 days after moving out.",
            "How soon must the tenant return the keys after moving out?",
            "14 days",
        ),
        (
            "Let the lance cool for at least 90 seconds before touching it.",
            "How long should you let the lance cool before touching it?",
            "90 seconds",
        ),
        ("The hourly rate of a service partner is €68.", "How much is the hourly rate of a service partner?", "€68"),
    ],
)
def test_a_fact_becomes_a_question(text, question, fact):
    found = phrased(passage(text))
    assert found and (found.question, found.fact) == (question, fact)


@pytest.mark.parametrize(
    ("text", "question", "fact"),
    [
        ("| 项目 | 价格 |\n|---|---|\n| 更换灯管 | 80元 |", "更换灯管的价格是多少钱？", "80元"),
        ("行 2\n名称：扶梯\n价格：80元", "扶梯的价格是多少钱？", "80元"),
        ("故障响应时间四小时。", "关于规则，故障响应时间是多久？", "四小时"),
        ("保修期为24个月。", "关于规则，保修期是多久？", "24个月"),
        ("滤网每三个月更换一次。", "关于规则，滤网多久更换一次？", "三个月"),
        ("接到报修后，四小时内到场。", "关于规则，接到报修后，多久之内到场？", "四小时"),
        ("更换灯管80元/次。", "关于规则，更换灯管是多少钱？", "80元"),
        ("本办法自2020年5月1日起施行。", "关于规则，本办法从哪一天起施行？", "2020年5月1日"),
        ("本手册适用于XR-2200型扶梯。", "关于规则，本手册适用哪个型号扶梯？", "XR-2200"),
        ("搬运人员不得以硬物撑挡层门、敲击按钮。", "谁不能以硬物撑挡层门、敲击按钮？", "搬运人员"),
        ("物业服务企业办理登记时，应当书面告知搬运时段。", "办理登记时，谁要书面告诉搬运时段？", "物业服务企业"),
        ("The tenant must not block the lift doors.", "Who must not block the lift doors?", "tenant"),
        (
            "| Model | Warranty |\n|---|---|\n| XR-2200 | 36 months |",
            "In 规则, what is listed under Warranty for XR-2200?",
            "36 months",
        ),
    ],
)
def test_where_no_sentence_has_a_form_of_its_own_a_surer_fact_is_asked_for(text, question, fact):
    found = phrased(passage(text))
    assert found and (found.question, found.fact) == (question, fact)


@pytest.mark.parametrize(
    "text",
    [
        "本规则适用于住宅小区的乘客电梯和载货电梯。",
        "逾期不改正的，处二千元罚款。",
        "前款规定的期限为十日。",
        "（一）三十日以上的。",
        "具体办法由市人民政府制定。",
        "It takes 5 minutes.",
        "| XR-2200 | 36 months | none |",
        "先切断电源，再打开机盖，最后装上滤芯。",
        "（一）业主应当在搬运前办理登记手续。",
        "更换下来的旧件应当保留至争议解决。",
        "",
    ],
)
def test_where_the_subject_stands_elsewhere_or_no_fact_is_stated_there_is_no_question(text):
    assert phrased(passage(text)) is None


def test_the_label_of_a_passage_is_no_part_of_its_question():
    found = phrased(passage("第六条　公示期限最短为七日。", "第六条"))
    assert found and found.question == "公示时间最少是多久？"


def test_no_question_on_the_bundled_base_holds_its_answer_or_stands_in_its_passage(bench):
    found = [(each, made) for each in bench.base.passages if (made := phrased(each))]
    assert len(found) >= 10
    for each, made in found:
        assert states(each.text, made.fact) and not states(made.question, made.fact)
        assert made.question.rstrip("？") not in each.text
