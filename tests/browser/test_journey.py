"""The Compare journey in a real browser: asked, answered, shared, in both languages, on a narrow screen."""

import re

from playwright.sync_api import expect

from tests.browser.doing import KEPT, answers, goto, kept, part, send
from tests.browser.watching import quiet
from tests.loopback import Said

SMALL = {
    "kb.toml": 'title = "供水"\nlanguage = "zh"\n',
    "sections/01-供水.md": "# 供水\n\n第一条 水表六年一换。\n\n第二条 停水的，提前三日通知用户。\n",
    "questions/asked.csv": "question,gold\n停水提前几天通知？,01-供水#第二条\n",
}
"""A base whose coverage is asked in a moment."""


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


def test_back_goes_from_comparison_to_comparison_and_leaves_the_page(visit):
    page, _ = visit("/?lang=en&filter.section=电梯", apart=True)
    start = quiet(page).evaluate("history.length")
    send(page, "装修前要办什么手续？")
    first = kept(page)
    send(page, "电梯反复故障怎么办？")
    page.wait_for_url(lambda url: KEPT.search(url) and first not in url)
    goto(quiet(page), "library")
    page.wait_for_url("**/library?lang=en")
    assert quiet(page).evaluate("history.length") == start + 3
    page.go_back()
    expect(part(page, "question", "textarea")).to_have_value("电梯反复故障怎么办？")
    quiet(page).go_back()
    expect(part(page, "question", "textarea")).to_have_value("装修前要办什么手续？")
    assert first in page.url and "filter.section" in page.url
    quiet(page).go_back()
    expect(page.get_by_role("heading", name="Summary")).to_have_count(0)
    assert KEPT.search(quiet(page).url) is None
    page.go_back()
    assert page.url == "about:blank"


def test_a_page_loaded_anew_while_it_answers_has_its_question(visit, talking):
    app, server = talking
    server.always(Said("第一句。" * 40, first_delay=1.0, delay=0.1, pieces=60))
    page, _ = visit(base=app.address, apart=True)
    send(page, "电梯反复故障怎么办？")
    kept(page)
    page.reload()
    expect(part(page, "question", "textarea")).to_have_value("电梯反复故障怎么办？")


def test_a_reader_without_a_pointer_comes_into_a_popover_and_out_again(visit):
    page, _ = visit()
    more = quiet(page).get_by_role("button", name="更多设置")
    more.focus()
    page.keyboard.press("Enter")
    body = page.get_by_test_id("stPopoverBody")
    expect(part(page, "one_by_one", "input")).to_be_focused()
    page.keyboard.press("Space")
    expect(part(page, "one_by_one", "input")).to_be_checked()
    page.keyboard.press("Escape")
    expect(body).to_have_count(0)
    expect(more).to_be_focused()


def test_a_question_brought_from_another_page_makes_one_entry_in_the_history(visit, start, new_home):
    home = new_home()
    for name, content in SMALL.items():
        path = home / "kb" / "own" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    app = start(home, WORKBENCH_KB="own")
    page, _ = visit("/coverage", base=app.address, apart=True)
    part(quiet(page), "coverage.run").click()
    page.locator('.cell[data-passage$="#第二条"]').click()
    entries = quiet(page).evaluate("history.length")
    page.get_by_role("button", name=re.compile("停水提前几天")).first.click()
    identifier = kept(page)
    assert quiet(page).evaluate("history.length") == entries + 1
    page.go_back()
    expect(page.get_by_role("treegrid")).to_be_visible()
    quiet(page).go_forward()
    page.wait_for_url(re.compile(identifier))
    expect(answers(page)).to_have_count(3)
    app.stop()
