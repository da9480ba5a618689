"""The first visit after a server start, wherever it goes, and addresses that name what is not there."""

import pytest
from playwright.sync_api import expect

from tests.browser.doing import QUESTION, kept, part
from tests.browser.watching import quiet
from tests.conftest import ROOT

PAGES = sorted(path.stem for path in (ROOT / "pages").glob("[!_]*.py"))
SIGNS = {"compare": "question", "library": "find", "settings": "roles.apply"}
"""A widget by which each page is known."""
EVERYTHING = "lang=en&c=nonesuch&p=nonesuch&q=How+long%3F&modes=bm25%2Cnonesuch&k=9&kb=nonesuch"
NOT_THERE = "The page that you have requested does not seem to exist"


@pytest.mark.parametrize("path", ["/", *(f"/{name}" for name in PAGES)])
def test_the_first_visit_after_a_start_shows_the_right_page_and_menu(path, visit, start):
    app = start()
    page, _ = visit(path, base=app.address)
    name = path.strip("/") or "compare"
    if name in SIGNS:
        expect(part(page, SIGNS[name], "*")).to_be_visible()
    expect(page.get_by_role("heading", level=3).first).to_be_visible()
    expect(page.get_by_test_id("stTopNavLink")).to_have_count(len(PAGES))
    assert quiet(page).get_by_text("Page not found").count() == 0
    assert page.url.startswith(f"{app.address}{path}")
    app.stop()


@pytest.mark.parametrize("path", ["/", *(f"/{name}" for name in PAGES)])
def test_an_address_that_names_what_is_not_there_still_shows_its_page(path, visit):
    page, _ = visit(f"{path}?{EVERYTHING}")
    expect(page.get_by_role("heading", level=3).first).to_be_visible()
    expect(page.locator(".st-key-lang [aria-checked=true]").first).to_have_text("English")
    assert quiet(page).get_by_text("Page not found").count() == 0
    if path in ("/", "/compare"):
        expect(part(page, "question", "textarea")).to_have_value("How long?")
        expect(page.get_by_test_id("stAlert").filter(has_text="nonesuch").first).to_be_visible()
    if path == "/library":
        expect(page.get_by_test_id("stAlert").filter(has_text="nonesuch").first).to_be_visible()


def test_an_unknown_address_shows_the_first_page(visit):
    page, watch = visit("/nonesuch")
    expect(part(page, "question", "textarea")).to_be_visible()
    expect(quiet(page).get_by_test_id("stTopNavLink")).to_have_count(len(PAGES))
    assert all(NOT_THERE in error for error in watch.errors)
    watch.errors.clear()


def test_an_example_tapped_while_vectors_are_computed_stands_in_the_box_afterwards(visit, start, tmp_path):
    app = start(tmp_path)
    page, _ = visit(base=app.address)
    example = page.locator("[class*='st-key-example'] button:visible").first
    expect(example).to_be_visible()
    example.click()
    kept(page)
    page.wait_for_timeout(2_500)  # the line on the vectors is drawn anew each second, with what the browser sends
    expect(part(page, "question", "textarea")).to_have_value(QUESTION)
    app.stop()
