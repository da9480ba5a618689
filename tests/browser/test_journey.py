"""The Compare journey in a real browser: asked, answered, shared, in both languages, on a narrow screen."""

import re

from playwright.sync_api import expect

from tests.browser.watching import quiet


def tap_example(page, text="手续"):
    """Tap the first example whose text holds `text` and wait for the finished comparison's address."""
    quiet(page).get_by_role("button", name=re.compile(text)).first.click()
    page.wait_for_url(re.compile(r"[?&]c=[0-9a-f]{12}"))


def test_a_tapped_example_is_answered_in_three_columns_and_shared_by_its_address_in_another_language(visit):
    page, _ = visit()
    tap_example(page)
    expect(page.get_by_text("第六条").first).to_be_visible()
    for name in ("BM25 + 重排", "智能体检索"):
        expect(page.get_by_text(name, exact=True).first).to_be_visible()
    expect(page.get_by_role("heading", name="汇总")).to_be_visible()
    other, _ = visit(page.url, locale="en-US", apart=True)
    expect(other.get_by_role("heading", name="Summary")).to_be_visible()
    expect(other.get_by_text("第六条").first).to_be_visible()


def test_nothing_is_wider_than_a_phone(visit):
    page, _ = visit(width=390)
    tap_example(page)
    expect(page.get_by_role("heading", name="汇总")).to_be_visible()
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("node => node.scrollWidth <= node.clientWidth")
