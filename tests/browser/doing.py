"""What a reader does on a page, by the keys of its widgets, so that no test hangs on wording or places."""

import re

from playwright.sync_api import expect

from tests.browser.watching import quiet

KEPT = re.compile(r"[?&]c=([0-9a-f]{12})")
QUESTION = "装修前要办什么手续？"

PAGES = {"compare": "view_column", "library": "menu_book", "settings": "settings"}
"""The icon by which a page stands in the navigation, whatever the language."""


DEEP = """
const hosts = node => [...node.querySelectorAll('*')].filter(inner => inner.shadowRoot);
const roots = node => [node, ...hosts(node).flatMap(host => roots(host.shadowRoot))];
const read = node => node.nodeType === 3 ? node.textContent : ['STYLE', 'SCRIPT'].includes(node.tagName) ? ''
  : [...(node.shadowRoot ?? node).childNodes].map(read).join(' ');
"""
"""For a script in the page: all roots below a node, and its text with what our own elements hold."""

CHOICES = "button, [role=radio]"
"""What is clicked in pills and segmented controls."""


def part(page, key, inner="button", at=0):
    """The visible widget with this key; of several that are `inner` to it, the one at a place."""
    return page.locator(f".st-key-{re.sub(r'[^a-zA-Z0-9_-]', '-', key)} :is({inner}):visible").nth(at)


def unfold(page, key):
    """Open a fold and let it open: what stands in it moves meanwhile, and a click would miss it."""
    part(page, key, "summary").click()
    page.wait_for_timeout(600)


def send(page, question=QUESTION):
    """Put a question into the form, once it stands where it will stay, and send it."""
    part(quiet(page), "question", "textarea").fill(question)
    part(page, "run").click()


def kept(page):
    """Wait until the comparison on the page, which has its address from the start, is over; returns its id."""
    page.wait_for_url(KEPT)
    expect(part(page, "stop")).to_be_disabled()
    return KEPT.search(page.url).group(1)


def goto(page, name):
    """Follow the navigation to a page."""
    page.get_by_test_id("stTopNavLink").filter(has_text=PAGES[name]).first.click()


def answers(page):
    """The columns in which the modes answer, side by side; what stands in columns below them is left out."""
    row = page.locator("[data-testid=stHorizontalBlock]:has(> [data-testid=stColumn])").first
    return row.locator("> [data-testid=stColumn]")


def columns(page):
    """What stands in each of them."""
    return [column.evaluate(f"node => {{ {DEEP} return read(node); }}") for column in answers(page).all()]
