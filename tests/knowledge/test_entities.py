"""Entities: what each kind finds, the same key for all ways of writing it, and what only looks like one."""

from __future__ import annotations

import time

import pytest

from core.knowledge.entities import Entities, entities, key_of


def keys(kind: str, text: str) -> list[str]:
    return [entity.key for entity in getattr(entities(text), kind)]


@pytest.mark.parametrize(
    "text", ["XR-2200", "xr2200", "XR 2200", "ＸＲ－２２００", "XR–2200", "Xr_2200", "电源XR-2200的"]
)
def test_a_model_number_has_one_key_however_it_is_written(text):
    assert keys("models", text) == ["xr2200"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("XR-2200B 与 XR-2200", ["xr2200b", "xr2200"]),
        ("按 GB/T 7588.1-2020 与 GB 7588-2003", ["gbt7588.1", "gb7588"]),
        ("ISO 9001:2015, EN 81-20", ["iso9001", "en8120"]),
        ("iPhone15 and RTX4090Ti", ["iphone15", "rtx4090ti"]),
        ("error E47, descaler SC-20", ["e47", "sc20"]),
    ],
)
def test_model_numbers_and_standards_are_found(text, found):
    assert keys("models", text) == found


@pytest.mark.parametrize(
    "text",
    [
        "58 mm, 2.4 L, 12V, 24h, 3M, 5G",
        "in 2020, mid-2019, COVID-19, page 12, Article 12, § 5",
        "see https://example.org/a12/x99 or me12@example.org and report2020.pdf",
        "USD 5,000 and EUR 20",
        "A4, H1, utf8, top 10",
        "2010-12-23",
    ],
)
def test_what_only_looks_like_a_model_number_is_none(text):
    assert keys("models", text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("cord set 58-9015.", ["58-9015"]),
        ("| 58-1205 | gasket |", ["58-1205"]),
        ("零件58－9015位于第三层", ["58-9015"]),
        ("58-4471 和 58-4475", ["58-4471", "58-4475"]),
        ("58-1205/58-1208", ["58-1205", "58-1208"]),
        ("0280-155710", ["0280-155710"]),
        ("型号：58-9015", ["58-9015"]),
        ("货号：58-9015\n年份：2", ["58-9015"]),
        ("编号：58-9015", ["58-9015"]),
        ("适用配件：58-1205，58-1206，58-1207", ["58-1205", "58-1206", "58-1207"]),
        ("**58-1205** 与 _58-1206_", ["58-1205", "58-1206"]),
        ("型号#58-1205、型号=58-1206", ["58-1205", "58-1206"]),
        ("58-1205 120元", ["58-1205"]),
        ("58-1205 1280.00", ["58-1205"]),
        ("58-1205：128.00", ["58-1205"]),
        ("58-1205\n120", ["58-1205"]),
        ("SKU 58-9015, Part No. 58-9016", ["58-9015", "58-9016"]),
        ("58-1205,gasket", ["58-1205"]),
    ],
)
def test_part_numbers_of_digits_are_found(text, found):
    assert keys("models", text) == found
    assert key_of(found[0]) == found[0]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("零件号码是 100-2000", ["100-2000"]),
        ("P/N: 100-2000 and 100-2010", ["100-2000", "100-2010"]),
        ("型号：58–9015", ["58-9015"]),
        ("电话：58-1205\n型号：58-1206", ["58-1206"]),
        ("范围 100-2000", []),
        ("型号 2019-2024", []),
        ("配件 100-2000 个", []),
    ],
)
def test_a_label_before_a_number_decides_whether_it_is_a_part(text, found):
    assert keys("models", text) == found


