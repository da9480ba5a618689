"""Light and dark: the page is as its theme says in both, and follows who turns the lights off."""

import re
import tomllib

from playwright.sync_api import expect

from tests.browser.contrast import FAINT, LEAST, lit
from tests.browser.watching import quiet
from tests.conftest import ROOT

THEME = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]


def ground(page):
    """The colour of the page, as #rrggbb in capitals."""
    colour = page.get_by_test_id("stApp").evaluate("node => getComputedStyle(node).backgroundColor")
    return "#" + "".join(f"{int(part):02X}" for part in colour.strip("rgb()").split(","))


def test_a_page_follows_the_reader_who_turns_the_lights_off(visit):
    page, _ = visit()
    for scheme in lit(quiet(page)):
        assert ground(page) == THEME[scheme]["backgroundColor"].upper()


def test_the_theme_chosen_in_the_menu_wins_over_the_system(visit):
    page, _ = visit(apart=True)
    quiet(page).get_by_test_id("stMainMenu").get_by_role("button").first.click()
    page.get_by_text(re.compile("Dark$")).last.click()
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", "rgb(23, 22, 19)")
    page.keyboard.press("Escape")
    assert ground(page) == THEME["dark"]["backgroundColor"]
    assert page.evaluate(FAINT, LEAST)["faint"] == {}
