"""Coverage in a real browser: the map by mouse and keyboard, Stop, a phone, hostile texts, the way to Compare."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.doing import part
from tests.browser.watching import quiet

ARTICLES = """# 供水规则

## 第一章 供水

第一条 水表由供水单位每六年更换一次。

第二条 停水超过十二小时的，供水单位应当提前三日通知用户。

第三条 欠缴水费满六个月的，供水单位可以停止供水。

## <img src=x onerror=alert(1)> $x^2$ :red[其他]

第四条 欠缴水费满三个月的，供水单位可以停止供水。

第五条 <script>window.hacked=1</script> [链接](javascript:alert(1)) http://evil.example/ 依照第九十九条处理。
"""
SET = "question,gold\n停水要提前几天通知用户？,01-供水#第二条\n水表多久更换？,01-供水#第一条\n"


@pytest.fixture(scope="module")
def site(start, new_home):
    """An app over a small base with two questions."""
    home = new_home()
    for name, content in (
        ("kb.toml", 'title = "供水"\nlanguage = "zh"\n'),
        ("sections/01-供水.md", ARTICLES),
        ("questions/asked.csv", SET),
    ):
        path = home / "kb" / "own" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return start(home, WORKBENCH_KB="own")


@pytest.fixture
def asked(visit, site):
    """Opens the page and asks its questions, unless that was done before; returns the page with its map."""

    def opened(**how):
        page, _ = visit("/coverage", base=site.address, **how)
        expect(page.get_by_role("treegrid").or_(part(quiet(page), "coverage.run"))).to_be_visible()
        if not page.get_by_role("treegrid").is_visible():
            part(page, "coverage.run").click()
        expect(page.get_by_role("treegrid")).to_be_visible()
        return quiet(page)

    return opened


def cell(page, article):
    return page.locator(f'.cell[data-passage$="#{article}"]')


def look(page, at):
    """Choose a part of the page by its place."""
    part(page, "coverage.look", "[role=radio]", at).click()
    return quiet(page)


def test_a_cell_tells_itself_under_the_pointer_and_opens_by_a_click(asked):
    page = asked()
    cell(page, "第二条").hover()
    expect(page.locator(".readout")).to_contain_text(re.compile("第二条.*交给作答：BM25 1"))
    cell(page, "第二条").click()
    expect(page.get_by_role("heading", name="第二条")).to_be_visible()
    expect(cell(page, "第二条")).to_have_attribute("aria-selected", "true")


def test_the_map_is_used_with_the_keyboard_alone(asked):
    page = asked()
    cell(page, "第一条").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(cell(page, "第五条")).to_be_focused()
    expect(page.locator(".readout")).to_contain_text("第五条")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="第五条")).to_be_visible()
    expect(cell(page, "第五条")).to_be_focused()


def test_texts_of_documents_stand_literally_on_the_map_beside_it_and_in_the_lists(asked):
    page = asked()
    cell(page, "第五条").click()
    expect(page.get_by_text("<script>window.hacked=1</script>").first).to_be_visible()
    for at in (1, 2, 4, 5):
        look(page, at)
    assert page.evaluate("window.hacked") is None
    assert page.locator("a[href*=evil], a[href^=javascript], img[src=x], .katex").count() == 0


def test_nothing_is_wider_than_a_phone(asked):
    page = asked(width=390, locale="en-US")
    cell(page, "第二条").click()
    main = page.locator("[data-testid=stMain]")
    for at in range(6):
        look(page, at)
        if at == 3:
            part(page, "coverage.needles.make").click()
            expect(part(page, "coverage.needles.test")).to_be_visible()
            quiet(page)
        assert main.evaluate("node => node.scrollWidth <= node.clientWidth"), at


def test_stop_keeps_what_has_come_and_marks_it_as_a_part(visit):
    page, _ = visit("/coverage?kb=elevator")
    part(quiet(page), "coverage.run").click()
    expect(page.get_by_text(re.compile("已问 [1-9]"))).to_be_visible()
    part(page, "coverage.stop").click()
    expect(page.get_by_text(re.compile("已停止：104 个问题只问了 \\d+ 个"))).to_be_visible()
    expect(page.get_by_role("treegrid")).to_be_visible()


def test_a_question_that_touched_a_passage_is_asked_on_compare(asked):
    page = asked()
    cell(page, "第二条").click()
    page.get_by_role("button", name=re.compile("停水要提前几天通知用户")).first.click()
    page.wait_for_url(re.compile("[?&]c="))
    expect(part(page, "question", "textarea")).to_have_value("停水要提前几天通知用户？")
    expect(page.get_by_role("heading", name=re.compile("第二条"))).to_be_visible()


def test_a_page_loaded_anew_shows_the_last_result(visit, asked):
    page = asked()
    page.reload()
    expect(page.get_by_role("treegrid")).to_be_visible()
    expect(page.get_by_text(re.compile("问的：.*每种模式自己决定"))).to_be_visible()