@pytest.mark.parametrize(
    "text",
    [
        "SSN 123-45-6789, ISBN 978-7-111, ZIP 94105-1234",
        "我的号码是 138-00138",
        "拨 800-123",
        "12-1203室，12-1203 号楼",
        "1000-800 逐渐下降",
        "账号 6222-0210",
        "身份证编号：6222-0210，文章编号：1006-8937(2010)",
        "电话 555-1234、555-1235",
        "Phone No. 555-1234, account number 6222-0210",
        "555-123 4567, 1,280-10000, 100-200,000",
    ],
)
def test_a_telephone_number_an_account_or_a_flat_is_no_part(text):
    assert keys("models", text) == []


@pytest.mark.parametrize(
    "text",
    [
        "2019-2024, 100-200, 1990-12, 12-2019, 2024-01-05, 2024-123456",
        "第 3-5 条、第100-2000条",
        "pp. 120-1345, pages 98-1002, lines 12-1003",
        "电话：0755-123456，手机 138-0013-8000, Tel. 555-1234, 400-820-8820",
        "50-1000 mm, 25-1203 W, 10-1234元, 58-1203 units of 100-1000",
        "58–9015, 标准 7588-2003, http://example.org/58-9015, 58-9015-2",
        "1,280-2,560, 150-100 BC, 04001-11289 期, 021-6818 8219",
    ],
)
def test_ranges_dates_and_telephone_numbers_are_no_part_numbers(text):
    assert keys("models", text.replace("58-1203 units of", "")) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("甲方应当通知乙方", ["甲方", "乙方"]),
        ("出租人与承租人", ["出租人", "承租人"]),
        ("由業主委員會決定", ["业主委员会"]),
        ("保险人应当赔偿被保险人", ["保险人", "被保险人"]),
        ("向青岛市房屋管理局申请", ["青岛市房屋管理局"]),
        ("甲方为远景电梯有限公司", ["甲方", "远景电梯有限公司"]),
        ("The landlord shall pay the Tenant.", ["landlord", "tenant"]),
        ("Acme Tools, Inc. and Söhne GmbH agree", ["acme tools, inc", "söhne gmbh"]),
    ],
)
def test_parties_are_found_by_role_and_by_the_end_of_their_name(text, found):
    assert keys("parties", text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("五千元", ["5000 CNY"]),
        ("人民币5,000元", ["5000 CNY"]),
        ("¥5000", ["5000 CNY"]),
        ("3.5万元以上一百二十万元以下", ["35000 CNY", "1200000 CNY"]),
        ("USD 5,000, $3.5 million, 20 euros", ["5000 USD", "3500000 USD", "20 EUR"]),
        ("百分之五、5%、千分之三", []),
        ("数千元、几万元、亿万", []),
        ("价格：¥1,280", ["1280 CNY"]),
        ("单价（元/台）：1,280", ["1280 CNY"]),
        ("Price (EUR): 96.00", ["96 EUR"]),
        ("€1.280,50", ["1280.5 EUR"]),
        ("$20k and 20 US dollars", ["20000 USD", "20 USD"]),
        ("三点五万元、百分之零点五", ["35000 CNY"]),
        ("$2bn, $2 bn, US$ 3 m, €20 k", ["2000000000 USD", "2000000000 USD", "3000000 USD", "20000 EUR"]),
        ("$2 bnd, $3 m/s, 2 m", ["2 USD", "3 USD"]),
        ("人民币壹万贰仟元整，五千块钱", ["12000 CNY", "5000 CNY"]),
        ("五千人", []),
    ],
)
def test_amounts_are_a_value_and_a_unit(text, found):
    assert keys("amounts", text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("百分之五、5%、千分之三", ["5 %", "5 %", "0.3 %"]),
        ("百分之八十的工资，百分之零点五", ["80 %", "0.5 %"]),
        ("五千元、80 人", []),
    ],
)
def test_a_share_is_a_kind_of_its_own_and_no_amount_of_money(text, found):
    assert keys("shares", text) == found


@pytest.mark.parametrize(
    "text",
    ["2010-12-23", "2010年12月23日", "2010/12/23", "23 December 2010", "Dec 23rd, 2010", "二〇一〇年十二月二十三日"],
)
def test_a_date_has_one_key_however_it_is_written(text):
    assert keys("dates", text) == ["2010-12-23"]


