"""Every text of every page stands out from its ground, in light and in dark, also inside elements of our own."""

import pytest
from playwright.sync_api import expect

from tests.browser.contrast import FAINT, LEAST, assert_plain_to_see
from tests.browser.doing import CHOICES, part
from tests.browser.watching import quiet

PAGES = [
    *("/", "/library", "/settings", "/learn"),
    *(f"/learn?topic={topic}" for topic in ("lesson", "failures", "failures&class=cut", "blind")),
]


@pytest.mark.parametrize("path", PAGES)
def test_every_text_of_every_page_stands_out_from_its_ground(path, visit):
    page, _ = visit(path)
    assert_plain_to_see(quiet(page))


def test_every_text_of_a_comparison_and_what_explains_it_stands_out(visit, dispute):
    page, _ = visit(f"/?c={dispute}")
    quiet(page).locator(".matrix tr[data-row]").nth(1).click()
    details = page.locator(".st-key-explain-detail [role=radio]")
    expect(details.first).to_be_visible()
    for place in range(details.count()):
        details.nth(place).click()
        assert_plain_to_see(quiet(page), 100)
    for place in range(1, 4):
        part(page, "explain.part", CHOICES, place).click()
        assert_plain_to_see(quiet(page), 100)


@pytest.mark.parametrize("path", ["/?present=1", "/learn?topic=blind", "/learn?topic=playback"])
def test_every_text_of_a_comparison_shown_elsewhere_stands_out(path, visit, dispute):
    page, _ = visit(f"{path}&c={dispute}")
    expect(page.get_by_role("heading").first).to_be_visible()
    assert_plain_to_see(quiet(page))


def test_a_faint_text_is_found_also_in_an_element_of_our_own(visit):
    page, _ = visit()
    quiet(page).evaluate("""() => {
      const host = document.querySelector('[data-testid=stMain]').appendChild(document.createElement('div'));
      host.attachShadow({ mode: 'open' }).innerHTML = '<p style="color: #999">hardly seen</p>';
    }""")
    assert list(page.evaluate(FAINT, LEAST)["faint"]) == ["hardly seen"]
