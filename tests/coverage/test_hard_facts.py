"""Hard facts: the same however they are written, and no date or article number among them."""

from __future__ import annotations

import pytest

from core.coverage.hard_facts import facts_of, states


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("三十日", (30, "day")),
        ("30 天", (30, "day")),
        ("thirty days", (30, "day")),
        ("三个工作日", (3, "workday")),
        ("2,000元", (2000, "yuan")),
        ("三万元", (30_000, "yuan")),
        ("€58.30", (58.3, "eur")),
        ("百分之五", (5, "%")),
        ("5％", (5, "%")),
        ("两家以上", (2, "firm")),
        ("四小时", (4, "hour")),
        ("24个月", (24, "month")),
        ("三个季度", (3, "quarter")),
        ("50毫升", (50, "ml")),
        ("二十欧元", (20, "eur")),
        ("45 min", (45, "minute")),
    ],
)
def test_a_fact_is_read_however_it_is_written(text, said):
    assert [fact.said for fact in facts_of(text)] == [said]


@pytest.mark.parametrize(
    "text", ["第三十条", "2020年5月1日", "上一年度", "一次性", "同一人", "XR-2200", "数日内", "二点二米"]
)
def test_what_counts_nothing_is_no_fact(text):
    assert facts_of(text) == ()


def test_the_span_of_a_fact_points_at_the_source_also_where_folding_changes_lengths():
    text = "水温８５℃，保存三十日"
    assert [text[fact.start : fact.end] for fact in facts_of(text)] == ["８５℃", "三十日"]


@pytest.mark.parametrize(
    ("text", "fact", "stated"),
    [
        ("物业须在 30 日内退还[1]。", "三十日内", True),
        ("within thirty days", "30 days", True),
        ("十三日内退还", "三日内", False),
        ("押金全额退还业主", "全额退还", True),
        ("押金退还一半", "全额退还", False),
        ("罚款二千元至五千元", "二千元以上五千元以下", True),
        ("罚款二千元", "二千元以上五千元以下", False),
    ],
)
def test_a_text_states_a_fact_by_its_words_or_by_the_same_number(text, fact, stated):
    assert states(text, fact) is stated
