"""What was set is kept when a reader goes from page to page, and no base is too small for a page."""

import pytest
from playwright.sync_api import expect

from tests.browser.doing import CHOICES, QUESTION, answers, goto, kept, part, send
from tests.browser.watching import quiet

SMALL = {
    "empty": {},
    "blank": {"01-空": ""},
    "single": {"01-甲": "# 甲\n\n第一条 年假五天。\n"},
    "section": {"01-甲": "# 甲\n\n" + "\n\n".join(f"第{n}条 年假五天。" for n in "一二三") + "\n"},
}


@pytest.fixture(scope="module")
def small(running):
    """Bases of no passage, of one, and of one section, on the app's shelf."""
    app, _ = running
    for name, sections in SMALL.items():
        folder = app.home / "kb" / name
        (folder / "sections").mkdir(parents=True)
        (folder / "kb.toml").write_text(f'title = "小库 {name}"\nlanguage = "zh"\n', encoding="utf-8")
        for section, text in sections.items():
            (folder / "sections" / f"{section}.md").write_text(text, encoding="utf-8")
    return app


@pytest.mark.parametrize("name", SMALL)
def test_a_base_however_small_is_read_searched_and_asked(name, visit, small, talking):
    page, _ = visit(f"/library?kb={name}", base=small.address)
    expect(part(page, "kb", "input")).to_have_value(f"小库 {name}")
    if "甲" in str(SMALL[name]):
        part(quiet(page), "find", "input").fill("年假")
        page.keyboard.press("Enter")
        page.locator("[class*='st-key-open'] button:visible").first.click()
        page.wait_for_url("**p=*")
    goto(quiet(page), "compare")
    send(page, "年假几天？")
    kept(page)
    expect(answers(page)).to_have_count(3)
    assert quiet(page).get_by_test_id("stException").count() == 0


def around(page):
    """Go to every other page and come back."""
    for name in ("library", "settings", "compare"):
        goto(quiet(page), name)
    return quiet(page)


def test_what_was_asked_with_and_searched_for_is_there_again_after_other_pages(visit):
    page, _ = visit()
    part(quiet(page), "budget", CHOICES, 2).click()
    part(page, "modes", CHOICES, 0).click()
    send(page)
    kept(page)
    goto(quiet(page), "library")
    part(quiet(page), "find", "input").fill("装修")
    page.keyboard.press("Enter")
    part(quiet(page), "way", CHOICES, 1).click()
    around(page)
    expect(part(page, "question", "textarea")).to_have_value(QUESTION)
    expect(part(page, "budget", CHOICES, 2)).to_have_attribute("aria-checked", "true")
    assert "modes=" not in page.url and answers(page).count() == 2
    goto(page, "library")
    expect(part(quiet(page), "find", "input")).to_have_value("装修")
    expect(part(page, "way", CHOICES, 1)).to_have_attribute("aria-checked", "true")


def test_what_was_typed_and_set_but_not_sent_is_there_again_after_other_pages(visit):
    page, _ = visit()
    part(quiet(page), "question", "textarea").fill(QUESTION)
    part(page, "budget", CHOICES, 2).click()
    around(page)
    expect(part(page, "budget", CHOICES, 2)).to_have_attribute("aria-checked", "true", timeout=2_000)
    expect(part(page, "question", "textarea")).to_have_value(QUESTION, timeout=2_000)


def test_the_base_chosen_on_one_page_is_the_one_on_the_next(visit, small):
    page, _ = visit(base=small.address)
    part(quiet(page), "kb", "input").click()
    page.get_by_role("option", name="single").click()
    for name in ("library", "settings", "library", "compare"):
        goto(quiet(page), name)
        expect(part(quiet(page), "kb", "input")).to_have_value("小库 single")
