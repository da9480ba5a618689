"""Questions by rule: natural, answered by the passage's own fact, never holding it, and none where none is possible."""

from __future__ import annotations

import pytest

from core.coverage.hard_facts import states
from core.coverage.headings import subject
from core.coverage.phrasing import factual, phrased
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


@pytest.mark.parametrize(
    ("text", "question", "fact"),
    [
        ("行 2\n型号：58-9015\n名称：锅炉密封圈\n库存：12", "锅炉密封圈的型号是什么？", "58-9015"),
        ("行 2\n型号：58-9015\n货号：31-22", "58-9015 锅炉密封圈的货号是什么？", "31-22"),
        ("行 2\n型号：58-9015", None, None),
    ],
)
def test_a_row_is_asked_for_by_its_name_and_never_by_a_title_that_holds_the_answer(text, question, fact):
    row = Passage("a#行 2", "a", "备件", "58-9015 锅炉密封圈", text, 0, metadata={"type": "row"})
    found = phrased(row)
    assert (found.question, found.fact) == (question, fact) if found else question is None


def test_a_heading_that_begins_with_a_part_number_or_an_amount_keeps_it():
    of = {"58-9015 锅炉密封圈": "58-9015 锅炉密封圈", "80元套餐": "80元套餐", "3.2 保修": "保修", "3.2保修": "保修"}
    assert {title: subject(passage("", title)) for title in of} == of
    assert subject(passage("", "第六条")) == "规则" and subject(passage("", "二、押金")) == "押金"


@pytest.mark.parametrize(
    "text",
    [
        "公司将于六月十五日搬迁至新址：学院路12号。",
        "用人单位应当按照国家有关规定，建立制度。",
        "各级人民政府应当采取措施，发展教育。",
        "劳动者主张加班费有争议的，应当裁定驳回申请。",
        "劳动者依据劳动合同法第八十五条规定，向法院起诉。",
        "每项确定的数额均不超过当地月最低工资标准十二个月金额的，按照终局裁决处理。",
        "对首要分子和积极参加的，处三年以下有期徒刑。",
        "数量巨大的，处三年以上十年以下有期徒刑。",
        "第一款规定的人员失职的，处三年以下有期徒刑。",
        "如果没有本法第七十七条规定的情形，不再执行。",
        "依照本法第三条的规定从重处罚。",
        "法院可以取消其接受遗产的权利。",
        "被法院驳回起诉的，用人单位可以自收到裁定书之日起三十日内，申请撤销。",
    ],
)
def test_a_sentence_is_no_name_and_what_is_not_said_whole_is_not_asked(text):
    assert phrased(passage(text, "通知")) is None


def test_who_acts_is_told_without_how():
    found = phrased(passage("借出的工具造成损坏的，由员工自行承担维修费用。"))
    assert found and (found.question, found.fact) == ("借出的工具造成损坏，由谁自行承担维修费用？", "员工")


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("病假五天不扣。", True),
        ("三个工作日。", True),
        ("按 80 % 计。", True),
        ("产假九十八天的。", True),
        ("适用于 XR-2200。", True),
        ("发票遗失不补。", False),
    ],
)
def test_a_fact_is_known_whether_or_not_it_can_be_asked_for(text, known):
    assert factual(passage(text)) is known


def test_no_question_on_the_bundled_base_holds_its_answer_or_stands_in_its_passage(bench):
    found = [(each, made) for each in bench.base.passages if (made := phrased(each))]
    assert len(found) >= 10
    for each, made in found:
        assert states(each.text, made.fact) and not states(made.question, made.fact)
        assert made.question.rstrip("？") not in each.text


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("行 2\nquestion：退货期限是几天？\nanswer：七日", "退货期限是几天？ 七日"),
        ("行 2\n问题：+86 电话格式？\n答案：-5℃", "+86 电话格式？"),
        ("行 2\ntitle：通知0\ntext：第2批", "通知0"),
        ("行 2\n备注：7天\n编号：31-22", "密封圈"),
        ("行 2\n打印机：12", "3"),
        ("| 序号 | 价格 |\n|---|---|\n| 3 | 80元 |", "3"),
        ("[点我](javascript:alert(3))", "公告"),
    ],
)
def test_a_column_that_says_nothing_or_a_bare_number_or_a_question_makes_no_question(text, title):
    assert phrased(Passage("a#行 2", "a", "", title, text, 0, metadata={"type": "row"})) is None


def test_a_table_row_is_about_its_first_cell_that_names_something():
    found = phrased(passage("| 序号 | 名称 | 价格 |\n|---|---|---|\n| 3 | 打印机 | 80元 |"))
    assert found and (found.question, found.fact) == ("打印机的价格是多少钱？", "80元")
