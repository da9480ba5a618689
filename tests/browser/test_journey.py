"""The Compare journey in a real browser: asked, answered, shared, in both languages, on a narrow screen."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import free_port, serve


def tap_example(page, text="手续"):
    """Tap the first example whose text holds `text` and wait for the finished comparison's address."""
    page.get_by_role("button", name=re.compile(text)).first.click()
    page.wait_for_url(re.compile(r"[?&]c=[0-9a-f]{12}"))


def test_a_tapped_example_is_answered_in_three_columns_and_kept_at_an_address(visit):
    page, watch = visit()
    tap_example(page)
    expect(page.get_by_text("第六条").first).to_be_visible()
    for name in ("BM25 + 重排", "智能体检索"):
        expect(page.get_by_text(name, exact=True).first).to_be_visible()
    expect(page.get_by_text("汇总")).to_be_visible()
    assert watch.errors == [] and watch.outside == []


def test_a_shared_address_shows_the_same_comparison_in_another_browser_and_language(visit):
    page, _ = visit()
    tap_example(page)
    expect(page.get_by_text("汇总")).to_be_visible()
    other, watch = visit(page.url, locale="en-US")
    expect(other.get_by_text("Summary")).to_be_visible()
    expect(other.get_by_text("第六条").first).to_be_visible()
    assert watch.outside == []


@pytest.mark.parametrize(("path", "sign"), [("/compare", "问题"), ("/library", "第四部分"), ("/", "问题")])
def test_the_first_visit_after_a_start_shows_the_right_page_and_menu(visit, shared_home, path, sign):
    port = free_port()
    server = serve(shared_home, port)
    try:
        page, watch = visit(path, base=f"http://localhost:{port}")
        expect(page.get_by_text(sign).first).to_be_visible()
        expect(page.get_by_role("link", name="知识库")).to_be_visible()
        assert page.get_by_text("Page not found").count() == 0
        assert watch.outside == []
    finally:
        server.terminate()
        server.wait(10)


def test_the_language_switch_leaves_nothing_of_the_other_language_in_the_frame(visit):
    page, _ = visit()
    expect(page.get_by_role("button", name="开始对比")).to_be_visible()
    page.get_by_role("radio", name="English").or_(page.get_by_role("button", name="English")).first.click()
    expect(page.get_by_role("button", name="Compare")).to_be_visible()
    assert page.get_by_text("开始对比").count() == 0


def test_enter_while_a_word_is_being_composed_sends_nothing(visit):
    page, _ = visit()
    box = page.get_by_role("textbox").first
    box.click()
    keyboard = page.context.new_cdp_session(page)
    keyboard.send("Input.imeSetComposition", {"text": "zhuangxiu", "selectionStart": 9, "selectionEnd": 9})
    page.keyboard.press("Enter")
    keyboard.send("Input.insertText", {"text": "装修"})
    page.wait_for_timeout(700)
    assert "c=" not in page.url and "装修" in box.input_value()


def test_nothing_is_wider_than_a_phone(visit):
    page, _ = visit(width=390)
    tap_example(page)
    expect(page.get_by_text("汇总")).to_be_visible()
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("node => node.scrollWidth <= node.clientWidth")
