"""Light and dark: both are designed, and no text is too faint on its ground in either."""

import re
import tomllib

import pytest
from playwright.sync_api import expect

from tests.browser.doing import kept, send
from tests.browser.watching import quiet
from tests.conftest import ROOT

PAGES = sorted(path.stem for path in (ROOT / "pages").glob("[!_]*.py"))
THEME = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
LEAST = 4.5
"""Contrast of a text to its ground that WCAG 2.2 asks for at level AA."""
FAINT = """(least) => {
  const rgba = text => {
    const parts = text.match(/[\\d.]+/g).map(Number);
    const [r, g, b] = text.startsWith('color(') ? parts.map(p => p * 255) : parts;
    return [r, g, b, parts.length > 3 ? parts[3] : 1];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((part, at) => part * a + under[at] * (1 - a));
  const light = colour => colour.map(part => part / 255)
    .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = node => {
    if (!node) return [255, 255, 255];
    const own = rgba(getComputedStyle(node).backgroundColor);
    return own[3] === 1 ? own.slice(0, 3) : over(own, ground(node.parentElement));
  };
  const opacity = node => node ? Number(getComputedStyle(node).opacity) * opacity(node.parentElement) : 1;
  const found = {};
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.textContent.trim(), node = walk.currentNode.parentElement;
    const off = node.closest('script, style, noscript, :disabled, [disabled], [aria-disabled="true"]');
    if (!text || off || !node.checkVisibility({ opacityProperty: true })) continue;
    const under = ground(node), [r, g, b, a] = rgba(getComputedStyle(node).color);
    const [one, two] = [light(over([r, g, b, a * opacity(node)], under)), light(under)];
    const contrast = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    if (contrast < least) found[text.slice(0, 40)] = contrast.toFixed(2);
  }
  return found;
}"""


def ground(page):
    """The colour of the page, as #rrggbb in capitals."""
    colour = page.get_by_test_id("stApp").evaluate("node => getComputedStyle(node).backgroundColor")
    return "#" + "".join(f"{int(part):02X}" for part in colour.strip("rgb()").split(","))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_no_text_is_too_faint_on_its_ground(name, scheme, visit):
    page, _ = visit(f"/{name}", scheme=scheme)
    if name == "compare":
        send(quiet(page))
        kept(page)
    assert ground(quiet(page)) == THEME[scheme]["backgroundColor"].upper()
    assert page.evaluate(FAINT, LEAST) == {}


def test_a_page_follows_the_reader_who_turns_the_lights_off(visit):
    page, _ = visit()
    quiet(page)
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(300)  # colours change gradually
        assert ground(page) == THEME[scheme]["backgroundColor"].upper()
        assert page.evaluate(FAINT, LEAST) == {}


def test_the_theme_chosen_in_the_menu_wins_over_the_system(visit):
    page, _ = visit(scheme="light")
    quiet(page).get_by_test_id("stMainMenu").get_by_role("button").first.click()
    page.get_by_text(re.compile("Dark$")).last.click()
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", "rgb(23, 22, 19)")
    page.keyboard.press("Escape")
    assert ground(page) == THEME["dark"]["backgroundColor"] and page.evaluate(FAINT, LEAST) == {}
