"""The charts of Explain in a real browser: each stands in the page with its finding and its table, in both themes."""

import re

import pytest
from playwright.sync_api import expect

from pages.parts.palette import of
from tests.browser.doing import CHOICES, part
from tests.browser.watching import quiet

CHARTS = {"flow": (1, r"\d+ 名"), "timeline": (2, r"次调用）已看到"), "overlap": (3, r"^只有")}
"""Each chart's place among the parts of Explain, and words of its finding for the opening dispute."""

OUTSIDE = """texts => {
  const frame = document.querySelector('.js-plotly-plot').getBoundingClientRect();
  const out = box => box.top < frame.top || box.bottom > frame.bottom || box.left < 0 || box.right > innerWidth;
  return texts.filter(text => out(text.getBoundingClientRect())).map(text => text.textContent);
}"""
"""The words of a chart that are cut off by its frame or the screen."""


def chart(page, name):
    """Turn to one of the charts and wait until it is drawn."""
    part(quiet(page), "explain.part", CHOICES, CHARTS[name][0]).click()
    drawn = quiet(page).locator(".js-plotly-plot")
    expect(drawn).to_have_count(1)  # what stood there before has gone
    expect(drawn).to_be_visible(timeout=60_000)  # a large script on a busy machine
    return quiet(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_chart_stands_below_its_finding_with_its_facts_as_a_table(scheme, visit, dispute):
    page, _ = visit(f"/?c={dispute}", scheme=scheme)
    for name, (_, finding) in CHARTS.items():
        chart(page, name)
        expect(page.get_by_test_id("stMarkdown").filter(has_text=re.compile(finding)).first).to_be_visible()
        page.get_by_test_id("stExpander").filter(has_text="同样的内容，列成表格").locator("summary").click()
        expect(page.get_by_test_id("stDataFrame").first).to_be_visible()


@pytest.mark.parametrize("locale", ["zh-CN", "en-US"])
def test_a_chart_fits_a_phone(locale, visit, dispute):
    page, _ = visit(f"/?c={dispute}", locale=locale, width=390)
    for name in CHARTS:
        plot = chart(page, name).locator(".js-plotly-plot").bounding_box()
        assert plot["width"] > 250 and plot["x"] + plot["width"] <= 390
        assert page.locator(".js-plotly-plot text").evaluate_all(OUTSIDE) == []


def test_a_chart_follows_the_reader_who_turns_the_lights_off(visit, dispute):
    page, _ = visit(f"/?c={dispute}")
    bar = chart(page, "overlap").locator(".js-plotly-plot .annotation-text").first
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        red, green, blue = (int(of(scheme).text[at : at + 2], 16) for at in (1, 3, 5))
        expect(bar).to_have_css("fill", f"rgb({red}, {green}, {blue})")