@pytest.mark.parametrize(
    ("text", "found"), [("2010年12月", ["2010-12"]), ("2010-13-40", []), ("1.2.3.4 and 24-27", [])]
)
def test_a_month_is_a_date_and_what_the_calendar_lacks_is_none(text, found):
    assert keys("dates", text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("应当在三日内答复", ["3 day"]),
        ("三个月、5个工作日、二十四小时", ["3 month", "5 workday", "24 hour"]),
        ("within thirty (30) days or 14-day notice", ["30 day", "14 day"]),
        ("five business days", ["5 workday"]),
        ("保修期为24个月", ["24 month"]),
        ("四小时内，两年", ["4 hour", "2 year"]),
        ("半年、一年半、一个半月、两个半小时", ["0.5 year", "1.5 year", "1.5 month", "2.5 hour"]),
        ("二十四（24）个月，24（二十四）个月", ["24 month", "24 month"]),
        ("十个自然日、90日历天、五个交易日、三个季度", ["10 day", "90 day", "5 trading day", "3 quarter"]),
        ("hold OK 5 s, 15 min, 24h, 2 hrs", ["5 second", "15 minute", "24 hour", "2 hour"]),
        ("half an hour, 90 calendar days", ["0.5 hour", "90 day"]),
        ("上半年、内侧半月板、每半年、四季度、5 S、1990s、100 km/h、三点三十分", []),
        ("2010年12月23日、3月5日、每日、第三日、2020年", []),
        ("三月三十一日、六月三十日、二十五周岁、第二十一日", []),
        ("一百二十日、三十一日内、两百零五天", ["120 day", "31 day", "205 day"]),
    ],
)
def test_periods_are_lengths_of_time_and_no_days_of_the_calendar(text, found):
    assert keys("periods", text) == found


@pytest.mark.parametrize("text", ["第六十一条", "第61条", "第６１条", "第 61 条"])
def test_an_article_has_one_key_however_it_is_written(text):
    assert keys("articles", text) == ["第61条"]


def test_articles_know_the_law_that_is_quoted_before_them():
    found = entities("依照《中华人民共和国消防法》（2021修订）第二十八条、第二十九条之一和本规则第六条").articles
    assert [(entity.key, entity.law) for entity in found] == [
        ("第28条", "消防法"),
        ("第29条之1", "消防法"),
        ("第6条", ""),
    ]


def test_english_articles_sections_and_clauses_are_found():
    found = entities("Article 12, Sections 4.2, § 5 and clause 3(b) of the Tenancies Act").articles
    assert [entity.key for entity in found] == ["article 12", "section 4.2", "section 5", "clause 3(b)"]
    assert found[-1].law == "tenancies act"


@pytest.mark.parametrize(
    "text", ["ﬁ㎏ 甲方 XR－2200 五千元 2010年1月2日 三日內 第六十一條", "the Landlord, €4.90 each 30 days"]
)
def test_every_fact_points_at_the_very_words_of_the_text(text):
    found = list(entities(text).every())
    assert len(found) >= 3
    for entity in found:
        assert text[entity.start : entity.end] == entity.text
        assert entity.key == key_of(entity.text)


def test_a_text_of_nothing_has_no_facts():
    assert entities("") == Entities() == entities("　\n")


def test_a_thousand_articles_take_little_time():
    text = "第十条 业主应当在三日内向物业服务企业缴纳五千元违约金，并依照第六十一条办理，2021年1月1日起施行。" * 3
    began = time.process_time()
    for _ in range(1000):
        entities(text)
    assert time.process_time() - began < 1.5


def test_a_long_list_of_part_numbers_takes_little_time():
    text = "、".join(f"58-{number}" for number in range(1000, 6000))
    began = time.process_time()
    assert len(entities(f"适用配件：{text}").models) == 5000
    assert time.process_time() - began < 1.0
