"""The charts of Explain in a real browser: each stands in the page with its finding and its table, in both themes."""

import re

import pytest
from playwright.sync_api import expect

from core.knowledge.shelf import questions
from pages.parts.palette import of
from tests.browser.doing import CHOICES, kept, part, send
from tests.browser.watching import quiet

CHARTS = {"flow": (1, r"\d+ 名"), "timeline": (2, r"次调用）已看到"), "overlap": (3, r"^只有")}
"""Each chart's place among the parts of Explain, and words of its finding for the opening dispute."""


@pytest.fixture
def disputed(bench, visit):
    """Opens the opening dispute, compared, with one of the charts."""
    question = next(q.question for q in questions(bench.base).questions if "demo:opening" in q.tags)

    def opened(name, **how):
        page, _ = visit("/", **how)
        send(quiet(page), question)
        kept(page)
        part(quiet(page), "explain.part", CHOICES, CHARTS[name][0]).click()
        expect(page.locator(".js-plotly-plot")).to_be_visible(timeout=60_000)  # a large script on a busy machine
        return quiet(page)

    return opened


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_stands_below_its_finding_with_its_facts_as_a_table(name, scheme, disputed):
    page = disputed(name, scheme=scheme)
    expect(page.get_by_test_id("stMarkdown").filter(has_text=re.compile(CHARTS[name][1])).first).to_be_visible()
    page.get_by_test_id("stExpander").filter(has_text="同样的内容，列成表格").locator("summary").click()
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_fits_a_phone(name, disputed):
    page = disputed(name, width=390)
    plot = page.locator(".js-plotly-plot").bounding_box()
    assert plot["width"] > 250 and plot["x"] + plot["width"] <= 390
    outside = page.locator(".js-plotly-plot text").evaluate_all(
        "texts => texts.filter(text => text.getBoundingClientRect().right > innerWidth).map(text => text.textContent)"
    )
    assert outside == []


def test_a_chart_follows_the_reader_who_turns_the_lights_off(disputed):
    page = disputed("overlap")
    bar = page.locator(".js-plotly-plot .annotation-text").first
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        red, green, blue = (int(of(scheme).text[at : at + 2], 16) for at in (1, 3, 5))
        expect(bar).to_have_css("fill", f"rgb({red}, {green}, {blue})")
